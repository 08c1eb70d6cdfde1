import { defaultExportChoices } from '../../../../../electron/contract/export.ts';
import { defaultExportScope } from '../../../../../electron/contract/choices.ts';
import { presetRules } from '../../../../../electron/contract/subtitle-rules.ts';
import {
  ExportJournals,
  appendToJournal,
} from '../../../../../electron/core/library/export/export-journals.ts';
import { quietLogger } from '../../../../support/core.ts';
import { execFile } from 'node:child_process';
import { lstatSync, rmdirSync, symlinkSync } from 'node:fs';
import { mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ExportFormat } from '../../../../../electron/contract/choices.ts';
import { defaultWriteOptions } from '../../../../../electron/core/formats/write/write-options.ts';
import { publishFile } from '../../../../../electron/core/library/export/publish-file.ts';
import { writeExport } from '../../../../../electron/core/library/export/write-files.ts';
import { ProblemError } from '../../../../../electron/contract/problem.ts';
import { testFolder } from '../../../../support/test-folder.ts';
import { transcriptOf } from '../../formats/transcripts.ts';
import type { TranscriptContent } from '../../../../../electron/core/formats/content.ts';

const exportModule = new URL('../../../../../electron/core/library/export/write-files.ts', import.meta.url)
  .href;

/** Writes a transcript under its own name, without overwriting anything. */
async function write(wish: {
  readonly transcript: TranscriptContent;
  readonly format: ExportFormat;
  readonly folder: string;
}): Promise<string> {
  const { transcript, format, folder } = wish;
  const file = { format, root: folder, folders: [], title: transcript.name, number: 1 };
  return (await writeExport({ transcript, writing: defaultWriteOptions, file, existing: 'number' })).path;
}

const named = (name: string, text = 'Hello.') => transcriptOf([{ start: 0, end: 2, text }], { name });

describe('an export', () => {
  it('contains the transcript, and creates its folder with nothing else in it', async () => {
    const folder = join(await testFolder(), 'deep', 'down');
    const path = await write({ transcript: named('a', 'Grüße – 日本'), format: 'txt', folder });
    expect(path).toBe(join(folder, 'a.txt'));
    expect(await readFile(path, 'utf8')).toBe('Grüße – 日本\n');
    expect(await readdir(folder)).toEqual(['a.txt']);
  });

  it('never overwrites: it takes the next free number', async () => {
    const folder = await testFolder();
    await writeFile(join(folder, 'a.txt'), 'mine');
    await mkdir(join(folder, 'a 2.txt'));
    const path = await write({ transcript: named('a'), format: 'txt', folder });
    expect(basename(path)).toBe('a 3.txt');
    expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('mine');
  });

  it('never overwrites another one that is written at the same time', async () => {
    const folder = await testFolder();
    const texts = Array.from({ length: 40 }, (_, index) => `Text ${index}.`);
    const paths = await Promise.all(
      texts.map((text) => write({ transcript: named('same', text), format: 'txt', folder })),
    );
    expect(new Set(paths).size).toBe(texts.length);
    const written = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
    expect(written).toEqual(texts.map((text) => `${text}\n`));
    expect(await readdir(folder)).toHaveLength(texts.length);
  });

  it('skips or overwrites an existing file if asked to', async () => {
    const folder = await testFolder();
    await writeFile(join(folder, 'a.txt'), 'mine');
    const file = { format: 'txt', root: folder, folders: [], title: 'a', number: 1 } as const;
    const wish = { transcript: named('a'), writing: defaultWriteOptions, file };
    const path = join(folder, 'a.txt');
    expect(await writeExport({ ...wish, existing: 'skip' })).toEqual({ path, written: false });
    expect(await readFile(path, 'utf8')).toBe('mine');
    expect(await writeExport({ ...wish, existing: 'replace' })).toMatchObject({ path, written: true });
    expect(await readFile(path, 'utf8')).toBe('Hello.\n');
    expect(await readdir(folder)).toEqual(['a.txt']);
  });

  it.skipIf(process.platform === 'win32').each([[['way']], [['way', 'new', 'newer']]])(
    'follows no link that leads out of its folder, and creates nothing there: %j',
    async (folders) => {
      const folder = await testFolder();
      const outside = await testFolder();
      await symlink(outside, join(folder, 'way'));
      const file = { format: 'txt', root: folder, folders, title: 'a', number: 1 } as const;
      const wish = {
        transcript: named('a'),
        writing: defaultWriteOptions,
        file,
        existing: 'number',
      } as const;
      await expect(writeExport(wish)).rejects.toMatchObject({ problem: { code: 'export_failed' } });
      expect(await readdir(outside)).toEqual([]);
    },
  );

  it.skipIf(process.platform === 'win32')(
    'publishes nothing in a link that takes the place of a folder meanwhile',
    async () => {
      const root = await testFolder();
      const outside = await testFolder();
      await writeFile(join(outside, 'a.txt'), 'mine');
      const below = join(root, 'below');
      /** A content that is measured after the folder was checked, and before the temporary file is created in it. */
      class Content extends Uint8Array {
        override get byteLength(): number {
          if (lstatSync(below).isDirectory()) {
            rmdirSync(below);
            symlinkSync(outside, below);
          }
          return super.byteLength;
        }
      }
      const published = publishFile({
        content: new Content(10),
        root,
        nameOf: () => join('below', 'a.txt'),
        firstNumber: 1,
        existing: 'replace',
        syncs: false,
      });
      await expect(published).rejects.toThrow('leads out');
      expect(await readdir(outside)).toEqual(['a.txt']);
      expect(await readFile(join(outside, 'a.txt'), 'utf8')).toBe('mine');
    },
  );

  it('stays in its folder, whatever the name of the recording', async () => {
    const folder = await testFolder();
    const parts = fc.constantFrom('..', '/', '\\', 'a', ' ', '\u0000', 'CON', '.mp3', '長い'.repeat(60));
    await fc.assert(
      fc.asyncProperty(fc.array(parts, { maxLength: 8 }), async (names) => {
        const path = await write({ transcript: named(names.join('')), format: 'srt', folder });
        expect(dirname(path)).toBe(folder);
        expect(await readFile(path, 'utf8')).toContain('Hello.');
      }),
      { numRuns: 100 },
    );
  });

  it('reports why it cannot be written, and leaves nothing behind', async () => {
    const folder = await testFolder();
    await writeFile(join(folder, 'file'), '');
    const failed = write({ transcript: named('a.mp3'), format: 'srt', folder: join(folder, 'file') });
    await expect(failed).rejects.toBeInstanceOf(ProblemError);
    await expect(failed).rejects.toMatchObject({
      problem: { code: 'export_not_a_folder', params: { name: 'a.mp3' } },
    });
    expect(await readdir(folder)).toEqual(['file']);
  });

  it.skipIf(process.platform === 'win32')('that runs out of space leaves no partial file', async () => {
    const folder = await testFolder();
    const script = `
      const { writeExport } = await import(${JSON.stringify(exportModule)});
      const segments = Array.from({ length: 500 }, (_, n) => ({ start: n, end: n + 1, text: 'Many words. ' }));
      const transcript = { name: 'long.mp3', language: null, durationSeconds: 500, createdAt: 0, text: '', segments };
      const file = { format: 'json', root: ${JSON.stringify(folder)}, folders: [], title: 'long', number: 1 };
      const writing = { layout: 'raw', text: 'lines', times: true, speakers: true };
      await writeExport({ transcript, writing, file, existing: 'number' }).catch(({ problem }) => {
        console.log(problem.code);
      });`;
    // The system limits this process to files of 512 or 1024 bytes.
    const limited = [
      '-c',
      'ulimit -f 1 && exec "$0" "$@"',
      process.execPath,
      '--input-type=module',
      '-e',
      script,
    ];
    const { stdout } = await promisify(execFile)('sh', limited);
    expect(stdout.trim()).toBe('export_failed');
    expect(await readdir(folder)).toEqual([]);
  });
});

it('resumes an export without a file that was written empty, but with one that was emptied', async () => {
  const [dataFolder, folder] = await Promise.all([testFolder(), testFolder()]);
  const written = [
    { id: 1, format: 'txt', name: 'silent.txt', path: join(folder, 'silent.txt'), sizeBytes: 0 },
    { id: 2, format: 'txt', name: 'emptied.txt', path: join(folder, 'emptied.txt'), sizeBytes: 7 },
  ] as const;
  for (const { path } of written) await writeFile(path, '');
  const choices = { ...defaultExportChoices, where: 'folder', scope: defaultExportScope } as const;
  const quitting = new ExportJournals({ dataFolder, logger: quietLogger });
  await quitting.run(
    { ...choices, ids: [1, 2], folder, rules: presetRules.broadcast },
    undefined,
    async (task) => {
      for (const file of written) appendToJournal(task.journal, { written: file });
      quitting.close();
      return { cancelled: true, failed: [] };
    },
  );
  const exportJournals = new ExportJournals({ dataFolder, logger: quietLogger });
  const resumed = await exportJournals.resume(1, async ({ earlier }) => ({
    cancelled: false,
    failed: [],
    earlier,
  }));
  expect(resumed?.earlier?.written).toEqual([written[0]]);
});

const decline = (exportJournals: ExportJournals) =>
  exportJournals.resume(1, () => Promise.reject(new ProblemError({ code: 'not_allowed' })));

it('offers an interrupted export no more once the user declined to replace files', async () => {
  const [dataFolder, folder] = await Promise.all([testFolder(), testFolder()]);
  const choices = { ...defaultExportChoices, where: 'folder', scope: defaultExportScope } as const;
  const reopened = () => new ExportJournals({ dataFolder, logger: quietLogger });
  const quitting = reopened();
  await quitting.run({ ...choices, ids: [1], folder, rules: presetRules.broadcast }, undefined, async () => {
    quitting.close();
    return { cancelled: true, failed: [] };
  });
  // Quitting answers an open question with no.
  const closing = reopened();
  closing.close();
  await expect(decline(closing)).rejects.toMatchObject({ problem: { code: 'not_allowed' } });
  const exportJournals = reopened();
  expect(exportJournals.interrupted).toHaveLength(1);
  await expect(decline(exportJournals)).rejects.toMatchObject({ problem: { code: 'not_allowed' } });
  expect(exportJournals.interrupted).toEqual([]);
  expect(reopened().interrupted).toEqual([]);
});
