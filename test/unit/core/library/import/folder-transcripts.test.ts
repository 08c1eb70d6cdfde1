import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { importFiles } from '../../../../../electron/core/library/import/import-files.ts';
import { TranscriptFileReader } from '../../../../../electron/core/library/import/transcript-file-reader.ts';
import type { Clock } from '../../../../../electron/core/ports.ts';
import { workerUrl } from '../../../../../electron/workers/registry.ts';
import type { Store } from '../../../../../electron/core/store/store.ts';
import { eagerClock } from '../../../../support/clocks/eager-clock.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../../support/temporary-folder.ts';
import { defaultTaskOptions } from '../../../../support/default-task-options.ts';
import { openStore } from '../../store/store-kit.ts';

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

const importAll = (paths: readonly string[], clock: Clock = eagerClock) =>
  importFiles(paths, { store, clock, read: reader.read, ...defaultTaskOptions });

async function file(name: string, content: string): Promise<string> {
  const path = join(folder.path, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return path;
}

const subtitles = (line: string, lines = 1): string =>
  Array.from(
    { length: lines },
    (_, index) => `${index + 1}\n00:00:${10 + index},000 --> 00:01:40,500\n${line}\n\n`,
  ).join('');

it('takes no second text of the same words from a folder, and no readme', async () => {
  await file('given/Talk.srt', subtitles('Hello there.'));
  await file('given/Talk.vtt', 'WEBVTT\n\n00:01.000 --> 00:03.000\nHello there.\n');
  await file('given/Talk.txt', 'A: Hello there.');
  await file('given/readme.txt', 'What is in here.');
  await file('given/LIESMICH.txt', 'Was hier ist.');
  await file('given/Letter.txt', 'Only words.');
  await file('given/Readme interview.txt', '[00:00:01] It has times.');
  const given = join(folder.path, 'given');
  const expected = { added: [{ name: 'Letter' }, { name: 'Readme interview' }, { name: 'Talk' }], known: 1 };
  expect(await importAll([given])).toMatchObject(expected);
  expect(await importAll([join(given, 'readme.txt')])).toMatchObject({ added: [{ name: 'readme' }] });
});

it('reads each transcript of a name once for all files of that name, with other work in between', async () => {
  const texts = Array.from({ length: 6 }, (_, index) => `What was said on day ${index}.`);
  const [oldTexts, newTexts] = [texts.slice(0, 3), texts.slice(3)];
  for (const [index, text] of oldTexts.entries()) await file(`old/${index}/transcript.srt`, subtitles(text));
  for (const [index, text] of newTexts.entries())
    await file(`new/${index}/transcript.srt`, subtitles(text, 50));
  await file('new/3/transcript.vtt', `WEBVTT\n\n00:01.000 --> 00:03.000\n${oldTexts[1]?.toUpperCase()}\n`);
  expect((await importAll([join(folder.path, 'old')])).added).toHaveLength(3);

  const original = vi.spyOn(store.edits, 'original');
  let pauses = 0;
  let time = 0;
  const counting: Clock = {
    // Each step takes long enough for a pause after it.
    now: () => (time += 10),
    schedule: (delayMs, callback) => {
      if (original.mock.calls.length < 3) pauses += 1;
      return eagerClock.schedule(delayMs, callback);
    },
  };
  expect(await importAll([join(folder.path, 'new')], counting)).toMatchObject({
    added: [{ name: 'transcript' }, { name: 'transcript' }, { name: 'transcript' }],
    known: 1,
  });
  expect(original).toHaveBeenCalledTimes(3);
  expect(pauses).toBeGreaterThan(1);
});

it('imports a copy of a file that could not be stored', async () => {
  await file('season/1/talk.srt', subtitles('Hello there.'));
  await file('season/2/talk.srt', subtitles('Hello there.'));
  vi.spyOn(store.transcripts, 'saveStaged').mockImplementationOnce(() => {
    throw new Error('for this one only');
  });
  expect(await importAll([join(folder.path, 'season')])).toMatchObject({
    added: [{ name: 'talk' }],
    known: 0,
    rejected: [{ name: 'talk.srt', problem: { code: 'internal' } }],
  });
});

it('takes the file that holds the most of several with one name and the same words', async () => {
  await file('given/talk.lrc', '[00:01.00]Good morning.\n');
  await file('given/talk.srt', subtitles('Good morning.'));
  await file('given/talk.vtt', 'WEBVTT\n\n00:01.000 --> 00:03.000\n<v Anna>Good morning.</v>\n');
  const { added, known } = await importAll([join(folder.path, 'given')]);
  expect(known).toBe(2);
  const [segment] = store.exportSources.content(added[0]?.id ?? -1)?.segments ?? [];
  expect(segment).toEqual({ start: 1, end: 3, text: 'Good morning.', speaker: 'Anna' });
});
