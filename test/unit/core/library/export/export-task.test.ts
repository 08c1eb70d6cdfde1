import { statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { defaultWriteOptions } from '../../../../../electron/core/formats/write/write-options.ts';
import {
  previewExport,
  previewReplacement,
  runExport,
  type ExportTask,
} from '../../../../../electron/core/library/export/export-task.ts';
import { volumesOf } from '../../../../../electron/core/library/export/volumes.ts';
import { writeFiles, type WriterPool } from '../../../../../electron/core/library/export/write-files.ts';
import { testFolder } from '../../../../support/test-folder.ts';
import { openStore } from '../../store/store-kit.ts';

const transcripts = 20;
const never = new AbortController().signal;
const { dev } = statSync(tmpdir());
/** A folder on another file system than temporary folders. */
const otherVolume = ['/dev/shm', '/var/tmp'].find((path) => {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && found.dev !== dev;
});

/** Exports some transcripts, and runs `happens` when a part of them is written. */
async function interrupted(happens: (out: string) => Promise<void>) {
  const folder = await testFolder();
  const store = openStore(join(folder, 'data'));
  onTestFinished(() => store.close());
  const ids = Array.from({ length: transcripts }, (_, index) => {
    const transcript = { language: 'en', text: 'Hello.', segments: [{ start: 0, end: 1, text: 'Hello.' }] };
    return store.transcripts.save({
      itemId: null,
      service: 'on-device',
      jobId: String(index),
      name: `talk ${index}.wav`,
      durationSeconds: 1,
      transcript,
      createdAt: 0,
      recording: { path: join(folder, 'recordings', `talk ${index}.wav`), sizeBytes: 1, fingerprint: '' },
    }).id;
  });
  const job: ExportTask = {
    ids,
    formats: ['txt'],
    template: '{name}',
    where: 'folder',
    folder: join(folder, 'out'),
    existing: 'number',
    writing: defaultWriteOptions,
  };
  let begun = 0;
  const crew: WriterPool = {
    run: (_portions, work) =>
      work(async (task) => {
        if (begun++ === 1) await happens(join(folder, 'out'));
        return writeFiles(store.exportSources, task);
      }),
  };
  return {
    folder,
    job,
    sources: store.exportSources,
    run: (wish = job) => runExport(store.exportSources, wish, crew, { progress() {} }, never),
  };
}

it('an export replaces only files that existed when the user allowed it', async () => {
  const { job, sources, run } = await interrupted((out) => writeFile(join(out, 'talk 19.txt'), 'mine'));
  const out = job.folder ?? '';
  await mkdir(out);
  await writeFile(join(out, 'talk 0.txt'), 'old');
  const replacing: ExportTask = { ...job, existing: 'replace' };
  const { digest, ...replaced } = await previewReplacement(sources, replacing, never);
  expect(replaced).toEqual({ count: 1, examples: ['talk 0.txt'], folders: [out], folderCount: 1 });
  expect(await run({ ...replacing, allowedDigest: digest })).toMatchObject({
    count: transcripts,
    failed: [],
  });
  expect(await readFile(join(out, 'talk 0.txt'), 'utf8')).not.toBe('old');
  expect(await readFile(join(out, 'talk 19.txt'), 'utf8')).toBe('mine');
  expect(await readdir(out)).toHaveLength(transcripts + 1);
});

describe('an export to a drive', () => {
  it('creates its folder', async () => {
    const { job, run } = await interrupted(async () => undefined);
    expect(await run()).toMatchObject({ count: transcripts, failed: [] });
    expect(await readdir(job.folder ?? '')).toHaveLength(transcripts);
  });

  it('that is removed reports the missing files, and writes nothing to its mount point', async () => {
    const { folder, run } = await interrupted((out) => rename(out, `${out} of the drive`));
    const { count, failed } = await run();
    expect(await readdir(join(folder, 'out of the drive'))).toHaveLength(count);
    expect(count).toBeLessThan(transcripts);
    expect(failed).toHaveLength(transcripts - count);
    expect(new Set(failed.map(({ problem }) => problem.code))).toEqual(new Set(['export_folder_gone']));
    expect(await readdir(folder)).not.toContain('out');
  });

  it.skipIf(otherVolume === undefined)(
    'that leaves a folder on another volume writes nothing there',
    async () => {
      const other = await mkdtemp(join(otherVolume ?? '', 'longhand-'));
      onTestFinished(() => rm(other, { recursive: true }));
      const { folder, run } = await interrupted(async (out) => {
        await rename(out, `${out} of the drive`);
        await symlink(other, out);
      });
      const { count, failed } = await run();
      expect(await readdir(join(folder, 'out of the drive'))).toHaveLength(count);
      expect(failed).toHaveLength(transcripts - count);
      expect(await readdir(other)).toEqual([]);
    },
  );
});

it('removes the drafts of killed exports, but not those of one that may be running', async () => {
  const { job, run } = await interrupted(async () => undefined);
  const out = job.folder ?? '';
  await mkdir(out);
  const [old, recent, other] = ['.longhand-1-2-3.tmp', '.longhand-4-5-6.tmp', '.longhand.tmp'] as const;
  for (const name of [old, recent, other]) await writeFile(join(out, name), 'draft');
  for (const name of [old, other]) await utimes(join(out, name), 1, 1);
  expect(await run()).toMatchObject({ count: transcripts, failed: [] });
  const hidden = (await readdir(out)).filter((name) => name.startsWith('.'));
  expect(hidden.toSorted()).toEqual([recent, other].toSorted());
});

it('next to recordings creates no folder in place of a missing one', async () => {
  const { folder, job, sources, run } = await interrupted(async () => undefined);
  const preview = (task: ExportTask) => previewExport(sources, task, never);
  const beside = { ...job, where: 'beside', folder: null } as const;
  expect(await preview(beside)).toMatchObject({ files: 0, withoutRecording: transcripts });
  const { count, failed } = await run(beside);
  expect({ count, reasons: failed.map(({ problem }) => problem.code) }).toEqual({
    count: 0,
    reasons: Array(transcripts).fill('export_folder_gone'),
  });
  expect(await readdir(folder)).not.toContain('recordings');
  await mkdir(join(folder, 'recordings'));
  expect(await preview(beside)).toMatchObject({ files: transcripts, withoutRecording: 0 });
  expect(await run(beside)).toMatchObject({ count: transcripts, failed: [] });
});

it('writes nothing next to a file that has taken the place of a recording', async () => {
  const { folder, job, sources, run } = await interrupted(async () => undefined);
  const beside = { ...job, where: 'beside', folder: null } as const;
  await mkdir(join(folder, 'recordings'));
  await writeFile(join(folder, 'recordings', 'talk 3.wav'), 'Another recording with this name.');
  expect(await previewExport(sources, beside, never)).toMatchObject({
    files: transcripts - 1,
    withoutRecording: 1,
  });
  expect(await run(beside)).toMatchObject({
    count: transcripts - 1,
    failed: [{ name: 'talk 3.txt', problem: { code: 'recording_unknown' } }],
  });
});

it('writes only what an earlier run could not, under the planned names', async () => {
  const { job, run } = await interrupted(async (out) => {
    await rename(out, `${out} away`);
  });
  const first = await run({ ...job, formats: ['txt', 'srt'], template: 'talk' });
  expect(first.failed.length).toBeGreaterThan(0);
  const folder = job.folder ?? '';
  await rename(`${folder} away`, folder);
  const before = await readdir(folder);
  const second = await run({ ...job, formats: ['txt', 'srt'], template: 'talk', earlier: first.finished });
  expect(second).toMatchObject({ count: 2 * transcripts, failed: [], cancelled: false });
  const after = await readdir(folder);
  expect(after).toEqual(expect.arrayContaining(before));
  expect(after).toHaveLength(2 * transcripts);
  expect(after).toContain(`talk ${transcripts}.srt`);
});

it('looks up no more volumes once it is aborted', async () => {
  expect(await volumesOf(['/', '/no such folder'], AbortSignal.abort())).toStrictEqual(new Map());
});
