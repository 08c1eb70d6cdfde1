import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  EngineStoppedError,
  type SpeechEngine,
  type SpeechResult,
} from '../../../../../electron/on-device/engine/speech-engine.ts';
import {
  coresToUse,
  createSpeechEngine,
} from '../../../../../electron/on-device/engine/thread/worker-engine.ts';
import { workerUrl } from '../../../../../electron/workers/registry.ts';
import { inChunks, kennedy, modelsFolder, readWav } from '../../../../support/speech/speech-audio.ts';
import { workerRunning } from '../../../../support/worker-running.ts';

/** An engine whose worker has the given handler, in JavaScript. */
function engineRunning(handler: string, started: () => void = () => undefined): SpeechEngine {
  return createSpeechEngine({
    modelsFolder: '/models',
    workerUrl: () => workerRunning(handler),
    threads: 3,
    logger: { info: started, error: () => undefined },
  });
}

async function* sound(chunks = 2): AsyncGenerator<Float32Array> {
  // Views of one buffer, as decoders yield them.
  const memory = new Float32Array(10 * chunks);
  for (let i = 0; i < chunks; i++) yield memory.subarray(10 * i, 10 * (i + 1)).fill(i + 1);
}

function ask(
  engine: SpeechEngine,
  samples = sound(),
  signal = new AbortController().signal,
): Promise<SpeechResult> {
  return engine.transcribe({
    samples,
    options: { language: 'auto', accuracy: 'fast', translateToEnglish: false, terms: [] },
    signal,
    onProgress: () => undefined,
  });
}

it('runs in new threads after the first ones have ended', async () => {
  const speech = readWav(kennedy.wav);
  for (let i = 0; i < 2; i++) {
    const engine = createSpeechEngine({ modelsFolder, workerUrl, threads: 2 });
    const { segments } = await ask(engine, inChunks(speech)).finally(() => engine.close());
    expect(segments[0]?.text).toMatch(/^And so,? my fellow Americans/u);
  }
});

describe('the engine', () => {
  it('passes the worker its settings, and samples on request', async () => {
    const engine = engineRunning(`
      async transcribe(_, { ask }) {
        const texts = [workerData.modelsFolder, workerData.threads];
        for (;;) {
          const samples = await ask('samples');
          if (samples === null) return { language: null, segments: [{ start: 0, end: 1, text: texts.join(', ') }] };
          texts.push(samples.length + ' of ' + samples[0] + ' in ' + samples.buffer.byteLength);
        }
      }`);
    const { segments } = await ask(engine);
    expect(segments[0]?.text).toBe('/models, 3, 10 of 1 in 40, 10 of 2 in 40');
    await engine.close();
  });

  it('starts another worker after a crash', async () => {
    let starts = 0;
    const engine = engineRunning(
      `transcribe: () => {
        setImmediate(() => { throw new Error('Out of memory.'); });
        return new Promise(() => {});
      }`,
      () => starts++,
    );
    expect(starts).toBe(0);
    await expect(ask(engine)).rejects.toThrow('stopped before it was done');
    await expect(ask(engine)).rejects.toThrow('stopped before it was done');
    expect(starts).toBe(2);
    await engine.close();
  });

  it('counts as stopped when the thread of its encoder ends, or its runtime cannot be loaded', async () => {
    const engine = engineRunning(`
      async transcribe() {
        throw Object.assign(new Error('the encoder thread has ended'), { name: 'WorkerStoppedError' });
      }`);
    await expect(ask(engine)).rejects.toBeInstanceOf(EngineStoppedError);
    vi.doMock('onnxruntime-node', () => {
      throw new Error('The specified module could not be found.');
    });
    onTestFinished(() => void vi.doUnmock('onnxruntime-node'));
    await expect(ask(engine)).rejects.toBeInstanceOf(EngineStoppedError);
    await engine.close();
  });

  it('does not wait for a worker that is busy when a request is cancelled', async () => {
    const engine = engineRunning(
      `transcribe: () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)`,
    );
    const abort = new AbortController();
    const reason = new Error('Not wanted.');
    const result = ask(engine, sound(), abort.signal);
    abort.abort(reason);
    await expect(result).rejects.toBe(reason);
    await engine.close();
  });

  it('closes the samples of an ended request', async () => {
    const engine = engineRunning(`
      async transcribe(_, { ask }) {
        await ask('samples');
        throw new Error('No.');
      }`);
    let ended = false;
    async function* endless(): AsyncGenerator<Float32Array> {
      try {
        for (;;) yield* sound();
      } finally {
        ended = true;
      }
    }
    await expect(ask(engine, endless())).rejects.toThrow('No.');
    await expect.poll(() => ended).toBe(true);
    await engine.close();
  });

  it('starts no worker for a cancelled request, and closes without one', async () => {
    let starts = 0;
    const engine = engineRunning('', () => starts++);
    const reason = new Error('Too late.');
    await expect(ask(engine, sound(), AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(starts).toBe(0);
    await engine.close();
  });
});

it.each([
  [1, 1],
  [2, 2],
  [4, 3],
  [8, 7],
  [64, 8],
])('on %i cores it uses %i', (cores, used) => {
  expect(coresToUse(cores)).toBe(used);
});
