import { mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
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
