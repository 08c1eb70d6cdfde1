import type { Clock } from '../ports.ts';
import { WorkerClient } from '../../workers/worker-client.ts';
import type { ProbeHandlers } from './probe-worker.ts';

/** Returns the duration of the recording at a path in seconds; `null` if it cannot be found quickly. Never rejects. */
export type ProbeDuration = (path: string) => Promise<number | null>;

/** Far more than an intact recording takes; a damaged one may claim billions of frames. */
const maxProbeMs = 5_000;
/** Far more than the tables of an intact recording take. */
const maxHeapMb = 1024;

/**
 * Finds the durations of recordings in a thread, one at a time. A recording that takes too long or crashes the thread
 * has no duration; the next one gets a new thread.
 */
export class DurationProber {
  readonly #clock: Clock;
  readonly #worker: WorkerClient<ProbeHandlers>;
  #lastProbe: Promise<unknown> = Promise.resolve();

  constructor(clock: Clock, url: URL) {
    this.#clock = clock;
    this.#worker = new WorkerClient({ name: 'probe', url, maxHeapMb });
  }

  readonly probe: ProbeDuration = (path) => {
    const duration = this.#lastProbe.then(() => this.#probe(path));
    this.#lastProbe = duration;
    return duration;
  };

  /** Ends the thread; recordings that it has not probed have no duration. */
  async close(): Promise<void> {
    await this.#worker.close();
  }

  async #probe(path: string): Promise<number | null> {
    const timeLimit: { cancel: (() => void) | null } = { cancel: null };
    // The time limit begins once the thread has started.
    const onUpdate = (): void => {
      timeLimit.cancel = this.#clock.schedule(maxProbeMs, () => void this.#worker.restart());
    };
    try {
      return await this.#worker.request('duration', path, { onUpdate });
    } catch {
      return null;
    } finally {
      timeLimit.cancel?.();
    }
  }
}
