import type { Readable } from 'node:stream';
import type { Agent, Dispatcher, request } from 'undici';
import { errorCode, errorMessage } from '../../contract/errors.ts';
import type { Clock } from '../ports.ts';
import { StallWatch, type OnProgress } from '../stall-watch.ts';
import { unexpectedFault, type Fault } from './service-results.ts';
import { parseRetryAfter } from './retry-after.ts';

const unreachableCodes = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Codes of OpenSSL and Node for certificates that this computer does not trust. Nothing was sent. */
const untrustedCodes = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REVOKED',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | HttpBody | null;
  /** The maximum size of a successful response's body in bytes; larger ones are not read. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** The maximum size of an error response's body in bytes. */
const maxErrorBytes = 256 * 1024;

/** A body of known length that is produced while it is sent. */
export interface HttpBody {
  readonly length: number;
  /**
   * @param onProgress Must be called with the number of bytes just sent, or a slow connection counts as stalled;
   *   `throttledMs`: how long our own upload limit delayed them.
   */
  chunks(onProgress: OnProgress): AsyncIterable<Uint8Array>;
}

export interface HttpResponse {
  readonly status: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  header(name: string): string | undefined;
  /** From `Retry-After`, if present. */
  readonly retryAfterMs: number | null;
}

export type HttpResult =
  { readonly ok: true; readonly response: HttpResponse } | { readonly ok: false; readonly fault: Fault };

interface Connection {
  readonly agent: Agent;
  readonly request: typeof request;
}

/** Sends requests without following redirects, which are returned like other responses. */
export class HttpChannel {
  readonly #clock: Clock;
  /** `null` before the first request. */
  #connection: Promise<Connection> | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Sends one request. Rejects only if `signal` is aborted or the body cannot be produced. */
  async send({ method, url, headers, body, maxBytes, signal }: HttpRequest): Promise<HttpResult> {
    const watch = new StallWatch(this.#clock);
    const bodyError: { error?: unknown } = {};
    let retryAfterMs: number | null = null;
    try {
      const { agent, request } = await (this.#connection ??= openConnection());
      const response = await request(url, {
        dispatcher: agent,
        method,
        headers: {
          ...headers,
          ...(body !== null && typeof body !== 'string' ? { 'content-length': String(body.length) } : {}),
        },
        body: body === null || typeof body === 'string' ? body : streamOf(body, watch.onProgress, bodyError),
        signal: AbortSignal.any([signal, watch.signal]),
      });
      const header = headerOf(response);
      // Stored before the body is read: it is respected even if the body is cut off.
      retryAfterMs = parseRetryAfter(header('retry-after'), this.#clock.now());
      const { statusCode: status } = response;
      const limit = status < 300 ? maxBytes : maxErrorBytes;
      const read = await readBody(response, limit, watch.onProgress).catch((error: unknown) => {
        // The status 429 is enough without its body: it holds back all requests to the service.
        if (status !== 429 || signal.aborted || 'error' in bodyError) throw error;
        return null;
      });
      // The status says what is wrong, even without the page that explains it.
      const bytes = read ?? (status >= 300 ? new Uint8Array(0) : null);
      if (bytes !== null) return { ok: true, response: { status, bytes, header, retryAfterMs } };
      const message = `the response is larger than ${Math.round(limit / 1024)} KiB`;
      return { ok: false, fault: unexpectedFault(message, retryAfterMs) };
    } catch (error) {
      signal.throwIfAborted();
      if ('error' in bodyError) throw bodyError.error;
      return { ok: false, fault: faultOf(error, retryAfterMs) };
    } finally {
      watch.stop();
    }
  }

  async close(): Promise<void> {
    const connection =
      this.#connection ?? Promise.reject(new Error('the channel was closed before it was used'));
    this.#connection = connection;
    await connection.then(
      ({ agent }) => agent.destroy(),
      () => undefined,
    );
  }
}

/** Loads undici with the first request: it is larger than the rest of the program and must not delay the window. */
async function openConnection(): Promise<Connection> {
  const { Agent, request } = await import('undici');
  const agent = new Agent({
    connections: 16,
    connect: { timeout: 15_000 },
    // StallWatch replaces these: an upload may take any amount of time while it progresses.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return { agent, request };
}

/** undici accepts any async iterable and awaits each chunk, but its types allow streams only. */
function streamOf(body: HttpBody, onProgress: OnProgress, bodyError: { error?: unknown }): Readable {
  return captureErrors(body.chunks(onProgress), bodyError) as AsyncIterable<Uint8Array> as Readable;
}

/** Captures an error of the body itself, which undici would report as a broken connection. */
async function* captureErrors(
  chunks: AsyncIterable<Uint8Array>,
  bodyError: { error?: unknown },
): AsyncIterable<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    bodyError.error = error;
    throw error;
  }
}

const headerOf =
  ({ headers }: Dispatcher.ResponseData) =>
  (name: string): string | undefined => {
    const value = headers[name];
    return Array.isArray(value) ? value[0] : value;
  };

/**
 * Reads a whole body; returns `null` and closes the connection if it is larger than `limit` bytes. Copies each piece when
 * it arrives: joining the pieces of a large body at its end would block the thread.
 */
async function readBody(
  { headers, body }: Dispatcher.ResponseData,
  limit: number,
  onProgress: (bytes: number) => void,
): Promise<Uint8Array<ArrayBuffer> | null> {
  // Zero if unknown: then the buffer grows, at least to double its size, whenever the body does not fit.
  const announcedBytes = Number(headers['content-length']) || 0;
  const isTooLarge = announcedBytes > limit;
  let bytes = Buffer.allocUnsafeSlow(isTooLarge ? 0 : announcedBytes);
  let length = 0;
  // Leaving the loop destroys the body, and with it the connection.
  for await (const chunk of body) {
    if (isTooLarge) return null;
    const piece: Uint8Array = chunk;
    onProgress(piece.length);
    const end = length + piece.length;
    if (end > limit) return null;
    if (end > bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(end, 2 * bytes.length));
      larger.set(bytes.subarray(0, length));
      bytes = larger;
    }
    bytes.set(piece, length);
    length = end;
  }
  return bytes.subarray(0, length);
}

function faultOf(error: unknown, retryAfterMs: number | null): Fault {
  const message = errorMessage(error);
  if (untrustedCodes.has(errorCode(error))) return { kind: 'offline', message, isUntrusted: true };
  // A response with `Retry-After` had begun to arrive: the service was reached, and the delay it asks for counts.
  const isOffline = retryAfterMs === null && isUnreachable(error);
  return isOffline ? { kind: 'offline', message } : { kind: 'interrupted', message, retryAfterMs };
}

function isUnreachable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isUnreachable);
  return unreachableCodes.has(errorCode(error));
}
