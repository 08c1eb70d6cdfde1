import { WorkerClient, WorkerStoppedError } from '../../workers/worker-client.ts';
import { CancelledError } from '../../workers/protocol.ts';
import { parseBody, type ParsedBody, type ReaderName } from './response-body.ts';
import type { ResponseHandlers } from './response-worker.ts';

/** The maximum size, in bytes, of bodies that are parsed in the main process without blocking it noticeably. */
const maxBytesParsedHere = 256 * 1024;
/** Far more than the largest legitimate body takes. */
const maxParsingMs = 60_000;
/** Enough for a body of the maximum size with ordinary content. */
const maxHeapMb = 1024;

/** Parses the bodies of a service's responses: large ones in threads, one at a time, to limit the memory in use. */
export class BodyParser {
  readonly #workerUrl: URL | null;
  readonly #maxMs: number;
  #lastParsing: Promise<unknown> = Promise.resolve();

  /** @param workerUrl Of `response-worker.ts`; `null`: everything is parsed in this thread. */
  constructor(workerUrl: URL | null, maxMs = maxParsingMs) {
    this.#workerUrl = workerUrl;
    this.#maxMs = maxMs;
  }

  /** @param bytes Must not be used afterwards. @throws the signal's reason, as soon as it is aborted. */
  async parse<R extends ReaderName>(
    bytes: Uint8Array<ArrayBuffer>,
    reader: R,
    signal: AbortSignal,
  ): Promise<ParsedBody<R>> {
    if (this.#workerUrl === null || bytes.length <= maxBytesParsedHere) return parseBody(bytes, reader);
    const url = this.#workerUrl;
    const parsed = this.#lastParsing.then(() => parseInThread(url, bytes, reader, signal, this.#maxMs));
    this.#lastParsing = parsed.catch(() => undefined);
    return await untilAborted(parsed, signal);
  }
}

/** Waits for a promise; rejects with the signal's reason if the signal is aborted first. */
async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Parses in a new thread, because parsing cannot be interrupted in any other way. */
async function parseInThread<R extends ReaderName>(
  url: URL,
  bytes: Uint8Array<ArrayBuffer>,
  reader: R,
  signal: AbortSignal,
  maxMs: number,
): Promise<ParsedBody<R>> {
  signal.throwIfAborted();
  const limit = AbortSignal.timeout(maxMs);
  const worker = new WorkerClient<ResponseHandlers>({ name: 'response', url, maxHeapMb });
  try {
    // The result type is that of the requested reader.
    return (await worker.request(
      'parse',
      { bytes, reader },
      { signal: AbortSignal.any([signal, limit]), transfer: [bytes.buffer] },
    )) as ParsedBody<R>;
  } catch (error) {
    if (error instanceof CancelledError) {
      signal.throwIfAborted();
      return { ok: false, message: 'the response takes too long to read' };
    }
    if (error instanceof WorkerStoppedError)
      return { ok: false, message: 'the response takes too much memory' };
    throw error;
  } finally {
    // Not awaited: the thread may be busy for another second.
    void worker.close();
  }
}
