import type { CommandInput } from '../electron/contract/commands.ts';
import type { QueueListing, QueueView } from '../electron/contract/queue-commands.ts';
import type { Invoke } from './invoke.ts';
import type { AddSheetView } from '../electron/contract/add-sheet-commands.ts';

/** A part of the queue: the filter and a range of the rows under it. */
export type QueueRange = CommandInput<'queue.setViewport'>;

export interface QueueSubscription {
  /** Requests another part of the queue. While a request is in flight, only the latest one is sent after it. */
  watch(range: QueueRange): void;
  /** Accepts a view that the main process sent unrequested. */
  accept(view: QueueView): void;
}

/** Whether two lists of the queue have the same filter and search. */
export const isSameListing = (one: QueueListing, other: QueueListing): boolean =>
  one.filter === other.filter && one.search === other.search;

/**
 * Creates a subscription that shows only the newest view: responses to earlier requests or revisions are dropped.
 *
 * @param opened the view that the window opened with.
 */
export function createQueueSubscription(
  invoke: Invoke,
  opened: QueueView,
  show: (view: QueueView) => void,
  fail: (error: unknown) => void,
): QueueSubscription {
  let shown = opened;

  const showView = (view: QueueView): void => {
    shown = {
      ...view,
      summary: previousIfEqual(shown.summary, view.summary),
      rows: keepUnchanged(shown.rows, view.rows),
    };
    show(shown);
  };

  /** The revision of the newest view that was sent unrequested. */
  let newest = opened.revision;
  const latest = createLatestRequest(
    (range: QueueRange) =>
      requestSince(
        () => invoke('queue.setViewport', range),
        () => newest,
      ),
    showView,
    fail,
  );
  return {
    watch: latest.request,
    accept(view) {
      newest = Math.max(newest, view.revision);
      // While a request is in flight, the current view is already out of date.
      if (latest.isPending) return;
      const isNewer = view.revision > shown.revision;
      const isSame = view.revision === shown.revision && view.offset === shown.offset;
      if ((isNewer || isSame) && isSameListing(view, shown)) showView(view);
    },
  };
}

/**
 * Returns new rows, with the previous object for each row that has not changed, so that it need not be rendered again.
 * Rows come from the main process as new copies each time.
 */
export function keepUnchanged<R extends { readonly id: number }>(
  before: readonly R[],
  after: readonly R[],
): readonly R[] {
  const previousRows = new Map(before.map((row) => [row.id, row]));
  return after.map((row) => {
    const previous = previousRows.get(row.id);
    return previous === undefined ? row : previousIfEqual(previous, row);
  });
}

/** Returns the previous object if the new one has equal data. */
const previousIfEqual = <T>(before: T, after: T): T => (isDeepEqual(before, after) ? before : after);

/** Whether two pieces of plain data are equal. */
function isDeepEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const entries = Object.entries(one);
  if (entries.length !== Object.keys(other).length) return false;
  const values: Readonly<Record<string, unknown>> = { ...other };
  return entries.every(([key, value]) => Object.hasOwn(values, key) && isDeepEqual(value, values[key]));
}

/** Sends requests one at a time; when several wait, only the latest is sent. */
export interface LatestRequest<Input> {
  /** Whether a request is in flight. */
  readonly isPending: boolean;
  /** Sends a request; while one is in flight, only the latest is sent after it, and only its answer is used. */
  request(input: Input): void;
}

function createLatestRequest<Input, Answer>(
  invoke: (input: Input) => Promise<Answer>,
  onAnswer: (answer: Answer) => void,
  fail: (error: unknown) => void,
): LatestRequest<Input> {
  let pending: { readonly input: Input } | null = null;
  let isSending = false;

  const sendPending = async (): Promise<void> => {
    isSending = true;
    try {
      while (pending !== null) {
        const sent: { readonly input: Input } = pending;
        const answer = await invoke(sent.input);
        if (pending === sent) {
          pending = null;
          onAnswer(answer);
        }
      }
    } catch (error) {
      pending = null;
      fail(error);
    } finally {
      isSending = false;
    }
  };

  return {
    get isPending() {
      return pending !== null;
    },
    request(input) {
      pending = { input };
      if (!isSending) void sendPending();
    },
  };
}

/**
 * Requests a view. An answer can arrive after a newer view that the main process sent unrequested; it is then dropped,
 * and the view requested once more.
 */
async function requestSince<V extends { readonly revision: number } | null>(
  request: () => Promise<V>,
  newest: () => number,
): Promise<V> {
  const view = await request();
  return view === null || view.revision >= newest() ? view : request();
}

/** A part of the add sheet: a group and a range of its rows. */
export type AddSheetRange = CommandInput<'addSheet.setViewport'>;

export interface AddSheetSubscription {
  /** Requests another part of the add sheet. While a request is in flight, only the latest one is sent after it. */
  watch(range: AddSheetRange): void;
  /** Accepts the sheet that the main process sent unrequested; `null` when it was closed. */
  accept(view: AddSheetView | null): void;
}

/** Creates a subscription that shows the sheet of the latest request. A late answer does not reopen a closed sheet. */
export function createAddSheetSubscription(
  invoke: Invoke,
  show: (view: AddSheetView | null) => void,
  fail: (error: unknown) => void,
): AddSheetSubscription {
  /** The revision of the newest view that was sent unrequested; those of another sheet begin again. */
  let newest = 0;
  const latest = createLatestRequest(
    (range: AddSheetRange) =>
      requestSince(
        () => invoke('addSheet.setViewport', range),
        () => newest,
      ),
    show,
    fail,
  );
  let requested: AddSheetRange | null = null;
  const watch = (range: AddSheetRange): void => {
    requested = range;
    latest.request(range);
  };
  return {
    watch,
    accept(view) {
      newest = view?.revision ?? 0;
      if (view === null) requested = null;
      // While a request is in flight, the current part is already out of date.
      if (view !== null && latest.isPending) return;
      show(view);
      // This view was sent before the latest request, and arrived after its answer: request the part again.
      if (requested !== null && (view?.group !== requested.group || view.offset !== requested.offset))
        watch(requested);
    },
  };
}
