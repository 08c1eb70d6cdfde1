import { open, type FileHandle } from 'node:fs/promises';
import type {
  FromDecoder,
  RecordedAudio,
  RecordingDamage,
  ToDecoder,
} from '../../contract/decoder-protocol.ts';
import { errorMessage } from '../../contract/errors.ts';
import type { Clock } from '../../core/ports.ts';
import {
  DecodeError,
  DecoderCrashedError,
  DecoderUnavailableError,
  type DecodedRecording,
  type Decoder,
} from './decoder.ts';
import { parseFromDecoder, type PagePort } from './page-port.ts';
import { SilenceWatch } from './silence-watch.ts';
import { toSpeechSamples } from './speech-samples.ts';

/** Maximum bytes per read, whatever the page requests. */
const maxReadBytes = 16 * 1024 * 1024;
/** After this many crashes of the page while it decoded one recording alone, the recording counts as the cause. */
const maxCrashes = 2;

/** How to detect a page that is stuck. */
export interface PageWatchdog {
  readonly clock: Clock;
  /** Called when the page has sent nothing for two minutes: it is stuck, for other recordings too. */
  readonly onStuck: () => void;
}

/** Waits forever for a page that is stuck. */
export const noWatchdog: PageWatchdog = {
  clock: { now: () => 0, schedule: () => () => undefined },
  onStuck: () => undefined,
};

/** A recording that is open, or about to be. */
interface OpenRecording {
  readonly path: string;
  /** Whether the page has it. */
  isInPage: boolean;
  /** How far it is decoded, in seconds; -1 until it is opened. */
  reachedSeconds: number;
  /** Whether the page has crashed since. */
  hasCrashed: boolean;
}

/** What is known of a recording that was open when the page crashed. */
interface Suspect {
  /** How often the page crashed while no other recording was open. */
  readonly crashes: number;
  /** How far it was decoded. Once it gets further, it is no longer suspected. */
  readonly reachedSeconds: number;
}

/**
 * Decodes with the browser's decoders in an off-screen page. The page has neither files nor network: it requests bytes over
 * the port. All recordings of this process, and no others, share the page, so its crash may be the fault of any of them:
 * each is then decoded alone until it gets further than before.
 */
export class BrowserDecoder implements Decoder {
  readonly #connect: () => Promise<PagePort>;
  readonly #watchdog: PageWatchdog;
  readonly #open = new Set<OpenRecording>();
  /** By the path of the recording. */
  readonly #suspects = new Map<string, Suspect>();

  /** @param connect opens a new port to the page */
  constructor(connect: () => Promise<PagePort>, watchdog: PageWatchdog = noWatchdog) {
    this.#connect = connect;
    this.#watchdog = watchdog;
  }

  async open(path: string, signal: AbortSignal): Promise<DecodedRecording> {
    signal.throwIfAborted();
    this.#assertMayOpen(path);
    const recording: OpenRecording = { path, isInPage: false, reachedSeconds: -1, hasCrashed: false };
    this.#open.add(recording);
    try {
      return await this.#openRecording(recording, signal);
    } catch (error) {
      this.#open.delete(recording);
      throw error;
    }
  }

  async #openRecording(recording: OpenRecording, signal: AbortSignal): Promise<DecodedRecording> {
    const file = await open(recording.path);
    try {
      const { size } = await file.stat();
      const port = await this.#openPort(signal);
      recording.isInPage = true;
      const session = new DecodeSession(port, file, signal, this.#watchdog, {
        crashError: () => this.#crashError(recording),
        onReached: (seconds) => this.#recordReached(recording, seconds),
        onEnd: () => this.#open.delete(recording),
      });
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

  /** @throws DecoderUnavailableError when this recording, or one that is open, must be decoded alone */
  #assertMayOpen(path: string): void {
    const mustBeAlone = [path, ...[...this.#open].map((other) => other.path)].some((one) =>
      this.#suspects.has(one),
    );
    if (mustBeAlone && this.#open.size > 0)
      throw new DecoderUnavailableError('A recording during which the decoder stopped is decoded alone.');
  }

  #recordReached(recording: OpenRecording, seconds: number): void {
    // What was decoded before the crash may be read after it.
    if (recording.hasCrashed) return;
    recording.reachedSeconds = seconds;
    const suspect = this.#suspects.get(recording.path);
    if (suspect !== undefined && seconds > suspect.reachedSeconds) this.#suspects.delete(recording.path);
  }

  /** Returns the error for a recording during which the page crashed or got stuck. */
  #crashError(recording: OpenRecording): Error {
    if (!recording.hasCrashed) this.#suspectOpen();
    const { path } = recording;
    if ((this.#suspects.get(path)?.crashes ?? 0) < maxCrashes)
      return new DecoderCrashedError('The decoder stopped before it was done.');
    this.#suspects.delete(path);
    return new DecodeError('broken', 'This recording is damaged: the decoder crashes on it.');
  }

  /** Suspects all recordings that the page has: the crash was certainly the fault of one only if it was alone. */
  #suspectOpen(): void {
    const inPage = [...this.#open].filter(({ isInPage, hasCrashed }) => isInPage && !hasCrashed);
    for (const recording of inPage) {
      recording.hasCrashed = true;
      const { path, reachedSeconds } = recording;
      const crashes = (this.#suspects.get(path)?.crashes ?? 0) + (inPage.length === 1 ? 1 : 0);
      this.#suspects.set(path, { crashes, reachedSeconds });
    }
  }
}

/** What happens to a session. */
interface SessionEvents {
  /** Returns the error for a page that crashed. */
  crashError(): Error;
  /** Called with the seconds that are decoded. */
  onReached(seconds: number): void;
  onEnd(): void;
}

/** Decodes one recording over one port. */
class DecodeSession {
  readonly #port: PagePort;
  readonly #file: FileHandle;
  readonly #signal: AbortSignal;
  readonly #watch: SilenceWatch;
  readonly #events: SessionEvents;
  /** Reads that the page has requested and not received yet. */
  #activeReads = 0;
  #pendingResponse: PromiseWithResolvers<FromDecoder> | null = null;
  /** Why the session is over. */
  #endReason: Error | null = null;
  #closed: Promise<void> | null = null;
  #damage: RecordingDamage | null = null;

  /**
   * @param signal ends the session at any point: the page may be busy for long, or forever
   */
  constructor(
    port: PagePort,
    file: FileHandle,
    signal: AbortSignal,
    watchdog: PageWatchdog,
    events: SessionEvents,
  ) {
    this.#watch = new SilenceWatch(
      watchdog.clock,
      () => {
        this.#fail(events.crashError());
        watchdog.onStuck();
      },
      // While the page waits for bytes it sends nothing.
      () => this.#activeReads === 0,
    );
    this.#events = events;
    this.#port = port;
    this.#file = file;
    this.#signal = signal;
    signal.addEventListener('abort', this.#onAbort);
    port.on('message', ({ data }) => this.#onMessage(data));
    port.on('close', () => {
      if (this.#endReason === null) this.#fail(events.crashError());
    });
    port.start();
  }

  /** @throws DecodeError when the page cannot read the recording */
  async start(sizeBytes: number): Promise<DecodedRecording> {
    if (this.#signal.aborted) this.#onAbort();
    const opened = await this.#sendRequest({ kind: 'open', sizeBytes });
    if (opened.kind !== 'opened') throw unexpectedMessageError(opened);
    this.#events.onReached(0);
    return {
      durationSeconds: opened.durationSeconds,
      hasVideo: opened.hasVideo,
      // Zero: unknown.
      samples: () => toSpeechSamples(this.#readPieces(), opened.durationSeconds || Infinity),
      damage: () => this.#damage,
      close: () => (this.#closed ??= this.#close()),
    };
  }

  end(): void {
    this.#events.onEnd();
    this.#watch.stop();
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
    let seconds = 0;
    for (;;) {
      const piece = await next;
      if (piece.kind === 'end') {
        this.#damage = piece;
        return;
      }
      if (piece.kind !== 'samples') throw unexpectedMessageError(piece);
      seconds += piece.samples.length / piece.channels / piece.sampleRate;
      this.#events.onReached(seconds);
      // The page decodes the next piece while this one is used.
      next = this.#sendRequest({ kind: 'next' });
      // If the reader stops here, nothing awaits this request: its failure must not count as unhandled.
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
    this.#watch.start();
    const response = await pending.promise.finally(() => {
      if (this.#pendingResponse === pending) this.#watch.stop();
    });
    if (response.kind === 'failed') throw new DecodeError(response.reason, response.message);
    return response;
  }

  #onMessage(data: unknown): void {
    this.#watch.reset();
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
      // The page would take the recording for damaged.
      if (error instanceof Error && 'syscall' in error) this.#fail(error);
      const message = errorMessage(error);
      this.#port.postMessage({ kind: 'read-failed', request, message });
    } finally {
      this.#activeReads--;
      this.#watch.reset();
    }
  }
}

function unexpectedMessageError(message: FromDecoder): Error {
  return new Error(`Unexpected message "${message.kind}" from the decoder.`);
}
