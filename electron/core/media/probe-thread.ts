import { Worker } from 'node:worker_threads';
import type { Clock } from '../ports.ts';

/** The length of the recording at a path, in seconds; `null` when a short look does not tell it. Never rejects. */
export type LengthOf = (path: string) => Promise<number | null>;

/** No sound recording takes nearly as long to look at; a damaged one may claim billions of frames. */
const longestLookMs = 5_000;

/**
 * Looks for the lengths of recordings in a thread of its own, one after the other. The thread starts with the first
 * question; a recording over which it takes too long, or breaks down, has no length, and the next has a new thread.
 */
export class ProbeThread {
  readonly #clock: Clock;
  readonly #workerUrl: URL;
  #worker: Worker | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #closed = false;

  /** @param workerUrl the built `probe-worker.ts`, or the file itself where Node runs TypeScript. */
  constructor(clock: Clock, workerUrl: URL) {
    this.#clock = clock;
    this.#workerUrl = workerUrl;
  }

  readonly lengthOf: LengthOf = (path) => {
    const length = this.#last.then(() => this.#look(path));
    this.#last = length;
    return length;
  };

  /** Ends the thread; what it was asked for has no length. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#end();
  }

  #look(path: string): Promise<number | null> {
    if (this.#closed) return Promise.resolve(null);
    const worker = (this.#worker ??= this.#start());
    return new Promise((resolve) => {
      const onMessage = (seconds: number | null): void => settle(seconds);
      const onLoss = (): void => {
        settle(null);
        void this.#end();
      };
      const callOff = this.#clock.schedule(longestLookMs, onLoss);
      const settle = (seconds: number | null): void => {
        callOff();
        worker.off('message', onMessage).off('error', onLoss).off('exit', onLoss);
        resolve(seconds);
      };
      worker.on('message', onMessage).on('error', onLoss).on('exit', onLoss);
      worker.postMessage(path);
    });
  }

  #start(): Worker {
    const worker = new Worker(this.#workerUrl, { name: 'probe' });
    // The program does not wait for a length, and a thread that breaks down between two questions is no loss.
    worker.unref();
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = null;
    });
    return worker;
  }

  async #end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }
}
