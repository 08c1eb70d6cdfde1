import type { Clock } from '../ports.ts';
import { WorkerClient } from '../../workers/worker-client.ts';
import type { ProbeHandlers } from './probe-worker.ts';

/** The duration of the recording at a path, in seconds; `null` when a short look does not find it. Never rejects. */
export type ProbeDuration = (path: string) => Promise<number | null>;

/** No intact recording takes nearly as long; a damaged one may claim billions of frames. */
const maxProbeMs = 5_000;

/**
 * Finds the durations of recordings in a thread, one after the other. A recording that takes too long, or crashes the
 * thread, has no duration; the next one gets a new thread.
 */
export class DurationProber {
  readonly #clock: Clock;
  readonly #worker: WorkerClient<ProbeHandlers>;
  #last: Promise<unknown> = Promise.resolve();

  constructor(clock: Clock, url: URL) {
    this.#clock = clock;
    this.#worker = new WorkerClient({ name: 'probe', url });
  }

  readonly probe: ProbeDuration = (path) => {
    const duration = this.#last.then(() => this.#probe(path));
    this.#last = duration;
    return duration;
  };

  /** Ends the thread; recordings that it has not probed have no duration. */
  async close(): Promise<void> {
    await this.#worker.close();
  }

  async #probe(path: string): Promise<number | null> {
    const limit: { cancel: (() => void) | null } = { cancel: null };
    // The time that the thread takes to start does not count.
    const onUpdate = (): void => {
      limit.cancel = this.#clock.schedule(maxProbeMs, () => void this.#worker.restart());
    };
    try {
      return await this.#worker.request('duration', path, { onUpdate });
    } catch {
      return null;
    } finally {
      limit.cancel?.();
    }
  }
}
