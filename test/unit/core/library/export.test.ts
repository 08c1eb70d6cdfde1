import { execFile } from 'node:child_process';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exportFileName, replaceExport, writeExport } from '../../../../electron/core/library/export.ts';
import { ProblemError } from '../../../../electron/contract/problem.ts';
import { temporaryFolder } from '../../../support/recordings.ts';
import { transcriptOf } from '../formats/transcripts.ts';

const exportModule = new URL('../../../../electron/core/library/export.ts', import.meta.url).href;

const named = (name: string, text = 'Hello.') => transcriptOf([{ start: 0, end: 2, text }], { name });

describe('an export', () => {
  it('is named after its recording', () => {
    expect(exportFileName('Interview.mp3', 'srt')).toBe('Interview.srt');
    expect(exportFileName('Interview no. 5', 'txt', 3)).toBe('Interview no. 5 3.txt');
    expect(exportFileName('.mp3', 'json')).toBe('mp3.json');
  });

  it('holds the transcript and leaves nothing else in the folder, which is made for it', async () => {
    const folder = join(await temporaryFolder(), 'deep', 'down');
    const path = await writeExport({ transcript: named('a.wav', 'Grüße – 日本'), format: 'txt', folder });
    expect(path).toBe(join(folder, 'a.txt'));
    expect(await readFile(path, 'utf8')).toBe('Grüße – 日本\n');
    expect(await readdir(folder)).toEqual(['a.txt']);
  });

  it('never overwrites: the next free number is taken', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'a.txt'), 'mine');
    await mkdir(join(folder, 'a 2.txt'));
    const path = await writeExport({ transcript: named('a.wav'), format: 'txt', folder });
    expect(basename(path)).toBe('a 3.txt');
    expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('mine');
  });

  it('never overwrites another that is written at the same moment', async () => {
    const folder = await temporaryFolder();
    const texts = Array.from({ length: 40 }, (_, index) => `Text ${index}.`);
    const paths = await Promise.all(
      texts.map((text) => writeExport({ transcript: named('same.mp3', text), format: 'txt', folder })),
    );
    expect(new Set(paths).size).toBe(texts.length);
    const written = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
    expect(written).toEqual(texts.map((text) => `${text}\n`));
    expect(await readdir(folder)).toHaveLength(texts.length);
  });

  it('stays in its folder, whatever the recording is called', async () => {
    const folder = await temporaryFolder();
    const parts = fc.constantFrom('..', '/', '\\', 'a', ' ', '\u0000', 'CON', '.mp3', '長い'.repeat(60));
    await fc.assert(
      fc.asyncProperty(fc.array(parts, { maxLength: 8 }), async (names) => {
        const path = await writeExport({ transcript: named(names.join('')), format: 'srt', folder });
        expect(dirname(path)).toBe(folder);
        expect(await readFile(path, 'utf8')).toContain('Hello.');
      }),
      { numRuns: 100 },
    );
  });

  it('that cannot be written says why, and leaves nothing behind', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'file'), '');
    const failed = writeExport({ transcript: named('a.mp3'), format: 'srt', folder: join(folder, 'file') });
    await expect(failed).rejects.toBeInstanceOf(ProblemError);
    await expect(failed).rejects.toMatchObject({
      problem: { code: 'export_failed', params: { name: 'a.mp3' } },
    });
    expect(await readdir(folder)).toEqual(['file']);
  });

  it.skipIf(process.platform === 'win32')('cut off for want of room leaves no half file', async () => {
    const folder = await temporaryFolder();
    const script = `
      const { writeExport } = await import(${JSON.stringify(exportModule)});
      const segments = Array.from({ length: 500 }, (_, n) => ({ start: n, end: n + 1, text: 'Many words. ' }));
      const transcript = { name: 'long.mp3', language: null, durationSeconds: 500, createdAt: 0, text: '', segments };
      await writeExport({ transcript, format: 'json', folder: ${JSON.stringify(folder)} }).catch(({ problem }) => {
        console.log(problem.code);
      });`;
    // The system lets this process write files of at most 512 or 1024 bytes.
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

describe('an export to a chosen path', () => {
  it('takes the place of the file that is there', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'chosen name.srt');
    await writeFile(path, 'old');
    await replaceExport({ transcript: named('a.mp3'), format: 'srt', path });
    expect(await readFile(path, 'utf8')).toContain('Hello.');
    expect(await readdir(folder)).toEqual(['chosen name.srt']);
  });
});
