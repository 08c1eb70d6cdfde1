import Database from 'better-sqlite3';
import { expect, onTestFinished, test, vi } from 'vitest';
import { storedLimits } from '../../../../../electron/contract/limits.ts';
import type { ChangeStep } from '../../../../../electron/contract/transcript.ts';
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
