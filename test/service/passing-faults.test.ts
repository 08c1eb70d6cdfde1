import { afterEach, expect, test } from 'vitest';
import type { Decoder } from '../../electron/on-device/decode/decoder.ts';
import { EngineStoppedError, type SpeechEngine } from '../../electron/on-device/engine/speech-engine.ts';
import { ModelError } from '../../electron/on-device/models/model-catalog.ts';
import { ManualClock } from '../support/clocks/manual-clock.ts';
import { startOnDevice, type TestService, type TestServiceOptions } from '../support/servers/on-device.ts';
import { quickDecoder, quickEngine, sentencesOf, silentWav } from '../support/speech/quick-speech.ts';
import { Api, codeOf } from './support/api.ts';

// Faults of the computer end no recording: its job is retried, and while nothing works, the service pauses.

let service: TestService;
let api: Api;
let clock: ManualClock;

async function start(options: TestServiceOptions = {}): Promise<void> {
  clock = new ManualClock();
  service = await startOnDevice({ clock, ...options });
  api = new Api(service);
}

afterEach(async () => service.stop());

/** Moves the clock, and waits for the work that starts then. */
async function advance(ms: number): Promise<void> {
  clock.advance(ms);
  await expect.poll(() => service.isBusy()).toBe(false);
}

/** An engine that throws what `fault` returns, unless that is `null`. */
function failingEngine(fault: (seconds: number) => Error | null): SpeechEngine & { attempts: number } {
  const healthy = quickEngine();
  return {
    ...healthy,
    attempts: 0,
    async transcribe(request) {
      this.attempts += 1;
      let seconds = 0;
      const result = await healthy.transcribe({ ...request, onProgress: (done) => (seconds = done) });
      const error = fault(seconds);
      if (error !== null) throw error;
      return result;
    },
  };
}

test.each([
  new Error('std::bad_alloc'),
  new EngineStoppedError('The speech engine stopped before it was done.'),
  new ModelError('The model is on a drive that is not mounted.'),
])('an engine that throws %s for a while fails no recording', async (error) => {
  let isBroken = true;
  const engine = failingEngine(() => (isBroken ? error : null));
  await start({ engine });
  service.setJobSchedule({ paused: 'all', order: [] });
  const ids: string[] = [];
  for (let n = 1; n <= 6; n++) ids.push(await api.submit('a.wav', silentWav(1)));
  service.setJobSchedule({ paused: [], order: [] });
  await expect.poll(() => engine.attempts).toBe(3);
  await advance(30_000);
  const refused = await api.create({ file_name: 'a.wav', file_size: 1000 });
  expect([refused.status, codeOf(refused)]).toEqual([503, 'provider_unavailable']);
  expect(engine.attempts).toBe(3);
  for (let minute = 1; minute <= 40; minute++) await advance(60_000);
  // One attempt in each pause.
  expect(engine.attempts).toBeLessThan(50);
  isBroken = false;
  await advance(60_000);
  await advance(30_000);
  for (const id of ids) await api.until(id, 'completed');
  expect((await api.create({ file_name: 'a.wav', file_size: 1000 })).status).toBe(201);
});

test('a transcription goes on after a fault where it was', async () => {
  const script = { language: 'en', segments: sentencesOf(5) };
  const checkpoints: (number | null)[] = [];
  const engine: SpeechEngine = {
    ...quickEngine(),
    async transcribe(request) {
      checkpoints.push(request.checkpoint?.atSamples ?? null);
      const isFirst = checkpoints.length === 1;
      return quickEngine(isFirst ? { ...script, error: new Error('out of memory') } : script).transcribe(
        request,
      );
    },
  };
  await start({ engine });
  const id = await api.submit('a.wav', silentWav(5.5));
  await expect.poll(() => checkpoints).toEqual([null]);
  await expect.poll(() => service.isBusy()).toBe(false);
  await advance(30_000);
  await api.until(id, 'completed');
  expect(checkpoints).toEqual([null, 5 * 16_000]);
});

test.each(['EMFILE', 'ENFILE', 'EIO', 'ENOMEM', 'ESTALE'])(
  'a recording that cannot be opened because of %s is opened later',
  async (code) => {
    let isBroken = true;
    const decoder: Decoder = {
      async open(path, signal) {
        if (isBroken) throw Object.assign(new Error(`${code}: it cannot be opened`), { code });
        return quickDecoder.open(path, signal);
      },
    };
    await start({ decoder });
    const id = await api.submit('a.wav', silentWav(1));
    await expect.poll(() => service.complaints.length).toBe(1);
    isBroken = false;
    await advance(30_000);
    await api.until(id, 'completed');
  },
);

test('a recording that always causes a fault fails at the fourth, while others succeed', async () => {
  const engine = failingEngine((seconds) => (seconds === 2 ? new Error('a fault of this recording') : null));
  await start({ engine });
  const bad = await api.submit('bad.wav', silentWav(2));
  await expect.poll(() => engine.attempts).toBe(1);
  for (let round = 1; round <= 3; round++) {
    await api.until(await api.submit('good.wav', silentWav(1)), 'completed');
    expect((await api.job(bad)).status).toBe('processing');
    await advance(30_000);
  }
  expect(await api.until(bad, 'failed')).toMatchObject({ error: { code: 'request_failed' } });
  expect(engine.attempts).toBe(7);
});
