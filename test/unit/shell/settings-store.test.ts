import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultExportChoices } from '../../../electron/contract/export.ts';
import { defaultSettings, type Settings } from '../../../electron/contract/settings.ts';
import { presetRules } from '../../../electron/contract/subtitle-rules.ts';
import { ProblemError } from '../../../electron/contract/problem.ts';
import { SettingsStore } from '../../../electron/shell/settings-store.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts';

let folder: TemporaryFolder;
const file = (): string => join(folder.path, 'settings.json');
const write = (content: unknown): Promise<void> => writeFile(file(), JSON.stringify(content));
const putAside = async (): Promise<readonly string[]> => {
  const names = (await readdir(folder.path)).filter((name) => name.startsWith('settings.broken-'));
  return Promise.all(names.map((name) => readFile(join(folder.path, name), 'utf8')));
};

beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

it('keeps each change across a restart, and notifies listeners immediately', () => {
  const store = new SettingsStore(folder.path);
  const seen: unknown[] = [];
  store.onChange(({ theme, uploadLimit }) => seen.push([theme, uploadLimit]));
  store.change({ theme: 'dark' });
  store.change({ uploadLimit: 250_000, accounts: ['https://one.example.com'] });
  expect(seen).toEqual([
    ['dark', null],
    ['dark', 250_000],
  ]);
  expect(new SettingsStore(folder.path).get()).toEqual(store.get());
  expect(new SettingsStore(folder.path).problem).toBeNull();
});

it.skipIf(process.platform === 'win32')('creates a data folder that only the user can read', async () => {
  const data = join(folder.path, 'new', 'data');
  expect(new SettingsStore(data).problem).toBeNull();
  expect((await stat(data)).mode & 0o777).toBe(0o700);
});

const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;

it.each([
  ['is nested too deep', () => writeFile(file(), `{"theme": "dark", "unknown": ${nested}}`)],
  ['is a folder', () => mkdir(file())],
])('renames a file that %s', async (_, make) => {
  await make();
  const store = new SettingsStore(folder.path);
  expect(store.problem?.code).toBe('settings_broken');
  expect(await readdir(folder.path)).toContain(store.problem?.params?.['name']);
  expect(store.get().parallelUploads).toBe(2);
});

describe('an invalid value', () => {
  it('is reset to its default and named; the other values and a copy of the file are kept', async () => {
    const content = { theme: 'purple', parallelUploads: 3, accounts: 'none', autoExportFormats: ['srt'] };
    await write(content);
    const store = new SettingsStore(folder.path);
    expect(store.get()).toMatchObject({
      theme: 'system',
      parallelUploads: 3,
      accounts: [],
      autoExportFormats: ['srt'],
    });
    expect(store.problem).toMatchObject({ code: 'setting_broken', detail: 'theme, accounts' });
    expect((await putAside()).map((text) => JSON.parse(text) as unknown)).toMatchObject([content]);
  });

  it('is reported once', async () => {
    await write({ theme: 'purple' });
    expect(new SettingsStore(folder.path).problem).not.toBeNull();
    expect(new SettingsStore(folder.path).problem).toBeNull();
  });
});

it.each(['{"theme": ', '', '[]', '42', 'null', '\u0000\u0001'])(
  'renames a file that holds no settings: %j',
  async (content) => {
    await writeFile(file(), content);
    const store = new SettingsStore(folder.path);
    expect(store.problem?.code).toBe('settings_broken');
    expect(await readdir(folder.path)).toContain(store.problem?.params?.['name']);
    expect(store.get().parallelUploads).toBe(2);
    expect(await putAside()).toEqual([content]);
    store.change({ theme: 'light' });
    expect(new SettingsStore(folder.path).get().theme).toBe('light');
  },
);

it('takes a settings file with a single mistyped name for its own', async () => {
  await writeFile(join(folder.path, 'settings.json'), JSON.stringify({ langauge: 'de' }));
  expect(new SettingsStore(folder.path).get().language).toBe('system');
});

it.each([
  { 'editor.fontSize': 12, theme: 'Monokai', language: 'xx' },
  { theme: 'dark', 'window.zoomLevel': 1, 'files.autoSave': 'off' },
])('refuses the settings of another program, and leaves them unchanged: %j', async (content) => {
  await write(content);
  expect(() => new SettingsStore(folder.path)).toThrow('data_folder_foreign');
  expect(JSON.parse(await readFile(file(), 'utf8'))).toEqual(content);
  expect(await readdir(folder.path)).toEqual(['settings.json']);
});

it('migrates the one account of an older file, and keeps settings it does not know', async () => {
  await write({ service: 'https://api.example.com', theme: 'dark', fromTheFuture: 1 });
  const store = new SettingsStore(folder.path);
  expect(store.get()).toMatchObject({ accounts: ['https://api.example.com'], theme: 'dark' });
  expect(store.problem).toBeNull();
  store.change({ accounts: [] });
  expect(new SettingsStore(folder.path).get().accounts).toEqual([]);
  expect(JSON.parse(await readFile(file(), 'utf8'))).toMatchObject({ fromTheFuture: 1 });
});

it('migrates settings and subtitle rules that had other names', async () => {
  const { columnsPerLine, columnsPerWideCharacter, closeGapsBelowMs, targetSpeed, ...rules } =
    others.ownSubtitleRules;
  await write({
    saveBeside: ['vtt'],
    saveFolder: '/exports',
    closeKeepsWorking: false,
    ownSubtitleRules: {
      ...rules,
      lineColumns: columnsPerLine,
      wideColumns: columnsPerWideCharacter,
      closedGapMs: closeGapsBelowMs,
      aimedSpeed: targetSpeed,
    },
    __internal__: { migrations: { version: '1.1.0' } },
  });
  const store = new SettingsStore(folder.path);
  expect(store.problem).toBeNull();
  expect(store.get()).toEqual({
    ...defaultSettings,
    autoExportFormats: ['vtt'],
    autoExportFolder: '/exports',
    keepWorkingWhenClosed: false,
    ownSubtitleRules: others.ownSubtitleRules,
  });
  expect(JSON.parse(await readFile(file(), 'utf8'))).not.toHaveProperty('saveBeside');
});

it('forgets that an export had notes, which is chosen for each export', async () => {
  const { exporting } = others;
  await write({
    exporting: { ...exporting, notes: true },
    __internal__: { migrations: { version: '1.2.0' } },
  });
  const store = new SettingsStore(folder.path);
  expect(store.problem).toBeNull();
  expect(store.get().exporting).toEqual(exporting);
});

it('reads a file that holds only what the user changed, as earlier versions wrote it', async () => {
  const changed = { accounts: ['https://api.example.com'], exporting: others.exporting, keepAwake: false };
  await write({ ...changed, __internal__: { migrations: { version: '1.1.0' } } });
  const store = new SettingsStore(folder.path);
  expect(store.problem).toBeNull();
  expect(store.get()).toEqual({ ...defaultSettings, ...changed });
  expect(await putAside()).toEqual([]);
});

it('migrates the settings before it checks them', async () => {
  await write({ service: 'https://api.example.com', theme: 'purple' });
  const store = new SettingsStore(folder.path);
  expect(store.problem).toMatchObject({ code: 'setting_broken', detail: 'theme' });
  expect(store.get()).toMatchObject({ accounts: ['https://api.example.com'], theme: 'system' });
});

it('opens any file, with settings that are all valid', async () => {
  const names = [
    'service',
    'accounts',
    'options',
    'theme',
    'language',
    'autoExportFormats',
    'uploadLimit',
    'keepAwake',
  ];
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.constantFrom(...names), fc.jsonValue()), async (content) => {
      await write(content);
      const settings = new SettingsStore(folder.path).get();
      expect(new SettingsStore(folder.path).problem).toBeNull();
      expect(new SettingsStore(folder.path).get()).toEqual(settings);
    }),
    { numRuns: 60 },
  );
});

it('reports a folder that cannot be written', async () => {
  await writeFile(join(folder.path, 'a file'), '');
  expect(() => new SettingsStore(join(folder.path, 'a file'))).toThrow(ProblemError);
});

it.skipIf(process.platform !== 'linux')('reports it when the system cannot create the folder', () => {
  expect(() => new SettingsStore('/proc/longhand/data')).toThrow(ProblemError);
});

it('creates every folder above its own', () => {
  const deep = join(folder.path, 'a', 'b', 'c');
  new SettingsStore(deep).change({ theme: 'dark' });
  expect(new SettingsStore(deep).get().theme).toBe('dark');
});

/** Every setting with a value that is not its default. */
const others: { readonly [K in keyof Required<Settings>]: Settings[K] } = {
  service: 'https://one.example.com',
  accounts: ['https://one.example.com', 'https://two.example.com/eu'],
  accountLimits: { 'https://one.example.com': 600 },
  accountNames: { 'https://one.example.com': 'Newsroom' },
  options: { language: 'de', accuracy: 'accurate', translateToEnglish: true, terms: ['Mbeki'], speakers: 3 },
  addWithoutAsking: true,
  parallelUploads: 4,
  uploadLimit: 750_000,
  theme: 'dark',
  language: 'es',
  highlightPlayingWord: false,
  showVideo: false,
  videoShare: 0.3,
  librarySort: 'name',
  usedHints: ['split'],
  showSubtitlePreview: true,
  markUnsureWords: false,
  autoExportFormats: ['srt', 'docx'],
  exporting: { ...defaultExportChoices, template: '{date} {name}', subtitles: 'own', where: 'folder' },
  autoExportTemplate: '{folder}/{name}',
  ownSubtitleRules: { ...presetRules.vertical, maxLines: 1 },
  exportFolder: '/home/ann/Subtitles',
  autoExportFolder: '/home/ann/Transcripts',
  notifications: false,
  keepAwake: false,
  keepWorkingWhenClosed: false,
  checkForUpdates: false,
};

it.each(Object.keys(others) as (keyof Settings)[])('%s survives a restart', (name) => {
  const before = new SettingsStore(folder.path).get()[name];
  new SettingsStore(folder.path).change({ [name]: others[name] });
  const store = new SettingsStore(folder.path);
  expect(store.problem).toBeNull();
  expect(store.get()[name]).toEqual(others[name]);
  expect(store.get()[name]).not.toEqual(before);
});
