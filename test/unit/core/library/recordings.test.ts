import { mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  findRecordings,
  findMissingRecordings,
  assignToMissing,
  stateOfRecording,
} from '../../../../electron/core/library/recordings.ts';
import { ContentHashes } from '../../../../electron/core/media/fingerprint.ts';
import { inspectFile } from '../../../../electron/core/media/inspect-files.ts';
import type { RecordingFile } from '../../../../electron/contract/library-commands.ts';
import type { Store } from '../../../../electron/core/store/store.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../support/temporary-folder.ts';
import { addNamed, openStore } from '../store/store-kit.ts';
import { findDuplicate } from '../../../../electron/core/queue/adding/duplicates.ts';
import { saveTranscript, saveUntimed } from './library-kit.ts';
import { defaultTaskOptions } from '../../../support/default-task-options.ts';

let folder: TemporaryFolder;
let store: Store;

beforeEach(async () => {
  folder = await temporaryFolder();
  store = openStore(join(folder.path, 'data'));
});
afterEach(async () => {
  await store.close();
  await folder.remove();
});

const at = (...parts: readonly string[]): string => join(folder.path, ...parts);

/** An audio file with unique samples. */
async function writeRecording(path: string, seed: number): Promise<RecordingFile> {
  const head = Buffer.from('RIFF\x24\xf0\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00', 'latin1');
  await writeFile(path, Buffer.concat([head, Buffer.alloc(60_000, seed)]));
  const file = await inspectFile(path);
  if (file.kind !== 'file') throw new Error(`${path} is not a recording`);
  return { path, sizeBytes: file.sizeBytes, fingerprint: file.fingerprint };
}

function save(name: string, recording: RecordingFile): number {
  const id = saveTranscript(store, name, ['words']);
  store.transcripts.setRecording(id, recording);
  return id;
}

const pathOf = (id: number): string | undefined => store.transcripts.recordingOf(id)?.path;

it('a located recording is shared with transcripts of the same content whose file is missing', async () => {
  const recording = await writeRecording(at('a.wav'), 1);
  const copy = await writeRecording(at('copy.wav'), 1);
  const first = save('First', { ...recording, path: at('gone.wav') });
  const second = save('Second', { ...recording, path: at('gone too.wav') });
  const third = save('Third', copy);
  const other = save('Other', { ...(await writeRecording(at('b.wav'), 2)), path: at('gone.wav') });
  store.transcripts.setRecording(first, recording);
  expect(await assignToMissing(store.transcripts, recording)).toBe(1);
  expect([first, second, third, other].map(pathOf)).toEqual([
    at('a.wav'),
    at('a.wav'),
    at('copy.wav'),
    at('gone.wav'),
  ]);
});

it('missing recordings are found in a folder by content, not by name', async () => {
  await mkdir(at('before'));
  const recordings = await Promise.all(
    [1, 2, 3].map((seed) => writeRecording(at('before', `${seed}.wav`), seed)),
  );
  const ids = recordings.map((recording, index) => save(`T${index}`, recording));
  const [recording] = recordings;
  const again = recording === undefined ? 0 : save('Again', recording);
  expect((await findMissingRecordings(store.transcripts)).size).toBe(0);

  await mkdir(at('after', 'deep', 'er'), { recursive: true });
  await rename(at('before', '1.wav'), at('after', 'deep', 'er', 'renamed.dat'));
  await rename(at('before', '2.wav'), at('after', 'two.wav'));
  await rm(at('before', '3.wav'));
  // The same size, but other content.
  await writeRecording(at('after', '3.wav'), 4);
  const missing = await findMissingRecordings(store.transcripts);
  const report = await findRecordings(store.transcripts, missing, at('after'), defaultTaskOptions);
  expect(report).toEqual({ missing: 4, found: 3, cancelled: false });
  expect([...ids, again].map(pathOf)).toEqual([
    at('after', 'deep', 'er', 'renamed.dat'),
    at('after', 'two.wav'),
    at('before', '3.wav'),
    at('after', 'deep', 'er', 'renamed.dat'),
  ]);

  const calledOff = { ...defaultTaskOptions, signal: AbortSignal.abort() };
  const rest = await findMissingRecordings(store.transcripts);
  const stopped = await findRecordings(store.transcripts, rest, at('after'), calledOff);
  expect(stopped).toEqual({ missing: 1, found: 0, cancelled: true });
});

it('a file of another recording under the same name counts as replaced, and as missing', async () => {
  const recording = await writeRecording(at('REC0001.wav'), 1);
  const id = save('Interview', recording);
  const state = () => stateOfRecording(store.transcripts.recordingOf(id) ?? recording);
  await utimes(at('REC0001.wav'), new Date(0), new Date(0));
  expect(await state()).toBe('present');

  await mkdir(at('archive'));
  await rename(at('REC0001.wav'), at('archive', 'REC0001.wav'));
  expect(await state()).toBe('missing');
  await writeRecording(at('REC0001.wav'), 2);
  expect(await state()).toBe('replaced');
  const missing = await findMissingRecordings(store.transcripts);
  await findRecordings(store.transcripts, missing, at('archive'), defaultTaskOptions);
  expect(pathOf(id)).toBe(at('archive', 'REC0001.wav'));
  expect(await state()).toBe('present');

  store.transcripts.setRecording(id, { ...recording, path: at('REC0001.wav') });
  expect(await assignToMissing(store.transcripts, { ...recording, path: at('archive', 'REC0001.wav') })).toBe(
    1,
  );
  expect(pathOf(id)).toBe(at('archive', 'REC0001.wav'));
});

it('a transcript that has the name of its recording is renamed with it, unless another one is linked', async () => {
  const recording = await writeRecording(at('REC0001.wav'), 1);
  const automatic = save('REC0001.wav', recording);
  const chosen = save('Interview', recording);
  const namesNow = () => store.library.names([automatic, chosen]);
  const link = (file: RecordingFile | null): void => {
    for (const id of [automatic, chosen]) store.transcripts.setRecording(id, file);
  };
  await rename(at('REC0001.wav'), at('Anna.wav'));
  link({ ...recording, path: at('Anna.wav') });
  expect(namesNow()).toEqual(['Anna.wav', 'Interview']);
  expect(store.exportSources.metadata(automatic)?.name).toBe('Anna.wav');
  link(recording);
  expect(namesNow()).toEqual(['REC0001.wav', 'Interview']);

  link(await writeRecording(at('Other.wav'), 2));
  expect(namesNow()).toEqual(['REC0001.wav', 'Interview']);
  link(null);
  expect(namesNow()).toEqual(['REC0001.wav', 'Interview']);
});

it('a recording of a transcript in the trash is not missing', async () => {
  const kept = save('Kept', { ...(await writeRecording(at('a.wav'), 1)), path: at('gone.wav') });
  const trashed = save('Trashed', { ...(await writeRecording(at('b.wav'), 2)), path: at('gone too.wav') });
  store.library.trash([trashed], 1);
  const missing = await findMissingRecordings(store.transcripts);
  expect([...missing.values()].flat()).toEqual([kept]);
});

it('is known by the transcript that was made from it rather than by one that it was attached to', async () => {
  const recording = await writeRecording(at('clip.wav'), 1);
  const attached = saveUntimed(store, 'Imported text', 'words');
  store.transcripts.setRecording(attached, recording);
  const inspected = await inspectFile(recording.path);
  if (inspected.kind !== 'file') throw new Error('no recording');
  const find = () => findDuplicate(store, inspected, new ContentHashes(new AbortController().signal));
  expect(await find()).toMatchObject({ kind: 'imported', name: 'Imported text' });
  const { id } = store.transcripts.save({
    itemId: addNamed(store, ['clip.wav'])[0]!,
    service: 'on-device',
    jobId: 'job',
    name: 'clip.wav',
    durationSeconds: 1,
    createdAt: 0,
    recording,
    transcript: { text: 'words', segments: [], language: 'en' },
  });
  expect(await find()).toMatchObject({ kind: 'transcript', transcriptId: id, isTrashed: false });
  store.library.trash([id], 1);
  expect(await find()).toMatchObject({ kind: 'transcript', transcriptId: id, isTrashed: true });
});

it('counts as transcribed by its own content, not by that of a file linked instead of it', async () => {
  const original = await writeRecording(at('a.wav'), 1);
  const wrong = await writeRecording(at('b.wav'), 2);
  const { id } = store.transcripts.save({
    itemId: null,
    service: 'on-device',
    jobId: 'job',
    name: 'a.wav',
    durationSeconds: 1,
    createdAt: 0,
    recording: original,
    transcript: { text: 'words', segments: [], language: 'en' },
  });
  const find = async ({ path }: RecordingFile) => {
    const inspected = await inspectFile(path);
    if (inspected.kind !== 'file') throw new Error('no recording');
    return findDuplicate(store, inspected, new ContentHashes(new AbortController().signal));
  };
  for (const linked of [wrong, null, wrong]) {
    store.transcripts.setRecording(id, linked);
    expect(store.transcripts.recordingOf(id)).toEqual(linked);
    expect(store.transcripts.transcribedFingerprint(id)).toBe(original.fingerprint);
    expect(await find(wrong)).toBeNull();
    expect(await find(original)).toMatchObject({ kind: 'transcript', transcriptId: id });
  }
  store.transcripts.setRecording(id, original);
  expect(await find(wrong)).toBeNull();
  expect(await find(original)).toMatchObject({ kind: 'transcript', transcriptId: id });
});
