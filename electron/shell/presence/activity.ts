import type { QueueSummary } from '../../contract/queue-commands.ts';
import type { ServiceCondition } from '../../contract/service.ts';
import type { Problem } from '../../contract/problem.ts';
import { endsSentence } from '../../core/transcript/sentences.ts';
import type { Translator } from '../../core/translator.ts';

/** The state of the queue as the dock, the task bar and the tray show it. */
export interface Activity {
  /** Recordings in progress or waiting. */
  readonly remaining: number;
  /** Recordings that need the user. */
  readonly attention: number;
  /** The progress of the current batch, 0 to 1; `null`: nothing is in progress. */
  readonly progress: number | null;
  readonly mode: 'working' | 'paused' | 'stopped';
  /** Whether the user paused the queue, even while it is stopped. */
  readonly isPaused: boolean;
  /** Whether work is in progress, so that the computer should not sleep. */
  readonly isBusy: boolean;
}

/** A notification for a user who does not look at the window. */
export type SystemNotification =
  /** A batch has ended: the number of transcripts, and of recordings that need the user. */
  | { readonly kind: 'batch-ended'; readonly done: number; readonly attention: number }
  /** Recordings need the user while the batch continues. */
  | { readonly kind: 'attention'; readonly attention: number }
  /** The default service needs the user before it starts more recordings. */
  | { readonly kind: 'stopped'; readonly problem: Problem };

interface NotificationText {
  readonly title: string;
  readonly body: string;
}

/** Returns the text of a notification. */
export function notificationText(notice: SystemNotification, translator: Translator): NotificationText {
  switch (notice.kind) {
    case 'batch-ended': {
      const done = translator.translate('notice.done', { count: notice.done });
      const needed = translator.translate('notice.attention', { count: notice.attention });
      if (notice.attention === 0) return { title: done, body: translator.translate('notice.doneNote') };
      return notice.done === 0
        ? { title: needed, body: translator.translate('notice.attentionNote') }
        : { title: done, body: needed };
    }
    case 'attention':
      return {
        title: translator.translate('notice.attention', { count: notice.attention }),
        body: translator.translate('notice.attentionNote'),
      };
    case 'stopped': {
      // What happened, and what to do: the message of a problem is two sentences.
      const words = translator.problem(notice.problem).split(' ');
      const end = words.findIndex(endsSentence) + 1;
      return {
        title: words.slice(0, end).join(' ').replace(/\.$/, ''),
        body: words.slice(end).join(' '),
      };
    }
  }
}

/** Tracks the queue from batch to batch, and decides what to notify about, once per batch. */
export class ActivityTracker {
  #previousDone: number | null = null;
  #doneInBatch = 0;
  #isBatchRunning = false;
  #notifiedAttention = 0;
  #notifiedStop: string | null = null;

  /** @param condition of the default service. */
  update(
    summary: Pick<QueueSummary, 'counts' | 'paused'>,
    condition: ServiceCondition,
  ): { readonly activity: Activity; readonly notifications: readonly SystemNotification[] } {
    const { working, waiting, attention, done } = summary.counts;
    const remaining = working + waiting;
    const stop = stopProblemOf(condition);
    const notifications: SystemNotification[] = [];

    // `done` shrinks when the user clears or removes recordings.
    const newlyDone = Math.max(0, done - (this.#previousDone ?? done));
    this.#previousDone = done;
    if (!this.#isBatchRunning && remaining > 0) this.#begin(attention);
    if (this.#isBatchRunning) this.#doneInBatch += newlyDone;

    const isStopNotice = stop !== null && remaining > 0 && stop.code !== this.#notifiedStop;
    if (isStopNotice) notifications.push({ kind: 'stopped', problem: stop });
    if (stop === null || remaining > 0) this.#notifiedStop = stop?.code ?? null;

    const doneInBatch = this.#doneInBatch;
    if (this.#isBatchRunning && remaining === 0) {
      this.#isBatchRunning = false;
      const newAttention = Math.max(0, attention - this.#notifiedAttention);
      if (doneInBatch > 0 || newAttention > 0)
        notifications.push({ kind: 'batch-ended', done: doneInBatch, attention });
      this.#notifiedAttention = attention;
    } else if (this.#isBatchRunning && attention > 0 && this.#notifiedAttention === 0 && !isStopNotice) {
      notifications.push({ kind: 'attention', attention });
      this.#notifiedAttention = attention;
    }
    if (attention === 0) this.#notifiedAttention = 0;

    const isStopped = stop !== null || (remaining === 0 && attention > 0);
    return {
      activity: {
        remaining,
        attention,
        progress: remaining === 0 ? null : doneInBatch / (doneInBatch + remaining),
        isPaused: summary.paused,
        mode: isStopped ? 'stopped' : summary.paused ? 'paused' : 'working',
        isBusy: working > 0 || (waiting > 0 && !summary.paused && condition.kind === 'ready'),
      },
      notifications,
    };
  }

  #begin(attention: number): void {
    this.#isBatchRunning = true;
    this.#doneInBatch = 0;
    this.#notifiedAttention = attention;
  }
}

/** Returns the problem that stops the service until the user acts; `null` if there is none. */
function stopProblemOf(condition: ServiceCondition): Problem | null {
  return 'problem' in condition ? condition.problem : null;
}
