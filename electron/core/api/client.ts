import { parseJobId } from '../../contract/identifiers.ts';
import { isKnownStatus } from '../../contract/job-status.ts';
import type { Clock } from '../ports.ts';
import type { Bandwidth } from './bandwidth.ts';
import type { CreateRequest, UploadSession } from '../item/item.ts';
import {
  unexpectedFault,
  type ServiceResult,
  type Created,
  type Fault,
  type Job,
  type JobInProgress,
} from './service-results.ts';
import { HttpChannel, type HttpResponse, type HttpBody, type HttpRequest } from './http.ts';
import { BodyParser } from './body-parser.ts';
import type { ReaderName, ReaderResult } from './response-body.ts';
import type { JobWithRecord, WireCreated, WireList, WireUpload } from './wire.ts';

const jobsPath = 'api/v1/transcriptions';

/** The maximum size of each response in bytes: a transcript of 100 hours with all its words fits. */
const maxBytes: Readonly<Record<ReaderName, number>> = {
  created: 256 * 1024,
  createdId: 256 * 1024,
  job: 64 * 1024 * 1024,
  progress: 64 * 1024 * 1024,
  jobWithRecord: 64 * 1024 * 1024,
  list: 8 * 1024 * 1024,
  nothing: 256 * 1024,
};

export interface ServiceClientOptions {
  /** Limits uploads; unlimited if absent. */
  readonly bandwidth?: Bandwidth;
  /** If absent, bodies are parsed in this thread. */
  readonly parser?: BodyParser;
  /** Whether the service has the extensions of the on-device service; if not, only requests of the API are sent. */
  readonly isExtended?: boolean;
}

type Request = Omit<HttpRequest, 'url' | 'headers' | 'body' | 'maxBytes'> & {
  /** Relative to the base address; `null` if the ID of the job is invalid: then nothing is sent. */
  readonly path: string | null;
  readonly headers?: HttpRequest['headers'];
  readonly body?: HttpRequest['body'];
};

/**
 * A client of one service (API part 4). It never follows redirects and sends the key only to the origin of the base
 * address. Each call resolves with a {@link ServiceResult} for any response; it rejects only if its signal is aborted or the
 * bytes of a part cannot be read.
 */
export class ServiceClient {
  readonly #base: URL;
  readonly #key: string;
  readonly #http: HttpChannel;
  readonly #bandwidth: Bandwidth | null;
  readonly #parser: BodyParser;
  readonly #isExtended: boolean;

  /** @param baseUrl The service's base address, with or without a trailing slash. */
  constructor(baseUrl: string, key: string, clock: Clock, options: ServiceClientOptions = {}) {
    this.#base = new URL(baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
    this.#key = key;
    this.#bandwidth = options.bandwidth ?? null;
    this.#parser = options.parser ?? new BodyParser(null);
    this.#isExtended = options.isExtended ?? false;
    this.#http = new HttpChannel(clock);
  }

  /**
   * POST /api/v1/transcriptions: creates a job, or returns the existing one for the same key (API part 4.1).
   *
   * @param needsSession whether to read the upload session. If not, the request does not fail because of an unusable one.
   */
  async create(
    request: CreateRequest,
    signal: AbortSignal,
    needsSession = true,
  ): Promise<ServiceResult<Created>> {
    const headers = { 'content-type': 'application/json', 'idempotency-key': request.key };
    const sent: Request = { method: 'POST', path: jobsPath, headers, body: request.body, signal };
    if (needsSession) {
      return this.#send(sent, 'created', {
        read: (wire, { header }) => this.#readCreated(wire, header('location')),
        accepts: 'json or location',
      });
    }
    return this.#send(sent, 'createdId', {
      read: (jobId, { header }) => this.#readCreated({ jobId, upload: null }, header('location')),
      accepts: 'json or location',
    });
  }

  /** PUT …/upload?part_number=N: sends the bytes of one part (API part 4.2). */
  async sendPart(
    session: UploadSession,
    number: number,
    bytes: HttpBody,
    signal: AbortSignal,
  ): Promise<ServiceResult<null>> {
    const separator = session.partPath.includes('?') ? '&' : '?';
    const path = `${this.#withKey(session.partPath)}${separator}part_number=${number}`;
    const headers = { 'content-type': 'application/octet-stream' };
    const body = this.#bandwidth === null ? bytes : this.#bandwidth.throttle(bytes, signal);
    return this.#send({ method: 'PUT', path, headers, body, signal }, 'nothing', {
      read: () => null,
      accepts: 'any',
    });
  }

  /**
   * POST …/complete: starts the job once all parts are sent (API part 4.3). The job is `null` if the response has none.
   */
  async complete(
    jobId: string,
    session: UploadSession | null,
    signal: AbortSignal,
  ): Promise<ServiceResult<Job | null>> {
    const path = session === null ? jobPath(jobId, '/complete') : this.#withKey(session.completePath);
    return this.#send({ method: 'POST', path, signal }, 'job', {
      read: (job) => (job === null ? null : this.#withoutKeyIn(job)),
      accepts: 'any',
    });
  }

  /**
   * GET …/{id}: reads the job's status, and its transcript once it is completed (API part 4.4).
   *
   * @param partialFrom the index of the first segment of the partial transcript to request; without the extensions, no
   *   partial transcript is requested or read.
   */
  async status(
    jobId: string,
    signal: AbortSignal,
    partialFrom: number | null = null,
  ): Promise<ServiceResult<JobInProgress>> {
    const path = this.#statusPath(jobId, partialFrom);
    const reader = this.#isExtended && partialFrom !== null ? 'progress' : 'job';
    return this.#send({ method: 'GET', path, signal }, reader, {
      read: (job) =>
        job === null ? unexpectedFault('the response has no job status') : this.#withoutKeyIn(job),
    });
  }

  /** DELETE …/{id}: cancels an active job, or deletes a completed result (API part 4.6). */
  async delete(jobId: string, signal: AbortSignal): Promise<ServiceResult<null>> {
    const request: Request = { method: 'DELETE', path: jobPath(jobId), signal };
    return this.#send(request, 'nothing', { read: () => null, accepts: 'any' });
  }

  /**
   * GET /api/v1/transcriptions: reads the latest 100 records (API part 4.5). Free of charge, so it also checks a key.
   */
  async list(signal: AbortSignal): Promise<ServiceResult<WireList>> {
    return this.#send({ method: 'GET', path: jobsPath, signal }, 'list', {
      read: (list) => list ?? unexpectedFault('the response is not a list of jobs'),
    });
  }

  /** GET …/{id}: reads a job with its record, even if it was not created here (API part 4.4). */
  async record(jobId: string, signal: AbortSignal): Promise<ServiceResult<JobWithRecord>> {
    return this.#send({ method: 'GET', path: this.#statusPath(jobId), signal }, 'jobWithRecord', {
      read: (found) =>
        found === null
          ? unexpectedFault('the response has no job status')
          : { ...found, job: this.#withoutKeyIn(found.job) },
    });
  }

  async close(): Promise<void> {
    await this.#http.close();
  }

  /**
   * Sends a request and reads its response. No content of the response makes this throw, and no message of a fault
   * contains the key: a service may repeat it, and messages are stored and shown.
   */
  async #send<T, R extends ReaderName>(
    request: Request,
    reader: R,
    responseReader: ResponseReader<T, R>,
  ): Promise<ServiceResult<T>> {
    const result = await this.#exchange(request, reader, responseReader);
    if (result.ok) return result;
    const { fault } = result;
    return { ok: false, fault: { ...fault, message: this.#withoutKey(fault.message) } };
  }

  async #exchange<T, R extends ReaderName>(
    request: Request,
    reader: R,
    { read, accepts = 'json' }: ResponseReader<T, R>,
  ): Promise<ServiceResult<T>> {
    if (request.path === null) return { ok: false, fault: unknownJobFault };
    const url = URL.parse(request.path, this.#base);
    if (url === null)
      return { ok: false, fault: unexpectedFault('the upload session has an invalid address') };
    if (url.origin !== this.#base.origin) return { ok: false, fault: foreignAddressFault(url) };
    const result = await this.#http.send({
      ...request,
      url,
      headers: { accept: 'application/json', ...request.headers, authorization: `Bearer ${this.#key}` },
      body: request.body ?? null,
      maxBytes: maxBytes[reader],
    });
    if (!result.ok) return result;
    const { response } = result;
    const { retryAfterMs } = response;
    const body = await this.#parser.parse(response.bytes, reader, request.signal);
    if (response.status >= 300 && response.status < 400) {
      return {
        ok: false,
        fault: foreignAddressFault(URL.parse(response.header('location') ?? '', this.#base)),
      };
    }
    // 511: the network requires a sign-in first (RFC 6585).
    if (response.status === 511) return { ok: false, fault: signInPageFault };
    if (response.status >= 400) {
      const { code, message } = body.ok ? body.error : { code: null, message: '' };
      const httpStatus = response.status;
      const text = message || `HTTP ${httpStatus}`;
      return { ok: false, fault: { kind: 'refused', httpStatus, code, message: text, retryAfterMs } };
    }
    if (!body.ok) return { ok: false, fault: unexpectedFault(body.message, retryAfterMs) };
    // Checked even if the body does not matter: a captive portal may respond 200 to a part without forwarding it. Where
    // the body does not matter, its content type alone does not indicate a portal: many servers send “OK” as HTML.
    if (body.form === 'html' || (body.form === 'other' && accepts !== 'any' && isHtml(response)))
      return { ok: false, fault: signInPageFault };
    if (body.form !== 'json' && accepts !== 'any') {
      const hasLocation = body.form === 'empty' && response.header('location') !== undefined;
      if (accepts !== 'json or location' || !hasLocation)
        return { ok: false, fault: unexpectedFault('the response is not JSON', retryAfterMs) };
    }
    const value = read(body.value, response);
    if (isFault(value))
      return { ok: false, fault: value.kind === 'unexpected' ? { ...value, retryAfterMs } : value };
    return { ok: true, value, retryAfterMs, balanceCredits: body.balanceCredits };
  }

  #withoutKeyIn<J extends Job>(job: J): J {
    const error = job.error && { ...job.error, message: this.#withoutKey(job.error.message) };
    // A known status is kept even if it contains the key or ends with its first characters: the redacted one would not be
    // recognized, and the job would be polled forever.
    const status = isKnownStatus(job.status) ? job.status : this.#withoutKey(job.status);
    return { ...job, status, error };
  }

  /** Replaces the key in a text of the service, and the first characters of the key where a long text was cut off. */
  #withoutKey(text: string): string {
    if (this.#key === '') return text;
    // Hosts of addresses are in lower case.
    const cleaned = text
      .replaceAll(this.#key, keyPlaceholder)
      .replaceAll(this.#key.toLowerCase(), keyPlaceholder);
    for (let length = this.#key.length - 1; length >= minSecretLength; length -= 1)
      if (cleaned.endsWith(this.#key.slice(0, length))) return cleaned.slice(0, -length) + keyPlaceholder;
    return cleaned;
  }

  /** Replaces the key in an address that will be stored; {@link #withKey} puts it back. */
  #withPlaceholder(path: string): string {
    if (this.#key === '') return path;
    return path
      .replaceAll(this.#key, addressPlaceholders.key)
      .replaceAll(encodeURIComponent(this.#key), addressPlaceholders.encoded);
  }

  #withKey(path: string): string {
    return path
      .replaceAll(addressPlaceholders.encoded, () => encodeURIComponent(this.#key))
      .replaceAll(addressPlaceholders.key, () => this.#key);
  }

  #statusPath(jobId: string, partialFrom: number | null = null): string | null {
    if (!this.#isExtended) return jobPath(jobId);
    return jobPath(jobId, partialFrom === null ? '?words=1' : `?words=1&partial=1&from=${partialFrom}`);
  }

  /** Reads the job's ID from the body or from `Location` (API part 4.1). */
  #readCreated(wire: WireCreated, location: string | undefined): Created | Fault {
    const target = location === undefined ? null : URL.parse(location, this.#base);
    if (target !== null && target.origin !== this.#base.origin) return foreignAddressFault(target);
    const jobId = wire.jobId ?? (target === null ? null : jobIdFromUrl(target));
    if (jobId === null) return unexpectedFault('the response names no job');
    if (wire.upload === null) return { jobId, session: null };
    const session = this.#readSession(wire.upload);
    return 'kind' in session ? session : { jobId, session };
  }

  #readSession(upload: WireUpload): UploadSession | Fault {
    const part = URL.parse(upload.part_url, this.#base);
    const complete = URL.parse(upload.complete_url, this.#base);
    if (part === null || complete === null)
      return unexpectedFault('the upload session has an invalid address');
    const foreignUrl = [part, complete].find((url) => url.origin !== this.#base.origin);
    if (foreignUrl !== undefined) return foreignAddressFault(foreignUrl);
    return {
      partSize: upload.part_size,
      partCount: upload.part_count,
      partPath: this.#withPlaceholder(part.pathname + part.search),
      completePath: this.#withPlaceholder(complete.pathname + complete.search),
    };
  }
}

const keyPlaceholder = '[…]';
/** What stands for the key in the stored addresses of uploads: neither can be in an address. */
const addressPlaceholders = { key: '\uE000', encoded: '\uE001' } as const;
/** The end of a text is redacted if it has at least this many of the key's first characters; fewer reveal nothing. */
const minSecretLength = 6;

/** How a response becomes the result of a call. */
interface ResponseReader<T, R extends ReaderName> {
  readonly read: (value: ReaderResult<R>, response: HttpResponse) => T | Fault;
  /**
   * Which bodies are accepted: the response for a link may have only its `Location` (API part 4.1), others only a status.
   */
  readonly accepts?: 'json' | 'json or location' | 'any';
}

/** Returns the path of a job, always one segment below the path of the list; `null` if its ID is invalid. */
function jobPath(jobId: string, rest = ''): string | null {
  const id = parseJobId(jobId);
  return id === null ? null : `${jobsPath}/${encodeURIComponent(id)}${rest}`;
}

const unknownJobFault: Fault = {
  kind: 'refused',
  httpStatus: 404,
  code: 'not_found',
  message: 'no service can have a job with this ID',
  retryAfterMs: null,
};

const isHtml = ({ header }: HttpResponse): boolean => (header('content-type') ?? '').includes('text/html');

const signInPageFault: Fault = {
  kind: 'offline',
  message: 'a sign-in page responds in place of the service',
  isSignInPage: true,
};

/** @param url the address of another origin, or the target of a redirect; `null` for a redirect to no valid address */
const foreignAddressFault = (url: URL | null): Fault => ({
  kind: 'cross_origin',
  message: url === null ? 'a redirect' : url.origin,
});

function jobIdFromUrl({ pathname }: URL): string | null {
  const encodedId = /\/transcriptions\/([^/]+)\/?$/.exec(pathname)?.[1];
  if (encodedId === undefined) return null;
  try {
    return parseJobId(decodeURIComponent(encodedId));
  } catch {
    // An invalid escape such as `%zz`.
    return null;
  }
}

const faultKinds: ReadonlySet<unknown> = new Set([
  'refused',
  'offline',
  'interrupted',
  'unexpected',
  'cross_origin',
]);
const isFault = (value: unknown): value is Fault =>
  typeof value === 'object' && value !== null && 'kind' in value && faultKinds.has(value.kind);
