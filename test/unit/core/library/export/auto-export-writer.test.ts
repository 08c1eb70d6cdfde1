import Database from 'better-sqlite3';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ItemId } from '../../../../../electron/contract/identifiers.ts';
import { defaultWriteOptions } from '../../../../../electron/core/formats/write/write-options.ts';
import {
  AutoExportWriter,
  type AutoExportStyle,
  type AutoExportWriterOptions,
} from '../../../../../electron/core/library/export/auto-export-writer.ts';
import { writeFiles, type Writer } from '../../../../../electron/core/library/export/write-files.ts';
import { fingerprintFile } from '../../../../../electron/core/library/recordings.ts';
import type { Store } from '../../../../../electron/core/store/store.ts';
import { ManualClock } from '../../../../support/clocks/manual-clock.ts';
import { quietLogger } from '../../../../support/core.ts';
import { testFolder } from '../../../../support/test-folder.ts';
import { newLink, openStore } from '../../store/store-kit.ts';

/** An item with its transcript and an auto export of a text file to `folder`. */
function transcribed(store: Store, name: string, folder: string, text = 'Hello.'): ItemId {
  const [itemId] = store.items.add([newLink(`https://example.com/${name}`)]);
  if (itemId === undefined) throw new Error('nothing was added');
  store.transcripts.save({
    recording: null,
    itemId,
    service: 'https://cloud.example',
    jobId: name,
    name,
    durationSeconds: 1,
    transcript: { language: 'en', text, segments: [] },
    createdAt: 0,
  });
  store.autoExports.request(itemId, [{ format: 'txt', folder }]);
  return itemId;
}

const style: AutoExportStyle = { writing: defaultWriteOptions, template: '{name}' };

async function kit() {
  const folder = await testFolder();
  const store = openStore(join(folder, 'data'));
  onTestFinished(() => store.close());
  const texts = join(folder, 'texts');
  const writer: Writer = (task) => writeFiles(store.exportSources, task);
  const clock = new ManualClock();
  const options = {
    folder: join(folder, 'data'),
    store,
    clock,
    logger: quietLogger,
    style: () => style,
    writer,
  };
  return { folder, store, clock, texts, options, files: new AutoExportWriter(options) };
}

it('writes the files of one item only', async () => {
  const { store, texts, files } = await kit();
  const one = transcribed(store, 'one', texts);
  transcribed(store, 'two', texts);
  await files.write(one);
  expect(await readdir(texts)).toEqual(['one.txt']);
  await files.write();
  expect((await readdir(texts)).toSorted()).toEqual(['one.txt', 'two.txt']);
});

/** An item whose recording is `path`, with its transcript and an auto export of a text file next to the recording. */
async function transcribedFile(store: Store, path: string): Promise<ItemId> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, 'The recording that was transcribed.');
  const file = await fingerprintFile(path, new Set([(await stat(path)).size]));
  if (file === null || file.fingerprint === null) throw new Error('it has no fingerprint');
  const { sizeBytes, fingerprint } = file;
  const source = { kind: 'file', path, sizeBytes, mtimeMs: 1, inode: '1', mimeType: 'audio/wav' } as const;
  const [itemId] = store.items.add([{ ...newLink(path), source: { ...source, fingerprint } }]);
  if (itemId === undefined) throw new Error('nothing was added');
  store.transcripts.save({
    recording: file,
    itemId,
    service: 'https://cloud.example',
    jobId: path,
    name: basename(path),
    durationSeconds: 1,
    transcript: { language: 'en', text: 'Hello.', segments: [] },
    createdAt: 0,
  });
  store.autoExports.request(itemId, [{ format: 'txt', folder: null }]);
  return itemId;
}

it('writes nothing next to a file that has taken the place of a recording', async () => {
  const { folder, store, texts, files } = await kit();
  const path = join(folder, 'recordings', 'R001.wav');
  const itemId = await transcribedFile(store, path);
  await writeFile(path, 'Another recording of this name.');
  await files.write();
  expect(await readdir(join(folder, 'recordings'))).toEqual(['R001.wav']);
  expect(store.autoExports.of(itemId)).toMatchObject([
    { path: null, problem: { code: 'recording_unknown' } },
  ]);

  expect(await files.retryFailed(texts)).toBeNull();
  expect(await readdir(texts)).toEqual(['R001.txt']);
});

it('writes next to where a recording was, and where it was located', async () => {
  const { folder, store, files } = await kit();
  const path = join(folder, 'recordings', 'R001.wav');
  const itemId = await transcribedFile(store, path);
  await rm(path);
  await files.write();
  expect(await readdir(join(folder, 'recordings'))).toEqual(['R001.txt']);

  const located = join(folder, 'moved', 'R001.wav');
  await mkdir(join(folder, 'moved'));
  await writeFile(located, 'The recording that was transcribed.');
  const [pending] = store.transcripts.withContent(store.transcripts.recordingOf(1)?.fingerprint ?? '');
  store.transcripts.setRecording(pending?.id ?? 0, { ...store.transcripts.recordingOf(1)!, path: located });
  store.autoExports.requestAllAgain(itemId);
  await files.write();
  expect((await readdir(join(folder, 'moved'))).toSorted()).toEqual(['R001.txt', 'R001.wav']);
});

it('writes no file without words, except for programs', async () => {
  const { store, texts, files } = await kit();
  const silence = transcribed(store, 'silence', texts, '');
  store.autoExports.request(silence, [{ format: 'json', folder: texts }]);
  await files.write();
  expect(await readdir(texts)).toEqual(['silence.json']);
  expect(store.autoExports.outcomesOf([silence]).get(silence)).toEqual({ saved: ['json'], failed: [] });
  expect(store.autoExports.itemsWithPendingExports()).toEqual([]);
});

it('a file whose result could not be stored is written later, and only once', async () => {
  const { folder, store, texts, files } = await kit();
  const one = transcribed(store, 'one', texts);
  const two = transcribed(store, 'two', texts);
  const database = new Database(join(folder, 'data', 'longhand.db'));
  database.exec(`CREATE TRIGGER no_room BEFORE UPDATE ON wanted_files
    BEGIN SELECT RAISE(ABORT, 'no room'); END`);
  await files.write(one);
  expect(await readdir(texts)).toEqual([]);

  database.exec('DROP TRIGGER no_room');
  database.close();
  await files.write(two);
  expect((await readdir(texts)).toSorted()).toEqual(['one.txt', 'two.txt']);
  expect(store.autoExports.itemsWithPendingExports()).toEqual([]);
});

it('a file whose failure could not be stored is written after a while', async () => {
  const { folder, store, clock, texts, files } = await kit();
  await writeFile(texts, 'not a folder');
  transcribed(store, 'one', texts);
  const database = new Database(join(folder, 'data', 'longhand.db'));
  database.exec(`CREATE TRIGGER no_room BEFORE UPDATE ON wanted_files
    BEGIN SELECT RAISE(ABORT, 'no room'); END`);
  await files.write();
  expect(files.postponedBy).not.toBeNull();
  database.exec('DROP TRIGGER no_room');
  database.close();
  await rm(texts);
  clock.advance(60_000);
  await expect.poll(() => readdir(texts).catch(() => [])).toEqual(['one.txt']);
  await expect.poll(() => files.postponedBy).toBeNull();
  expect(clock.nextAt).toBeNull();
});

it('an attempt that is due is cancelled at the end', async () => {
  const { folder, store, clock, texts, files } = await kit();
  transcribed(store, 'one', texts);
  const database = new Database(join(folder, 'data', 'longhand.db'));
  database.exec(`CREATE TRIGGER no_room BEFORE UPDATE ON wanted_files
    BEGIN SELECT RAISE(ABORT, 'no room'); END`);
  database.close();
  await files.write();
  expect(clock.nextAt).not.toBeNull();
  files.stop();
  expect(clock.nextAt).toBeNull();
});

/** Writes the pending files as a process that is killed before it can store that it has written the first one. */
async function writeUntilKilled(options: AutoExportWriterOptions): Promise<void> {
  const killed = new AutoExportWriter({
    ...options,
    writer: async (task) => {
      const result = await options.writer(task);
      killed.stop();
      return result;
    },
  });
  await killed.write();
}

it('a file that appeared just before the program was killed is not written again', async () => {
  const { store, texts, options, files } = await kit();
  transcribed(store, 'one', texts);
  await writeUntilKilled(options);
  expect(store.autoExports.itemsWithPendingExports()).toEqual([1]);
  await files.write();
  expect(await readdir(texts)).toEqual(['one.txt']);
  expect(store.autoExports.of(1)).toMatchObject([{ path: join(texts, 'one.txt') }]);
  // A further file of the transcript is a new one.
  store.autoExports.requestAllAgain(1);
  await files.write();
  expect((await readdir(texts)).toSorted()).toEqual(['one 2.txt', 'one.txt']);
});

it('a file that was stored as written before the program was killed is not taken for a later one', async () => {
  const { store, texts, options, files } = await kit();
  transcribed(store, 'one', texts);
  const [pending] = store.autoExports.writable();
  await writeUntilKilled(options);
  store.autoExports.markWritten(pending!, join(texts, 'one.txt'));
  await files.write();
  store.autoExports.requestAllAgain(1);
  await files.write();
  expect((await readdir(texts)).toSorted()).toEqual(['one 2.txt', 'one.txt']);
});

it('a file that somebody has changed since is not taken for the written one', async () => {
  const { store, texts, options, files } = await kit();
  transcribed(store, 'one', texts);
  await writeUntilKilled(options);
  await writeFile(join(texts, 'one.txt'), 'Changed by somebody else.');
  await files.write();
  expect((await readdir(texts)).toSorted()).toEqual(['one 2.txt', 'one.txt']);
});

/** Puts a file in place of the target folder. */
async function blocked() {
  const those = await kit();
  await writeFile(those.texts, 'not a folder');
  let told = 0;
  const files = new AutoExportWriter({ ...those.options, onFailures: () => (told += 1) });
  const ids = ['one', 'two'].map((name) => transcribed(those.store, name, those.texts));
  for (const id of ids) await files.write(id);
  return { ...those, files, told: () => told };
}

describe('files that cannot be written', () => {
  it('are reported with reason and folder, and not retried automatically', async () => {
    const { texts, files, told, store } = await blocked();
    expect(told()).toBe(2);
    expect(files.failed()).toMatchObject({
      count: 2,
      folder: 'texts',
      problem: { code: 'export_not_a_folder', params: { folder: texts } },
    });
    await rm(texts);
    await files.write();
    expect(files.failed()?.count).toBe(2);
    expect(store.transcripts.get(1)).not.toBeNull();
  });

  it('are written to their folder once that is possible again', async () => {
    const { texts, files } = await blocked();
    expect(await files.retryFailed()).toMatchObject({ count: 2 });
    await rm(texts);
    expect(await files.retryFailed()).toBeNull();
    expect((await readdir(texts)).toSorted()).toEqual(['one.txt', 'two.txt']);
  });

  it('are written elsewhere on request, without overwriting anything', async () => {
    const { folder, texts, files, store } = await blocked();
    const other = join(folder, 'other');
    await mkdir(other);
    await writeFile(join(other, 'one.txt'), 'mine');
    expect(await files.retryFailed(other)).toBeNull();
    expect((await readdir(other)).toSorted()).toEqual(['one 2.txt', 'one.txt', 'two.txt']);
    expect(await readFile(join(other, 'one.txt'), 'utf8')).toBe('mine');
    expect(await readFile(texts, 'utf8')).toBe('not a folder');
    expect(store.autoExports.itemsWithPendingExports()).toEqual([]);
  });

  it('are given up on request', async () => {
    const { texts, files, told, store } = await blocked();
    files.forgetFailed();
    expect(told()).toBe(3);
    expect(files.failed()).toBeNull();
    await rm(texts);
    await files.write();
    expect(store.autoExports.itemsWithPendingExports()).toEqual([]);
  });
});
