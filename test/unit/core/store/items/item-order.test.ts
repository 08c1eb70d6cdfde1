import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ItemId } from '../../../../../electron/contract/identifiers.ts';
import type { QueuePosition, QueueSort } from '../../../../../electron/contract/queue-commands.ts';
import { queueSortKeys } from '../../../../../electron/contract/choices.ts';
import { initialProgress } from '../../../../../electron/core/item/item.ts';
import type { Store } from '../../../../../electron/core/store/store.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../../support/temporary-folder.ts';
import { addNamed, namesInOrder, newLink, openStore } from '../store-kit.ts';

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
const order = (): readonly ItemId[] => store.items.ids({ filter: 'all', offset: 0, limit: 10_000 });
const names = (separator = ''): string => namesInOrder(store).join(separator);
const move = (ids: readonly ItemId[], position: QueuePosition): void =>
  store.transaction(() => store.order.move(ids, position));
/** Finishes an item, so that it no longer waits. */
const end = (id: ItemId): void =>
  store.items.setProgress(id, {
    ...initialProgress,
    state: { kind: 'failed', problem: { code: 'not_media' } },
  });
/** Adds items of a service, named by one letter each. */
const fillOf = (service: string, letters: string): readonly ItemId[] =>
  store.items.add(
    [...letters].map((name) => ({ ...newLink(`https://files.example/${name}`), name, service })),
  );
const start = (id: ItemId, status: string): void =>
  store.items.setProgress(id, {
    ...initialProgress,
    state: {
      kind: 'transcribing',
      status,
      progress: 0,
      recheck: 'none',
      jobId: `job-${id}`,
      request: { key: `key-${id}`, body: '{}' },
    },
  });
const sort = (by: QueueSort['by'], descending: boolean): void => {
  const sorted = store.order.sorted({ by, descending });
  if (sorted !== null) store.transaction(() => store.order.set(sorted));
};
function restore(): void {
  store.transaction(() => store.removed.restore());
}
function remove(ids: readonly ItemId[]): void {
  store.removed.begin(ids);
  store.removed.delete(ids);
}
async function reopen(): Promise<void> {
  await store.close();
  store = openStore(folder.path);
}

/** The same move on an array. */
function moved(list: readonly ItemId[], ids: readonly ItemId[], position: QueuePosition): readonly ItemId[] {
  const those = list.filter((id) => ids.includes(id));
  const rest = list.filter((id) => !ids.includes(id));
  if (those.length === 0) return list;
  if (position.kind === 'next') return rest.length === 0 ? list : [...those, ...rest];
  const at = rest.indexOf(position.id);
  if (at < 0) return list;
  return rest.toSpliced(position.kind === 'before' ? at : at + 1, 0, ...those);
}

describe('moving', () => {
  it('does the same as on an array', () => {
    const ids = fill([...'abcdefgh']);
    const id = fc.constantFrom(...ids);
    const position = fc.oneof(
      fc.constant<QueuePosition>({ kind: 'next' }),
      fc.record({ kind: fc.constantFrom('before' as const, 'after' as const), id }),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.uniqueArray(id), position), { maxLength: 20 }), (moves) => {
        for (const [which, where] of moves) {
          const expected = moved(order(), which, where);
          move(which, where);
          expect(order()).toEqual(expected);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('moves to the first waiting position, not before items that have started', () => {
    const ids = fill([...'abcd']);
    end(ids[0] ?? 0);
    move([ids[3] ?? 0], { kind: 'next' });
    expect(names()).toBe('adbc');
  });

  it('moves to before what the on-device service has only prepared, not before what a cloud service has', () => {
    const [processing = 0, queued = 0] = [...fillOf('on-device', 'ab'), ...fillOf('on-device', 'cd')];
    start(processing, 'processing');
    start(queued, 'queued');
    move([order()[3] ?? 0], { kind: 'next' });
    expect(names()).toBe('adbc');
    const [sent = 0, last = 0] = fillOf('https://cloud.example', 'ef');
    move([sent], { kind: 'before', id: processing });
    start(sent, 'queued');
    move([last], { kind: 'next' });
    expect(names()).toBe('eafdbc');
  });
});

describe('sorting', () => {
  it('orders waiting items with numbers by value, and leaves the others in their positions', () => {
    const [first = 0] = fill(['Take 10', 'Take 9', 'Take 2']);
    end(first);
    fill(['Take 1']);
    sort('name', false);
    expect(names(' ')).toBe('Take 10 Take 1 Take 2 Take 9');
    sort('name', true);
    expect(names(' ')).toBe('Take 10 Take 9 Take 2 Take 1');
  });

  it('puts unknown durations last in both directions', () => {
    const ids = fill([...'abc']);
    store.items.setDuration(ids[1] ?? 0, 60);
    store.items.setDuration(ids[2] ?? 0, 30);
    sort('duration', false);
    expect(names()).toBe('cba');
    sort('duration', true);
    expect(names()).toBe('bca');
  });

  it('keeps the order of equal items', () => {
    const ids = fill([...'abcd']);
    store.items.setDuration(ids[3] ?? 0, 30);
    sort('duration', false);
    expect(names()).toBe('dabc');
  });

  it('returns nothing when it is sorted already', () => {
    fill([...'abc']);
    expect(store.order.sorted({ by: 'name', descending: false })).toBeNull();
  });
});

describe('the stored order', () => {
  it('puts items that are added later last, even after a restart', async () => {
    fill([...'cba']);
    sort('name', false);
    fill(['0']);
    expect(names()).toBe('abc0');
    await reopen();
    expect(names()).toBe('abc0');
  });

  it('is rolled back with its transaction', () => {
    fill([...'cab']);
    expect(() =>
      store.transaction(() => {
        sort('name', false);
        throw new Error('disk full');
      }),
    ).toThrow('disk full');
    expect(names()).toBe('cab');
  });

  it('gives restored items their positions back, even if others have moved since', () => {
    const [a = 0, b = 0, , d = 0] = fill([...'abcdef']);
    remove([b, d]);
    expect(names()).toBe('acef');
    restore();
    expect(names()).toBe('abcdef');
    remove([b, d]);
    move([a], { kind: 'after', id: store.items.ids({ filter: 'all', offset: 3, limit: 1 })[0] ?? 0 });
    expect(names()).toBe('cefa');
    restore();
    expect(names()).toBe('cbedfa');
  });

  it('matches that of an array through any changes and restarts', async () => {
    const change = fc.oneof(
      fc.record({ kind: fc.constant('sort' as const), by: fc.constantFrom(...queueSortKeys) }),
      fc.record({ kind: fc.constant('move' as const), which: fc.nat(30), to: fc.nat(30) }),
      fc.record({ kind: fc.constantFrom('end', 'remove'), which: fc.nat(30) }),
      fc.record({ kind: fc.constantFrom('add', 'restart') }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 20 }), async (changes) => {
        store.items.remove(order());
        let list = fill([...'dbac']);
        for (const one of changes) {
          const at = (index: number): ItemId => list[index % Math.max(1, list.length)] ?? 0;
          if ('by' in one) {
            list = sortedOf(list, { by: one.by, descending: false });
            sort(one.by, false);
          } else if ('to' in one) {
            const id = at(one.which);
            const position = { kind: 'before', id: at(one.to) } as const;
            list = moved(list, [id], position);
            move([id], position);
          } else if (one.kind === 'restart') await reopen();
          else if (one.kind === 'add') list = [...list, ...fill(['b'])];
          else if (one.kind === 'end' && list.length > 0) end(at(one.which));
          else if (one.kind === 'remove') {
            const id = at(one.which);
            list = list.filter((other) => other !== id);
            store.items.remove([id]);
          }
          expect(order()).toEqual(list);
        }
      }),
      { numRuns: 60 },
    );
  });
});

const isWaiting = (id: ItemId): boolean => store.items.get(id)?.state.kind === 'waiting';

/** Sorts an array: the waiting items are ordered among their positions. */
function sortedOf(list: readonly ItemId[], sort: QueueSort): readonly ItemId[] {
  const value = (id: ItemId): string | number | null => {
    const one = store.items.get(id);
    if (sort.by === 'name') return one?.name ?? '';
    if (sort.by === 'duration') return one?.durationSeconds ?? null;
    return sort.by === 'size' ? 0 : id;
  };
  const compare = (a: ItemId, b: ItemId): number => {
    const [one, other] = [value(a), value(b)];
    if (one === other) return 0;
    if (one === null || other === null) return one === null ? 1 : -1;
    return (one < other ? -1 : 1) * (sort.descending ? -1 : 1);
  };
  const waiting = list.filter(isWaiting).toSorted(compare);
  return list.map((id) => (isWaiting(id) ? (waiting.shift() ?? 0) : id));
}
