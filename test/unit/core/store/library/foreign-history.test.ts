import Database from 'better-sqlite3';
import { expect, onTestFinished, test, vi } from 'vitest';
import { storedLimits } from '../../../../../electron/contract/limits.ts';
import type { ChangeStep } from '../../../../../electron/contract/transcript.ts';
import { invertChange } from '../../../../../electron/core/transcript/edit/change.ts';
import { testFolder } from '../../../../support/test-folder.ts';
import { openStore } from '../store-kit.ts';
import { make, opened, refused, save } from './edit-kit.ts';

/** Replaces the change of every edit, as a backup of another computer can. */
function writeHistory(path: string, change: string): void {
  const file = new Database(path);
  file.pragma('ignore_check_constraints = ON');
  file.prepare('UPDATE edits SET change = ?').run(change);
  file.close();
}

test('an undo whose history has more values than memory holds is refused before it is parsed', async () => {
  const store = openStore(await testFolder());
  const id = save(store);
  const revision = make(store, id, [{ kind: 'set-text', segment: 1, text: 'Drei' }]);
  writeHistory(store.path, '['.repeat(storedLimits.changeValues + 1));
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());
  expect(refused(() => store.edits.undo(id, revision))).toBe('history_damaged');
  expect(parse.mock.calls.filter(([text]) => text.length > storedLimits.changeValues)).toEqual([]);
  await store.close();
});

const removal = (removed: string): ChangeStep => ({ kind: 'text', at: 0, removed, inserted: '' });

test.each([
  ['is long', 'x'.repeat(100_000), ''],
  ['gets long by the first of them', 'x', 'x'.repeat(100_000)],
])('an undo with too many steps for a text that %s is refused', async (_what, text, added) => {
  const store = openStore(await testFolder());
  const id = save(store, [], text);
  const revision = make(store, id, [{ kind: 'edit-text', at: 0, removed: 0, inserted: 'b' }]);
  const before = opened(store, id);
  const change = [...Array.from({ length: 50_000 }, () => removal('a')), removal(added)];
  writeHistory(store.path, JSON.stringify(change));
  expect(refused(() => store.edits.undo(id, revision))).toBe('history_damaged');
  expect(opened(store, id)).toStrictEqual(before);
  await store.close();
});

const inserting = (id: number, count: number): ChangeStep => ({
  kind: 'splice',
  at: 1,
  removed: [],
  inserted: Array.from({ length: count }, () => ({ id, start: 1, end: 2, text: 'a', speaker: null })),
});

test.each<[string, readonly ChangeStep[]]>([
  ['that do nothing', Array.from({ length: 10_000 }, () => inserting(0, 0))],
  [
    'that set all times',
    Array.from({ length: 50 }, () => ({ kind: 'times', before: [], after: Array<number>(4000).fill(1) })),
  ],
  ['that leave no gap for each other', Array.from({ length: 4000 }, (_, at) => inserting(5000 + at, 1))],
])('an undo with too many steps %s is refused', async (_what, steps) => {
  const store = openStore(await testFolder());
  const id = save(store, 2000);
  const revision = make(store, id, [{ kind: 'set-text', segment: 1, text: 'Drei' }]);
  const before = opened(store, id);
  // What is undone is the inverse of what is stored.
  writeHistory(store.path, JSON.stringify(invertChange(steps)));
  expect(refused(() => store.edits.undo(id, revision))).toBe('history_damaged');
  expect(opened(store, id)).toStrictEqual(before);
  await store.close();
});
