import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LibrarySearcher } from '../../../../../electron/core/library/search/library-searcher.ts';
import type { Store } from '../../../../../electron/core/store/store.ts';
import { indexAll } from '../../../../support/index-all.ts';
import { ManualClock } from '../../../../support/clocks/manual-clock.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../../support/temporary-folder.ts';
import { queryFor, saveTranscript, firstPage } from '../../library/library-kit.ts';
import { openStore } from '../store-kit.ts';

let folder: TemporaryFolder;
let store: Store;
let reader: Database.Database;

beforeEach(async () => {
  folder = await temporaryFolder();
  store = openStore(folder.path);
  reader = new Database(store.path, { readonly: true });
});
afterEach(async () => {
  reader.close();
  await store.close();
  await folder.remove();
});

/** The number of b-trees that a search reads. */
const trees = (): number =>
  reader.prepare<[], number>('SELECT count(DISTINCT segid) FROM search_idx').pluck().get() ?? 0;

const rows = (): number => reader.prepare<[], number>('SELECT count(*) FROM search').pluck().get() ?? 0;

const found = (query: string) => new LibrarySearcher(reader).list(queryFor(query), firstPage(), () => false);

it('merges the b-trees of commits, stops when done, and restarts with the next change', () => {
  const clock = new ManualClock();
  const troubles: unknown[] = [];
  store.searchIndex.startBackgroundIndexing(
    clock,
    () => undefined,
    (error) => troubles.push(error),
  );
  const save = (count: number): void => {
    for (let number = 0; number < count; number += 1) {
      saveTranscript(store, `Talk ${number}`, ['on the harbour wall', `and back ${number}`], number);
    }
  };
  save(20);
  // One each for the name and the segments: the commits merge nothing.
  expect(trees()).toBe(40);
  clock.advance(1000);
  expect(trees()).toBeLessThan(16);
  expect(clock.nextAt).toBe(null);

  const [first = -1] = store.library.ids(queryFor('', { sort: 'oldest' }));
  store.edits.edit(first, 0, { kind: 'set-text', segment: 0, text: 'at the lighthouse' });
  expect(clock.nextAt).not.toBe(null);
  save(20);
  clock.advance(1000);
  expect(trees()).toBeLessThan(16);
  expect(clock.nextAt).toBe(null);
  expect(found('lighthouse')).toMatchObject({ total: 1, passageTotal: 1 });
  expect(found('harbour')).toMatchObject({ passageTotal: 39 });
  expect(troubles).toEqual([]);
});

it('indexes a long transcript in pieces and merges between them', async () => {
  const texts = Array.from({ length: 3000 }, (_, index) => `harbour ${index}`);
  saveTranscript(store, 'Long', texts);
  expect(found('harbour')).toMatchObject({ passageTotal: 0, isIndexing: true });
  await indexAll(store);
  expect(trees()).toBeLessThan(20);
  expect(found('"harbour 2999"')).toMatchObject({ passageTotal: 1, isIndexing: false });
});

it('indexes long segments one at a time, in the background', async () => {
  const words = Array.from({ length: 2000 }, (_, index) => `word${index}`).join(' ');
  saveTranscript(store, 'Long', [words, `${words} harbour`, words]);
  expect(store.searchIndex.isBehind).toBe(true);
  const clock = new ManualClock();
  store.searchIndex.startBackgroundIndexing(
    clock,
    () => undefined,
    () => undefined,
  );
  const before = rows();
  clock.advance(clock.nextAt === null ? 0 : clock.nextAt - clock.now());
  expect(rows()).toBe(before + 1);
  await indexAll(store);
  expect(found('harbour').total).toBe(1);
});

it('continues in the background after an error', () => {
  const clock = new ManualClock();
  const errors: string[] = [];
  store.searchIndex.startBackgroundIndexing(
    clock,
    () => undefined,
    (error) => errors.push(String(error)),
  );
  const words = Array.from({ length: 2000 }, (_, index) => `word${index}`).join(' ');
  saveTranscript(store, 'Long', [words, `${words} harbour`, words]);
  const other = new Database(store.path);
  other.pragma('busy_timeout = 0');
  other.exec('BEGIN IMMEDIATE');
  clock.advance(1);
  other.close();
  expect(errors).toEqual(['SqliteError: database is locked']);
  clock.advance(20_000);
  expect(store.searchIndex.isBehind).toBe(false);
});
