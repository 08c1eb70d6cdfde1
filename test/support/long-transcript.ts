import type { Clock } from '../../electron/core/ports.ts';
import type { Item } from '../../electron/core/item/item.ts';
import type { ItemEvent } from '../../electron/core/queue/machine/machine.ts';
import { ProgressWriter } from '../../electron/core/queue/scheduling/progress-writer.ts';
import type { Store } from '../../electron/core/store/store.ts';
import { systemRandom } from '../../electron/core/system.ts';
import { eagerClock } from './clocks/eager-clock.ts';
import { newLink } from '../unit/core/store/store-kit.ts';

/** Returns the event of a completed job whose transcript has this many segments of one second. */
export function completedEvent(count: number) {
  const segments = Array.from({ length: count }, (_, index) => ({
    start: index,
    end: index + 1,
    text: `on the harbour wall that the radio speaks of, at noon and at ${index}`,
  }));
  const transcript = { language: 'en', text: segments.map(({ text }) => text).join(' '), segments };
  return {
    kind: 'job-status',
    job: {
      status: 'completed',
      progress: 100,
      transcript,
      durationSeconds: count,
      creditsCharged: 1,
      error: null,
    },
    pollAfterMs: null,
  } as const satisfies ItemEvent;
}

/** A transcript that is too long for one commit. */
export const dayCompleted = completedEvent(3200);

/** Gives all saved transcripts the same time, so that they can be compared. */
const stoppedClock: Clock = { ...eagerClock, now: () => 0 };

const writerOn = (store: Store, clock: Clock = stoppedClock): ProgressWriter =>
  new ProgressWriter({ store, clock, random: systemRandom, defaultAutoExports: () => [] });

/** Adds an item whose job is about to be completed. */
export function followLink(store: Store): void {
  const [id = -1] = store.items.add([{ ...newLink('https://a.example/day.mp3'), name: 'Day' }]);
  const writer = writerOn(store);
  writer.apply(id, { kind: 'start', request: { key: 'key', body: '{}' } });
  const created = { jobId: 'job', session: null };
  writer.apply(id, { kind: 'created', created, source: 'link', pollAfterMs: null });
}

/** Returns the only item. */
export function followedItem(store: Store): Item {
  const [row] = store.items.page({ filter: 'all', offset: 0, limit: 1 });
  const item = row === undefined ? null : store.items.get(row.id);
  if (item === null) throw new Error('the item is gone');
  return item;
}

/** Saves its transcript as the queue does. */
export async function saveLong(store: Store, event: ItemEvent = dayCompleted, clock?: Clock): Promise<void> {
  const item = followedItem(store);
  const writer = writerOn(store, clock);
  await writer.stage(item, event, new AbortController().signal);
  store.transaction(() => writer.apply(item.id, event));
  writer.discardStaged(item.id);
}
