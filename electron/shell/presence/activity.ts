import type { QueueSummary } from '../../contract/queue-commands.ts';
import type { ServiceCondition } from '../../contract/service.ts';
import type { Problem } from '../../contract/problem.ts';

/** The state of the queue as the dock, the task bar and the tray show it. */
export interface Activity {
  /** Unfinished recordings that do not need the user. */
  readonly left: number;
  /** Recordings that need the user. */
  readonly attention: number;
  /** Of the current batch, 0 to 1; `null`: nothing is in progress. */
  readonly progress: number | null;
  readonly mode: 'working' | 'paused' | 'stopped';
  /** Whether work is in progress, so that the computer should not sleep. */
  readonly isBusy: boolean;
}

/** A notification for a user who does not look at the window. */
export type SystemNotification =
  /** A batch has ended: the number of transcripts, and of recordings that need the user. */
  | { readonly kind: 'batch-ended'; readonly done: number; readonly attention: number }
  /** Recordings need the user while the batch continues. */
  | { readonly kind: 'attention'; readonly attention: number }
  /** Nothing continues without the user. */
  | { readonly kind: 'stopped'; readonly problem: Problem };

/** Tracks the queue from batch to batch, and decides what to notify about, once per batch. */
export class ActivityTracker {
  #done: number | null = null;
  #doneInBatch = 0;
  #isUnderWay = false;
  #notifiedAttention = 0;
  #notifiedStop: string | null = null;

  /** @param condition of the service in use. */
  update(
    summary: Pick<QueueSummary, 'counts' | 'paused'>,
    condition: ServiceCondition,
  ): { readonly activity: Activity; readonly notices: readonly SystemNotification[] } {
    const { working, waiting, attention, done } = summary.counts;
    const left = working + waiting;
    const stop = stopProblemOf(condition);
    const notices: SystemNotification[] = [];

    // A smaller number means that the user cleared or removed some.
    const finished = Math.max(0, done - (this.#done ?? done));
    this.#done = done;
    if (!this.#isUnderWay && left > 0) this.#begin(attention);
    if (this.#isUnderWay) this.#doneInBatch += finished;

    const isStopNotice = stop !== null && left > 0 && stop.code !== this.#notifiedStop;
    if (isStopNotice) notices.push({ kind: 'stopped', problem: stop });
    if (stop === null || left > 0) this.#notifiedStop = stop?.code ?? null;

    const doneInBatch = this.#doneInBatch;
    if (this.#isUnderWay && left === 0) {
      this.#isUnderWay = false;
      const needed = Math.max(0, attention - this.#notifiedAttention);
      if (doneInBatch > 0 || needed > 0) notices.push({ kind: 'batch-ended', done: doneInBatch, attention });
      this.#notifiedAttention = attention;
    } else if (this.#isUnderWay && attention > 0 && this.#notifiedAttention === 0 && !isStopNotice) {
      notices.push({ kind: 'attention', attention });
      this.#notifiedAttention = attention;
    }
    if (attention === 0) this.#notifiedAttention = 0;

    const isStopped = stop !== null || (left === 0 && attention > 0);
    return {
      activity: {
        left,
        attention,
        progress: left === 0 ? null : doneInBatch / (doneInBatch + left),
        mode: isStopped ? 'stopped' : summary.paused ? 'paused' : 'working',
        isBusy: working > 0 || (waiting > 0 && !summary.paused && condition.kind === 'ready'),
      },
      notices,
    };
  }

  #begin(attention: number): void {
    this.#isUnderWay = true;
    this.#doneInBatch = 0;
    this.#notifiedAttention = attention;
  }
}

/** Returns why nothing continues without the user; `null` if something does. */
function stopProblemOf(condition: ServiceCondition): Problem | null {
  return 'problem' in condition ? condition.problem : null;
}
