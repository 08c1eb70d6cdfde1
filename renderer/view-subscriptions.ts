import type { CommandInput } from '../electron/contract/commands.ts';
import type { QueueListing, QueueView } from '../electron/contract/queue-commands.ts';
import type { Invoke } from './invoke.ts';
import type { AddSheetView } from '../electron/contract/add-sheet-commands.ts';

/** A part of the queue: the filter and a range of the rows under it. */
export type QueueRange = CommandInput<'queue.setViewport'>;

/** A part of the add sheet: a group and a range of its rows. */
export type AddSheetRange = CommandInput<'addSheet.setViewport'>;

/** Shows parts of a list that the main process sends, requested or not. */
export interface ViewSubscription<Range, View> {
  /** Requests another part. While a request is in flight, only the latest one is sent after it. */
  watch(range: Range): void;
  /** Accepts a view that the main process sent unrequested; `null` when there is no list any more. */
  accept(view: View | null): void;
}

/** Whether two lists of the queue have the same filter and search. */
export const isSameListing = (one: QueueListing, other: QueueListing): boolean =>
  one.filter === other.filter && one.search === other.search;

/** Creates a subscription to the queue. @param opened the view that the window opened with, and its part */
export const createQueueSubscription = (
  invoke: Invoke,
  opened: { readonly view: QueueView; readonly range: QueueRange },
  show: (view: QueueView) => void,
  fail: (error: unknown) => void,
): ViewSubscription<QueueRange, QueueView> =>
  createSubscription({
    request: (range) => invoke('queue.setViewport', range),
    isPart: (view, range) => isSameListing(view, range) && isSameRange(view, range),
    opened,
    show: (view) => {
      if (view !== null) show(view);
    },
    fail,
  });

/** Creates a subscription to the add sheet. @param opened the view that the window opened with, and its part */
export const createAddSheetSubscription = (
  invoke: Invoke,
  opened: { readonly view: AddSheetView; readonly range: AddSheetRange } | null,
  show: (view: AddSheetView | null) => void,
  fail: (error: unknown) => void,
): ViewSubscription<AddSheetRange, AddSheetView> =>
  createSubscription({
    request: (range) => invoke('addSheet.setViewport', range),
    isPart: (view, range) => view.group === range.group && isSameRange(view, range),
    opened,
    show,
    fail,
  });

interface RowRange {
  readonly offset: number;
  readonly limit: number;
}

/** A part of a list, with what it shows of the whole. */
interface PartialView extends RowRange {
  readonly revision: number;
  readonly rows: readonly { readonly id: number }[];
  readonly summary: unknown;
}

const isSameRange = (one: RowRange, other: RowRange): boolean =>
  one.offset === other.offset && one.limit === other.limit;

/** Creates a subscription that shows only the newest view, and only of the part that was requested last. */
function createSubscription<R, V extends PartialView>({
  request,
  isPart,
  opened,
  show,
  fail,
}: {
  readonly request: (range: R) => Promise<V | null>;
  /** Whether a view is that of a part. */
  readonly isPart: (view: V, range: R) => boolean;
  readonly opened: { readonly view: V; readonly range: R } | null;
  readonly show: (view: V | null) => void;
  readonly fail: (error: unknown) => void;
}): ViewSubscription<R, V> {
  let shown: V | null = opened?.view ?? null;
  let requested: R | null = opened?.range ?? null;
  /** The revision of the newest view that was sent unrequested; those of another add sheet begin again. */
  let newest = shown?.revision ?? 0;

  const showView = (view: V | null): void => {
    shown =
      view === null || shown === null
        ? view
        : {
            ...view,
            summary: previousIfEqual(shown.summary, view.summary),
            rows: keepUnchanged(shown.rows, view.rows),
          };
    show(shown);
  };
  const latest = createLatestRequest(
    (range: R) =>
      requestSince(
        () => request(range),
        () => newest,
      ),
    showView,
    fail,
  );
  const watch = (range: R): void => {
    requested = range;
    latest.request(range);
  };
  return {
    watch,
    accept(view) {
      if (view === null) {
        latest.cancel();
        requested = null;
        newest = 0;
        showView(null);
        return;
      }
      newest = Math.max(newest, view.revision);
      // While a request is in flight, the current view is already out of date.
      if (latest.isPending || (shown !== null && view.revision < shown.revision)) return;
      if (requested === null || isPart(view, requested)) showView(view);
      // This view was sent before the latest request, and arrived after its answer, or the request failed.
      else watch(requested);
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
  /** Drops the answer of a request in flight, and a request that waits. */
  cancel(): void;
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
    cancel() {
      pending = null;
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
