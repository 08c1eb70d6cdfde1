import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ItemId } from '../../../../../electron/contract/identifiers.ts';
import {
  type FindOrder,
  QueueReorderer,
  sortInThread,
} from '../../../../../electron/core/queue/order/queue-reorderer.ts';
import type { Store } from '../../../../../electron/core/store/store.ts';
import { workerUrl } from '../../../../../electron/workers/registry.ts';
import { systemClock } from '../../../../../electron/core/system.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../../support/temporary-folder.ts';
import { addNamed, namesInOrder, openStore } from '../../store/store-kit.ts';

/** More than are sorted at once. */
const count = 2500;

let folder: TemporaryFolder;
let store: Store;
let ids: readonly ItemId[];
let onCommit: () => void;
let beforeCommit: () => void;
/** The order at each time that a new one was told. */
let told: (readonly number[])[];

beforeEach(async () => {
  onCommit = () => undefined;
  beforeCommit = () => undefined;
  told = [];
  folder = await temporaryFolder();
  store = openStore(folder.path, {
    onCommit: (moment) => (moment === 'after' ? onCommit() : beforeCommit()),
  });
  ids = fill(Array.from({ length: count }, (_, number) => String((number * 7) % count)));
});
afterEach(async () => {
  await store.close();
  await folder.remove();
});

const fill = (names: readonly string[]): readonly ItemId[] => addNamed(store, names);
const inThread: FindOrder = (sort) => sortInThread(workerUrl('sort'), store.path, sort);
const arrangingBy = (findOrder: FindOrder | null = inThread): QueueReorderer =>
  new QueueReorderer({
    store,
    clock: systemClock,
    ...(findOrder !== null && { findOrder }),
    onReordered: () => told.push(names()),
  });
const names = (): readonly number[] => namesInOrder(store).map(Number);
const upwards = Array.from({ length: count }, (_, number) => number);
const byName = { by: 'name', descending: false } as const;
const backwards = { by: 'name', descending: true } as const;

describe('a long queue', () => {
  it('is sorted by another thread as by this one', async () => {
    await arrangingBy().sort(byName);
    expect(names()).toEqual(upwards);
    await arrangingBy(null).sort(backwards);
    expect(names()).toEqual(upwards.toReversed());
    expect(told.at(-1)).toEqual(names());
  });

  it('keeps its order until all of the new one is stored, and tells then', async () => {
    const before = names();
    const seen: (readonly number[])[] = [];
    beforeCommit = () => seen.push(names());
    await arrangingBy().sort(byName);
    expect(seen.length).toBeGreaterThan(2);
    for (const order of seen.slice(0, -1)) expect(order).toEqual(before);
    expect(told).toEqual([upwards]);
  });

  it('is sorted in several commits, and other work has its turn in between', async () => {
    const turns: string[] = [];
    onCommit = () => {
      turns.push('commit');
      systemClock.schedule(0, () => turns.push('other work'));
    };
    await arrangingBy().sort(byName);
    expect(turns.filter((turn) => turn === 'commit').length).toBeGreaterThan(2);
    expect(turns.slice(0, 3)).toEqual(['commit', 'other work', 'commit']);
  });

  it('is moved in, and sorted again, only once it is sorted', async () => {
    const arranging = arrangingBy();
    const last = ids[4] ?? 0;
    const done = [
      arranging.sort(byName),
      arranging.move([last], { kind: 'next' }),
      arranging.sort(backwards),
      arranging.move([last], { kind: 'next' }),
    ];
    await Promise.all(done);
    const moved = (4 * 7) % count;
    expect(names()).toEqual([moved, ...upwards.toReversed().filter((name) => name !== moved)]);
  });

  it('takes what is added meanwhile last, and does without what is removed', async () => {
    const removed = ids[0] ?? 0;
    let commits = 0;
    onCommit = () => {
      commits += 1;
      if (commits !== 1) return;
      fill(['9999', '9998']);
      store.items.remove([removed]);
    };
    await arrangingBy().sort(byName);
    expect(names()).toEqual([...upwards.slice(1), 9999, 9998]);
  });

  it('has the order of before when the program ends in the middle', async () => {
    const arranging = arrangingBy();
    const before = names();
    onCommit = () => arranging.abandon();
    await arranging.sort(byName);
    store.abandon();
    store = openStore(folder.path);
    expect(names()).toEqual(before);
    expect(told).toEqual([]);
    await arrangingBy().sort(byName);
    expect(names()).toEqual(upwards);
  });

  it('is moved in where there is no room left, by giving all new ranks', async () => {
    const arranging = arrangingBy();
    const [first = 0, second = 0, third = 0] = ids;
    for (let index = 0; index < 30; index += 1) {
      await arranging.move([third], { kind: 'after', id: first });
      await arranging.move([second], { kind: 'after', id: first });
    }
    expect(store.items.ids('all', 0, count)).toEqual(ids);
  });

  it('is sorted before the queue is closed', async () => {
    const arranging = arrangingBy();
    const sorted = arranging.sort(byName);
    await arranging.close();
    expect(names()).toEqual(upwards);
    await sorted;
  });

  it('stays as it is when the thread breaks down, and the next wish is heard', async () => {
    const broken = new URL('data:text/javascript,throw new Error("broken")');
    const arranging = arrangingBy((sort) => sortInThread(broken, store.path, sort));
    const before = names();
    await expect(arranging.sort(byName)).rejects.toThrow('broken');
    expect(names()).toEqual(before);
    await arranging.move([ids[2] ?? 0], { kind: 'next' });
    expect(names()[0]).toBe(14);
  });

  it('stays as it is when the disk is full in the middle', async () => {
    const before = names();
    let commits = 0;
    beforeCommit = () => {
      commits += 1;
      if (commits === 2) throw new Error('database or disk is full');
    };
    await expect(arrangingBy().sort(byName)).rejects.toThrow('full');
    expect(names()).toEqual(before);
    expect(told).toEqual([]);
  });
});
