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

/** A job, and its record if the response contains one. */
export interface Recorded {
  readonly job: Job;
  readonly record: WireRecord | null;
}

/**
 * A client of one service (API part 4). It never follows redirects and sends the key only to the origin of the base
 * address. Each call resolves with an {@link Answer}; it rejects only if its signal is aborted or the bytes of a part
 * cannot be read.
 */
export class ServiceClient {
  readonly #base: URL;
  readonly #key: string;
  readonly #clock: Clock;
  readonly #http: HttpChannel;
  readonly #bandwidth: Bandwidth | null;

  /**
   * @param baseUrl The service's base address, with or without a trailing slash.
   * @param bandwidth Limits uploads; `null`: unlimited.
   */
  constructor(baseUrl: string, key: string, clock: Clock, bandwidth: Bandwidth | null = null) {
    this.#base = new URL(baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
    this.#key = key;
    this.#clock = clock;
    this.#bandwidth = bandwidth;
    this.#http = new HttpChannel(clock);
  }

  /** POST /api/v1/transcriptions: creates a job, or returns the existing one for the same key (API part 4.1). */
  async create(ticket: CreateRequest, signal: AbortSignal): Promise<Answer<Created>> {
    const headers = { 'content-type': 'application/json', 'idempotency-key': ticket.key };
    return this.#request(
      { method: 'POST', path: jobsPath, headers, body: ticket.body, signal },
      (body, answer) => this.#readCreated(body, answer.header('location')),
    );
  }

  /** PUT …/upload?part_number=N: sends the bytes of one part (API part 4.2). */
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
    return this.#request({ method: 'PUT', path: url.href, headers, body, signal }, () => null, 'any body');
  }

  /**
   * POST …/complete: starts the job once all parts are sent (API part 4.3). The job is `null` if the response lacks it.
   */
  async complete(
    jobId: string,
    session: UploadSession | null,
    signal: AbortSignal,
  ): Promise<Answer<Job | null>> {
    const path = session?.completePath ?? `${jobsPath}/${encodeURIComponent(jobId)}/complete`;
    return this.#request({ method: 'POST', path, headers: {}, body: null, signal }, readJob, 'any body');
  }

  /** GET …/{id}: reads the job's status, and its transcript once it is completed (API part 4.4). */
  async status(jobId: string, signal: AbortSignal): Promise<Answer<Job>> {
    const path = `${jobsPath}/${encodeURIComponent(jobId)}`;
    return this.#request({ method: 'GET', path, headers: {}, body: null, signal }, (body) => {
      const job = readJob(body);
      return job ?? unexpected('the answer tells no job status');
    });
  }

  /** DELETE …/{id}: cancels an active job, or deletes a completed result (API part 4.6). */
  async delete(jobId: string, signal: AbortSignal): Promise<Answer<null>> {
    const path = `${jobsPath}/${encodeURIComponent(jobId)}`;
    return this.#request({ method: 'DELETE', path, headers: {}, body: null, signal }, () => null, 'any body');
  }

  /**
   * GET /api/v1/transcriptions: reads the latest 100 records (API part 4.5). Free of charge, so it also checks a key.
   */
  async list(signal: AbortSignal): Promise<Answer<WireList>> {
    return this.#request({ method: 'GET', path: jobsPath, headers: {}, body: null, signal }, (body) => {
      return readList(body) ?? unexpected('the answer is no list of jobs');
    });
  }

  /** GET …/{id}: reads a job with its record, also one that was not created here (API part 4.4). */
  async record(jobId: string, signal: AbortSignal): Promise<Answer<Recorded>> {
    const path = `${jobsPath}/${encodeURIComponent(jobId)}`;
    return this.#request({ method: 'GET', path, headers: {}, body: null, signal }, (body) => {
      const job = readJob(body);
      if (job === null) return unexpected('the answer tells no job status');
      return { job, record: readRecord(body) };
    });
  }

  async close(): Promise<void> {
    await this.#http.close();
  }

  async #request<T>(
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
    // Also if any body is accepted: a captive portal that accepts a part has not forwarded it.
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
    // 511: the network requires a sign-in first (RFC 6585).
    if (status === 511) return signInPage();
    const { code, message } = readError(body);
    return { kind: 'refused', httpStatus: status, code, message: message || `HTTP ${status}`, retryAfterMs };
  }

  /** Reads the job's ID from the body or from `Location` (API part 4.1). */
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
    const foreignUrl = [part, complete].find((url) => url.origin !== this.#base.origin);
    if (foreignUrl !== undefined) return foreign(foreignUrl);
    return {
      partSize: upload.part_size,
      partCount: upload.part_count,
      partPath: part.pathname + part.search,
      completePath: complete.pathname + complete.search,
    };
  }
}

/** Returns `undefined` if `text` is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The create response for a link may consist of its `Location` only (API part 4.1). */
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
