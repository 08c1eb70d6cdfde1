import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { defaultJobOptions } from '../../../../electron/contract/options.ts';
import type { SavedSheet, SheetId } from '../../../../electron/core/store/sheet-store.ts';
import type { Store } from '../../../../electron/core/store/store.ts';
import { testFolder } from '../../../support/test-folder.ts';
import { openStore } from './store-kit.ts';

async function newStore(): Promise<Store> {
  const store = openStore(await testFolder());
  onTestFinished(() => store.close());
  return store;
}

test('there is no sheet initially', async () => {
  const { sheets } = await newStore();
  expect(sheets.load()).toBeNull();
});

test('a sheet is stored with its additions and choices', async () => {
  const { sheets } = await newStore();
  const id = sheets.open(defaultJobOptions);
  sheets.add(id, { paths: ['/season', '/it\'s "odd".wav'], links: ['https://a.example/b.mp3'] });
  sheets.add(id, { paths: ['/more.wav'], links: [] });
  sheets.setService([id], 'on-device');
  sheets.setOptions(id, { ...defaultJobOptions, language: 'de' });
  sheets.setFormats(id, ['srt', 'docx']);
  sheets.choose(id, [
    { location: '/season/1.wav', included: false, options: {} },
    { location: '/season/2.wav', included: null, options: { accuracy: 'fast' } },
  ]);
  sheets.choose(id, [{ location: '/season/1.wav', included: true, options: { language: 'es' } }]);
  expect(sheets.load()).toEqual({
    ids: [id],
    options: { ...defaultJobOptions, language: 'de' },
    service: 'on-device',
    formats: ['srt', 'docx'],
    additions: [
      { paths: ['/season', '/it\'s "odd".wav'], links: ['https://a.example/b.mp3'] },
      { paths: ['/more.wav'], links: [] },
    ],
    choices: [
      { location: '/season/1.wav', included: true, options: { language: 'es' } },
      { location: '/season/2.wav', included: null, options: { accuracy: 'fast' } },
    ],
    isComplete: true,
  });
});

test('any number of choices is stored', async () => {
  const { sheets } = await newStore();
  const id = sheets.open(defaultJobOptions);
  const choices = Array.from({ length: 2500 }, (_, index) => ({
    location: `/season/${index}.wav`,
    included: index % 2 === 0,
    options: { terms: [`Ada ${index}`] },
  }));
  sheets.choose(id, choices);
  const stored = sheets.load()?.choices.map(({ location, included }) => `${location} ${included}`);
  expect(stored?.toSorted()).toEqual(choices.map((one) => `${one.location} ${one.included}`).toSorted());
});

test('once its recordings are being added, none of them is marked to be added any more', async () => {
  const { sheets } = await newStore();
  const id = sheets.open(defaultJobOptions);
  sheets.choose(id, [
    { location: '/again.wav', included: 'despite-duplicate', options: {} },
    { location: '/double.wav', included: true, options: {} },
    { location: '/unwanted.wav', included: false, options: {} },
  ]);
  const choices = () => sheets.load()?.choices.map(({ location, included }) => [location, included]);
  expect(choices()).toContainEqual(['/again.wav', 'despite-duplicate']);
  sheets.resetInclusions([id]);
  expect(choices()).toEqual([
    ['/again.wav', null],
    ['/double.wav', null],
    ['/unwanted.wav', false],
  ]);
});

test('several sheets are loaded as one and deleted separately', async () => {
  const { sheets } = await newStore();
  const [first, second] = [sheets.open(defaultJobOptions), sheets.open(defaultJobOptions)];
  expect(sheets.load()?.service).toBeNull();
  sheets.setService([first], 'on-device');
  expect(sheets.load()?.service).toBe('on-device');
  sheets.add(first, { paths: ['/a.wav'], links: [] });
  sheets.add(second, { paths: ['/b.wav'], links: [] });
  expect(sheets.load()?.additions.flatMap(({ paths }) => paths)).toEqual(['/a.wav', '/b.wav']);
  sheets.forget([first]);
  expect(sheets.load()?.additions.flatMap(({ paths }) => paths)).toEqual(['/b.wav']);
  sheets.forget([second]);
  expect(sheets.load()).toBeNull();
});

/** Stores empty additions, which the limit counts too. */
function addMany({ path }: Store, sheet: SheetId, count: number): Database.Database {
  const database = new Database(path);
  onTestFinished(() => void database.close());
  database
    .prepare("INSERT INTO sheet_additions (sheet_id, paths, links) SELECT ?, '[]', '[]' FROM json_each(?)")
    .run(sheet, JSON.stringify(Array.from({ length: count }, () => 0)));
  return database;
}

/** What a failure shows instead of thousands of additions. */
const outlineOf = (sheet: SavedSheet | null) => ({
  additions: sheet?.additions.length,
  isComplete: sheet?.isComplete,
});

test('what all sheets store is limited, however often something is added', async () => {
  const store = await newStore();
  const { sheets } = store;
  const [first, second] = [sheets.open(defaultJobOptions), sheets.open(defaultJobOptions)];
  addMany(store, first, 15_000);
  const full = expect.objectContaining({ problem: { code: 'sheet_full' } });
  expect(() => sheets.add(second, { paths: [], links: ['x'.repeat(5_000_000)] })).toThrow(full);
  sheets.add(second, { paths: [], links: ['https://a.example/b.mp3'] });
  expect(outlineOf(sheets.load())).toEqual({ additions: 15_001, isComplete: true });
  sheets.forget([first]);
  sheets.add(second, { paths: [], links: ['x'.repeat(5_000_000)] });
});

test('a sheet that is too long is loaded as far as the limits, without what cannot be read', async () => {
  const store = await newStore();
  const { sheets } = store;
  const id = sheets.open(defaultJobOptions);
  sheets.choose(id, [{ location: '/a.wav', included: false, options: {} }]);
  const database = addMany(store, id, 20_000);
  expect(outlineOf(sheets.load())).toEqual({ additions: 15_984, isComplete: false });

  database.exec(`
    DELETE FROM sheet_additions WHERE id > 1;
    UPDATE sheet_additions SET paths = '[1]';
    UPDATE sheets SET options = '{}', formats = '7';
    UPDATE sheet_choices SET options = '{"accuracy":7}'`);
  expect(sheets.load()).toMatchObject({
    options: defaultJobOptions,
    formats: null,
    additions: [{ paths: [], links: [] }],
    choices: [{ location: '/a.wav', included: false, options: {} }],
    isComplete: false,
  });
});

test('recordings with the same options of their own share them in memory', async () => {
  const { sheets } = await newStore();
  const id = sheets.open(defaultJobOptions);
  const options = { terms: ['Haddad'] };
  sheets.choose(id, [
    { location: '/a.wav', included: null, options },
    { location: '/b.wav', included: null, options },
  ]);
  const choices = sheets.load()?.choices;
  expect(choices?.[0]?.options).toEqual(options);
  expect(choices?.[0]?.options).toBe(choices?.[1]?.options);
});
