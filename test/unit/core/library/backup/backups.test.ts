import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, copyFile, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BackupContents, RestoreReport } from '../../../../../electron/contract/backup.ts';
import type { StoredOperation, TranscriptDocument } from '../../../../../electron/contract/transcript.ts';
import type { TranscriptId } from '../../../../../electron/contract/identifiers.ts';
import { ProblemError } from '../../../../../electron/contract/problem.ts';
import { backupVersion } from '../../../../../electron/core/library/backup/backup-file.ts';
import { CancelledError } from '../../../../../electron/workers/protocol.ts';
import type { Library } from '../../../../../electron/core/library/library.ts';
import type { Store } from '../../../../../electron/core/store/store.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../../support/temporary-folder.ts';
import { defaultTaskOptions } from '../../../../support/default-task-options.ts';
import { eagerClock } from '../../../../support/clocks/eager-clock.ts';
import { addNamed, newLink, openStore } from '../../store/store-kit.ts';
import { operation } from '../../transcript/edit/edit-arbitraries.ts';
import {
  fingerprintFile,
  findRecordings,
  findMissingRecordings,
} from '../../../../../electron/core/library/recordings.ts';
import { queryFor, openLibrary, saveTranscript, firstPage } from '../library-kit.ts';

interface Opened {
  readonly store: Store;
  readonly library: Library;
}

const writeOptions = { appVersion: '1.2.3', replace: false };

let folder: TemporaryFolder;
let file: string;
let open: Opened[];

beforeEach(async () => {
  folder = await temporaryFolder();
  file = join(folder.path, 'library.longhand');
  open = [];
});
afterEach(async () => {
  for (const one of open) await close(one);
  await folder.remove();
});

/** Opens a library in its own data folder. */
function openIn(name: string): Opened {
  const store = openStore(join(folder.path, name), { clock: eagerClock });
  const library = openLibrary(store);
  library.start();
  open.push({ store, library });
  return { store, library };
}

async function close({ store, library }: Opened): Promise<void> {
  open = open.filter((one) => one.store !== store);
  await library.close();
  await store.close();
}

async function restore({ library }: Opened, from = file): Promise<[BackupContents, RestoreReport]> {
  const contents = await library.backups.open(from, defaultTaskOptions);
  return [contents, await library.backups.restore(defaultTaskOptions)];
}

function edit(store: Store, id: number, operations: readonly StoredOperation[]): void {
  for (const one of operations) store.edits.edit(id, store.edits.open(id)?.revision ?? 0, one);
}

/** Undoes all edits of a transcript. Returns its state after each undo. */
function history(store: Store, id: number): readonly Omit<TranscriptDocument, 'id'>[] {
  const states: Omit<TranscriptDocument, 'id'>[] = [];
  for (;;) {
    const now = store.edits.open(id);
    if (now === null) throw new Error(`transcript ${id} is gone`);
    const { id: _id, ...state } = now;
    states.push(state);
    if (!now.canUndo) return states;
    store.edits.undo(id, now.revision);
  }
}

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'nothing',
    (error: unknown) => (error instanceof ProblemError ? error.problem.code : error),
  );

const text = (id: number): StoredOperation => ({ kind: 'set-text', segment: 0, text: `Corrected ${id}` });

it('restores transcripts, edits, notes, tags, trash, names and search results', async () => {
  const edits = fc.array(operation, { maxLength: 6 });
  const transcripts = fc.array(
    fc.record({
      texts: fc.array(fc.string({ unit: 'grapheme', maxLength: 20 }), { maxLength: 4 }),
      edits,
      tags: fc.subarray(['Harbour', 'Été', '会議']),
      trashed: fc.boolean(),
      takenBack: fc.nat({ max: 2 }),
      // Much longer than what was read: the transcript says that its recording is incomplete.
      statedSeconds: fc.constantFrom(null, 3600),
    }),
    { minLength: 3, maxLength: 12 },
  );
  let run = 0;
  await fc.assert(
    fc.asyncProperty(transcripts, async (all) => {
      run += 1;
      const before = openIn(`before-${run}`);
      const after = openIn(`after-${run}`);
      const path = `${file}-${run}`;
      for (const [index, one] of all.entries()) {
        const id = saveTranscript(
          before.store,
          `Talk ${index}`,
          ['harbour', ...one.texts],
          index,
          one.statedSeconds,
        );
        const shortfall = before.store.edits.open(id)?.shortfall;
        expect(shortfall?.statedSeconds ?? null).toBe(one.statedSeconds);
        edit(before.store, id, one.edits);
        for (let back = 0; back < one.takenBack; back += 1) {
          before.store.edits.undo(id, before.store.edits.open(id)?.revision ?? 0);
        }
        before.library.tag([id], one.tags, []);
        if (one.trashed) await before.library.trash([id]);
      }
      await before.library.backups.write(path, writeOptions, defaultTaskOptions);
      const [contents, report] = await restore(after, path);
      expect(contents).toMatchObject({ total: all.length, missing: all.length, known: 0, differing: 0 });
      expect(report).toEqual({ added: all.length, addedAsCopies: 0, outcome: 'finished' });
      await expect.poll(() => after.store.searchIndex.isBehind).toBe(false);
      for (const trash of [false, true]) {
        for (const query of ['', 'harbour', 'Corrected', '会議']) {
          const question = queryFor(query, { sort: 'oldest', trash });
          const [here, there] = [before, after].map(({ library }) => library.list(question, firstPage()));
          const [ours, theirs] = [(await here)?.rows, (await there)?.rows];
          const withoutIds = (rows = ours) =>
            rows?.map(({ id: _id, trashedAt, ...row }) => ({ ...row, trashedAt }));
          expect(withoutIds(theirs)).toEqual(withoutIds(ours));
          ours?.forEach(({ id }, index) => {
            expect(history(after.store, theirs?.[index]?.id ?? 0)).toEqual(history(before.store, id));
          });
        }
      }
      await close(before);
      await close(after);
    }),
    { numRuns: 4 },
  );
}, 120_000);

describe('a backup', () => {
  it('contains only the library: no queue, and nothing of the accounts', async () => {
    const { store, library } = openIn('data');
    store.items.add([newLink('https://secret.example/queue-row')]);
    saveTranscript(store, 'Talk', ['harbour'], 1);
    const told = await library.backups.write(file, writeOptions, defaultTaskOptions);
    expect(told).toMatchObject({ name: 'library.longhand', path: file, count: 1 });
    expect(told.sizeBytes).toBe((await stat(file)).size);
    expect((await readFile(file)).includes('secret.example')).toBe(false);
    expect((await readdir(folder.path)).toSorted()).toEqual(['data', 'library.longhand']);
  });

  it('never overwrites a file unless asked to', async () => {
    const { library } = openIn('data');
    await writeFile(file, 'mine');
    expect(await codeOf(library.backups.write(file, writeOptions, defaultTaskOptions))).toBe('file_exists');
    expect(await readFile(file, 'utf8')).toBe('mine');
    await library.backups.write(file, { ...writeOptions, replace: true }, defaultTaskOptions);
    expect((await restore({ library, store: open[0]!.store }))[0].total).toBe(0);
  });

  it.skipIf(process.platform === 'win32')('can only be read by the user', async () => {
    const { library } = openIn('data');
    await library.backups.write(file, writeOptions, defaultTaskOptions);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('never overwrites the library itself', async () => {
    const { store, library } = openIn('data');
    saveTranscript(store, 'Talk', ['harbour'], 1);
    const replacing = { ...writeOptions, replace: true };
    expect(await codeOf(library.backups.write(store.path, replacing, defaultTaskOptions))).toBe(
      'file_exists',
    );
    expect(library.counts().total).toBe(1);
  });

  it('leaves nothing behind when cancelled or when it cannot be written', async () => {
    const { store, library } = openIn('data');
    for (let index = 0; index < 60; index += 1) saveTranscript(store, `Talk ${index}`, ['harbour'], index);
    await writeFile(file, 'mine');
    const replacing = { ...writeOptions, replace: true };
    const calledOff = library.backups.write(file, replacing, {
      ...defaultTaskOptions,
      signal: AbortSignal.abort(),
    });
    await expect(calledOff).rejects.toThrow(CancelledError);
    const nowhere = join(folder.path, 'nowhere', 'library.longhand');
    expect(await codeOf(library.backups.write(nowhere, writeOptions, defaultTaskOptions))).toBe(
      'backup_failed',
    );
    expect((await readdir(folder.path)).toSorted()).toEqual(['data', 'library.longhand']);
    expect(await readFile(file, 'utf8')).toBe('mine');
  });
});

describe('restoring', () => {
  it('adds missing transcripts, skips those edited further, and adds differing versions', async () => {
    const here = openIn('here');
    const there = openIn('there');
    const [first, second, third] = ['First', 'Second', 'Third'].map((name, index) =>
      saveTranscript(here.store, name, [`words of ${name}`], index),
    ) as [number, number, number];
    edit(here.store, second, [text(1)]);
    await here.library.backups.write(file, writeOptions, defaultTaskOptions);
    await restore(there);

    // Here the first is edited further, the second starts another branch, and the third is permanently deleted.
    edit(here.store, first, [text(2)]);
    here.store.edits.undo(second, here.store.edits.open(second)?.revision ?? 0);
    await here.library.trash([third]);
    await here.library.purge([third], defaultTaskOptions);
    await here.library.trash([first]);
    const [again, twice] = await restore(here);
    expect(again).toMatchObject({ total: 3, missing: 1, known: 2, trashed: 1, differing: 0 });
    await here.library.restore([first]);
    expect(twice).toMatchObject({ added: 1, addedAsCopies: 0 });
    expect(here.store.edits.open(first)?.segments[0]?.text).toBe('Corrected 2');

    // There the second is corrected differently, and a backup of it is restored here.
    const [other] = await there.library.ids(queryFor('Second'));
    edit(there.store, other ?? 0, [text(3)]);
    const theirs = join(folder.path, 'theirs.longhand');
    await there.library.backups.write(theirs, writeOptions, defaultTaskOptions);
    const [contents, report] = await restore(here, theirs);
    expect(contents).toMatchObject({ total: 3, missing: 0, known: 2, differing: 1 });
    expect(report).toMatchObject({ added: 0, addedAsCopies: 1 });
    expect(here.library.counts().total).toBe(4);
    expect(here.store.edits.open(second)?.segments[0]?.text).toBe('words of Second');

    // Restoring twice adds nothing twice, whatever happens to the copy.
    const copy = (await here.library.ids(queryFor('', { sort: 'newest' }))).find((id) => id > second + 1);
    edit(here.store, copy ?? 0, [text(4)]);
    expect((await restore(here, theirs))[1]).toMatchObject({ added: 0, addedAsCopies: 0 });
  });

  it('resumes where it was interrupted, and does not block other work', async () => {
    const here = openIn('here');
    const there = openIn('there');
    for (let index = 0; index < 30; index += 1)
      saveTranscript(here.store, `Talk ${index}`, ['a', 'b'], index);
    await here.library.backups.write(file, writeOptions, defaultTaskOptions);
    await there.library.backups.open(file, defaultTaskOptions);
    const abort = new AbortController();
    const report = await there.library.backups.restore({
      signal: abort.signal,
      onProgress: ({ done }) => {
        if (done === 10) abort.abort();
        saveTranscript(there.store, `Saved meanwhile ${done}`, ['c'], 100 + done);
      },
    });
    expect(report).toEqual({ added: 11, addedAsCopies: 0, outcome: 'cancelled' });
    expect((await restore(there))[1]).toEqual({ added: 19, addedAsCopies: 0, outcome: 'finished' });
    expect(there.library.counts().total).toBe(30 + 11);
    expect((await readdir(join(folder.path, 'there'))).some((name) => name.startsWith('backup-'))).toBe(
      false,
    );
  });

  it('opens backups one at a time, and restores once if requested twice', async () => {
    const here = openIn('here');
    for (let index = 0; index < 3; index += 1)
      saveTranscript(here.store, `Talk ${index}`, ['harbour'], index);
    await here.library.backups.write(file, writeOptions, defaultTaskOptions);
    const { library } = openIn('there');
    const opened = await Promise.all(
      [file, file].map((path) => library.backups.open(path, defaultTaskOptions)),
    );
    expect(opened.map(({ missing }) => missing)).toEqual([3, 3]);
    const reports = await Promise.all([1, 2].map(() => library.backups.restore(defaultTaskOptions)));
    expect(reports.map(({ added }) => added)).toEqual([3, 0]);
    expect(library.counts().total).toBe(3);
  });

  it.skipIf(process.platform === 'win32')('opens no pipe', async () => {
    const pipe = join(folder.path, 'pipe.longhand');
    execFileSync('mkfifo', [pipe]);
    const { library } = openIn('here');
    expect(await codeOf(library.backups.open(pipe, defaultTaskOptions))).toBe('backup_foreign');
  });

  it('restores a read-only backup', async () => {
    const here = openIn('here');
    saveTranscript(here.store, 'Talk', ['harbour']);
    await here.library.backups.write(file, writeOptions, defaultTaskOptions);
    await chmod(file, 0o444);
    const [, report] = await restore(openIn('there'));
    expect(report).toEqual({ added: 1, addedAsCopies: 0, outcome: 'finished' });
  });

  it('can be repeated after one that failed at once', async () => {
    const { store, library } = openIn('data');
    saveTranscript(store, 'Talk', ['harbour'], 1);
    await library.backups.write(file, writeOptions, defaultTaskOptions);
    const there = openIn('there');
    const copy = join(folder.path, 'there', 'backup-to-restore.db');
    await there.library.backups.open(file, defaultTaskOptions);
    await rm(copy);
    await expect(there.library.backups.restore(defaultTaskOptions)).rejects.toThrow('no such table');
    expect(existsSync(copy)).toBe(false);
    expect((await restore(there))[1]).toMatchObject({ added: 1, outcome: 'finished' });
  });

  it('leaves no copy of a backup that is closed while another one is written', async () => {
    const { store, library } = openIn('data');
    for (let index = 0; index < 60; index += 1) saveTranscript(store, `Talk ${index}`, ['harbour'], index);
    await library.backups.write(file, writeOptions, defaultTaskOptions);
    await library.backups.open(file, defaultTaskOptions);
    const writing = library.backups.write(`${file}.2`, writeOptions, defaultTaskOptions);
    await library.backups.closeOpened();
    expect(existsSync(join(folder.path, 'data', 'backup-to-restore.db'))).toBe(false);
    await writing;
  });

  it('reports what is wrong with a file, and changes nothing', async () => {
    const here = openIn('here');
    for (let index = 0; index < 200; index += 1) {
      saveTranscript(here.store, `Talk ${index}`, ['some words', 'others'], index);
    }
    await here.library.backups.write(file, writeOptions, defaultTaskOptions);
    const bytes = await readFile(file);
    const opening = (path: string): Promise<unknown> =>
      codeOf(here.library.backups.open(path, defaultTaskOptions));
    const variant = async (name: string, change: (copy: Buffer) => Buffer): Promise<unknown> => {
      const path = join(folder.path, name);
      await writeFile(path, change(Buffer.from(bytes)));
      return opening(path);
    };
    expect(await opening(join(folder.path, 'gone.longhand'))).toBe('backup_missing');
    expect(await opening(folder.path)).toBe('backup_foreign');
    expect(await variant('empty.longhand', () => Buffer.alloc(0))).toBe('backup_foreign');
    expect(await variant('words.longhand', () => Buffer.from('Dear diary'))).toBe('backup_foreign');
    expect(await opening(here.store.path)).toBe('backup_foreign');
    const newer = await variant(
      'newer.longhand',
      (copy) => (copy.writeUInt32BE(backupVersion + 1, 60), copy),
    );
    expect(newer).toBe('backup_newer');
    for (const share of [0.1, 0.5, 0.95]) {
      const cut = join(folder.path, `cut-${share}.longhand`);
      await copyFile(file, cut);
      await truncate(cut, Math.floor(bytes.length * share));
      expect(await opening(cut)).toBe('backup_damaged');
    }
    const noise = await variant('noise.longhand', (copy) => copy.fill(0x5a, 8192, 60_000));
    expect(noise).toBe('backup_damaged');
    expect((await readdir(join(folder.path, 'here'))).some((name) => name.startsWith('backup-'))).toBe(false);
    expect(here.library.counts().total).toBe(200);
  });

  it('is not spending of an account, other than what this library transcribed, whatever its length', async () => {
    const there = openIn('there');
    const here = openIn('here');
    const service = 'https://cloud.example';
    const items = addNamed(there.store, ['short', 'long']);
    for (const [index, itemId] of items.entries()) {
      const segments = Array.from({ length: index === 0 ? 1 : 1200 }, (_, start) => ({
        start,
        end: start + 1,
        text: 'word',
      }));
      const transcript = { language: 'en', text: 'word', segments };
      const job = { service, jobId: `job-${index}`, itemId, name: 'talk' };
      Array.from(
        there.store.transcripts.saveStaged({
          ...job,
          durationSeconds: 60,
          recording: null,
          createdAt: 1000,
          transcript,
        }),
      );
    }
    // Rows that were cleared from the queue are still spending.
    there.store.items.remove(items);
    expect(there.store.transcripts.durationsSince(service, 0)).toEqual([60, 60]);
    await there.library.backups.write(file, writeOptions, defaultTaskOptions);
    expect((await restore(here))[1]).toMatchObject({ added: 2 });
    expect(here.store.transcripts.ofJob(service, 'job-1')).not.toBeNull();
    expect(here.store.transcripts.durationsSince(service, 0)).toEqual([]);
  });

  it('finds recordings again only where their content is', async () => {
    const here = openIn('here');
    const there = openIn('there');
    const kept = join(folder.path, 'kept.wav');
    const other = join(folder.path, 'other.wav');
    await writeFile(kept, 'a recording');
    await writeFile(other, 'not this one');
    const recording = await fingerprintFile(kept, new Set(['a recording'.length]));
    if (recording === null) throw new Error('the file cannot be read');
    const paths = [
      kept,
      other,
      join(folder.path, 'gone.wav'),
      '\\\\evil\\share\\gone.wav',
      '//evil/share/gone.wav',
    ];
    const ids = paths.map((path, index) => {
      const id = saveTranscript(here.store, `Talk ${index}`, ['Words']);
      here.store.transcripts.setRecording(id as TranscriptId, { ...recording, path });
      return id as TranscriptId;
    });
    await here.library.backups.write(file, writeOptions, defaultTaskOptions);
    await restore(there);
    const restored = ids.map((id) => there.store.transcripts.recordingOf(id)?.path);
    expect(restored).toEqual([kept, 'other.wav', 'gone.wav', 'gone.wav', 'gone.wav']);
    expect(there.store.exportSources.metadata(ids[1] ?? (0 as TranscriptId))?.recordingPath).toBeNull();
    // The search for missing recordings finds them.
    const missing = await findMissingRecordings(there.store.transcripts);
    const report = await findRecordings(there.store.transcripts, missing, folder.path, defaultTaskOptions);
    expect(report).toEqual({ missing: 4, found: 4, cancelled: false });
  });
});
