import { describe, expect, test } from 'vitest';
import type { QueueView } from '../../electron/contract/queue-commands.ts';
import type { Invoke } from '../../renderer/invoke.ts';
import {
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
    view(1),
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

const viewOf = (group: string): AddSheetView => ({ group, offset: 0, revision: 1 }) as AddSheetView;

test('a view of the add sheet that was sent before a request, and arrives after its answer, is replaced', async () => {
  const shown: (string | undefined)[] = [];
  let requests = 0;
  const invoke = (async () => {
    requests += 1;
    return viewOf('duplicates');
  }) as unknown as Invoke;
  const sheet = createAddSheetSubscription(
    invoke,
    (view) => shown.push(view?.group),
    (error) => expect.unreachable(String(error)),
  );
  sheet.watch({ group: 'duplicates', offset: 0, limit: 100 });
  await nextTick();
  sheet.accept(viewOf('ready'));
  await nextTick();
  expect(shown).toStrictEqual(['duplicates', 'ready', 'duplicates']);
  sheet.accept(null);
  sheet.accept(viewOf('ready'));
  await nextTick();
  expect(requests).toBe(2);
});
