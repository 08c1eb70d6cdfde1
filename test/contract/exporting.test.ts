import { chmod, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { defaultExportChoices, type ExportProgress } from '../../electron/contract/export.ts';
import { defaultExportScope, type ExportFormat } from '../../electron/contract/choices.ts';
import { presetRules } from '../../electron/contract/subtitle-rules.ts';
import { defaultWriteOptions } from '../../electron/core/formats/write/write-options.ts';
import type { ExportOutcome, ExportTask } from '../../electron/core/library/export/export-task.ts';
import { workerUrl } from '../../electron/workers/registry.ts';
import { Exporter } from '../../electron/core/library/export/exporter.ts';
import { removeAbandonedFiles } from '../../electron/core/library/export/abandoned-files.ts';
import { ExportJournals, type ChosenExport } from '../../electron/core/library/export/export-journals.ts';
import { testFolder } from '../support/test-folder.ts';
import { openStore } from '../unit/core/store/store-kit.ts';

const url = workerUrl('export');
const never = new AbortController().signal;
const segments = [
  { start: 0, end: 2, text: 'Good morning.' },
  { start: 2, end: 4, text: 'Good night.' },
];

/** An export thread on a real database with some transcripts, and a target folder. */
async function kit(names: readonly string[]) {
  const folder = await testFolder();
  const data = join(folder, 'data');
  const store = openStore(data);
  const recordings = join(folder, 'recordings');
  await mkdir(recordings);
  const ids = names.map(
    (name, index) =>
      store.transcripts.save({
        itemId: null,
        service: 'on-device',
        jobId: String(index),
        name,
        durationSeconds: 4,
        transcript: { language: 'en', text: 'Good morning. Good night.', segments },
        createdAt: 0,
        recording:
          index === 0 ? null : { path: join(recordings, name), sizeBytes: 1, fingerprint: String(index) },
      }).id,
  );
  const thread = new Exporter({ folder: data, url });
  onTestFinished(async () => {
    await thread.close();
    await store.close();
  });
  const out = join(folder, 'out');
  const job: ExportTask = {
    ids,
    formats: ['srt', 'txt'],
    template: '{name}',
    where: 'folder',
    folder: out,
    existing: 'number',
    writing: defaultWriteOptions,
  };
  return { store, ids, thread, data, out, job, recordings };
}

it('writes transcripts with their edits and speakers', async () => {
  const { store, ids, thread, out, job } = await kit(['one.mp3']);
  const [id = 0] = ids;
  const { revision } = store.edits.edit(id, 0, { kind: 'set-text', segment: 0, text: 'Good evening.' });
  const next = store.edits.edit(id, revision, { kind: 'name-speakers', names: ['Anna'] });
  store.edits.edit(id, next.revision, { kind: 'set-speaker', segments: [0, 1], speaker: 0 });
  const reported: ExportProgress[] = [];
  const report = await thread.run(job, never, (progress) => reported.push(progress));
  expect(report).toEqual({
    count: 2,
    written: ['one.srt', 'one.txt'],
    skippedCount: 0,
    skipped: [],
    failed: [],
    withoutHighlights: 0,
    estimated: 0,
    cancelled: false,
    finished: {
      written: [
        { id, format: 'srt', name: 'one.srt', path: join(out, 'one.srt'), sizeBytes: expect.any(Number) },
        { id, format: 'txt', name: 'one.txt', path: join(out, 'one.txt'), sizeBytes: 32 },
      ],
      skipped: [],
    },
  });
  expect(reported.at(-1)).toEqual({ done: 2, total: 2 });
  expect(await readFile(join(out, 'one.txt'), 'utf8')).toBe('Anna: Good evening. Good night.\n');

  store.edits.edit(id, next.revision + 1, { kind: 'set-speaker', segments: [1], speaker: 1 });
  await thread.run({ ...job, formats: ['txt'], existing: 'replace' }, never, () => {});
  expect(await readFile(join(out, 'one.txt'), 'utf8')).toBe(
    'Anna: Good evening.\n\nSpeaker 2: Good night.\n',
  );
});

it('writes only what is highlighted, with its notes, and counts transcripts without highlights', async () => {
  const { store, ids, thread, out, job } = await kit(['one.mp3', 'two.mp3']);
  const [id = 0] = ids;
  const { revision } = store.edits.edit(id, 0, {
    kind: 'set-highlight',
    segments: [1],
    isHighlighted: true,
  });
  store.edits.edit(id, revision, { kind: 'add-note', atSeconds: 3, text: 'Check\nthis' });
  store.edits.edit(id, revision + 1, { kind: 'add-note', atSeconds: 1, text: 'Elsewhere' });
  const read = (name: string) => readFile(join(out, name), 'utf8');
  const writing = { ...defaultWriteOptions, notes: true, times: false };
  const report = await thread.run(
    { ...job, formats: ['md', 'srt'], writing: { ...writing, highlightsOnly: true } },
    never,
    () => {},
  );
  expect(report).toMatchObject({
    written: ['one highlights.md', 'one highlights.srt'],
    failed: [],
    withoutHighlights: 1,
  });
  expect(await read('one highlights.md')).toBe('# one\n\nGood night.\n\n> Check this\n');
  expect(await read('one highlights.srt')).toContain('00:00:02,000 --> 00:00:04,000');

  await thread.run({ ...job, formats: ['md'], writing, existing: 'replace' }, never, () => {});
  expect(await read('one.md')).toBe('# one\n\nGood morning.\n\n> Elsewhere\n\nGood night.\n\n> Check this\n');
  expect(await read('two.md')).toContain('Good morning.');
});

it('previews what it would do, and overwrites nothing unless asked to', async () => {
  const { thread, out, job } = await kit(['one.mp3', 'ONE.wav', 'two.mp3']);
  await mkdir(out);
  await writeFile(join(out, 'two.srt'), 'mine');
  expect(await thread.preview(job, never)).toEqual({
    files: 6,
    examples: ['one.srt', 'one.txt', 'ONE 2.srt', 'ONE 2.txt'],
    folder: 'out',
    existing: 1,
    withoutRecording: 0,
    withoutHighlights: 0,
    estimated: 0,
  });
  const taken = ['one.srt', 'one 2.srt'].map((name) => join(out, name));
  for (const path of taken) await writeFile(path, 'mine');
  const single = { ...job, ids: job.ids.slice(0, 1) };
  expect((await thread.preview(single, never)).examples).toEqual(['one 3.srt', 'one.txt']);
  for (const path of taken) await rm(path);
  expect(await thread.run({ ...job, existing: 'skip' }, never, () => {})).toMatchObject({
    count: 5,
    skippedCount: 1,
    skipped: ['two.srt'],
  });
  expect(await readFile(join(out, 'two.srt'), 'utf8')).toBe('mine');
  expect((await thread.run(job, never, () => {})).count).toBe(6);
  expect(await readdir(out)).toHaveLength(12);
  expect(await thread.run({ ...job, existing: 'replace' }, never, () => {})).toMatchObject({ count: 6 });
  expect(await readdir(out)).toHaveLength(12);
  expect(await readFile(join(out, 'two.srt'), 'utf8')).toContain('Good morning.');
});

it('counts the transcripts without times among subtitles, whose times are estimated', async () => {
  const { store, ids, thread, job } = await kit(['one.mp3']);
  const [withTimes = 0] = ids;
  const text = { language: 'en', text: 'Good morning.\n\nGood night.', segments: [] };
  const saved = ['two', 'three'].map((name) =>
    store.transcripts.save({
      itemId: null,
      service: 'on-device',
      jobId: name,
      name,
      durationSeconds: null,
      transcript: text,
      createdAt: 0,
      recording: null,
    }),
  );
  const [two = 0] = saved.map(({ id }) => id);
  store.edits.edit(two, 0, { kind: 'edit-text', at: 0, removed: 12, inserted: 'Good evening' });
  const estimatedBy = async (more: Partial<ExportTask>): Promise<readonly number[]> => {
    const wanted = { ...job, ids: [withTimes, ...saved.map(({ id }) => id)], ...more };
    const { estimated } = await thread.preview(wanted, never);
    return [estimated, (await thread.run(wanted, never, () => {})).estimated];
  };
  expect(await estimatedBy({ formats: ['srt', 'lrc', 'txt'] })).toEqual([2, 2]);
  expect(await estimatedBy({ ids: [withTimes] })).toEqual([0, 0]);
  expect(await estimatedBy({ formats: ['txt', 'docx', 'csv', 'json'] })).toEqual([0, 0]);
  const writing = { ...job.writing, highlightsOnly: true };
  expect(await estimatedBy({ writing })).toEqual([0, 0]);
});

it('writes next to the recordings, and lists transcripts without one', async () => {
  const { thread, job, recordings } = await kit(['a link', 'two.mp3']);
  const report = await thread.run({ ...job, where: 'beside' }, never, () => {});
  expect(report).toMatchObject({
    count: 2,
    failed: ['a link.srt', 'a link.txt'].map((name) => ({ name, problem: { code: 'recording_unknown' } })),
  });
  expect(await readdir(recordings)).toEqual(['two.srt', 'two.txt']);
});

it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
  'continues when a folder is not writable',
  async () => {
    const { thread, out, job } = await kit(['one.mp3', 'two.mp3']);
    await mkdir(out, { mode: 0o500 });
    onTestFinished(() => chmod(out, 0o700));
    const { count, failed } = await thread.run(job, never, () => {});
    expect([count, failed.length]).toEqual([0, 4]);
  },
);

it('continues after a name that cannot be written', async () => {
  const { thread, out, job } = await kit(['one.mp3', 'two.mp3']);
  await mkdir(out);
  await writeFile(join(out, 'one'), '');
  const report = await thread.run({ ...job, template: '{name}/{name}' }, never, () => {});
  expect(report).toMatchObject({ count: 2, cancelled: false });
  expect(report.failed.map(({ name, problem }) => [name, problem.code])).toEqual([
    [join('one', 'one.srt'), 'export_not_a_folder'],
    [join('one', 'one.txt'), 'export_not_a_folder'],
  ]);
});

it('can be cancelled, with complete files up to then', async () => {
  const { thread, out, job } = await kit(Array.from({ length: 300 }, (_, index) => `${index}.mp3`));
  const report = await thread.run(job, AbortSignal.abort(), () => undefined);
  expect(report.cancelled).toBe(true);
  const names = await readdir(out).catch(() => []);
  expect(names).toHaveLength(report.count);
  for (const name of names) expect(await readFile(join(out, name), 'utf8')).toContain('Good night.');
});

it('counts all skipped files, however few it names', async () => {
  const { thread, out, job } = await kit(Array.from({ length: 300 }, (_, index) => `${index}.mp3`));
  expect((await thread.run(job, never, () => {})).count).toBe(600);
  const again = await thread.run({ ...job, existing: 'skip' }, never, () => {});
  expect(again).toMatchObject({ count: 0, written: [], skippedCount: 600, failed: [] });
  expect(again.skipped).toHaveLength(500);
  expect(again.skipped[0]).toBe('0.srt');
  expect(await readdir(out)).toHaveLength(600);
});

it('distributes many transcripts over threads, each file once and with its planned name', async () => {
  const { thread, out, job } = await kit(Array.from({ length: 120 }, (_, index) => `Talk ${index % 40}.mp3`));
  const reported: ExportProgress[] = [];
  const report = await thread.run(job, never, (progress) => reported.push(progress));
  expect(report).toMatchObject({ count: 240, skipped: [], failed: [], cancelled: false });
  expect(report.written.slice(0, 3)).toEqual(['Talk 0.srt', 'Talk 0.txt', 'Talk 1.srt']);
  expect(reported.at(-1)).toEqual({ done: 240, total: 240 });
  const expected = Array.from({ length: 40 }, (_, index) =>
    ['', ' 2', ' 3'].flatMap((number) => [`Talk ${index}${number}.srt`, `Talk ${index}${number}.txt`]),
  );
  expect((await readdir(out)).toSorted()).toEqual(expected.flat().toSorted());
});

it('writes a single transcript as requested', async () => {
  const { thread, out, ids, job } = await kit(['one.mp3']);
  const [id = 0] = ids;
  const file = { id, format: 'srt', root: out, folders: [], title: 'one', number: 1 } as const;
  const gone = { ...file, id: 99, title: 'gone' };
  const { written, failed } = await thread.write({
    files: [file, gone],
    writing: job.writing,
    existing: 'skip',
  });
  expect([written, failed]).toEqual([
    [{ id, format: 'srt', name: 'one.srt', path: join(out, 'one.srt'), sizeBytes: expect.any(Number) }],
    [],
  ]);
});

it('counts the violations, before and after layout, and names the first cues that are left', async () => {
  const { thread, ids } = await kit(['one.mp3', 'two.mp3', 'three.mp3']);
  const rules = { ...presetRules.broadcast, minDurationMs: 3000 };
  const assess = (layout: 'raw' | typeof rules) =>
    thread.assess({ ids, formats: ['srt'], speakers: true, highlightsOnly: false, layout, rules }, never);
  const { transcripts, before, after, flaggedCues } = await assess(rules);
  expect([transcripts, before.cues, before.tooShort, after.cues, flaggedCues]).toEqual([3, 6, 6, 3, []]);
  const { flaggedCues: raw } = await assess('raw');
  expect(raw.map(({ transcript }) => transcript)).toEqual(ids.flatMap((id) => [id, id]).slice(0, 5));
});

it('counts only highlights if only they are exported', async () => {
  const { store, thread, ids } = await kit(['one.mp3']);
  const [id = 0] = ids;
  store.edits.edit(id, 0, { kind: 'set-highlight', segments: [0], isHighlighted: true });
  const { broadcast: rules } = presetRules;
  const request = { ids, formats: ['srt'] as const, speakers: true, layout: 'raw' as const, rules };
  const cues = async (highlightsOnly: boolean) =>
    (await thread.assess({ ...request, highlightsOnly }, never)).before.cues;
  expect([await cues(false), await cues(true)]).toEqual([2, 1]);
});

it('counts labels only in formats that write them into the text', async () => {
  const { store, ids, thread } = await kit(['one.mp3']);
  const [id = 0] = ids;
  const { revision } = store.edits.edit(id, 0, {
    kind: 'name-speakers',
    names: ['Count Anselm of the Three Valleys and the Seven Hills'],
  });
  store.edits.edit(id, revision, { kind: 'set-speaker', segments: [0], speaker: 0 });
  const { broadcast } = presetRules;
  const tooFast = async (formats: readonly ExportFormat[], speakers = true): Promise<unknown> => {
    const request = { ids, formats, speakers, highlightsOnly: false, layout: broadcast, rules: broadcast };
    const { before, after } = await thread.assess(request, never);
    return [before.tooFast, after.tooFast];
  };
  // 68 characters in two seconds and a half are too many, 13 are not.
  expect(await tooFast(['srt'])).toEqual([1, 1]);
  expect(await tooFast(['vtt', 'txt'])).toEqual([0, 0]);
  expect(await tooFast(['vtt', 'srt'])).toEqual([1, 1]);
  expect(await tooFast(['srt'], false)).toEqual([0, 0]);
  expect(await tooFast(['txt'])).toEqual([0, 0]);
});

const chosen: Omit<ChosenExport, 'ids' | 'folder'> = {
  ...defaultExportChoices,
  where: 'folder',
  scope: defaultExportScope,
  rules: presetRules.broadcast,
};
const logger = { debug() {}, info() {}, warn() {}, error() {} };

it('resumes an export of a killed program, and writes only what is missing', async () => {
  const { ids, thread, data, out } = await kit(['one', 'two', 'three', 'four', 'five']);
  const request = { ...chosen, ids: [...ids], folder: out };
  const killed = new ExportJournals({ dataFolder: data, logger });
  await new Promise<void>((resolve) => {
    void killed.run(request, undefined, async (job) => {
      const { finished } = await thread.run(job, never, () => {});
      // The program is killed while it appends the fourth file to the journal, which is in the folder already.
      const journal = job.journal ?? '';
      const lines = (await readFile(journal, 'utf8')).split('\n');
      const written = lines.flatMap((line, at) => (line.includes('"written"') ? [{ line, at }] : []));
      const last = written[3]?.at ?? 0;
      await writeFile(journal, `${lines.slice(0, last).join('\n')}\n${lines[last]?.slice(0, 10)}`);
      const kept = written.slice(0, 4).map(({ line }) => line);
      for (const { path, name } of finished.written)
        if (!kept.some((line) => line.includes(`"${name}"`))) await rm(path);
      resolve();
      return new Promise<ExportOutcome>(() => {});
    });
  });
  expect(await readdir(out)).toHaveLength(4);
  const journals = new ExportJournals({ dataFolder: data, logger });
  expect(journals.interrupted).toEqual([
    { task: { kind: 'export', journalNumber: 1 }, name: 'out', count: { done: 3, total: 10 } },
  ]);
  const resume = () => journals.resume(1, (job) => thread.run(job, never, () => {}));
  await rename(out, `${out} of the drive`);
  await expect(resume()).rejects.toMatchObject({ problem: { code: 'interrupted_missing' } });
  await rename(`${out} of the drive`, out);
  // What the journal says is written may be gone after a loss of power.
  for (const line of (await readFile(join(data, 'unfinished-exports', '1.jsonl'), 'utf8')).split('\n')) {
    const path = /"written":.*"path":("[^"]*")/.exec(line)?.[1];
    if (path !== undefined) await rm(z.string().parse(JSON.parse(path)));
  }
  expect(await readdir(out)).toHaveLength(1);
  expect(await resume()).toMatchObject({ count: 10, failed: [], cancelled: false });
  const names = ['one', 'two', 'three', 'four', 'five'].flatMap((name) => [`${name}.srt`, `${name}.txt`]);
  expect((await readdir(out)).toSorted()).toEqual(names.toSorted());
  expect(journals.interrupted).toEqual([]);
  expect(new ExportJournals({ dataFolder: data, logger }).interrupted).toEqual([]);
});

it('reports an export that quitting stopped, but not one that the user stopped', async () => {
  const { ids, thread, data, out } = await kit(['one']);
  const request = { ...chosen, ids: [...ids], folder: out };
  const journals = new ExportJournals({ dataFolder: data, logger });
  const stopped = AbortSignal.abort();
  expect(await journals.run(request, undefined, (job) => thread.run(job, stopped, () => {}))).toMatchObject({
    cancelled: true,
  });
  const reopened = () => new ExportJournals({ dataFolder: data, logger });
  expect(reopened().interrupted).toEqual([]);
  await journals.run(request, undefined, (job) => {
    journals.close();
    return thread.run(job, stopped, () => {});
  });
  expect(reopened().interrupted).toMatchObject([{ task: { kind: 'export' }, name: 'out' }]);
  // One that is complete while the program closes was not interrupted.
  await journals.run({ ...request, folder: `${out} 2` }, undefined, (job) =>
    thread.run(job, never, () => {}),
  );
  expect(reopened().interrupted).toMatchObject([{ name: 'out' }]);
  await journals.run({ ...request, folder: `${out} 3` }, undefined, (job) =>
    thread.run(job, stopped, () => {}),
  );
  // Each of several is offered, and resumed or dismissed on its own.
  const tasks = reopened().interrupted.map(({ task }) => task);
  const [first, second] = tasks.map((task) => ('journalNumber' in task ? task.journalNumber : 0));
  expect(reopened().interrupted.map(({ name }) => name)).toEqual(['out', 'out 3']);
  reopened().dismiss(second ?? 0);
  expect(reopened().interrupted).toMatchObject([{ task: tasks[0], name: 'out' }]);
  for (const one of [second, first]) reopened().dismiss(one ?? 0);
  expect(reopened().interrupted).toEqual([]);
});

it('removes at the next start the temporary files of its own killed exports', async () => {
  const { thread, data, out, job } = await kit(['one.mp3']);
  await thread.run({ ...job, formats: ['txt'], template: 'Below/{name}' }, never, () => {});
  const records = join(data, 'export-folders');
  const [record = ''] = await readdir(records);
  const own = `.longhand-${record.replace('.jsonl', '-9.tmp')}`;
  const [other, similar] = ['.longhand-1-1-9.tmp', 'longhand.tmp'];
  // A container may give this process the ID of an earlier one, which was killed.
  const [recordNow, now] = [`${process.pid}-7.jsonl`, `.longhand-${process.pid}-7-1.tmp`];
  for (const name of [own, other, similar, now]) await writeFile(join(out, 'Below', name), 'part');
  const removed = removeAbandonedFiles(data);
  await writeFile(join(records, recordNow), JSON.stringify(join(out, 'Below')));
  await removed;
  expect((await readdir(join(out, 'Below'))).toSorted()).toEqual([other, now, 'longhand.tmp', 'one.txt']);
  expect(await readdir(records)).toEqual([recordNow]);
  await thread.run({ ...job, formats: ['txt'], folder: `${out} 2` }, never, () => {});
  await rm(`${out} 2`, { recursive: true });
  await removeAbandonedFiles(data);
  expect(await readdir(join(data, 'export-folders'))).toEqual([]);
});

it('reports a missing database, and works again once it is back', async () => {
  const { job } = await kit([]);
  const folder = await testFolder();
  const thread = new Exporter({ folder, url });
  await expect(thread.preview(job, never)).rejects.toMatchObject({ problem: { code: 'internal' } });
  const store = openStore(folder);
  expect(await thread.preview(job, never)).toMatchObject({ files: 0 });
  await thread.close();
  await store.close();
});
