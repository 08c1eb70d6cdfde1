import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { LibrarySearcher } from '../../../../../electron/core/library/search/library-searcher.ts';
import type { Store } from '../../../../../electron/core/store/store.ts';
import { countWords } from '../../../../../electron/core/transcript/word-count.ts';
import { indexAll } from '../../../../support/index-all.ts';
import { testFolder } from '../../../../support/test-folder.ts';
import { queryFor } from '../../library/library-kit.ts';
import { openStore } from '../store-kit.ts';
import { make, opened, save } from './edit-kit.ts';

/** Returns whether a search finds a word in any text. */
function finds(store: Store, word: string): boolean {
  const reader = new Database(store.path, { readonly: true });
  const found = new LibrarySearcher(reader).ids(queryFor(word), () => false);
  reader.close();
  return found.length > 0;
}

test('an edit of many segments is indexed later, and found as it is after undo, redo and restoring', async () => {
  const store = openStore(await testFolder());
  const id = save(store, 80);
  await indexAll(store);
  store.searchIndex.stop();
  // Words beyond those that the transcript is said to have: it is saved without a text, and so without words.
  const wordsBeyond = (): number => {
    const { segments, wordCount } = opened(store, id);
    return segments.reduce((sum, { text }) => sum + countWords(text), 0) - wordCount;
  };
  const beyondAtFirst = wordsBeyond();
  const expectFound = async (word: string, other: string): Promise<void> => {
    expect(store.searchIndex.isBehind).toBe(true);
    await indexAll(store);
    store.searchIndex.stop();
    expect([finds(store, word), finds(store, other)]).toEqual([true, false]);
    expect(wordsBeyond()).toBe(beyondAtFirst);
  };
  // A segment whose position is not that of its number.
  make(store, id, [{ kind: 'split', segment: 3, offset: 5, atSeconds: null }]);
  const order = opened(store, id).segments.map((segment) => segment.id);
  const query = { text: 'repaired', matchCase: false, wholeWords: false };
  const revision = make(store, id, [{ kind: 'replace', query, replacement: 'sewn by hand' }]);
  expect(opened(store, id).segments.map((segment) => segment.id)).toEqual(order);
  await expectFound('sewn', 'repaired');
  store.edits.undo(id, revision);
  await expectFound('repaired', 'sewn');
  store.edits.redo(id, revision + 1);
  await expectFound('sewn', 'repaired');
  make(store, id, [{ kind: 'restore' }]);
  await expectFound('repaired', 'sewn');
  await store.close();
});
