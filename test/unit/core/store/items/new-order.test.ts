import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ItemId } from '../../../../../electron/contract/identifiers.ts';
import type { QueueSort } from '../../../../../electron/contract/queue.ts';
import { queueSortKeys } from '../../../../../electron/contract/choices.ts';
import { initialProgress } from '../../../../../electron/core/item/item.ts';
import type { Store } from '../../../../../electron/core/store/store.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../../support/temporary-folder.ts';
import { addNamed, namesInOrder, openStore, takeOrder } from '../store-kit.ts';

let folder: TemporaryFolder;
let store: Store;

beforeEach(async () => {
  folder = await temporaryFolder();
  store = openStore(folder.path);
});
afterEach(async () => {
  await store.close();
  await folder.remove();
});

const fill = (names: readonly string[]): readonly ItemId[] => addNamed(store, names);
const names = (): string => namesInOrder(store).join(' ');
const order = (): readonly ItemId[] => store.items.ids('all', 0, 10_000);
const end = (id: ItemId): void =>
  store.items.setProgress(id, {
    ...initialProgress,
    state: { kind: 'failed', problem: { code: 'not_media' } },
  });
const sort = (by: QueueSort['by'], descending: boolean): void => {
  const sorted = store.order.sorted({ by, descending });
  if (sorted !== null) takeOrder(store, sorted);
};

describe('sorting', () => {
  it('orders what waits as people count, and leaves the places of the others', () => {
    const [first = 0] = fill(['Take 10', 'Take 9', 'Take 2']);
    end(first);
    fill(['Take 1']);
    sort('name', false);
    expect(names()).toBe('Take 10 Take 1 Take 2 Take 9');
    sort('name', true);
    expect(names()).toBe('Take 10 Take 9 Take 2 Take 1');
  });

  it('puts what nobody knows the length of last, whichever way', () => {
    const ids = fill([...'abc']);
    store.items.setDuration(ids[1] ?? 0, 60);
    store.items.setDuration(ids[2] ?? 0, 30);
    sort('length', false);
    expect(names()).toBe('c b a');
    sort('length', true);
    expect(names()).toBe('b c a');
  });

  it('keeps the order of those that are alike', () => {
    const ids = fill([...'abcd']);
    store.items.setDuration(ids[3] ?? 0, 30);
    sort('length', false);
    expect(names()).toBe('d a b c');
  });

  it('writes nothing when it is sorted already', () => {
    fill([...'abc']);
    expect(store.order.sorted({ by: 'name', descending: false })).toBeNull();
  });

  it('puts what is added afterwards last', () => {
    fill([...'cba']);
    sort('name', false);
    fill(['0']);
    expect(names()).toBe('a b c 0');
  });

  it('finds room however often it is done, beside items that stay where they are', () => {
    const [, , c = 0] = fill([...'abcde']);
    end(c);
    for (let index = 0; index < 40; index += 1) {
      sort('name', true);
      expect(names()).toBe('e d c b a');
      sort('name', false);
      expect(names()).toBe('a b c d e');
    }
  });

  it('is undone by nothing that moves and sorts after it', () => {
    const [a = 0, b = 0, c = 0] = fill([...'abc']);
    for (let index = 0; index < 51; index += 1) {
      const moved = index % 2 === 0 ? c : b;
      store.transaction(() => store.order.move([moved], { kind: 'after', id: a }));
      sort('name', true);
      expect(names()).toBe('c b a');
      sort('name', false);
    }
  });

  it('tells two apart that have come to the same place', () => {
    const [a = 0, b = 0] = fill([...'ab']);
    store.removed.keep([b]);
    store.items.remove([b]);
    fill(['c']);
    store.transaction(() => store.items.load(store.removed.restore().restored));
    sort('name', true);
    expect(names()).toBe('c b a');
    store.transaction(() => store.order.move([a], { kind: 'next' }));
    expect(names()).toBe('a c b');
  });

  it('outlives the program, as it was when it ended', async () => {
    fill([...'cab']);
    const wanted = store.order.sorted({ by: 'name', descending: false });
    if (wanted === null) throw new Error('it is in no order');
    store.transaction(() => store.order.stageOrder(wanted, 0, 2));
    await store.close();
    store = openStore(folder.path);
    expect(names()).toBe('c a b');
    sort('name', false);
    await store.close();
    store = openStore(folder.path);
    expect(names()).toBe('a b c');
  });

  it('is taken back with the commit that it is part of', () => {
    fill([...'cab']);
    failAfter(() => sort('name', false));
    expect(names()).toBe('c a b');
  });
});

/** What can happen between two pieces, and the pieces themselves. */
type Step = { readonly kind: 'piece' | 'add' | 'begin' | 'remove' | 'undo' | 'fail'; readonly which: number };

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom<Step['kind']>('piece', 'piece', 'piece', 'add', 'begin', 'remove', 'undo', 'fail'),
    which: fc.nat(30),
  }),
  { maxLength: 25 },
);
const item = fc.record({
  name: fc.constantFrom(...'abcdefgh'),
  seconds: fc.option(fc.integer({ min: 1, max: 5 })),
  ended: fc.boolean(),
});

/** Does something in a commit that is taken back. */
function failAfter(work: () => void): void {
  const commit = (): void =>
    store.transaction(() => {
      work();
      throw new Error('no room');
    });
  expect(commit).toThrow('no room');
}

describe('a new order that is written piece by piece', () => {
  it('counts once it is all there, and has what came or went meanwhile at its place', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(item, { minLength: 2, maxLength: 14 }),
        fc.constantFrom(...queueSortKeys),
        fc.boolean(),
        fc.integer({ min: 1, max: 4 }),
        steps,
        async (items, by, descending, atOnce, between) => {
          store.items.remove(order());
          store.removed.keep([]);
          const ids = fill(items.map(({ name }) => name));
          items.forEach(({ seconds, ended }, index) => {
            const id = ids[index] ?? 0;
            if (seconds !== null) store.items.setDuration(id, seconds);
            if (ended) end(id);
          });
          const waited = new Set(ids.filter((_, index) => items[index]?.ended === false));
          const before = order();
          const sorted = sortedOf(before, waited, { by, descending });
          const wanted = store.order.sorted({ by, descending });
          expect(wanted === null).toBe(isDeepStrictEqual(before, sorted));
          if (wanted === null) return;
          const added: ItemId[] = [];
          const restored = new Set<ItemId>();
          let next = 0;
          const takePiece = (): void => {
            if (next >= before.length) return;
            store.transaction(() => {
              store.order.stageOrder(wanted, next, atOnce);
              next += atOnce;
              if (next >= before.length) store.order.commitOrder(wanted);
            });
          };
          const check = (): void => {
            const now = order();
            // Each that there is, once.
            expect([...now].sort((a, b) => a - b)).toEqual(
              [...before, ...added].filter((id) => store.items.get(id) !== null).sort((a, b) => a - b),
            );
            const line = (next < before.length ? before : sorted).filter((id) => !restored.has(id));
            expect(now.filter((id) => line.includes(id))).toEqual(line.filter((id) => now.includes(id)));
            // What came meanwhile is behind all of them.
            expect(now.slice(now.length - added.length)).toEqual(added);
          };
          check();
          for (const { kind, which } of between) {
            const now = order();
            const id = now[which % Math.max(1, now.length)] ?? 0;
            const isOld = before.includes(id);
            if (kind === 'piece') takePiece();
            else if (kind === 'add') added.push(...fill(['z']));
            else if (kind === 'begin' && isOld && store.items.get(id)?.state.kind === 'waiting') end(id);
            // The last one stays, so that the queue does not end before the place where it did.
            else if (kind === 'remove' && isOld && id !== before.at(-1) && id !== sorted.at(-1)) {
              store.removed.keep([id]);
              store.items.remove([id]);
            } else if (kind === 'undo') {
              for (const back of store.transaction(() => {
                const { restored: those } = store.removed.restore();
                store.items.load(those);
                return those;
              }))
                restored.add(back);
            } else if (kind === 'fail') {
              failAfter(() => store.items.remove([id]));
            }
            check();
          }
          while (next < before.length) takePiece();
          check();
          const now = order();
          await store.close();
          store = openStore(folder.path);
          expect(order()).toEqual(now);
        },
      ),
      { numRuns: 60 },
    );
  });
});

/** What a list would do: those that wait in their order, on the places that they had. */
function sortedOf(list: readonly ItemId[], waited: ReadonlySet<ItemId>, sort: QueueSort): readonly ItemId[] {
  const value = (id: ItemId): string | number | null => {
    const one = store.items.get(id);
    if (sort.by === 'name') return one?.name ?? '';
    if (sort.by === 'length') return one?.durationSeconds ?? null;
    return sort.by === 'size' ? 0 : id;
  };
  const compare = (a: ItemId, b: ItemId): number => {
    const [one, other] = [value(a), value(b)];
    if (one === other) return 0;
    if (one === null || other === null) return one === null ? 1 : -1;
    return (one < other ? -1 : 1) * (sort.descending ? -1 : 1);
  };
  const line = list.filter((id) => waited.has(id)).toSorted(compare);
  return list.map((id) => (waited.has(id) ? (line.shift() ?? 0) : id));
}
