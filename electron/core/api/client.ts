import type { Clock } from '../ports.ts';
import type { Bandwidth } from './bandwidth.ts';
import type { CreateRequest, UploadSession } from '../item/item.ts';
import type { Answer, Created, Fault, Job } from './answers.ts';
import { HttpChannel, type HttpAnswer, type HttpBody, type HttpRequest } from './http.ts';
import { parseRetryAfter } from './retry-after.ts';
import {
  readBalance,
  readCreated,
  readError,
  readJob,
  readList,
  readRecord,
  type WireList,
  type WireRecord,
  type WireUpload,
} from './wire.ts';

const jobsPath = 'api/v1/transcriptions';

/** A job, and its record when the answer names it. */
export interface Recorded {
  readonly job: Job;
  readonly record: WireRecord | null;
}

/**
 * Speaks the API with one service (API part 4). Never follows a redirect and never sends the key to another origin
 * than that of the base address. Each call brings an {@link Answer}; it rejects only when its signal is aborted or
 * the part's bytes cannot be read.
 */
export class ServiceClient {
  readonly #base: URL;
  readonly #key: string;
  readonly #clock: Clock;
  readonly #http: HttpChannel;
  readonly #bandwidth: Bandwidth | null;

  /**
   * @param baseUrl the service's base address, with or without a trailing slash.
   * @param bandwidth what uploads share the line by; `null`: they take all of it.
   */
  constructor(baseUrl: string, key: string, clock: Clock, bandwidth: Bandwidth | null = null) {
    this.#base = new URL(baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
    this.#key = key;
    this.#clock = clock;
    this.#bandwidth = bandwidth;
    this.#http = new HttpChannel(clock);
  }

  /** POST /api/v1/transcriptions: a new job, or the same one again for the same ticket (API part 4.1). */
  async create(ticket: CreateRequest, signal: AbortSignal): Promise<Answer<Created>> {
    const headers = { 'content-type': 'application/json', 'idempotency-key': ticket.key };
    return this.#ask({ method: 'POST', path: jobsPath, headers, body: ticket.body, signal }, (body, answer) =>
      this.#readCreated(body, answer.header('location')),
    );
  }

  /** PUT …/upload?part_number=N: one part's bytes (API part 4.2). */
  async sendPart(
    session: UploadSession,
    number: number,
    bytes: HttpBody,
    signal: AbortSignal,
  ): Promise<Answer<null>> {
    const url = new URL(session.partPath, this.#base);
    url.searchParams.set('part_number', String(number));
    const headers = { 'content-type': 'application/octet-stream' };
    const body = this.#bandwidth === null ? bytes : this.#bandwidth.pace(bytes, signal);
    return this.#ask({ method: 'PUT', path: url.href, headers, body, signal }, () => null, 'any body');
  }

  /** POST …/complete: all parts are there, start (API part 4.3). The job is `null` when the answer does not tell it. */
  async complete(
    jobId: string,
    session: UploadSession | null,
    signal: AbortSignal,
  ): Promise<Answer<Job | null>> {
    const path = session?.completePath ?? `${jobsPath}/${encodeURIComponent(jobId)}/complete`;
    return this.#ask({ method: 'POST', path, headers: {}, body: null, signal }, readJob, 'any body');
  }

  /** GET …/{id}: the job's state, and its transcript once there is one (API part 4.4). */
  async status(jobId: string, signal: AbortSignal): Promise<Answer<Job>> {
    const path = `${jobsPath}/${encodeURIComponent(jobId)}`;
    return this.#ask({ method: 'GET', path, headers: {}, body: null, signal }, (body) => {
      const job = readJob(body);
      return job ?? unexpected('the answer tells no job status');
    });
  }

  /** DELETE …/{id}: cancels an active job, or deletes a completed result (API part 4.6). */
  async delete(jobId: string, signal: AbortSignal): Promise<Answer<null>> {
    const path = `${jobsPath}/${encodeURIComponent(jobId)}`;
    return this.#ask({ method: 'DELETE', path, headers: {}, body: null, signal }, () => null, 'any body');
  }

  /** GET /api/v1/transcriptions: the latest 100 records (API part 4.5). Costs nothing: also the check of a key. */
  async list(signal: AbortSignal): Promise<Answer<WireList>> {
    return this.#ask({ method: 'GET', path: jobsPath, headers: {}, body: null, signal }, (body) => {
      return readList(body) ?? unexpected('the answer is no list of jobs');
    });
  }

  /** GET …/{id}: a job with what the list may tell of it, for one that is not ours (API part 4.4). */
  async record(jobId: string, signal: AbortSignal): Promise<Answer<Recorded>> {
    const path = `${jobsPath}/${encodeURIComponent(jobId)}`;
    return this.#ask({ method: 'GET', path, headers: {}, body: null, signal }, (body) => {
      const job = readJob(body);
      if (job === null) return unexpected('the answer tells no job status');
      return { job, record: readRecord(body) };
    });
  }

  async close(): Promise<void> {
    await this.#http.close();
  }

  async #ask<T>(
    request: Omit<HttpRequest, 'url'> & { readonly path: string },
    read: (body: unknown, answer: HttpAnswer) => T | Fault,
    bodies: 'JSON' | 'any body' = 'JSON',
  ): Promise<Answer<T>> {
    const url = new URL(request.path, this.#base);
    if (url.origin !== this.#base.origin) return { ok: false, fault: foreign(url) };
    const result = await this.#http.send({
      ...request,
      url,
      headers: { accept: 'application/json', ...request.headers, authorization: `Bearer ${this.#key}` },
    });
    if (!result.ok) return result;
    const { answer } = result;
    const retryAfterMs = parseRetryAfter(answer.header('retry-after'), this.#clock.now());
    const body = parseJson(answer.text);
    if (answer.status >= 300) return { ok: false, fault: this.#refusal(answer, body, retryAfterMs) };
    // Also where any body will do: a sign-in page that takes a part has not passed it on.
    if (body === undefined && looksLikeHtml(answer)) return { ok: false, fault: signInPage() };
    if (body === undefined && bodies === 'JSON' && !mayBeEmpty(answer))
      return { ok: false, fault: unexpected('the answer is not JSON') };
    const value = read(body, answer);
    if (isFault(value)) return { ok: false, fault: value };
    return { ok: true, value, retryAfterMs, balanceCredits: readBalance(body) };
  }

  #refusal(answer: HttpAnswer, body: unknown, retryAfterMs: number | null): Fault {
    const { status } = answer;
    if (status < 400) {
      const target = URL.parse(answer.header('location') ?? '', this.#base);
      return foreign(target);
    }
    // 511: a network wants its users to sign in first (RFC 6585).
    if (status === 511) return signInPage();
    const { code, message } = readError(body);
    return { kind: 'refused', httpStatus: status, code, message: message || `HTTP ${status}`, retryAfterMs };
  }

  /** The job's identifier may come from the body or from `Location` (API part 4.1). */
  #readCreated(body: unknown, location: string | undefined): Created | Fault {
    const wire = readCreated(body);
    const target = location === undefined ? null : URL.parse(location, this.#base);
    if (target !== null && target.origin !== this.#base.origin) return foreign(target);
    const jobId = wire.jobId ?? (target === null ? null : jobIdOf(target));
    if (jobId === null) return unexpected('the answer names no job');
    if (wire.upload === null) return { jobId, session: null };
    const session = this.#session(wire.upload);
    return 'kind' in session ? session : { jobId, session };
  }

  #session(upload: WireUpload): UploadSession | Fault {
    const part = URL.parse(upload.part_url, this.#base);
    const complete = URL.parse(upload.complete_url, this.#base);
    if (part === null || complete === null)
      return unexpected('an address of the upload session is no address');
    const stranger = [part, complete].find((url) => url.origin !== this.#base.origin);
    if (stranger !== undefined) return foreign(stranger);
    return {
      partSize: upload.part_size,
      partCount: upload.part_count,
      partPath: part.pathname + part.search,
      completePath: complete.pathname + complete.search,
    };
  }
}

/** `undefined` when `text` is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A link's create answer may carry its `Location` alone (API part 4.1). */
const mayBeEmpty = (answer: HttpAnswer): boolean =>
  answer.text.trim() === '' && answer.header('location') !== undefined;

const looksLikeHtml = (answer: HttpAnswer): boolean =>
  (answer.header('content-type') ?? '').includes('text/html') || /^\s*<(!doctype|html)/i.test(answer.text);

const signInPage = (): Fault => ({
  kind: 'offline',
  message: 'a sign-in page answers in place of the service',
});

const unexpected = (message: string): Fault => ({ kind: 'unexpected', message });

const foreign = (url: URL | null): Fault => ({
  kind: 'foreign',
  message: url === null ? 'a redirect' : url.origin,
});

const jobIdOf = (location: URL): string | null => {
  const name = /\/transcriptions\/([^/]+)\/?$/.exec(location.pathname)?.[1];
  return name === undefined ? null : decodeURIComponent(name);
};

const faultKinds: ReadonlySet<unknown> = new Set([
  'refused',
  'offline',
  'interrupted',
  'unexpected',
  'foreign',
]);
const isFault = (value: unknown): value is Fault =>
  typeof value === 'object' && value !== null && 'kind' in value && faultKinds.has(value.kind);
