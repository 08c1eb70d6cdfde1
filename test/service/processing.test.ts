import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import {
  DecodeError,
  type DecodedRecording,
  type Decoder,
  DecoderCrashedError,
  DecoderUnavailableError,
} from '../../electron/on-device/decode/decoder.ts';
import { ManualClock } from '../support/clocks/manual-clock.ts';
import { startOnDevice, type TestService, type TestServiceOptions } from '../support/servers/on-device.ts';
import { quickDecoder, quickEngine, silentWav, SteppedEngine } from '../support/speech/quick-speech.ts';
import { Api } from './support/api.ts';

let service: TestService;
let api: Api;

async function start(options: TestServiceOptions = {}): Promise<void> {
  service = await startOnDevice(options);
  api = new Api(service);
}

const mediaFiles = (): Promise<string[]> => readdir(join(service.dataFolder, 'media'));

/** The decoder double with different properties of the recordings. */
const decoderWith = (
  more: Partial<Pick<DecodedRecording, 'durationSeconds' | 'hasVideo' | 'damage'>>,
): Decoder => ({
  open: async (path, signal) => ({ ...(await quickDecoder.open(path, signal)), ...more }),
});

afterEach(async () => service.stop());

test('a job goes through its states in order, with progress by seconds of audio', async () => {
  const engine = new SteppedEngine();
  await start({ engine });
  const { id, upload } = await api.session('talk.wav', silentWav(4).length);
  expect((await api.job(id)).status).toBe('accepted');
  await api.putAll(upload, silentWav(4));
  expect((await api.job(id)).status).toBe('uploading');
  await api.complete(id);
  expect(await api.until(id, 'processing')).toMatchObject({ progress: 0, duration_seconds: 4 });
  for (const progress of [25, 50, 75]) {
    engine.allow(1);
    await expect.poll(async () => (await api.job(id)).progress).toBe(progress);
  }
  engine.allow(1);
  const done = await api.until(id, 'completed');
  expect(done.progress).toBe(100);
  expect(done.transcript).toEqual({
    language: 'en',
    text: 'The quick brown fox jumps over the lazy dog.',
    segments: [
      { start: 0, end: 0.5, text: 'The quick brown fox' },
      { start: 0.5, end: 1, text: 'jumps over the lazy dog.' },
    ],
  });
});

test('jobs are transcribed one at a time in order, while later ones are already inspected', async () => {
  const engine = new SteppedEngine();
  await start({ engine });
  const first = await api.submit('a.wav', silentWav(1));
  await api.until(first, 'processing');
  const second = await api.submit('b.wav', silentWav(1));
  const third = await api.submit('c.wav', silentWav(1));
  expect(await api.until(third, 'queued')).toMatchObject({ duration_seconds: 1, credits_charged: 1 });
  expect((await api.job(second)).status).toBe('queued');
  engine.allow(1);
  await api.until(second, 'processing');
  expect((await api.job(third)).status).toBe('queued');
  engine.allow(2);
  await api.until(third, 'completed');
  expect(engine.calls).toBe(3);
});

test('cancelling stops the work, removes the media and starts the next job', async () => {
  const engine = new SteppedEngine();
  await start({ engine });
  const first = await api.submit('a.wav', silentWav(5));
  const second = await api.submit('b.wav', silentWav(1));
  await api.until(first, 'processing');
  await api.delete(first);
  await api.until(second, 'processing');
  expect(engine.cancelled).toBe(1);
  await expect.poll(mediaFiles).toEqual([second]);
  engine.allow(1);
  await api.until(second, 'completed');
});

test('silence has an empty transcript', async () => {
  await start({ engine: quickEngine({ segments: [] }) });
  const id = await api.submit('a.wav', silentWav(1));
  const { transcript } = await api.until(id, 'completed');
  expect(transcript).toEqual({ language: null, text: '', segments: [] });
});

test('text ends with the recording, although the engine works in whole frames', async () => {
  await start({ engine: quickEngine({ segments: [{ start: 0.1, end: 1.02, text: 'Yes.' }] }) });
  const id = await api.submit('a.wav', silentWav(1));
  const { transcript } = await api.until(id, 'completed');
  expect(transcript?.segments).toEqual([{ start: 0.1, end: 1, text: 'Yes.' }]);
});

test('audio is kept after the job ends, video is not', async () => {
  await start();
  const audio = await api.submit('a.wav', silentWav(1));
  await api.until(audio, 'completed');
  await expect.poll(mediaFiles).toEqual([audio]);
  await api.delete(audio);
  await expect.poll(mediaFiles).toEqual([]);
  await service.stop();

  await start({ decoder: decoderWith({ hasVideo: true }) });
  const video = await api.submit('a.wav', silentWav(1));
  expect(await api.until(video, 'completed')).toMatchObject({ source_kind: 'video' });
  await expect.poll(mediaFiles).toEqual([]);
});

test('a service that keeps no audio removes it when the job ends', async () => {
  await start({ limits: { audioRetentionMs: 0 } });
  await api.until(await api.submit('a.wav', silentWav(1)), 'completed');
  await expect.poll(mediaFiles).toEqual([]);
});

test.each([null, Number.NaN, Infinity, 0])(
  'a claimed duration of %s is replaced by that of the audio',
  async (durationSeconds) => {
    await start({ decoder: decoderWith({ durationSeconds }) });
    const id = await api.submit('a.wav', silentWav(62.5));
    expect(await api.until(id, 'completed')).toMatchObject({ duration_seconds: 62.5, billed_minutes: 2 });
  },
);

test.each([
  [12.34567, 12.346],
  [62.5, 62.5],
  [0, undefined],
  [0.0004, undefined],
  [null, undefined],
  // Corrupt timestamps claim more than there is.
  [3600, undefined],
])('%s unreadable seconds of 62.5 are reported as %s', async (seconds, reported) => {
  const damage = seconds === null ? null : { unreadableSeconds: seconds, omittedSeconds: 0.5 };
  await start({ decoder: decoderWith({ damage: () => damage }) });
  const id = await api.submit('a.wav', silentWav(62.5));
  const job = await api.until(id, 'completed');
  expect(job['unreadable_seconds']).toBe(reported);
  expect(job['omitted_seconds']).toBe(damage?.omittedSeconds);
});

test('a recording without audio fails with the reason', async () => {
  const decoder: Decoder = {
    open: async () => {
      throw new DecodeError('no-audio', 'The video has no sound.');
    },
  };
  await start({ decoder });
  const id = await api.submit('a.wav', silentWav(1));
  expect(await api.until(id, 'failed')).toMatchObject({
    error: { code: 'unsupported_file', message: 'The video has no sound.' },
    credits_charged: 0,
  });
  await expect.poll(mediaFiles).toEqual([]);
});

test('one bad recording does not stop the others', async () => {
  await start();
  const bad = silentWav(1);
  bad.write('WAVE', 0);
  bad.write('OggS', 0);
  const ids = await Promise.all([
    api.submit('a.wav', silentWav(1)),
    api.submit('b.ogg', bad),
    api.submit('c.wav', silentWav(1)),
  ]);
  const ends = await Promise.all(ids.map((id) => api.until(id, 'completed', 'failed')));
  expect(ends.map(({ status }) => status)).toEqual(['completed', 'failed', 'completed']);
});

test('nothing else starts while a job during which the decoder crashed waits to run alone', async () => {
  const clock = new ManualClock();
  const engine = new SteppedEngine();
  const opened: (number | null)[] = [];
  let hasCrashed = false;
  const decoder: Decoder = {
    open: async (path, signal) => {
      const recording = await quickDecoder.open(path, signal);
      opened.push(recording.durationSeconds);
      if (recording.durationSeconds !== 2 || hasCrashed) return recording;
      hasCrashed = true;
      await recording.close();
      throw new DecoderCrashedError('The decoder stopped before it was done.');
    },
  };
  await start({ clock, engine, decoder });
  const first = await api.submit('a.wav', silentWav(1));
  await api.until(first, 'processing');
  const suspect = await api.submit('b.wav', silentWav(2));
  await expect.poll(() => service.complaints).toMatchObject([{ details: { jobId: suspect } }]);
  const later = await api.submit('c.wav', silentWav(3));
  clock.advance(30_000);
  engine.allow(10);
  for (const id of [first, suspect, later]) await api.until(id, 'completed');
  // The first job is inspected and transcribed.
  expect(opened.slice(0, 4)).toEqual([1, 1, 2, 2]);
  expect(service.complaints).toHaveLength(1);
});

test('work that does not fit on the disk waits until it does, and the full disk is reported', async () => {
  const clock = new ManualClock();
  const reports: boolean[] = [];
  let isFull = true;
  const noSpace = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  const full = quickEngine({ segments: [], error: noSpace });
  await start({
    clock,
    engine: {
      ...full,
      transcribe: (request) => (isFull ? full : quickEngine()).transcribe(request),
    },
    onDiskFull: (isFullNow) => reports.push(isFullNow),
  });
  const id = await api.submit('a.wav', silentWav(1));
  await expect.poll(() => reports).toEqual([true]);
  expect((await api.job(id)).status).toBe('processing');
  expect(service.isBusy()).toBe(false);
  isFull = false;
  clock.advance(30_000);
  await api.until(id, 'completed');
  await expect.poll(() => reports).toEqual([true, false]);
});

test('a fault for which all jobs wait is reported until one goes on', async () => {
  const clock = new ManualClock();
  const reports: (string | null)[] = [];
  const stepped = new SteppedEngine();
  const unreadable = Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' });
  let isBroken = true;
  await start({
    clock,
    engine: {
      transcribe: (request) => (isBroken ? Promise.reject(unreadable) : stepped.transcribe(request)),
      close: () => stepped.close(),
    },
    onFault: (problem) => reports.push(problem && `${problem.code}: ${problem.detail}`),
  });
  const id = await api.submit('a.wav', silentWav(2));
  for (const count of [1, 2, 3]) {
    await expect
      .poll(() => service.complaints.filter(({ details }) => details?.['lane'] === 'speech'))
      .toHaveLength(count);
    if (count < 3) clock.advance(30_000);
  }
  const report = 'computer_fault: EIO: i/o error, read';
  await expect.poll(() => reports).toEqual([report]);
  // It is tried again, and fails again.
  clock.advance(60_000);
  await expect.poll(() => reports).toEqual([report, report]);
  isBroken = false;
  clock.advance(60_000);
  stepped.allow(1);
  await expect.poll(() => reports).toEqual([report, report, null]);
  expect((await api.job(id)).status).toBe('processing');
  stepped.allow(1);
  await api.until(id, 'completed');
  expect(reports).toHaveLength(3);
});

test('a decoder that stays unavailable is reported until it works', async () => {
  const clock = new ManualClock();
  const reports: (string | null)[] = [];
  let isMissing = true;
  const missing = new DecoderUnavailableError('The decoder is not available.', {
    cause: new Error('no window'),
  });
  await start({
    clock,
    decoder: {
      open: (path, signal) => (isMissing ? Promise.reject(missing) : quickDecoder.open(path, signal)),
    },
    onFault: (problem) => reports.push(problem && `${problem.code}: ${problem.detail}`),
  });
  const id = await api.submit('a.wav', silentWav(1));
  for (const count of [1, 2, 3]) {
    await expect.poll(() => service.complaints).toHaveLength(count);
    if (count < 3) clock.advance(30_000);
  }
  await expect.poll(() => reports).toEqual(['computer_fault: no window']);
  isMissing = false;
  clock.advance(30_000);
  await api.until(id, 'completed');
  expect(reports).toEqual(['computer_fault: no window', null]);
});

test('a fault is not reported any more once its job is cancelled', async () => {
  const clock = new ManualClock();
  const reports: boolean[] = [];
  const error = Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
  await start({
    clock,
    decoder: { open: () => Promise.reject(error) },
    onFault: (problem) => reports.push(problem !== null),
  });
  const id = await api.submit('a.wav', silentWav(1));
  for (const count of [1, 2, 3]) {
    await expect.poll(() => service.complaints).toHaveLength(count);
    if (count < 3) clock.advance(30_000);
  }
  await expect.poll(() => reports).toEqual([true]);
  await api.delete(id);
  await expect.poll(() => reports).toEqual([true, false]);
});

test('no recording is worked on while a model is checked, so none is suspected when that crashes', async () => {
  const opening = Promise.withResolvers<void>();
  let openings = 0;
  const decoder: Decoder = {
    open: async (path, signal) => {
      openings += 1;
      await opening.promise;
      return quickDecoder.open(path, signal);
    },
  };
  await start({ decoder });
  const first = await api.submit('a.wav', silentWav(1));
  await expect.poll(() => service.isBusy()).toBe(true);
  const checked = Promise.withResolvers<void>();
  let isChecking = false;
  const check = service.runWithoutRecordings(() => {
    isChecking = true;
    return checked.promise;
  });
  await api.job(first);
  expect(isChecking).toBe(false);
  opening.resolve();
  await expect.poll(() => isChecking).toBe(true);
  const second = await api.submit('b.wav', silentWav(1));
  expect((await api.job(first)).status).toBe('queued');
  expect((await api.job(second)).status).toBe('inspecting');
  expect({ openings, isBusy: service.isBusy() }).toEqual({ openings: 1, isBusy: false });
  checked.resolve();
  await check;
  for (const id of [first, second]) await api.until(id, 'completed');
});
