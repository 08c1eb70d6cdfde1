import { describe, expect, test } from 'vitest';
import type { QueueView } from '../../electron/contract/queue-commands.ts';
import type { Invoke } from '../../renderer/invoke.ts';
import {
  type AddSheetRange,
  createAddSheetSubscription,
  createQueueSubscription,
  type QueueRange,
} from '../../renderer/view-subscriptions.ts';
import type { AddSheetView } from '../../electron/contract/add-sheet-commands.ts';
import { sampleSummary } from '../support/window/sample-summary.ts';

const view = (revision: number, window: Partial<QueueRange> = {}): QueueView => ({
  revision,
  filter: 'all',
  search: '',
  counts: { all: 1000, working: 0, waiting: 1000, attention: 0, done: 0, cancelled: 0 },
  total: 1000,
  offset: 0,
  limit: 100,
  rows: [],
  summary: sampleSummary([]),
  ...window,
});
const at = (offset: number): QueueRange => ({ filter: 'all', search: '', offset, limit: 100 });

/** A subscription whose requests are answered when the test says so. */
function startSubscription() {
  const requests: { readonly window: QueueRange; readonly respond: (view: QueueView) => void }[] = [];
  const shown: QueueView[] = [];
  const invoke = ((_name: string, window: QueueRange) =>
    new Promise((respond) => requests.push({ window, respond }))) as unknown as Invoke;
  const watch = createQueueSubscription(
    invoke,
    { view: view(1), range: at(0) },
    (next) => shown.push(next),
    (error) => {
      throw error;
    },
  );
  return { watch, requests, shown };
}

const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a subscription to the queue', () => {
  test('sends only the latest of requests that come faster than answers', async () => {
    const { watch, requests, shown } = startSubscription();
    for (const offset of [100, 200, 300]) watch.watch(at(offset));
    expect(requests.map(({ window }) => window.offset)).toStrictEqual([100]);

    requests[0]!.respond(view(2, { offset: 100 }));
    await nextTick();
    expect(requests.map(({ window }) => window.offset)).toStrictEqual([100, 300]);
    expect(shown).toStrictEqual([]);

    requests[1]!.respond(view(2, { offset: 300 }));
    await nextTick();
    expect(shown.map(({ offset }) => offset)).toStrictEqual([300]);
  });

  test('accepts an unrequested view only if it is newer', () => {
    const { watch, shown } = startSubscription();
    watch.accept(view(3));
    watch.accept(view(2));
    watch.accept(view(4));
    expect(shown.map(({ revision }) => revision)).toStrictEqual([3, 4]);
  });

  test('requests a part again whose answer is older than a view that arrived before it', async () => {
    const { watch, requests, shown } = startSubscription();
    watch.watch(at(100));
    watch.accept(view(3));
    requests[0]!.respond(view(2, { offset: 100 }));
    await nextTick();
    expect(requests.map(({ window }) => window.offset)).toStrictEqual([100, 100]);
    requests[1]!.respond(view(3, { offset: 100 }));
    await nextTick();
    expect(shown.map(({ revision }) => revision)).toStrictEqual([3]);
  });

  test('does not return to the part that was just left', async () => {
    const { watch, requests, shown } = startSubscription();
    watch.watch({ ...at(0), filter: 'done' });
    watch.accept(view(2));
    requests[0]!.respond(view(2, { filter: 'done' }));
    await nextTick();
    watch.accept(view(3));
    expect(shown.map(({ filter }) => filter)).toStrictEqual(['done']);
  });
});

test.each([
  ['another offset', { offset: 100 }],
  ['no rows, because the queue was hidden', { limit: 0 }],
])('a late view of %s is replaced by one of the part on screen', async (_of, part) => {
  const { watch, requests, shown } = startSubscription();
  watch.watch(at(0));
  requests[0]!.respond(view(2));
  await nextTick();
  watch.accept(view(2, part));
  expect(requests).toHaveLength(2);
  requests[1]!.respond(view(2));
  await nextTick();
  expect(shown.map(({ offset, limit }) => ({ offset, limit }))).toStrictEqual([
    { offset: 0, limit: 100 },
    { offset: 0, limit: 100 },
  ]);
});

const sheetPart = (range: Partial<AddSheetRange>, revision = 1): AddSheetView =>
  ({
    group: 'ready',
    offset: 0,
    limit: 0,
    revision,
    rows: [],
    summary: {},
    ...range,
  }) as unknown as AddSheetView;

function startSheet() {
  const answers: ((view: AddSheetView | null) => void)[] = [];
  const shown: (AddSheetView | null)[] = [];
  const sheet = createAddSheetSubscription(
    (() => new Promise((resolve) => answers.push(resolve))) as unknown as Invoke,
    null,
    (view) => shown.push(view),
    (error) => expect.unreachable(String(error)),
  );
  return { sheet, answers, shown };
}

describe('a subscription to the add sheet', () => {
  test('shows a new sheet before it has requested a part of it', () => {
    const { sheet, shown } = startSheet();
    sheet.accept(sheetPart({}));
    expect(shown).toHaveLength(1);
  });

  test.each([{ limit: 0 }, { group: 'rejected', limit: 100 }] as const)(
    'requests its part again when a view %o that was sent before arrives after the answer',
    async (late) => {
      const { sheet, answers, shown } = startSheet();
      sheet.accept(sheetPart({}));
      sheet.watch({ group: 'ready', offset: 0, limit: 100 });
      answers[0]!(sheetPart({ limit: 100 }));
      await nextTick();
      sheet.accept(sheetPart(late));
      answers[1]!(sheetPart({ limit: 100 }));
      await nextTick();
      expect(shown.map((view) => view?.limit)).toStrictEqual([0, 100, 100]);
      expect(shown.every((view) => view?.group === 'ready')).toBe(true);
    },
  );

  test('does not reopen a closed sheet with a late answer, and shows the next one', async () => {
    const { sheet, answers, shown } = startSheet();
    sheet.accept(sheetPart({}, 7));
    sheet.watch({ group: 'ready', offset: 0, limit: 100 });
    sheet.accept(null);
    answers[0]!(sheetPart({ limit: 100 }, 7));
    await nextTick();
    sheet.accept(sheetPart({}, 1));
    expect(shown.map((view) => view?.revision ?? null)).toStrictEqual([7, null, 1]);
  });
});
