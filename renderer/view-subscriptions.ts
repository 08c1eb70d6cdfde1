import type { CommandInput } from '../electron/contract/commands.ts';
import type { QueueView } from '../electron/contract/queue.ts';
import type { Ask } from './bridge.ts';
import type { AddSheetView } from '../electron/contract/add-sheet.ts';

/** A part of the queue: the filter and a stretch of the rows under it. */
export type QueueWindow = CommandInput<'queue.watch'>;

export interface QueueSubscription {
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
export function createQueueSubscription(
  ask: Ask,
  opened: QueueView,
  show: (view: QueueView) => void,
  fail: (error: unknown) => void,
): QueueSubscription {
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

/**
 * New rows, each that says nothing new as the very object that it was before: what is drawn of it need not be drawn
 * again. Rows come from the main process as copies each time.
 */
export function keepUnchanged<R extends { readonly id: number }>(
  before: readonly R[],
  after: readonly R[],
): readonly R[] {
  const known = new Map(before.map((row) => [row.id, row]));
  return after.map((row) => {
    const old = known.get(row.id);
    return old === undefined ? row : keepSame(old, row);
  });
}

/** New data, as the very object that it was before where it says nothing new. */
const keepSame = <T>(before: T, after: T): T => (isSame(before, after) ? before : after);

/** Whether two pieces of plain data say the same. */
function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const entries = Object.entries(one);
  if (entries.length !== Object.keys(other).length) return false;
  const values: Readonly<Record<string, unknown>> = { ...other };
  return entries.every(([key, value]) => Object.hasOwn(values, key) && isSame(value, values[key]));
}

/** Requests of which only the last counts. */
export interface LatestRequest<Wanted> {
  /** Whether the answer to the last request is still on its way. */
  readonly isOpen: boolean;
  /** Of requests that come faster than answers only the last is sent, and only its answer is taken. */
  request(wanted: Wanted): void;
}

function createLatestRequest<Wanted, Answer>(
  ask: (wanted: Wanted) => Promise<Answer>,
  take: (answer: Answer) => void,
  fail: (error: unknown) => void,
): LatestRequest<Wanted> {
  let open: { readonly wanted: Wanted } | null = null;
  let asking = false;

  const askForOpen = async (): Promise<void> => {
    asking = true;
    try {
      while (open !== null) {
        const sent: { readonly wanted: Wanted } = open;
        const answer = await ask(sent.wanted);
        if (open === sent) {
          open = null;
          take(answer);
        }
      }
    } catch (error) {
      open = null;
      fail(error);
    } finally {
      asking = false;
    }
  };

  return {
    get isOpen() {
      return open !== null;
    },
    request(wanted) {
      open = { wanted };
      if (!asking) void askForOpen();
    },
  };
}

/** A part of the sheet before a batch: a group and a stretch of its rows. */
export type AddSheetWindow = CommandInput<'batch.watch'>;

export interface AddSheetSubscription {
  /** Asks for another part of the sheet; of requests that come faster than answers only the last is sent. */
  watch(window: AddSheetWindow): void;
  /** Takes what the main process sent unasked: the sheet, or `null` when it is closed. */
  accept(view: AddSheetView | null): void;
}

/** Keeps the sheet in step with what was last asked for. A sheet that is closed stays closed, whatever comes late. */
export function createAddSheetSubscription(
  ask: Ask,
  show: (view: AddSheetView | null) => void,
  fail: (error: unknown) => void,
): AddSheetSubscription {
  const latest = createLatestRequest((window: AddSheetWindow) => ask('batch.watch', window), show, fail);
  return {
    watch: latest.request,
    accept(view) {
      // While an answer is on its way the present part is already the old one.
      if (view === null || !latest.isOpen) show(view);
    },
  };
}
