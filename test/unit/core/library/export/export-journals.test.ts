import { mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { defaultExportChoices } from '../../../../../electron/contract/export.ts';
import { defaultExportScope } from '../../../../../electron/contract/choices.ts';
import { presetRules } from '../../../../../electron/contract/subtitle-rules.ts';
import {
  ExportJournals,
  type ChosenExport,
} from '../../../../../electron/core/library/export/export-journals.ts';
import { quietLogger } from '../../../../support/core.ts';
import { testFolder } from '../../../../support/test-folder.ts';

const chosen: ChosenExport = {
  ...defaultExportChoices,
  ids: [1],
  where: 'folder',
  folder: '/out',
  scope: defaultExportScope,
  rules: presetRules.broadcast,
};

let dataFolder: string;
let journals: string;
beforeEach(async () => {
  dataFolder = await testFolder();
  journals = join(dataFolder, 'unfinished-exports');
});

const open = (): ExportJournals => new ExportJournals({ dataFolder, logger: quietLogger });

/** Begins exports that never end, and returns how many of them have a journal. */
async function begin(count: number, request = chosen): Promise<number> {
  const exportJournals = open();
  for (let i = 0; i < count; i += 1)
    void exportJournals.run(request, undefined, () => new Promise<never>(() => {}));
  return (await readdir(journals)).length;
}

it('keeps a limited number of journals', async () => {
  expect(await begin(30)).toBe(20);
  expect(open().interrupted.length).toBe(20);
});

it('keeps journals of a limited length', async () => {
  const ids = Array.from({ length: 200_000 }, (_, i) => Number.MAX_SAFE_INTEGER - i);
  expect(await begin(8, { ...chosen, ids })).toBe(4);
  expect(await begin(1)).toBe(5);
});

it('removes journals that it cannot read, once', async () => {
  await begin(1);
  await writeFile(join(journals, '2.jsonl'), '{"chosen":{"ids":"all"}}\n');
  await writeFile(join(journals, '3.jsonl'), '');
  await mkdir(join(journals, '4.jsonl'));
  expect(open().interrupted.length).toBe(1);
  // What cannot be read may be a fault of the drive.
  expect(await readdir(journals)).toEqual(['1.jsonl', '4.jsonl']);
});

it('reads the latest journals, up to a limited length, and removes the others', async () => {
  await begin(2);
  await truncate(join(journals, '1.jsonl'), 128_000_000);
  const [interrupted] = open().interrupted;
  expect(interrupted?.task).toEqual({ kind: 'export', journalNumber: 2 });
  expect(await readdir(journals)).toEqual(['2.jsonl']);
  expect(await readFile(join(journals, '2.jsonl'), 'utf8')).toContain('"chosen"');
});

describe('an interrupted export that is done again', () => {
  const interrupted: ChosenExport = { ...chosen, ids: [1, 2], existing: 'number' };
  const repeated: ChosenExport = { ...interrupted, ids: [3, 2, 1] };
  const saved = { cancelled: false, failed: [] };

  /** Returns the journals that still exist after an export, having checked that no other is offered. */
  async function journalsAfter(run: (reopened: ExportJournals) => Promise<unknown>): Promise<string[]> {
    await begin(1, interrupted);
    const reopened = open();
    await run(reopened);
    const names = await readdir(journals);
    expect(reopened.interrupted.map(({ task }) => task)).toEqual(open().interrupted.map(({ task }) => task));
    return names;
  }

  it.each<[string, ChosenExport]>([
    ['with more transcripts and formats', { ...repeated, formats: ['txt', 'docx', 'srt'] }],
    ['in another layout', { ...repeated, subtitles: 'raw', existing: 'replace' }],
    ['without what was saved already', { ...repeated, existing: 'skip' }],
  ])('is offered no more: %s', async (_, later) => {
    expect(await journalsAfter((reopened) => reopened.run(later, undefined, async () => saved))).toEqual([]);
  });

  it.each<[string, ChosenExport]>([
    ['fewer transcripts', { ...repeated, ids: [2, 3] }],
    ['fewer formats', { ...repeated, formats: ['srt'] }],
    ['another folder', { ...repeated, folder: '/out 2' }],
    ['next to the recordings', { ...repeated, where: 'beside' }],
    ['other names', { ...repeated, template: '{name} 2' }],
    ['only what is highlighted', { ...repeated, scope: { ...defaultExportScope, highlightsOnly: true } }],
  ])('is still offered after one that saved other files: %s', async (_, later) => {
    const names = await journalsAfter((reopened) => reopened.run(later, undefined, async () => saved));
    expect(names).toEqual(['1.jsonl']);
  });

  it('is still offered after one that kept the files that it was to replace', async () => {
    await begin(1, { ...interrupted, existing: 'replace' });
    await open().run({ ...repeated, existing: 'skip' }, undefined, async () => saved);
    expect(await readdir(journals)).toEqual(['1.jsonl']);
  });

  it.each([
    ['was cancelled', { cancelled: true, failed: [] }],
    [
      'could not save everything',
      { cancelled: false, failed: [{ name: 'a', problem: { code: 'disk_full' } }] },
    ],
  ] as const)('is still offered after one that %s', async (_, outcome) => {
    const names = await journalsAfter((reopened) => reopened.run(repeated, undefined, async () => outcome));
    expect(names).toEqual(['1.jsonl']);
  });

  it('is offered no more after another interrupted one with its files was resumed', async () => {
    await begin(1, repeated);
    await begin(1, interrupted);
    const reopened = open();
    expect(reopened.interrupted).toHaveLength(2);
    await reopened.resume(1, async () => saved);
    expect(reopened.interrupted).toEqual([]);
    expect(await readdir(journals)).toEqual([]);
  });
});
