import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeJson } from '../../../../electron/core/formats/write/json.ts';
import { importFiles } from '../../../../electron/core/library/import-files.ts';
import { temporaryFolder } from '../../../support/core.ts';
import { openStore } from '../store/store-kit.ts';

it('brings each content in once, and says what it left out', async () => {
  const folder = await temporaryFolder();
  const store = openStore(join(folder.path, 'data'));
  const file = async (name: string, content: string): Promise<string> => {
    await writeFile(join(folder.path, name), content);
    return join(folder.path, name);
  };
  const subtitles = '1\n00:00:01,000 --> 00:00:02,500\nHello there\n';
  const report = await importFiles(
    store,
    [
      await file('Talk.srt', subtitles),
      await file('Talk again.srt', subtitles),
      await file('notes.txt', 'Only words.'),
      await file('other.json', '{"a":1}'),
      await file('empty.vtt', 'WEBVTT\n'),
      join(folder.path, 'missing.srt'),
    ],
    7,
  );
  expect(report).toMatchObject({
    added: [{ name: 'Talk' }, { name: 'notes' }],
    known: 1,
    leftOut: [
      { name: 'other.json', problem: { code: 'not_a_transcript' } },
      { name: 'empty.vtt', problem: { code: 'not_a_transcript' } },
      { name: 'missing.srt', problem: { code: 'path_missing' } },
    ],
  });
  expect(store.transcripts.get(report.added[0]?.id ?? -1)).toMatchObject({
    name: 'Talk',
    durationSeconds: 2.5,
    segments: [{ start: 1, end: 2.5, text: 'Hello there' }],
  });
  await store.close();
  await folder.remove();
});

it('keeps who speaks, notes and marks, as what came and not as an edit', async () => {
  const folder = await temporaryFolder();
  const store = openStore(join(folder.path, 'data'));
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
  const { added } = await importFiles(store, [path], 7);
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
  await store.close();
  await folder.remove();
});

it('leaves out what is larger than any transcript', async () => {
  const folder = await temporaryFolder();
  const store = openStore(join(folder.path, 'data'));
  const huge = join(folder.path, 'huge.srt');
  await writeFile(huge, '');
  await truncate(huge, 64 * 1024 * 1024 + 1);
  expect(await importFiles(store, [huge], 7)).toMatchObject({
    added: [],
    leftOut: [{ name: 'huge.srt', problem: { code: 'transcript_too_large' } }],
  });
  await store.close();
  await folder.remove();
});

it('says at which line a file breaks, and brings the others in', async () => {
  const folder = await temporaryFolder();
  const store = openStore(join(folder.path, 'data'));
  const broken = join(folder.path, 'broken.srt');
  const whole = join(folder.path, 'whole.sbv');
  await writeFile(broken, '1\n00:00:01,000 --> 00:00\nHello.\n');
  await writeFile(whole, '0:00:01.000,0:00:02.000\nHello.\n');
  expect(await importFiles(store, [broken, whole], 7)).toMatchObject({
    added: [{ name: 'whole' }],
    leftOut: [{ name: 'broken.srt', problem: { code: 'transcript_broken', params: { line: 2 } } }],
  });
  await store.close();
  await folder.remove();
});
