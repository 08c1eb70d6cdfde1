import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { SpeakersReport } from '../../../../electron/contract/speakers.ts';
import { computerFault, ProblemError } from '../../../../electron/contract/problem.ts';
import type { Library } from '../../../../electron/core/library/library.ts';
import type { Diarize } from '../../../../electron/core/library/speaker-identification.ts';
import { SpeakerQueue, type SpeakersOutcome } from '../../../../electron/core/library/speaker-queue.ts';
import type { Store } from '../../../../electron/core/store/store.ts';
import { SpeakerEngine } from '../../../../electron/on-device/speakers/thread/speaker-engine.ts';
import { CancelledError } from '../../../../electron/workers/protocol.ts';
import { workerUrl } from '../../../../electron/workers/registry.ts';
import { eagerClock } from '../../../support/clocks/eager-clock.ts';
import { quietLogger } from '../../../support/core.ts';
import { inChunks, readWav, wavFile } from '../../../support/speech/speech-audio.ts';
import { writeStandInModels } from '../../../support/speech/stand-in-speaker-models.ts';
import { audioOf, inTurn } from '../../../support/speech/tone-voices.ts';
import { testFolder } from '../../../support/test-folder.ts';
import { openStore, purge } from '../store/store-kit.ts';
import { openLibrary } from './library-kit.ts';

const conversation = inTurn([0, 1, 0, 1]);
const seconds = 18;
const segments = conversation.map(({ start, end }, i) => ({ start, end, text: `This is turn ${i}.` }));

// The real thread, with stand-in models. One for all tests: once it has ended, no
// other thread can load ONNX Runtime.
const engine = new SpeakerEngine(workerUrl('speaker'), undefined, 1);
afterAll(() => engine.close());

const failToFind: Diarize = () => Promise.reject(new Error('Broken.'));

let folder: string;
let store: Store;
let library: Library;
let queue: SpeakerQueue;
let notified: number[];
let outcomes: SpeakersOutcome[];
let diarize: Diarize;
let realTurns: Diarize;

beforeEach(async () => {
  folder = await testFolder();
  const models = { folder: await writeStandInModels(join(folder, 'models')), isOwn: true };
  realTurns = diarize = async ({ recording, ...request }) =>
    (await engine.identify({ models, samples: inChunks(readWav(recording)), ...request })).turns;
  store = openStore(join(folder, 'data'));
  notified = [];
  outcomes = [];
  library = openLibrary(store);
  queue = openQueue();
  onTestFinished(async () => {
    await queue.close();
    await library.close();
    await store.close();
  });
});

/** Opens a queue on the store, as a restarted program does. */
const openQueue = (turns: () => Diarize = () => diarize): SpeakerQueue => {
  const opened = new SpeakerQueue({
    store,
    clock: eagerClock,
    logger: quietLogger,
    createDiarizer: turns,
    onChanged: (id) => notified.push(id),
    onView: () => undefined,
    onReleased: () => undefined,
    onEnd: (outcome) => outcomes.push(outcome),
  });
  onTestFinished(() => opened.close());
  return opened;
};

async function save(fingerprint: string | null = null, isUntimed = false, jobId = 'job'): Promise<number> {
  const file = wavFile(audioOf(conversation, seconds));
  const path = join(folder, 'talk.wav');
  await writeFile(path, file);
  return store.transcripts.save({
    itemId: null,
    service: 'on-device',
    jobId,
    name: 'talk.wav',
    durationSeconds: seconds,
    transcript: { text: 'All of it.', segments: isUntimed ? [] : segments, language: 'en' },
    recording: { path, sizeBytes: file.length, fingerprint },
    createdAt: 1,
  }).id;
}

/** @param during called with the first progress */
function identify(
  id: number,
  {
    find = diarize,
    during = () => undefined,
    signal = new AbortController().signal,
  }: {
    readonly find?: Diarize;
    readonly during?: () => void;
    readonly signal?: AbortSignal;
  } = {},
): Promise<SpeakersReport> {
  let isFirst = true;
  const onProgress = (): void => {
    if (isFirst) during();
    isFirst = false;
  };
  return queue.identify(id, null, { signal, onProgress }, find);
}

const speakers = (id: number) => store.edits.open(id)?.segments.map(({ speaker }) => speaker);
const revision = (id: number): number => store.edits.open(id)?.revision ?? -1;

describe('identifying speakers', () => {
  it('assigns the segments as one edit, which undo reverts, and notifies the window', async () => {
    const id = await save();
    const before = store.edits.open(id)?.segments;
    expect(await identify(id)).toEqual({ speakers: 2, changed: true });
    expect(speakers(id)).toEqual([0, 1, 0, 1]);
    expect(notified).toEqual([id]);
    store.edits.undo(id, 1);
    expect(store.edits.open(id)?.segments).toEqual(before);
  });

  it('keeps edits that are made meanwhile', async () => {
    const id = await save();
    await identify(id, {
      during: () => {
        store.edits.edit(id, 0, { kind: 'set-text', segment: 0, text: 'Somebody has typed this.' });
        store.edits.edit(id, 1, { kind: 'set-speaker', segments: [3], speaker: 4 });
        store.edits.edit(id, 2, { kind: 'delete', segments: [1] });
      },
    });
    const document = store.edits.open(id);
    expect(document?.segments.map(({ text, speaker }) => [speaker, text])).toEqual([
      [0, 'Somebody has typed this.'],
      [0, 'This is turn 2.'],
      [4, 'This is turn 3.'],
    ]);
    expect(document?.revision).toBe(4);
  });

  it('twice at once changes the transcript once, since the one that ends last finds the same', async () => {
    const id = await save();
    const reports = await Promise.all([identify(id), identify(id)]);
    // Both compute in threads of their own: either may end first.
    expect(reports.map(({ changed }) => changed).sort()).toEqual([false, true]);
    expect(reports.map(({ speakers }) => speakers)).toEqual([2, 2]);
    expect(revision(id)).toBe(1);
  });

  it('changes nothing after it was cancelled', async () => {
    const id = await save();
    const abort = new AbortController();
    const run = identify(id, { during: () => abort.abort(), signal: abort.signal });
    await expect(run).rejects.toThrow('aborted');
    expect(revision(id)).toBe(0);
    expect(notified).toEqual([]);
  });

  it('changes nothing when the models fail', async () => {
    const id = await save();
    await expect(identify(id, { find: failToFind })).rejects.toThrow('Broken.');
    expect(revision(id)).toBe(0);
  });

  it.each<[string, (id: number) => unknown, string]>([
    ['that is not there', () => undefined, 'transcript_gone'],
    ['without a recording', (id) => store.transcripts.setRecording(id, null), 'recording_missing'],
    [
      'whose recording has disappeared',
      (id) =>
        store.transcripts.setRecording(id, { path: join(folder, 'gone'), sizeBytes: 1, fingerprint: null }),
      'file_missing',
    ],
    [
      'of whose recording only the name is known, even if a file in the working folder has it',
      (id) => store.transcripts.setRecording(id, { path: 'package.json', sizeBytes: 1, fingerprint: null }),
      'file_missing',
    ],
    [
      'whose recording is another one now',
      (id) =>
        store.transcripts.setRecording(id, {
          path: join(folder, 'talk.wav'),
          sizeBytes: 1,
          fingerprint: 'of another file',
        }),
      'recording_changed',
    ],
  ])('refuses a transcript %s', async (_, change, code) => {
    const id = await save();
    change(id);
    await expect(identify(code === 'transcript_gone' ? id + 1 : id)).rejects.toMatchObject({
      problem: { code },
    });
    expect(revision(id)).toBe(0);
  });

  it('refuses a transcript without times', async () => {
    await expect(identify(await save(null, true))).rejects.toMatchObject({
      problem: { code: 'transcript_untimed' },
    });
  });

  it('refuses a transcript that is moved to the trash meanwhile', async () => {
    const id = await save();
    await expect(identify(id, { during: () => library.trash([id]) })).rejects.toMatchObject({
      problem: { code: 'transcript_gone' },
    });
  });
});

/** The transcripts that are left. */
const waiting = (): readonly number[] =>
  store.speakerRequests.pending().map(({ transcriptId }) => transcriptId);

describe('the queue of transcripts', () => {
  it('goes through them in order and forgets each when it is done', async () => {
    const ids = [await save(), await save(null, false, 'second')];
    queue.add(ids, 2);
    expect(queue.view()).toMatchObject({ waiting: 2, failed: null });
    await queue.settled();
    expect(outcomes.map(({ transcriptId, result }) => [transcriptId, result])).toEqual(
      ids.map((id) => [id, { speakers: 2, changed: true }]),
    );
    expect(ids.map(speakers)).toEqual(ids.map(() => [0, 1, 0, 1]));
    expect(waiting()).toEqual([]);
    expect(queue.view()).toEqual({ current: null, waiting: 0, postponedBy: null, failed: null });
  });

  it('leaves what it has not finished to the next start', async () => {
    const ids = [await save(), await save(null, false, 'second')];
    const running = Promise.withResolvers<void>();
    diarize = ({ signal }) =>
      new Promise((_, reject) => {
        running.resolve();
        signal.addEventListener('abort', () => reject(new CancelledError()), { once: true });
      });
    queue.add(ids, null);
    await running.promise;
    await queue.close();
    expect(waiting()).toEqual(ids);
    expect(outcomes).toEqual([]);
    diarize = realTurns;
    const next = openQueue();
    next.start();
    await next.settled();
    expect(ids.map(speakers)).toEqual(ids.map(() => [0, 1, 0, 1]));
    expect(waiting()).toEqual([]);
  });

  it('keeps what a full disk has stopped, says so, and starts again on its own', async () => {
    const id = await save();
    diarize = () => Promise.reject(Object.assign(new Error('disk is full'), { code: 'SQLITE_FULL' }));
    queue.add([id], null);
    await queue.settled();
    expect(queue.postponedBy).toMatchObject({ code: 'disk_full' });
    expect(waiting()).toEqual([id]);
    expect(outcomes).toEqual([]);
    diarize = realTurns;
    await expect.poll(() => speakers(id)).toEqual([0, 1, 0, 1]);
    await queue.settled();
    expect(queue.postponedBy).toBeNull();
  });

  it('keeps what a fault of the computer has interrupted, and starts again on its own', async () => {
    const id = await save();
    const fault = new ProblemError(computerFault(new Error('EMFILE: too many open files')));
    diarize = () => Promise.reject(fault);
    queue.add([id], null);
    await queue.settled();
    expect(queue.postponedBy).toMatchObject({ code: 'computer_fault' });
    expect(waiting()).toEqual([id]);
    expect(outcomes).toEqual([]);
    diarize = realTurns;
    await expect.poll(() => speakers(id)).toEqual([0, 1, 0, 1]);
  });

  it('gives up a transcript with which the computer fails again and again, and goes on', async () => {
    const [id, other] = [await save(), await save(null, false, 'second')];
    let attempts = 0;
    diarize = (request) => {
      attempts += 1;
      const fault = computerFault(new Error('EIO: i/o error, read'));
      return attempts <= 20 ? Promise.reject(new ProblemError(fault)) : realTurns(request);
    };
    queue.add([id, other], null);
    await expect.poll(() => speakers(other), { timeout: 10_000 }).toEqual([0, 1, 0, 1]);
    await queue.settled();
    expect(attempts).toBe(21);
    expect(outcomes).toMatchObject([
      { transcriptId: id, result: { code: 'computer_fault' } },
      { transcriptId: other, result: { speakers: 2 } },
    ]);
  });

  it('shows why nothing can be stored, and only stores what it found once there is space', async () => {
    const id = await save();
    const database = new Database(store.path);
    onTestFinished(() => void database.close());
    const full = "BEGIN SELECT RAISE(ABORT, 'no space'); END";
    // The second one stands in for the table with which a store tests its space.
    database.exec(`
      CREATE TRIGGER full BEFORE INSERT ON edits ${full};
      CREATE TABLE room (filler BLOB) STRICT;
      CREATE TRIGGER still_full BEFORE INSERT ON room ${full}`);
    let identified = 0;
    diarize = (request) => {
      identified += 1;
      return realTurns(request);
    };
    queue.add([id], null);
    await queue.settled();
    expect(queue.view()).toMatchObject({
      current: null,
      waiting: 1,
      postponedBy: { detail: expect.stringContaining('no space') },
    });
    database.exec('DROP TRIGGER full');
    for (let check = 0; check < 3; check += 1) {
      queue.start();
      await queue.settled();
    }
    expect(queue.view().postponedBy).not.toBeNull();
    expect(speakers(id)).not.toEqual([0, 1, 0, 1]);
    database.exec('DROP TRIGGER still_full');
    await expect.poll(() => speakers(id)).toEqual([0, 1, 0, 1]);
    await queue.settled();
    expect(queue.view()).toMatchObject({ waiting: 0, postponedBy: null });
    expect(identified).toBe(1);
  });

  it('stores why it failed, continues with the others, and retries when asked to', async () => {
    const [gone, fine] = [await save(null, false, 'first'), await save()];
    const recording = store.transcripts.recordingOf(gone);
    store.transcripts.setRecording(gone, null);
    queue.add([gone, fine], null);
    await queue.settled();
    expect(queue.view().failed).toEqual({
      count: 1,
      name: 'talk.wav',
      problem: { code: 'recording_missing' },
    });
    expect(revision(gone)).toBe(0);
    expect(speakers(fine)).toEqual([0, 1, 0, 1]);
    store.transcripts.setRecording(gone, recording);
    queue.retryFailed();
    await queue.settled();
    expect(queue.view().failed).toBeNull();
    expect(speakers(gone)).toEqual([0, 1, 0, 1]);
  });

  it('reports missing models once, and forgets that when asked to', async () => {
    const id = await save();
    const missing = openQueue(() => {
      throw new ProblemError({ code: 'speaker_models_missing' });
    });
    missing.add([id], null);
    await missing.settled();
    expect(missing.view().failed?.problem.code).toBe('speaker_models_missing');
    missing.forgetFailed();
    expect(missing.view().failed).toBeNull();
    missing.start();
    await missing.settled();
    expect(outcomes.length).toBe(1);
  });

  it('cancels the current one and those that wait, but not one that somebody waits for', async () => {
    const ids = [await save(), await save(null, false, 'second'), await save(null, false, 'third')] as const;
    const first = Promise.withResolvers<void>();
    diarize = async (request) => {
      first.resolve();
      return realTurns(request);
    };
    const own = identify(ids[2]);
    queue.add([ids[0], ids[1]], null);
    await first.promise;
    queue.cancelAll();
    await queue.settled();
    expect(await own).toEqual({ speakers: 2, changed: true });
    expect(ids.map((id) => revision(id))).toEqual([0, 0, 1]);
    expect(waiting()).toEqual([]);
  });

  it('repeats what a killed process was doing for somebody, but not what was cancelled', async () => {
    const id = await save();
    const abort = new AbortController();
    const run = queue.identify(id, 2, {
      signal: abort.signal,
      onProgress: () => {
        expect(store.speakerRequests.pending()).toMatchObject([{ transcriptId: id, speakerCount: 2 }]);
        abort.abort();
      },
    });
    await expect(run).rejects.toThrow('aborted');
    expect(waiting()).toEqual([]);
  });

  it('keeps an earlier request for a transcript when a run with other models fails, until one succeeds', async () => {
    const id = await save();
    store.speakerRequests.add(id, 2);
    await expect(identify(id, { find: failToFind })).rejects.toThrow('Broken.');
    expect(waiting()).toEqual([id]);
    await identify(id);
    expect(waiting()).toEqual([]);
  });

  it('forgets transcripts that are deleted permanently', async () => {
    const id = await save();
    store.speakerRequests.add(id, null);
    library.trash([id]);
    purge(store, [id]);
    expect(waiting()).toEqual([]);
  });
});
