import { open, type FileHandle } from 'node:fs/promises';
import type { FromDecoder, RecordedAudio, ToDecoder } from '../../contract/decoder-protocol.ts';
import type { Clock } from '../../core/ports.ts';
import { DecodeError, DecoderUnavailableError, type DecodedRecording, type Decoder } from './decoder.ts';
import { parseFromDecoder, type PagePort } from './page-port.ts';
import { toSpeechSamples } from './speech-samples.ts';

/** More than this is never read at once, whatever the page asks for. */
const maxReadBytes = 16 * 1024 * 1024;
/** A recording over which the page broke down so often is what breaks it. */
const maxCrashes = 2;
/** How often it is looked whether the page has said anything, and after how many looks in a row it is given up. */
const checkIntervalMs = 10_000;
const maxSilentChecks = 12;

export interface PageWatchdog {
  readonly clock: Clock;
  /** The page has said nothing for two minutes: it is busy for good, for others too. */
  readonly onStuck: () => void;
}

/**
 * Decodes with the browser's own decoders, in an off-screen page. The page has neither files nor network: it gets the
 * bytes that it asks for over the port, and no others.
 */
export class PageDecoder implements Decoder {
  readonly #connect: () => Promise<PagePort>;
  readonly #watch: PageWatchdog;
  /** How often the page broke down over a file. */
  readonly #breakdowns = new Map<string, number>();

  /** @param connect makes a new port to the page */
  constructor(connect: () => Promise<PagePort>, watch: PageWatchdog = noWatchdog) {
    this.#connect = connect;
    this.#watch = watch;
  }

  async open(path: string, signal: AbortSignal): Promise<DecodedRecording> {
    signal.throwIfAborted();
    const file = await open(path);
    try {
      const { size } = await file.stat();
      const port = await this.#port(signal);
      const conversation = new DecodeSession(port, file, signal, this.#watch, () => this.#breakdown(path));
      try {
        return await conversation.start(size);
      } catch (error) {
        conversation.end();
        throw error;
      }
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  async #port(signal: AbortSignal): Promise<PagePort> {
    const connecting = this.#connect();
    const called = Promise.withResolvers<never>();
    const callOff = (): void => called.reject(signal.reason);
    signal.addEventListener('abort', callOff);
    if (signal.aborted) callOff();
    try {
      return await Promise.race([connecting, called.promise]);
    } catch (cause) {
      // A port that comes when nobody waits any more is nobody's.
      connecting.then(
        (port) => port.close(),
        () => undefined,
      );
      signal.throwIfAborted();
      throw new DecoderUnavailableError('The decoder is not there.', { cause });
    } finally {
      signal.removeEventListener('abort', callOff);
    }
  }

  #breakdown(path: string): Error {
    const times = (this.#breakdowns.get(path) ?? 0) + 1;
    this.#breakdowns.set(path, times);
    if (times < maxCrashes) return new DecoderUnavailableError('The decoder stopped before it was done.');
    this.#breakdowns.delete(path);
    return new DecodeError('broken', 'This recording is damaged: the decoder breaks down over it.');
  }
}

const noWatchdog: PageWatchdog = {
  clock: { now: () => 0, schedule: () => () => undefined },
  onStuck: () => undefined,
};

/** What is said over one port about one recording. */
class DecodeSession {
  readonly #port: PagePort;
  readonly #file: FileHandle;
  readonly #signal: AbortSignal;
  readonly #watch: PageWatchdog;
  readonly #breakdown: () => Error;
  /** Looks since the page last said anything. */
  #silentLooks = 0;
  /** Reads of the page that are under way. */
  #reads = 0;
  #callOffLook: () => void = () => undefined;
  #answer: PromiseWithResolvers<FromDecoder> | null = null;
  /** Why nobody answers any more. */
  #over: Error | null = null;
  #closed: Promise<void> | null = null;

  /**
   * @param signal ends the conversation at whatever point it is: the page may be busy for long, or for ever
   * @param breakdown what to tell when the page goes away in the middle
   */
  constructor(
    port: PagePort,
    file: FileHandle,
    signal: AbortSignal,
    watch: PageWatchdog,
    breakdown: () => Error,
  ) {
    this.#watch = watch;
    this.#breakdown = breakdown;
    this.#port = port;
    this.#file = file;
    this.#signal = signal;
    signal.addEventListener('abort', this.#onAbort);
    port.on('message', ({ data }) => this.#hear(data));
    port.on('close', () => {
      if (this.#over === null) this.#fail(breakdown());
    });
    port.start();
  }

  /** @throws DecodeError when the page cannot read the recording */
  async start(sizeBytes: number): Promise<DecodedRecording> {
    if (this.#signal.aborted) this.#onAbort();
    const opened = await this.#ask({ kind: 'open', sizeBytes });
    if (opened.kind !== 'opened') throw unexpected(opened);
    return {
      durationSeconds: opened.durationSeconds,
      hasVideo: opened.hasVideo,
      samples: () => toSpeechSamples(this.#pieces()),
      close: () => (this.#closed ??= this.#close()),
    };
  }

  end(): void {
    this.#callOffLook();
    this.#signal.removeEventListener('abort', this.#onAbort);
    this.#over ??= new Error('The recording was closed.');
    this.#port.postMessage({ kind: 'close' });
    this.#port.close();
  }

  async #close(): Promise<void> {
    this.#fail(new Error('The recording was closed.'));
    this.end();
    await this.#file.close();
  }

  async *#pieces(): AsyncGenerator<RecordedAudio> {
    let next = this.#ask({ kind: 'next' });
    for (;;) {
      const piece = await next;
      if (piece.kind === 'end') return;
      if (piece.kind !== 'samples') throw unexpected(piece);
      // The page decodes the next piece while this one is used.
      next = this.#ask({ kind: 'next' });
      // Where nobody comes back for it, its failure is nobody's concern.
      next.catch(() => undefined);
      yield piece;
    }
  }

  readonly #onAbort = (): void => {
    const { reason } = this.#signal;
    this.#fail(reason instanceof Error ? reason : new Error(String(reason)));
  };

  #fail(error: Error): void {
    this.#over ??= error;
    this.#answer?.reject(error);
  }

  /** Sends what the page answers with one message, other than its wishes to read. */
  async #ask(message: ToDecoder): Promise<FromDecoder> {
    if (this.#over !== null) throw this.#over;
    const answer = Promise.withResolvers<FromDecoder>();
    this.#answer = answer;
    this.#port.postMessage(message);
    this.#silentLooks = 0;
    this.#callOffLook();
    this.#look();
    const heard = await answer.promise.finally(() => {
      if (this.#answer === answer) this.#callOffLook();
    });
    if (heard.kind === 'failed') throw new DecodeError(heard.reason, heard.message);
    return heard;
  }

  /** By looks rather than by one long time: a computer that slept has not listened meanwhile. */
  #look(): void {
    this.#callOffLook = this.#watch.clock.schedule(checkIntervalMs, () => {
      // While it waits for bytes it has every reason to be silent.
      if (this.#reads === 0) this.#silentLooks++;
      if (this.#silentLooks < maxSilentChecks) return this.#look();
      this.#fail(this.#breakdown());
      this.#watch.onStuck();
    });
  }

  #hear(data: unknown): void {
    this.#silentLooks = 0;
    let message: FromDecoder;
    try {
      message = parseFromDecoder(data);
    } catch (cause) {
      // Such as sound of a billion samples a second: what the page tells of the file cannot be.
      this.#answer?.reject(
        new DecodeError('broken', 'This recording is damaged: its sound cannot be decoded.', { cause }),
      );
      return;
    }
    if (message.kind === 'read') void this.#read(message.request, message.start, message.end);
    else this.#answer?.resolve(message);
  }

  async #read(request: number, start: number, end: number): Promise<void> {
    this.#reads++;
    try {
      const length = end - start;
      if (length < 0 || length > maxReadBytes)
        throw new RangeError(`${length} bytes cannot be read at once.`);
      const bytes = new Uint8Array(length);
      const { bytesRead } = await this.#file.read(bytes, 0, length, start);
      this.#port.postMessage({ kind: 'bytes', request, bytes: bytes.subarray(0, bytesRead) });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#port.postMessage({ kind: 'read-failed', request, message });
    } finally {
      this.#reads--;
      this.#silentLooks = 0;
    }
  }
}

function unexpected(message: FromDecoder): Error {
  return new Error(`The decoder said "${message.kind}" where it should not.`);
}
