import { chmod, copyFile, mkdir, truncate, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { TaskProgress } from '../../../../../electron/contract/library-task.ts';
import { defaultExportChoices } from '../../../../../electron/contract/export.ts';
import { presetRules } from '../../../../../electron/contract/subtitle-rules.ts';
import { writeTranscript } from '../../../../../electron/core/formats/formats.ts';
import { writeOptionsFor } from '../../../../../electron/core/formats/write/write-options.ts';
import { writeCsv } from '../../../../../electron/core/formats/write/csv.ts';
import { writeJson } from '../../../../../electron/core/formats/write/json.ts';
import { importFiles } from '../../../../../electron/core/library/import/import-files.ts';
import { TranscriptFileReader } from '../../../../../electron/core/library/import/transcript-file-reader.ts';
import type { TaskOptions } from '../../../../../electron/core/library/task/run-task.ts';
import type { Clock } from '../../../../../electron/core/ports.ts';
import { workerUrl } from '../../../../../electron/workers/registry.ts';
import type { Store } from '../../../../../electron/core/store/store.ts';
import { eagerClock } from '../../../../support/clocks/eager-clock.ts';
import { kennedy } from '../../../../support/speech/speech-audio.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../../support/temporary-folder.ts';
import { defaultTaskOptions } from '../../../../support/default-task-options.ts';
import { addNamed, openStore } from '../../store/store-kit.ts';
import { queryFor } from '../library-kit.ts';

const clock = { ...eagerClock, now: () => 7 };

let folder: TemporaryFolder;
let store: Store;
let reader: TranscriptFileReader;

beforeEach(async () => {
  folder = await temporaryFolder();
  store = openStore(join(folder.path, 'data'));
  reader = new TranscriptFileReader(workerUrl('import'));
});
afterEach(async () => {
  await reader.close();
  await store.close();
  await folder.remove();
});

const importAll = (paths: readonly string[], options: TaskOptions = defaultTaskOptions) =>
  importFiles(paths, { store, clock, read: reader.read, ...options });

async function file(name: string, content: string): Promise<string> {
  const path = join(folder.path, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return path;
}

const subtitles = (line: string, lines = 1): string =>
  Array.from(
    { length: lines },
    (_, index) =>
      `${index + 1}\n00:00:${String(index % 60).padStart(2, '0')},000 --> 00:01:00,500\n${line}\n\n`,
  ).join('');

const spokenByAnna = { start: 1, end: 2.5, text: 'Good morning.', speaker: 'Anna' };
const talk = { name: 'Talk', language: null, durationSeconds: 3, createdAt: 1, text: spokenByAnna.text };

it('imports each content once, and reports rejections', async () => {
  const report = await importAll([
    await file('Talk.srt', '1\n00:00:01,000 --> 00:00:02,500\nHello there\n'),
    await file('Talk again.srt', '1\n00:00:01,000 --> 00:00:02,500\nHello there\n'),
    await file('notes.txt', 'Only words.'),
    await file('other.json', '{"a":1}'),
    await file('newer.json', '{"format":"longhand-transcript","version":9,"text":"Hello there"}'),
    await file('empty.vtt', 'WEBVTT\n'),
    join(folder.path, 'missing.srt'),
  ]);
  expect(report).toMatchObject({
    added: [{ name: 'Talk' }, { name: 'notes' }],
    known: 1,
    rejected: [
      { name: 'other.json', problem: { code: 'not_a_transcript' } },
      { name: 'newer.json', problem: { code: 'transcript_newer' } },
      { name: 'empty.vtt', problem: { code: 'not_a_transcript' } },
      { name: 'missing.srt', problem: { code: 'path_missing' } },
    ],
  });
  expect(store.transcripts.get(report.added[0]?.id ?? -1)).toMatchObject({
    name: 'Talk',
    durationSeconds: 2.5,
    segments: [{ start: 1, end: 2.5, text: 'Hello there' }],
  });
});

it('rounds a date with a fraction of a millisecond', async () => {
  const segments = [{ start: 0, end: 2, text: 'Hello.' }];
  const path = await file(
    'Talk.json',
    JSON.stringify({ format: 'longhand-transcript', version: 1, ...talk, createdAt: 1.5, segments }),
  );
  const { added, rejected } = await importAll([path]);
  expect(rejected).toEqual([]);
  expect(store.transcripts.get(added[0]?.id ?? -1)).toMatchObject({ createdAt: 2 });
});

it('imports speakers and notes as the original and not as an edit', async () => {
  const content = {
    name: 'Talk',
    language: 'en',
    durationSeconds: 9,
    createdAt: 1,
    text: 'Good morning. Good night. …',
    segments: [
      { start: 0, end: 2, text: 'Good morning.', speaker: 'Anna' },
      { start: 2, end: 4, text: 'Good night.', speaker: 'Ben' },
      { start: 4, end: 6, text: '…', speaker: null },
    ],
    notes: [
      { atSeconds: 1, text: '' },
      { atSeconds: 3, text: 'Ask again.' },
    ],
  };
  const path = join(folder.path, 'Talk.json');
  await writeFile(path, writeJson(content));
  const { added } = await importAll([path]);
  const id = added[0]?.id ?? -1;
  expect(store.exportSources.content(id)).toEqual(content);
  const opened = store.edits.open(id);
  expect(opened).toMatchObject({ edited: false, revision: 0, canUndo: false, speakers: ['Anna', 'Ben'] });

  const { revision } = store.edits.edit(id, 0, { kind: 'set-text', segment: 0, text: 'Good evening.' });
  store.edits.edit(id, revision, { kind: 'add-note', atSeconds: 5, text: 'New.' });
  const edited = store.edits.open(id);
  expect(edited?.edited).toBe(true);
  expect(new Set([...(edited?.notes ?? []), ...(edited?.segments ?? [])].map((one) => one.id)).size).toBe(6);
  expect(store.edits.original(id).segments.map(({ text }) => text)).toEqual([
    'Good morning.',
    'Good night.',
    '…',
  ]);
});

it('rejects files larger than any transcript', async () => {
  const huge = join(folder.path, 'huge.srt');
  await writeFile(huge, '');
  await truncate(huge, 64 * 1024 * 1024 + 1);
  const long = await file('long.txt', 'x'.repeat(10_000_001));
  expect(await importAll([huge, long])).toMatchObject({
    added: [],
    rejected: [
      { name: 'huge.srt', problem: { code: 'transcript_too_large' } },
      { name: 'long.txt', problem: { code: 'transcript_too_large' } },
    ],
  });
});

it('reports the line that cannot be read, and imports the other files', async () => {
  const broken = join(folder.path, 'broken.srt');
  const whole = join(folder.path, 'whole.sbv');
  await writeFile(broken, '1\n00:00:01,000 --> 00:00\nHello.\n');
  await writeFile(whole, '0:00:01.000,0:00:02.000\nHello.\n');
  expect(await importAll([broken, whole])).toMatchObject({
    added: [{ name: 'whole' }],
    rejected: [{ name: 'broken.srt', problem: { code: 'transcript_broken', params: { line: 2 } } }],
  });
});

it('names the added files whose encoding was guessed', async () => {
  const old = join(folder.path, 'old.srt');
  await writeFile(old, Buffer.from(subtitles('Voilà. Il est déjà midi.'), 'latin1'));
  const recent = await file('recent.srt', subtitles('Voilà.'));
  expect(await importAll([old, recent])).toMatchObject({ added: [{}, {}], guessed: ['old.srt'] });
  expect(await importAll([old])).toMatchObject({ known: 1, guessed: [] });
});

it('names the transcripts that it finds in the trash', async () => {
  const paths = [await file('one.srt', subtitles('one')), await file('two.srt', subtitles('two'))];
  const { added } = await importAll(paths);
  const [first] = added;
  store.library.trash([first!.id], 1);
  const again = await importAll([...paths, paths[0]!]);
  expect(again).toMatchObject({ added: [], known: 1, trashed: [first!.id] });
});

it('imports the files of a folder in natural order, and none twice', async () => {
  await file('season/Take 10.srt', subtitles('ten'));
  await file('season/Take 2.VTT', 'WEBVTT\n\n00:01.000 --> 00:03.000\ntwo\n');
  await file('season/talk.mp3', 'not a transcript');
  await file('season/.hidden.srt', subtitles('hidden'));
  const inside = await file('season/more/Take 3.srt', subtitles('three'));
  const report = await importAll([join(folder.path, 'season'), inside]);
  expect(report).toMatchObject({ known: 0, rejected: [], unread: null });
  expect(report.added.map(({ name }) => name)).toEqual(['Take 2', 'Take 10', 'Take 3']);
  expect(await importAll([join(folder.path, 'season')])).toMatchObject({ added: [], known: 3 });
});

it('adds nothing from a folder of its own exports, as the transcript is now or was before it was edited', async () => {
  const segments = [
    {
      start: 0,
      end: 4,
      text: 'Anna came in, quite late, on a Monday that nobody remembers well.',
      speaker: 'Anna',
    },
    { start: 4, end: 9, text: 'Did she? 港へ行く船はもうありません。', speaker: 'Ben' },
  ];
  const { id } = store.transcripts.save({
    itemId: null,
    service: 'on-device',
    jobId: 'job',
    name: 'REC0001.mp3',
    durationSeconds: 9,
    recording: null,
    createdAt: 0,
    transcript: { language: 'en', text: segments.map(({ text }) => text).join(' '), segments },
  });
  const exportAll = async (name: string): Promise<void> => {
    const content = store.exportSources.content(id);
    if (content === null) throw new Error('not saved');
    const writing = writeOptionsFor(defaultExportChoices, presetRules.broadcast);
    for (const format of ['srt', 'vtt', 'txt', 'json', 'ttml', 'sbv', 'lrc'] as const)
      await file(`exports/${name}.${format}`, String(await writeTranscript(content, format, writing)));
  };
  await exportAll('REC0001');
  store.edits.edit(id, 0, { kind: 'name-speakers', names: ['Anna Lind', ''] });
  await exportAll('REC0001 2');
  const [segment] = store.edits.open(id)?.segments ?? [];
  store.edits.edit(id, 1, { kind: 'set-text', segment: segment!.id, text: 'Anna came in early.' });
  await exportAll('REC0001.en');
  const exports = join(folder.path, 'exports');
  expect(await importAll([exports])).toMatchObject({ added: [], known: 21 - 3, rejected: [] });
  // Its exports keep the names that it had.
  store.library.rename(id, 'Anna, first talk');
  store.library.rename(id, 'Anna, second talk');
  expect(await importAll([exports])).toMatchObject({ added: [], known: 21 - 3, rejected: [] });
  // The trash can restore it, so a second one is not offered.
  store.library.trash([id], 1);
  expect(await importAll([exports])).toMatchObject({ added: [], known: 0, trashed: [id] });
  // A file that is named is imported, even if it is an export.
  expect(await importAll([join(exports, 'REC0001.srt')])).toMatchObject({ added: [{ name: 'REC0001' }] });

  await file('exports/REC0001.srt', subtitles('Anna came in later.'));
  expect(await importAll([exports])).toMatchObject({ added: [{ name: 'REC0001' }] });
});

it('adds no file from a folder that was saved automatically, as long as its transcript is in the library or the trash', async () => {
  const [itemId = 0] = addNamed(store, ['clip.wav']);
  const { id: transcriptId } = store.transcripts.save({
    itemId,
    service: 'on-device',
    jobId: 'job',
    name: 'Renamed',
    durationSeconds: 1,
    recording: null,
    createdAt: 0,
    transcript: { language: 'en', text: 'Now it says this.', segments: [] },
  });
  const path = await file('saved/clip.srt', subtitles('Then it said that.'));
  store.autoExports.request(itemId, [{ format: 'srt', folder: null }]);
  store.autoExports.markWritten({ itemId, transcriptId, format: 'srt', folder: null, isEmpty: false }, path);
  expect(await importAll([dirname(path)])).toMatchObject({ added: [], known: 1 });
  store.library.trash([transcriptId], 1);
  expect(await importAll([dirname(path)])).toMatchObject({ added: [], known: 0, trashed: [transcriptId] });
  Array.from(store.staged.remove(transcriptId));
  expect(await importAll([dirname(path)])).toMatchObject({ added: [{ name: 'clip' }] });
});

it('reports progress and keeps what is imported when cancelled; the next import adds the rest', async () => {
  const paths = await Promise.all(
    Array.from({ length: 20 }, (_, number) => file(`${number}.srt`, subtitles(`line ${number}`))),
  );
  const stop = new AbortController();
  const reported: TaskProgress[] = [];
  const report = await importAll(paths, {
    signal: stop.signal,
    onProgress: (progress) => {
      reported.push(progress);
      if (progress.done === 7) stop.abort();
    },
  });
  expect(report).toMatchObject({ known: 0, rejected: [], unread: 13 });
  expect(report.added).toHaveLength(7);
  expect(reported.at(-1)).toEqual({ done: 7, total: 20, unit: 'files' });
  expect(store.library.counts().total).toBe(7);
  const rest = await importAll(paths);
  expect(rest).toMatchObject({ known: 7, unread: null });
  expect(rest.added).toHaveLength(13);
});

it('reads nothing if cancelled before the start', async () => {
  const path = await file('Talk.srt', subtitles('Hello'));
  const cancelled = { ...defaultTaskOptions, signal: AbortSignal.abort() };
  expect(await importAll([path], cancelled)).toEqual({
    added: [],
    known: 0,
    trashed: [],
    guessed: [],
    rejected: [],
    unread: 1,
  });
  expect(await importAll([folder.path], cancelled)).toEqual({
    added: [],
    known: 0,
    trashed: [],
    guessed: [],
    rejected: [],
    unread: 0,
  });
});

it('indexes a short transcript at once and a long one in the background', async () => {
  await importAll([
    await file('short.srt', subtitles('harbour')),
    await file('long.srt', subtitles('lighthouse', 400)),
  ]);
  expect(store.searchIndex.isBehind).toBe(true);
  await new Promise<void>((resolve, reject) =>
    store.searchIndex.startBackgroundIndexing(eagerClock, resolve, reject),
  );
  const found = store.library.counts();
  expect(found.total).toBe(2);
  expect(store.searchIndex.isBehind).toBe(false);
});

it('imports a long transcript in steps: after a cancellation, nothing of it appears or stays', async () => {
  const path = await file('day.srt', subtitles('harbour', 1800));
  const stop = new AbortController();
  let pieces = 0;
  let time = 0;
  const stopping: Clock = {
    // Each step takes long enough for a pause after it.
    now: () => (time += 10),
    schedule: (delayMs, callback) => {
      pieces += 1;
      if (pieces === 3) stop.abort();
      return clock.schedule(delayMs, callback);
    },
  };
  const options = { store, clock: stopping, read: reader.read, ...defaultTaskOptions, signal: stop.signal };
  expect(await importFiles([path], options)).toMatchObject({ added: [], known: 0, unread: 1 });
  expect(store.library.counts()).toEqual({ total: 0, trashed: 0 });
  expect(store.library.ids(queryFor('', { trash: true }))).toEqual([]);
  for (const id of store.staged.leftovers()) expect([...store.staged.remove(id)]).not.toEqual([]);
  expect(store.staged.leftovers()).toEqual([]);

  const { added } = await importAll([path]);
  expect(store.transcripts.get(added[0]?.id ?? -1)?.segments).toHaveLength(1800);
  expect(store.library.counts()).toEqual({ total: 1, trashed: 0 });
  expect(await importAll([path])).toMatchObject({ added: [], known: 1 });
});

it('ends when the disk is full, and reports that for all remaining files', async () => {
  const paths = [await file('a.srt', subtitles('a')), await file('b.srt', subtitles('b'))];
  const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  const failing = {
    transcripts: {
      ofJob: () => null,
      saveStaged: () => {
        throw full;
      },
    },
  } as unknown as Store;
  const report = await importFiles([...paths, join(folder.path, 'missing.srt')], {
    store: failing,
    clock,
    read: reader.read,
    ...defaultTaskOptions,
  });
  expect(report.added).toEqual([]);
  // The remaining files are not read.
  expect(report.rejected.map(({ name, problem }) => [name, problem.code])).toEqual([
    ['a.srt', 'disk_full'],
    ['b.srt', 'disk_full'],
    ['missing.srt', 'disk_full'],
  ]);
});

it.skipIf(process.getuid?.() === 0)('reports an unreadable subfolder', async () => {
  await file('season/a.srt', subtitles('a'));
  const locked = dirname(await file('season/locked/b.srt', subtitles('b')));
  await chmod(locked, 0);
  expect(await importAll([join(folder.path, 'season')])).toMatchObject({
    added: [{ name: 'a' }],
    rejected: [{ name: 'locked', problem: { code: 'path_unreadable' } }],
  });
  await chmod(locked, 0o700);
});

it('reads a table of Longhand by its columns and any other as text, and takes none from a folder', async () => {
  const own = await file('tables/own.csv', writeCsv({ ...talk, segments: [spokenByAnna] }));
  const other = await file('tables/other.csv', 'start,text\n1,Hello\n');
  const damaged = await file('tables/damaged.csv', 'number,start,end,speaker,text\n1,soon,,,a\n');
  await file('tables/talk.srt', subtitles('In a folder.'));
  const report = await importAll([own, other, damaged]);
  const [table, text] = report.added.map(({ id }) => store.exportSources.content(id));
  expect(table).toMatchObject({ segments: [spokenByAnna] });
  expect(text).toMatchObject({ text: 'start,text\n1,Hello', segments: [] });
  expect(report.rejected).toMatchObject([
    { name: 'damaged.csv', problem: { code: 'transcript_broken', params: { line: 2 } } },
  ]);
  expect(await importAll([join(folder.path, 'tables')])).toMatchObject({
    added: [{ name: 'talk' }],
    known: 0,
    trashed: [],
    rejected: [],
  });
});

it('finds the recording beside a file by its name', async () => {
  for (const name of ['Talk.mp3', 'Film.mp4', 'Film.wav', 'Notes.mp3'])
    await copyFile(kennedy.mp3, await file(name, ''));
  await file('Notes.mp3', 'Only words.');
  const expected = {
    'talk.srt': 'Talk.mp3',
    'Talk.en.srt': 'Talk.mp3',
    'Talk.pt-BR.vtt': 'Talk.mp3',
    'Talk.mp3.srt': 'Talk.mp3',
    'Film.wav.srt': 'Film.wav',
    // Nobody knows which of two it is, and text is not a recording.
    'Film.srt': null,
    'Notes.srt': null,
    'Walk.srt': null,
  };
  const paths = await Promise.all(
    Object.keys(expected).map((name) => file(name, `WEBVTT\n\n00:00:01.000 --> 00:00:02.500\n${name}\n`)),
  );
  const { added } = await importAll(paths);
  const found = added.map(({ id }) => store.transcripts.recordingOf(id)?.path ?? null);
  const names = found.map((path) => (path === null ? null : basename(path)));
  expect(names).toEqual(Object.values(expected));
});
