import Database from 'better-sqlite3';
import { expect, onTestFinished, test, vi } from 'vitest';
import { storedLimits } from '../../../../../electron/contract/limits.ts';
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
