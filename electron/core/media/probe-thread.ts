import type { Clock } from '../ports.ts';
import { WorkerThread } from '../worker-thread.ts';
import type { FromProbeThread, ToProbeThread } from './probe-protocol.ts';

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
  readonly #thread: WorkerThread<ToProbeThread, FromProbeThread>;
  #last: Promise<unknown> = Promise.resolve();

  /** @param workerUrl the built `probe-worker.ts`, or the file itself where Node runs TypeScript. */
  constructor(clock: Clock, workerUrl: URL) {
    this.#clock = clock;
    this.#thread = new WorkerThread({ workerUrl, name: 'probe' });
  }

  readonly lengthOf: LengthOf = (path) => {
    const length = this.#last.then(() => this.#look(path));
    this.#last = length;
    return length;
  };

  /** Ends the thread; what it was asked for has no length. */
  async close(): Promise<void> {
    await this.#thread.close();
  }

  async #look(path: string): Promise<number | null> {
    const { promise, resolve } = Promise.withResolvers<number | null>();
    const limit: { callOff: (() => void) | null } = { callOff: null };
    const conversation = this.#thread.converse({
      hear: (message) => {
        if (message.kind === 'found') resolve(message.seconds);
        else limit.callOff = this.#clock.schedule(longestLookMs, () => void this.#thread.restart());
      },
      fail: () => resolve(null),
    });
    conversation.say({ path });
    const seconds = await promise;
    limit.callOff?.();
    conversation.end();
    return seconds;
  }
}
