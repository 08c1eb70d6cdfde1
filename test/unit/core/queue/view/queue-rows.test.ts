import { expect, it, onTestFinished } from 'vitest';
import { initialProgress, type ItemState } from '../../../../../electron/core/item/item.ts';
import { LiveTranscripts } from '../../../../../electron/core/queue/scheduling/live-transcripts.ts';
import { TransferMeter } from '../../../../../electron/core/queue/scheduling/transfer-meter.ts';
import { QueueRows } from '../../../../../electron/core/queue/view/queue-rows.ts';
import type { Store } from '../../../../../electron/core/store/store.ts';
import { ManualClock } from '../../../../support/clocks/manual-clock.ts';
import { testFolder } from '../../../../support/test-folder.ts';
import { newLink, openStore } from '../../store/store-kit.ts';

const account = 'https://cloud.example';

it.each([
  { service: 'on-device', transcribing: 1, positions: [1, 2] },
  { service: 'on-device', transcribing: 3, positions: [3, 4] },
  { service: account, transcribing: 3, positions: [1, 2] },
])(
  'with $transcribing jobs of $service, the first that wait are at $positions',
  async ({ service, transcribing, positions }) => {
    const store = openStore(await testFolder());
    onTestFinished(() => store.close());
    const names = Array.from({ length: transcribing + 2 }, (_, index) => `https://files.example/${index}`);
    const ids = store.items.add(names.map((url) => ({ ...newLink(url), service })));
    for (const id of ids.slice(0, transcribing))
      store.items.setProgress(id, { ...initialProgress, state: jobState(id) });
    const waiting = store.items.page({
      filter: 'waiting',
      activityOf: () => 'running',
      offset: 0,
      limit: 10,
    });
    const rows = rowsOf(store).rows(waiting);
    expect(rows.map(({ state }) => state.kind === 'waiting' && state.position)).toEqual(positions);
  },
);

it('a recording that was moved to before prepared ones does not wait for them', async () => {
  const store = openStore(await testFolder());
  onTestFinished(() => store.close());
  const urls = [0, 1, 2, 3].map((index) => `https://files.example/${index}`);
  const ids = store.items.add(urls.map((url) => ({ ...newLink(url), service: 'on-device' })));
  for (const id of ids.slice(0, 3)) store.items.setProgress(id, { ...initialProgress, state: jobState(id) });
  const moved = ids[3]!;
  store.order.move([moved], { kind: 'after', id: ids[0]! });
  expect(rowsOf(store).row(store.items.get(moved)!).state).toMatchObject({ kind: 'waiting', position: 1 });
});

it('a search shows each position in the whole queue', async () => {
  const store = openStore(await testFolder());
  onTestFinished(() => store.close());
  const names = ['first talk', 'song', 'second talk', 'song again', 'third talk'];
  store.items.add(names.map((name) => newLink(`https://files.example/${encodeURIComponent(name)}`)));
  const found = store.items.page({
    filter: 'all',
    search: 'talk',
    activityOf: () => 'running',
    offset: 0,
    limit: 10,
  });
  const rows = rowsOf(store).rows(found);
  expect(rows.map(({ state }) => state.kind === 'waiting' && state.position)).toEqual([1, 3, 5]);
});

function rowsOf(store: Store): QueueRows {
  return new QueueRows({
    store,
    scheduler: {
      meter: new TransferMeter(new ManualClock(), () => undefined),
      live: new LiveTranscripts(),
    },
    waitReasons: {
      of: () => ({ waitsFor: 'turn', requestsWaitFor: null, allWaitFor: null, limitedUntil: 0 }),
    },
  });
}

const jobState = (id: number): ItemState => ({
  kind: 'transcribing',
  status: 'queued',
  progress: 0,
  recheck: 'none',
  jobId: `job-${id}`,
  request: { key: `key-${id}`, body: '{}' },
});
