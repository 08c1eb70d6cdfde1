import type { UnmeasuredReason } from '../../contract/add-sheet-commands.ts';
import type { Clock } from '../ports.ts';
import { WorkerClient } from '../../workers/worker-client.ts';
import type { ProbeHandlers } from './probe-worker.ts';

/** What the header of a file says about the whole file. */
export interface StatedByFile {
  /**
   * The duration in seconds of the audio of the intact file. Absent if the header does not state it: an estimate, for
   * example from the bit rate, cannot show that something is missing.
   */
  readonly statedSeconds?: number;
  /** How much of the file is there, in percent. Absent unless it is shorter than its header says. */
  readonly presentPercent?: number;
}

/** The duration of a recording in seconds, or why it is unknown. */
export type ProbedDuration = StatedByFile &
  (
    | { readonly seconds: number; readonly unmeasured: null }
    | { readonly seconds: null; readonly unmeasured: UnmeasuredReason }
  );

/** Finds the duration of the recording at a path, if that can be done quickly. Never rejects. */
export type ProbeDuration = (path: string) => Promise<ProbedDuration>;

/** The result for a recording about which nothing else is known. */
export const unknownDuration: ProbedDuration = { seconds: null, unmeasured: 'undetermined' };

/** Far more than an intact recording takes; a damaged one may claim billions of frames. */
const maxProbeMs = 5_000;
/** Far more than the tables of an intact recording take. */
const maxHeapMb = 1024;

/**
 * Finds the durations of recordings in a thread, one at a time. A recording that takes too long or crashes the thread
 * has an unknown duration; the next one gets a new thread.
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

  /** Ends the thread; the durations of recordings that it has not probed are unknown. */
  async close(): Promise<void> {
    await this.#worker.close();
  }

  async #probe(path: string): Promise<ProbedDuration> {
    const timeLimit: { cancel: (() => void) | null } = { cancel: null };
    // The time limit begins once the thread has started.
    const onUpdate = (): void => {
      timeLimit.cancel = this.#clock.schedule(maxProbeMs, () => void this.#worker.restart());
    };
    try {
      return await this.#worker.request('duration', path, { onUpdate });
    } catch {
      return unknownDuration;
    } finally {
      timeLimit.cancel?.();
    }
  }
}
