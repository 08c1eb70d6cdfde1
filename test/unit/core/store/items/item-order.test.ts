import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ItemId } from '../../../../../electron/contract/identifiers.ts';
import type { QueuePosition } from '../../../../../electron/contract/queue.ts';
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
const order = (): readonly ItemId[] => store.items.ids('all', 0, 10_000);
const names = (): string => namesInOrder(store).join('');
function move(ids: readonly ItemId[], place: QueuePosition): void {
  const isMoved = (): boolean => store.transaction(() => store.order.move(ids, place));
  if (isMoved()) return;
  takeOrder(store, store.order.spread());
  expect(isMoved()).toBe(true);
}

/** What a list would do. */
function moved(list: readonly ItemId[], ids: readonly ItemId[], place: QueuePosition): readonly ItemId[] {
  const those = list.filter((id) => ids.includes(id));
  const rest = list.filter((id) => !ids.includes(id));
  if (those.length === 0) return list;
  if (place.kind === 'next') return rest.length === 0 ? list : [...those, ...rest];
  const at = rest.indexOf(place.id);
  if (at < 0) return list;
  return rest.toSpliced(place.kind === 'before' ? at : at + 1, 0, ...those);
}

describe('moving', () => {
  it('does what it does to a list, however often', () => {
    const ids = fill([...'abcdefgh']);
    const id = fc.constantFrom(...ids);
    const place = fc.oneof(
      fc.constant<QueuePosition>({ kind: 'next' }),
      fc.record({ kind: fc.constantFrom('before' as const, 'after' as const), id }),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.uniqueArray(id), place), { maxLength: 20 }), (moves) => {
        for (const [which, where] of moves) {
          const expected = moved(order(), which, where);
          move(which, where);
          expect(order()).toEqual(expected);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('finds room when a hundred moves have used up what there was between two', () => {
    const [a = 0, b = 0, c = 0] = fill(['a', 'b', 'c']);
    for (let index = 0; index < 100; index++) {
      move([c], { kind: 'after', id: a });
      move([b], { kind: 'after', id: a });
    }
    expect(names()).toBe('abc');
  });

  it('moves nothing where there is no room left', () => {
    const [a = 0, b = 0, c = 0] = fill(['a', 'b', 'c']);
    const put = (id: ItemId): boolean =>
      store.transaction(() => store.order.move([id], { kind: 'after', id: a }));
    let last = c;
    let before = order();
    while (put(last)) {
      last = last === c ? b : c;
      before = order();
    }
    expect(order()).toEqual(before);
  });

  it('before all that wait does not pass those that are at work', () => {
    const ids = fill([...'abcd']);
    const [first] = store.items.page('all', 0, 1);
    if (first === undefined) throw new Error('an item');
    store.items.setProgress(first.id, {
      ...first,
      state: { kind: 'failed', problem: { code: 'not_media' } },
    });
    move([ids[3] ?? 0], { kind: 'next' });
    expect(names()).toBe('adbc');
  });
});
