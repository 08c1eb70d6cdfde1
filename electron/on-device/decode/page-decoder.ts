import { open, type FileHandle } from 'node:fs/promises';
import type { FromDecoder, RecordedAudio, ToDecoder } from '../../contract/decoder-protocol.ts';
import { errorMessage } from '../../contract/errors.ts';
import type { Clock } from '../../core/ports.ts';
import { DecodeError, DecoderUnavailableError, type DecodedRecording, type Decoder } from './decoder.ts';
import { parseFromDecoder, type PagePort } from './page-port.ts';
import { toSpeechSamples } from './speech-samples.ts';

/** Maximum bytes per read, whatever the page requests. */
const maxReadBytes = 16 * 1024 * 1024;
/** After this many crashes of the page during one recording, the recording counts as the cause. */
const maxCrashes = 2;
/** How often to check whether the page has sent anything, and after how many silent checks it counts as stuck. */
const checkIntervalMs = 10_000;
const maxSilentChecks = 12;

/** How to detect a page that is stuck. */
export interface PageWatchdog {
  readonly clock: Clock;
  /** Called when the page has sent nothing for two minutes: it is stuck, for other recordings too. */
  readonly onStuck: () => void;
}

/**
 * Decodes with the browser's decoders in an off-screen page. The page has neither files nor network: it requests bytes over
 * the port.
 */
export class PageDecoder implements Decoder {
  readonly #connect: () => Promise<PagePort>;
  readonly #watchdog: PageWatchdog;
  /** How often the page crashed during each file. */
  readonly #crashes = new Map<string, number>();

  /** @param connect opens a new port to the page */
  constructor(connect: () => Promise<PagePort>, watchdog: PageWatchdog = noWatchdog) {
    this.#connect = connect;
    this.#watchdog = watchdog;
  }

  async open(path: string, signal: AbortSignal): Promise<DecodedRecording> {
    signal.throwIfAborted();
    const file = await open(path);
    try {
      const { size } = await file.stat();
      const port = await this.#openPort(signal);
      const session = new DecodeSession(port, file, signal, this.#watchdog, () => this.#crashError(path));
      try {
        return await session.start(size);
      } catch (error) {
        session.end();
        throw error;
      }
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  async #openPort(signal: AbortSignal): Promise<PagePort> {
    const connecting = this.#connect();
    const aborted = Promise.withResolvers<never>();
    const cancel = (): void => aborted.reject(signal.reason);
    signal.addEventListener('abort', cancel);
    if (signal.aborted) cancel();
    try {
      return await Promise.race([connecting, aborted.promise]);
    } catch (cause) {
      // The caller is gone: close a port that arrives late.
      connecting.then(
        (port) => port.close(),
        () => undefined,
      );
      signal.throwIfAborted();
      throw new DecoderUnavailableError('The decoder is not available.', { cause });
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  #crashError(path: string): Error {
    const crashCount = (this.#crashes.get(path) ?? 0) + 1;
    this.#crashes.set(path, crashCount);
    if (crashCount < maxCrashes)
      return new DecoderUnavailableError('The decoder stopped before it was done.');
    this.#crashes.delete(path);
    return new DecodeError('broken', 'This recording is damaged: the decoder crashes on it.');
  }
}

const noWatchdog: PageWatchdog = {
  clock: { now: () => 0, schedule: () => () => undefined },
  onStuck: () => undefined,
};

/** Decodes one recording over one port. */
class DecodeSession {
  readonly #port: PagePort;
  readonly #file: FileHandle;
  readonly #signal: AbortSignal;
  readonly #watchdog: PageWatchdog;
  readonly #crashError: () => Error;
  /** Checks since the page last sent anything. */
  #silentChecks = 0;
  /** Reads that the page has requested and not received yet. */
  #activeReads = 0;
  #cancelCheck: () => void = () => undefined;
  #pendingResponse: PromiseWithResolvers<FromDecoder> | null = null;
  /** Why the session is over. */
  #endReason: Error | null = null;
  #closed: Promise<void> | null = null;

  /**
   * @param signal ends the session at any point: the page may be busy for long, or forever
   * @param crashError returns the error for a page that crashed
   */
  constructor(
    port: PagePort,
    file: FileHandle,
    signal: AbortSignal,
    watchdog: PageWatchdog,
    crashError: () => Error,
  ) {
    this.#watchdog = watchdog;
    this.#crashError = crashError;
    this.#port = port;
    this.#file = file;
    this.#signal = signal;
    signal.addEventListener('abort', this.#onAbort);
    port.on('message', ({ data }) => this.#onMessage(data));
    port.on('close', () => {
      if (this.#endReason === null) this.#fail(crashError());
    });
    port.start();
  }

  /** @throws DecodeError when the page cannot read the recording */
  async start(sizeBytes: number): Promise<DecodedRecording> {
    if (this.#signal.aborted) this.#onAbort();
    const opened = await this.#sendRequest({ kind: 'open', sizeBytes });
    if (opened.kind !== 'opened') throw unexpectedMessageError(opened);
    return {
      durationSeconds: opened.durationSeconds,
      hasVideo: opened.hasVideo,
      samples: () => toSpeechSamples(this.#readPieces()),
      close: () => (this.#closed ??= this.#close()),
    };
  }

  end(): void {
    this.#cancelCheck();
    this.#signal.removeEventListener('abort', this.#onAbort);
    this.#endReason ??= new Error('The recording was closed.');
    this.#port.postMessage({ kind: 'close' });
    this.#port.close();
  }

  async #close(): Promise<void> {
    this.#fail(new Error('The recording was closed.'));
    this.end();
    await this.#file.close();
  }

  async *#readPieces(): AsyncGenerator<RecordedAudio> {
    let next = this.#sendRequest({ kind: 'next' });
    for (;;) {
      const piece = await next;
      if (piece.kind === 'end') return;
      if (piece.kind !== 'samples') throw unexpectedMessageError(piece);
      // The page decodes the next piece while this one is used.
      next = this.#sendRequest({ kind: 'next' });
      // If the reader stops here, nobody awaits this request: its failure must not count as unhandled.
      next.catch(() => undefined);
      yield piece;
    }
  }

  readonly #onAbort = (): void => {
    const { reason } = this.#signal;
    this.#fail(reason instanceof Error ? reason : new Error(String(reason)));
  };

  #fail(error: Error): void {
    this.#endReason ??= error;
    this.#pendingResponse?.reject(error);
  }

  /** Sends a request and returns the page's response. The page's own requests for bytes are handled by {@link #read}. */
  async #sendRequest(message: ToDecoder): Promise<FromDecoder> {
    if (this.#endReason !== null) throw this.#endReason;
    const pending = Promise.withResolvers<FromDecoder>();
    this.#pendingResponse = pending;
    this.#port.postMessage(message);
    this.#silentChecks = 0;
    this.#cancelCheck();
    this.#scheduleCheck();
    const response = await pending.promise.finally(() => {
      if (this.#pendingResponse === pending) this.#cancelCheck();
    });
    if (response.kind === 'failed') throw new DecodeError(response.reason, response.message);
    return response;
  }

  /** Checks repeatedly rather than with one long timer, because the computer may have slept meanwhile. */
  #scheduleCheck(): void {
    this.#cancelCheck = this.#watchdog.clock.schedule(checkIntervalMs, () => {
      // While the page waits for bytes it sends nothing.
      if (this.#activeReads === 0) this.#silentChecks++;
      if (this.#silentChecks < maxSilentChecks) return this.#scheduleCheck();
      this.#fail(this.#crashError());
      this.#watchdog.onStuck();
    });
  }

  #onMessage(data: unknown): void {
    this.#silentChecks = 0;
    let message: FromDecoder;
    try {
      message = parseFromDecoder(data);
    } catch (cause) {
      // The file makes the page report impossible values, such as a billion samples per second.
      this.#pendingResponse?.reject(
        new DecodeError('broken', 'This recording is damaged: its sound cannot be decoded.', { cause }),
      );
      return;
    }
    if (message.kind === 'read') void this.#read(message.request, message.start, message.end);
    else this.#pendingResponse?.resolve(message);
  }

  async #read(request: number, start: number, end: number): Promise<void> {
    this.#activeReads++;
    try {
      const length = end - start;
      if (length < 0 || length > maxReadBytes)
        throw new RangeError(`${length} bytes cannot be read at once.`);
      const bytes = new Uint8Array(length);
      const { bytesRead } = await this.#file.read(bytes, 0, length, start);
      this.#port.postMessage({ kind: 'bytes', request, bytes: bytes.subarray(0, bytesRead) });
    } catch (error) {
      const message = errorMessage(error);
      this.#port.postMessage({ kind: 'read-failed', request, message });
    } finally {
      this.#activeReads--;
      this.#silentChecks = 0;
    }
  }
}

function unexpectedMessageError(message: FromDecoder): Error {
  return new Error(`Unexpected message "${message.kind}" from the decoder.`);
}
