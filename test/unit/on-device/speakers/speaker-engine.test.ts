import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { SpeakerEngine } from '../../../../electron/on-device/speakers/thread/speaker-engine.ts';
import type { SpeakerResult } from '../../../../electron/on-device/speakers/identify-speakers.ts';
import { readSpeakerModelFile } from '../../../../electron/on-device/speakers/speaker-models.ts';
import { workerUrl } from '../../../../electron/workers/registry.ts';
import { diarizationError } from '../../../support/speech/diarization-error.ts';
import { inChunks, noise, silence } from '../../../support/speech/speech-audio.ts';
import {
  standInEmbedding,
  standInSegmentation,
  writeStandInModels,
} from '../../../support/speech/stand-in-speaker-models.ts';
import { audioOf, inTurn } from '../../../support/speech/tone-voices.ts';
import { testFolder } from '../../../support/test-folder.ts';

type Changes = Parameters<typeof writeStandInModels>[1];

interface Run {
  readonly models?: Changes;
  readonly speakerCount?: number | null;
  readonly signal?: AbortSignal;
  readonly onProgress?: (seconds: number) => void;
}

// One for all tests: once it has ended, no other thread can load ONNX Runtime.
const engine = new SpeakerEngine(workerUrl('speaker'), undefined, 1);
afterAll(() => engine.close());

async function identify(
  samples: AsyncIterable<Float32Array>,
  { models, speakerCount = null, signal, onProgress = () => undefined }: Run = {},
): Promise<SpeakerResult> {
  const folder = await writeStandInModels(await testFolder(), models);
  return engine.identify({
    models: { folder, isOwn: true },
    samples,
    speakerCount,
    signal: signal ?? new AbortController().signal,
    onProgress,
  });
}

const interview = inTurn([0, 1, 0, 1, 1, 0, 1, 0]);
const interviewSeconds = 36;
const interviewSamples = (): AsyncGenerator<Float32Array> => inChunks(audioOf(interview, interviewSeconds));

async function* broken(): AsyncGenerator<Float32Array> {
  yield silence(1);
  throw new Error('The recording has disappeared.');
}

async function* endless(): AsyncGenerator<Float32Array> {
  for (;;) yield* interviewSamples();
}

describe('the thread that identifies speakers', () => {
  it('tells two voices apart', async () => {
    const progress: number[] = [];
    const { speakers, turns } = await identify(interviewSamples(), {
      onProgress: (seconds) => progress.push(seconds),
    });
    expect(speakers.length).toBe(2);
    expect(diarizationError(interview, turns).rate).toBeLessThan(0.1);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    expect(progress.at(-1)).toBe(interviewSeconds);
  });

  it('finds the three that there are said to be', async () => {
    const conversation = inTurn([0, 1, 2, 0, 2, 1]);
    const { speakers, turns } = await identify(inChunks(audioOf(conversation, 27)), { speakerCount: 3 });
    expect(speakers.length).toBe(3);
    expect(diarizationError(conversation, turns).rate).toBeLessThan(0.1);
  });

  it('finds one voice', async () => {
    const { speakers } = await identify(inChunks(audioOf(inTurn([1, 1, 1]), 14)));
    expect(speakers.length).toBe(1);
  });

  it.each([
    ['silence', silence(20)],
    ['noise', noise(20, 0.01)],
    ['nothing', silence(0)],
  ])('finds nobody in %s', async (_, samples) => {
    expect(await identify(inChunks(samples))).toEqual({ speakers: [], turns: [], ghosts: 0 });
  });

  it.each<[string, Changes, string]>([
    [
      'whose input has another name',
      { segmentation: standInSegmentation('audio') },
      'segmentation.onnx has the input "audio" float32 [n, 1, n] instead of "x" float32 [1, 1, 160000]',
    ],
    [
      'with another number of classes',
      { segmentation: standInSegmentation('x', 4) },
      '[n, n, 4] instead of "y" float32 [1, 589, 7]',
    ],
    [
      'with another number of dimensions',
      { embedding: standInEmbedding(192) },
      'embedding.onnx has the output "embs" float32 [n, 192] instead of "embs" float32 [1, 256]',
    ],
    [
      'that is damaged',
      { segmentation: Uint8Array.of(1, 2, 3) },
      'segmentation.onnx is not a valid ONNX model',
    ],
    ['that is absent', { embedding: null }, 'embedding.onnx cannot be read'],
    ['without its PLDA', { plda: Uint8Array.of(1, 2, 3) }, 'This is not a NumPy archive'],
  ])('rejects a model %s', async (_, models, message) => {
    await expect(identify(interviewSamples(), { models })).rejects.toMatchObject({
      name: 'ModelError',
      message: expect.stringContaining(message),
    });
  });

  it('rejects a published file with another content', async () => {
    const folder = await testFolder();
    await writeFile(join(folder, 'plda.npz'), 'something else');
    await expect(readSpeakerModelFile({ folder, isOwn: false }, 'plda')).rejects.toThrow(
      'The file plda.npz is not the published one.',
    );
  });

  it.skipIf(process.platform !== 'linux')(
    'does not blame a file that the computer cannot read now',
    async () => {
      const folder = await testFolder();
      await symlink('/proc/self/mem', join(folder, 'plda.npz'));
      await expect(readSpeakerModelFile({ folder, isOwn: true }, 'plda')).rejects.toMatchObject({
        code: 'EIO',
      });
    },
  );

  it('stops when it is cancelled, and closes the samples', async () => {
    const abort = new AbortController();
    const reason = new Error('Not wanted.');
    let ended = false;
    async function* watched(): AsyncGenerator<Float32Array> {
      try {
        yield* endless();
      } finally {
        ended = true;
      }
    }
    const result = identify(watched(), { signal: abort.signal, onProgress: () => abort.abort(reason) });
    await expect(result).rejects.toBe(reason);
    await expect.poll(() => ended).toBe(true);
  });

  it('reports why the samples ended', async () => {
    await expect(identify(broken())).rejects.toThrow('The recording has disappeared.');
  });

  it('serves two requests one after the other, even after one that failed', async () => {
    const order: string[] = [];
    const run = (name: string, run: Run = {}): Promise<unknown> =>
      identify(interviewSamples(), { ...run, onProgress: () => order.push(name) });
    const broken = run('broken', { models: { embedding: null } }).catch(() => undefined);
    await Promise.all([broken, run('first'), run('second')]);
    expect(new Set(order)).toEqual(new Set(['first', 'second']));
    expect(order.toSorted()).toEqual(order.toSorted((a, b) => a.localeCompare(b)));
    const change = order.findIndex((name) => name !== order[0]);
    expect(order.slice(change).every((name) => name === order[change])).toBe(true);
  });
});
