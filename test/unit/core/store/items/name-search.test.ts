import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Store } from '../../../../../electron/core/store/store.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../../support/temporary-folder.ts';
import { addNamed, newLink, openStore } from '../store-kit.ts';

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

const found = (search: string): readonly string[] =>
  store.items.page({ filter: 'all', search, offset: 0, limit: 100 }).map(({ name }) => name);

test('a search finds every word of it in names and folders, regardless of case and accents', () => {
  addNamed(store, ['Ep_12 Intro.wav', 'Café Müller.mp3', 'Cafe\u0301 closing.mp3']);
  store.items.add([{ ...newLink('https://a.example/b'), name: 'Outro.wav', folderLabel: 'Season 9 / Raw' }]);
  expect(found('INTRO ep_')).toEqual(['Ep_12 Intro.wav']);
  expect(found('café')).toEqual(['Café Müller.mp3', 'Cafe\u0301 closing.mp3']);
  expect(found('cafe closing')).toEqual(['Cafe\u0301 closing.mp3']);
  expect(found('season raw')).toEqual(['Outro.wav']);
  expect(found('%')).toEqual([]);
  // More words than anyone types: those at the end are not compared.
  expect(found(`${'intro '.repeat(100)}season`)).toEqual([]);
  const many = 'e p _ 1 2 i n t r o . w a v ep in intro';
  expect(found(`${many} season`)).toEqual(['Ep_12 Intro.wav']);
});

test('a search keeps up with items that are added, renamed, removed and put back', () => {
  const [first = 0] = addNamed(store, ['one a', 'two b']);
  expect(found('a')).toEqual(['one a']);
  addNamed(store, ['three a']);
  expect(found('a')).toEqual(['one a', 'three a']);
  store.items.setSource(first, { kind: 'link', url: 'https://x.example' }, 'renamed', '');
  expect(found('a')).toEqual(['renamed', 'three a']);
  store.removed.begin([first]);
  store.removed.delete([first]);
  expect(found('rename')).toEqual([]);
  store.transaction(() => store.removed.restore());
  expect(found('rename')).toEqual(['renamed']);
});

test('a page of a filter and a search counts only what both show', () => {
  addNamed(store, ['a 1', 'b', 'a 2', 'a 3']);
  const page = store.items.page({
    filter: 'waiting',
    search: 'a',
    activityOf: () => 'running',
    offset: 1,
    limit: 1,
  });
  expect(page.map(({ name }) => name)).toEqual(['a 2']);
  expect(
    store.items.ids({ filter: 'done', search: 'a', activityOf: () => 'running', offset: 0, limit: 9 }),
  ).toEqual([]);
});

test('counts the found items by filter', () => {
  addNamed(store, ['a 1', 'b', 'a 2']);
  const [removed = 0] = addNamed(store, ['a 3']);
  const counts = (search: string) => store.items.foundCounts(search, () => 'needs-credits');
  expect(counts('a')).toEqual({ all: 3, working: 0, waiting: 0, attention: 3, done: 0, cancelled: 0 });
  store.items.remove([removed]);
  expect(counts('a')).toEqual({ all: 2, working: 0, waiting: 0, attention: 2, done: 0, cancelled: 0 });
  expect(counts('x').all).toBe(0);
});

test('tells which items a filter and a search still show', () => {
  const [first = 0, other = 0, removed = 0] = addNamed(store, ['a 1', 'b', 'a 2']);
  store.items.remove([removed]);
  const listed = (filter: 'waiting' | 'done') =>
    store.items.listed([first, other, removed], { filter, search: 'a', activityOf: () => 'running' });
  expect(listed('waiting')).toEqual([first]);
  expect(listed('done')).toEqual([]);
});

test('another source of an item has an unknown duration, the same content elsewhere has the same', () => {
  const [id = 0] = addNamed(store, ['talk.wav']);
  const file = { kind: 'file', sizeBytes: 1, mtimeMs: 1, inode: '1', mimeType: 'audio/wav' } as const;
  const at = (path: string, fingerprint: string): void =>
    store.items.setSource(id, { ...file, path, fingerprint }, 'talk.wav', '');
  at('/a/talk.wav', 'one');
  store.items.setDuration(id, 1);
  at('/b/talk.wav', 'one');
  expect(store.items.get(id)?.durationSeconds).toBe(1);
  at('/b/talk.wav', 'two');
  expect(store.items.get(id)?.durationSeconds).toBeNull();
});
