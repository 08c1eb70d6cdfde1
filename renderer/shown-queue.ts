import type { CommandInput } from '../electron/contract/commands.ts';
import type { QueueView } from '../electron/contract/queue.ts';
import type { Ask } from './bridge.ts';
import { keepSame, keepUnchanged } from './keep-unchanged.ts';
import { createLatestRequest } from './latest-request.ts';

/** A part of the queue: the filter and a stretch of the rows under it. */
export type QueueWindow = CommandInput<'queue.watch'>;

export interface ShownQueue {
  /** Asks for another part of the queue; of requests that come faster than answers only the last is sent. */
  watch(window: QueueWindow): void;
  /** Takes a view that the main process sent unasked. */
  accept(view: QueueView): void;
}

const isOf = (view: QueueView, window: Omit<QueueWindow, 'limit'>): boolean =>
  view.filter === window.filter && view.offset === window.offset;

/**
 * Keeps what is shown in step with what was last asked for: a view of an earlier request, or of an earlier
 * revision, never replaces a newer one.
 *
 * @param opened the view that the window opened with.
 */
export function createShownQueue(
  ask: Ask,
  opened: QueueView,
  show: (view: QueueView) => void,
  fail: (error: unknown) => void,
): ShownQueue {
  let shown = opened;

  const take = (view: QueueView): void => {
    shown = {
      ...view,
      summary: keepSame(shown.summary, view.summary),
      rows: keepUnchanged(shown.rows, view.rows),
    };
    show(shown);
  };

  const latest = createLatestRequest((window: QueueWindow) => ask('queue.watch', window), take, fail);
  return {
    watch: latest.request,
    accept(view) {
      // While an answer is on its way the present window is already the old one.
      if (latest.isOpen) return;
      const newer = view.revision > shown.revision;
      const same = view.revision === shown.revision && isOf(view, shown);
      if ((newer || same) && view.filter === shown.filter) take(view);
    },
  };
}
