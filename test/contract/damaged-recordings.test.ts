import { writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { add, rowsOf, savedTranscripts } from '../support/core.ts';
import { defaultTaskOptions } from '../support/default-task-options.ts';
import {
  askForJobs,
  createJobOfOtherClient,
  jobsAt,
  openScripted,
} from '../support/scripted-service/open-scripted.ts';
import { silentWav } from '../support/speech/quick-speech.ts';

/** A recording of few bytes: 8 samples a second. */
function slowWav(seconds: number): Buffer {
  const wave = silentWav(0, 44 + seconds * 16);
  wave.writeUInt32LE(36 + seconds * 16, 4);
  wave.writeUInt32LE(8, 24);
  wave.writeUInt32LE(16, 28);
  wave.writeUInt32LE(seconds * 16, 40);
  return wave;
}

/**
 * The duration that each file states, which differs so that none is a duplicate, and what the service reports as unreadable
 * and as left out of the duration.
 */
const recordings: Readonly<
  Record<string, { readonly seconds: number; readonly unreadable?: unknown; readonly omitted?: unknown }>
> = {
  'cut.wav': { seconds: 137 },
  'padded.wav': { seconds: 62 },
  'middle.wav': { seconds: 60, unreadable: 20.5 },
  'frames.wav': { seconds: 80, omitted: 20 },
  'untold.wav': { seconds: 55, omitted: 20 },
  'both.wav': { seconds: 54, unreadable: 5, omitted: 20 },
  'clicks.wav': { seconds: 59, unreadable: 4.9 },
  'short.wav': { seconds: 53, unreadable: 5 },
  'silent.wav': { seconds: 58, unreadable: 60 },
  'odd.wav': { seconds: 57, unreadable: 61 },
  'text.wav': { seconds: 56, unreadable: 'half of it' },
};

it('a recording that the service could read only in part says so, even after a restart', async () => {
  // Each recording is one minute long, according to the service.
  const core = await openScripted();
  core.service.account.secondsOf = () => 60;
  core.service.account.unreadableOf = (name) => recordings[name]?.unreadable;
  core.service.account.omittedOf = (name) => recordings[name]?.omitted;
  for (const [name, { seconds }] of Object.entries(recordings)) {
    const wave = slowWav(seconds);
    await writeFile(core.pathOf(name), wave);
    core.service.rules.expectFile(name, wave);
    await add(core.longhand, [core.pathOf(name)], core.service.baseUrl);
  }
  expect(
    await core.advanceUntil(() => rowsOf(core.longhand).every(({ state }) => state.kind === 'done')),
  ).toBe(true);
  const shortfalls = () =>
    rowsOf(core.longhand).map(({ state }) => {
      if (state.kind !== 'done' || state.transcript.kind !== 'library') throw new Error('no transcript');
      const document = core.longhand.edits.open(state.transcript.id);
      expect(document?.shortfall).toStrictEqual(state.shortfall);
      return state.shortfall === undefined
        ? 'all'
        : `${state.shortfall.readSeconds} of ${state.shortfall.statedSeconds}`;
    });
  const expected = [
    '60 of 137',
    'all',
    '39.5 of 60',
    '60 of 80',
    '60 of 80',
    '55 of 80',
    'all',
    '55 of 60',
    '0 of 60',
    'all',
    'all',
  ];
  expect(shortfalls()).toStrictEqual(expected);
  await core.reopen();
  expect(shortfalls()).toStrictEqual(expected);
});

it('what one service left out is not expected of the next one', async () => {
  const core = await openScripted();
  core.service.account.secondsOf = () => 60;
  core.service.account.omittedOf = () => 30;
  const wave = slowWav(62);
  await writeFile(core.pathOf('talk.wav'), wave);
  core.service.rules.expectFile('talk.wav', wave);
  const { ids } = await add(core.longhand, [core.pathOf('talk.wav')], core.service.baseUrl);
  const shortfall = async () => {
    const isDone = () => rowsOf(core.longhand).every(({ state }) => state.kind === 'done');
    expect(await core.advanceUntil(isDone)).toBe(true);
    const [state] = rowsOf(core.longhand).map((row) => row.state);
    return state?.kind === 'done' ? (state.shortfall ?? null) : undefined;
  };
  expect(await shortfall()).toStrictEqual({ readSeconds: 59.5, statedSeconds: 90 });

  const transcripts = (await savedTranscripts(core.longhand)).rows.map(({ id }) => id);
  await core.longhand.library.trash(transcripts);
  await core.longhand.library.purge(transcripts, defaultTaskOptions);
  const other = await core.addAccount();
  other.account.secondsOf = () => 60;
  other.rules.expectFile('talk.wav', wave);
  core.longhand.queue.transcribeAgain(ids, other.baseUrl);
  expect(await shortfall()).toBeNull();
});

it('a transcript that is imported from a service says what the service could not read', async () => {
  const core = await openScripted();
  core.service.account.omittedOf = () => 30;
  const { id: jobId } = createJobOfOtherClient(core, 'interview.mp3');
  await askForJobs(core);
  await jobsAt(core).import([jobId], defaultTaskOptions);
  const [saved] = (await savedTranscripts(core.longhand)).rows;
  expect(core.longhand.edits.open(saved?.id ?? 0)?.shortfall).toStrictEqual({
    readSeconds: 89.5,
    statedSeconds: 120,
  });
});
