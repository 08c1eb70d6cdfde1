import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ItemId } from '../../../../../electron/contract/identifiers.ts';
import {
  type FindOrder,
  QueueReorderer,
  sortInThread,
} from '../../../../../electron/core/queue/order/queue-reorderer.ts';
import type { Store } from '../../../../../electron/core/store/store.ts';
import { workerUrl } from '../../../../../electron/workers/registry.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../../support/temporary-folder.ts';
import { addNamed, namesInOrder, openStore } from '../../store/store-kit.ts';

/** More items than the main thread sorts. */
const count = 2500;

let folder: TemporaryFolder;
let store: Store;
let ids: readonly ItemId[];
let beforeCommit: () => void;
/** The order at each notification of a new one. */
let notified: (readonly number[])[];

beforeEach(async () => {
  beforeCommit = () => undefined;
  notified = [];
  folder = await temporaryFolder();
  store = openStore(folder.path, {
    onCommit: (moment) => {
      if (moment === 'before') beforeCommit();
    },
  });
  ids = fill(Array.from({ length: count }, (_, number) => String((number * 7) % count)));
});
afterEach(async () => {
  await store.close();
  await folder.remove();
});

const fill = (names: readonly string[]): readonly ItemId[] => addNamed(store, names);
const inThread: FindOrder = (sort) => sortInThread(workerUrl('sort'), store.path, sort);
const reordererWith = (findOrder: FindOrder | null = inThread): QueueReorderer =>
  new QueueReorderer({
    store,
    ...(findOrder !== null && { findOrder }),
    onReordered: () => notified.push(names()),
  });
const names = (): readonly number[] => namesInOrder(store).map(Number);
const upwards = Array.from({ length: count }, (_, number) => number);
const byName = { by: 'name', descending: false } as const;
const backwards = { by: 'name', descending: true } as const;

describe('a long queue', () => {
  it('is sorted in another thread like in this one', async () => {
    await reordererWith().sort(byName);
    expect(names()).toEqual(upwards);
    await reordererWith(null).sort(backwards);
    expect(names()).toEqual(upwards.toReversed());
    expect(notified.at(-1)).toEqual(names());
  });

  it('handles moves and sorts one after the other', async () => {
    const reorderer = reordererWith();
    const last = ids[4] ?? 0;
    const done = [
      reorderer.sort(byName),
      reorderer.move([last], { kind: 'next' }),
      reorderer.sort(backwards),
      reorderer.move([last], { kind: 'next' }),
    ];
    await Promise.all(done);
    const moved = (4 * 7) % count;
    expect(names()).toEqual([moved, ...upwards.toReversed().filter((name) => name !== moved)]);
  });

  it('puts items that are added in the meantime last, and skips removed ones', async () => {
    const reorderer = reordererWith(async (sort) => {
      const order = await inThread(sort);
      fill(['9999', '9998']);
      store.items.remove([ids[0] ?? 0]);
      return order;
    });
    await reorderer.sort(byName);
    expect(names()).toEqual([...upwards.slice(1), 9999, 9998]);
  });

  it('is sorted before the queue is closed', async () => {
    const reorderer = reordererWith();
    const sorted = reorderer.sort(byName);
    await reorderer.close();
    expect(names()).toEqual(upwards);
    await sorted;
  });

  it('is unchanged when the thread crashes, and the next move works', async () => {
    const broken = new URL('data:text/javascript,throw new Error("broken")');
    const reorderer = reordererWith((sort) => sortInThread(broken, store.path, sort));
    const before = names();
    await expect(reorderer.sort(byName)).rejects.toThrow('broken');
    expect(names()).toEqual(before);
    await reorderer.move([ids[2] ?? 0], { kind: 'next' });
    expect(names()[0]).toBe(14);
  });

  it('is unchanged when the disk is full', async () => {
    const before = names();
    beforeCommit = () => {
      throw new Error('database or disk is full');
    };
    await expect(reordererWith().sort(byName)).rejects.toThrow('full');
    expect(names()).toEqual(before);
    expect(notified).toEqual([]);
  });
});
