/**
 * Measures Parakeet and Whisper large-v3-turbo with graphs of true size and structure and made-up weights, which are kept
 * in the cache (1.8 GB), next to Whisper small: windows of 20 s of speech, with 60 tokens for Whisper. The tokens
 * that they find have no meaning.
 *
 * `npm run bench -- larger-models [--windows 5] [--models small,parakeet,turbo]`
 *
 * Or compares Parakeet with another implementation, parakeet.js, with the same stand-in graphs:
 *
 * `npm run bench -- larger-models --compare [--write]`
 *
 * It fetches parakeet.js from the package registry and compares the model's input and its tokens, frames, durations and
 * probabilities, for parts of a real recording. `--write` saves those for the tests.
 */
import { once } from 'node:events';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { featureBands, logMelFeatures } from '../../electron/on-device/engine/parakeet/log-mel.ts';
import { ParakeetModel } from '../../electron/on-device/engine/parakeet/parakeet-model.ts';
import { Interrupt } from '../../electron/on-device/engine/whisper/interrupt.ts';
import { coresToUse } from '../../electron/on-device/engine/thread/worker-engine.ts';
import { free } from '../../electron/on-device/engine/onnx/sessions.ts';
import { freeAudio, freeCache, WhisperModel } from '../../electron/on-device/engine/whisper/whisper-model.ts';
import type { ModelPart } from '../../electron/on-device/models/model-catalog.ts';
import { locateModel, readModelFile } from '../../electron/on-device/models/model-files.ts';
import {
  join16k,
  kennedy,
  modelsFolder,
  readTinyModelFile,
  readWav,
  sampleRate,
} from '../support/speech/speech-audio.ts';
import { benchCache } from '../support/speech/speech-fixtures.ts';
import { standInDecoder, standInParakeet } from '../support/speech/stand-in-parakeet.ts';
import { shiftTokens } from '../support/speech/stand-in-turbo.ts';
import { fullSizeEncoder } from './support/full-size-parakeet.ts';
import { fullSizeTurboDecoder, fullSizeTurboEncoder } from './support/full-size-turbo.ts';
import { watchMachine } from './support/machine-facts.ts';
import { inOwnProcess } from './support/own-process.ts';
import { openParakeetJs } from './support/parakeet-js.ts';
import { saveResults } from './support/results.ts';

const { values } = parseArgs({
  options: {
    windows: { type: 'string', default: '5' },
    models: { type: 'string', default: 'small,parakeet,turbo' },
    compare: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    /** Measures one model in this process and sends the figures to its parent. */
    one: { type: 'string' },
  },
});
const fixture = resolve(import.meta.dirname, '../unit/on-device/engine/parakeet/decoding.json');
/** Parts of the recording, in samples. */
const parts = [
  [0, 176_000],
  [70_123, 90_000],
  [16_000, 16_900],
] as const;

const threads = coresToUse(availableParallelism());
const modelNames = ['small', 'parakeet', 'turbo'] as const;
type ModelName = (typeof modelNames)[number];

const modelNamed = (name: string): ModelName => {
  const model = modelNames.find((one) => one === name);
  if (model === undefined) throw new Error(`There is no model "${name}" to measure.`);
  return model;
};

if (values.compare) await compare();
else if (values.one !== undefined) process.send?.(await measure(modelNamed(values.one)));
else {
  const rows: object[] = [];
  for (const model of values.models.split(',').map(modelNamed)) {
    if (model !== 'small') await writeFullSizeModel(model);
    rows.push(await inOwnProcess<object>(['--one', model]));
  }
  console.table(rows);
  saveResults('larger-models', { rows });
}

/** Returns where the graphs of a model are kept. */
function folderOf(model: 'parakeet' | 'turbo'): string {
  return join(benchCache, `${model}-full-size`);
}

/** Writes the graphs and the vocabulary of a model, unless they exist. */
async function writeFullSizeModel(model: 'parakeet' | 'turbo'): Promise<void> {
  const folder = folderOf(model);
  const encoder = join(folder, 'encoder');
  if (existsSync(encoder)) return;
  mkdirSync(folder, { recursive: true });
  const pieces = [...Array.from({ length: 8192 }, (_, i) => `▁w${i}`), '<blk>'];
  const files =
    model === 'parakeet'
      ? {
          vocabulary: pieces.map((piece, i) => `${piece} ${i}\n`).join(''),
          decoder: standInDecoder({ pieces, blankScore: 1 }),
        }
      : {
          vocabulary: await readTinyModelFile('vocabulary'),
          generation: shiftTokens(await readTinyModelFile('generation')),
          decoder: fullSizeTurboDecoder(),
        };
  for (const [part, content] of Object.entries(files)) writeFileSync(join(folder, part), content);
  writeFileSync(`${encoder}.part`, model === 'parakeet' ? fullSizeEncoder() : fullSizeTurboEncoder());
  renameSync(`${encoder}.part`, encoder);
}

/** Transcribes windows of 20 s with one model, and cancels one. */
async function measure(name: ModelName): Promise<object> {
  const speech = readWav(kennedy.wav);
  const window = join16k(speech, speech).subarray(0, 20 * sampleRate);
  const machine = watchMachine();
  const startedAt = performance.now();
  const run = await { small: openSmall, parakeet: openParakeet, turbo: openTurbo }[name]();
  const loadedAt = performance.now();
  const loadingPeak = peakMegabytes();
  const cpu = process.cpuUsage();
  const count = Number(values.windows);
  for (let i = 0; i < count; i++) await run(window, new Interrupt());
  const seconds = (performance.now() - loadedAt) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return {
    model: name,
    loadSeconds: Number(((loadedAt - startedAt) / 1000).toFixed(1)),
    timesRealTime: Number(((20 * count) / seconds).toFixed(1)),
    processorSecondsPerSecond: Number(((user + system) / 1e6 / (20 * count)).toFixed(3)),
    peakLoadingMB: loadingPeak,
    peakMB: peakMegabytes(),
    cancelMilliseconds: await measureCancellation(run, window),
    ...machine(),
  };
}

type Run = (window: Float32Array, interrupt: Interrupt) => Promise<unknown>;

async function openParakeet(): Promise<Run> {
  const model = await ParakeetModel.load((part) => readFile(join(folderOf('parakeet'), part)), threads);
  return (window, interrupt) => model.recognize(window, interrupt);
}

async function openTurbo(): Promise<Run> {
  return runWhisper((part) => readFile(join(folderOf('turbo'), part)));
}

async function openSmall(): Promise<Run> {
  const source = locateModel({ bundledFolder: modelsFolder, downloadFolder: null }, 'small');
  if (source === null) throw new Error('Whisper small is not installed.');
  return runWhisper((part) => readModelFile(source, part));
}

/** Encodes a window and generates 60 tokens, about as many as are said in 20 s. */
async function runWhisper(read: (part: ModelPart) => Promise<Uint8Array>): Promise<Run> {
  const model = await WhisperModel.load(read, threads);
  return async (window, interrupt) => {
    const encoded = await model.firstState(await model.encode(window, interrupt));
    const { scores, state: start } = await model.decode(encoded, model.tokenizer.special.startOfTranscript);
    free(scores);
    let state = start;
    for (let i = 0; i < 60; i++) {
      const step = await model.decode(state, 400);
      free(step.scores);
      freeCache(state);
      ({ state } = step);
    }
    freeCache(state);
    freeAudio(encoded);
  };
}

function peakMegabytes(): number {
  return Math.round(process.resourceUsage().maxRSS / 1024);
}

/** Returns how long a run takes to end after another thread has cancelled it, half a second after its start. */
async function measureCancellation(run: Run, window: Float32Array): Promise<number> {
  const interrupt = new Interrupt();
  const cancelledAt = new Float64Array(new SharedArrayBuffer(8));
  const source = `const { shared, cancelledAt } = require('node:worker_threads').workerData;
    setTimeout(() => {
      cancelledAt[0] = performance.timeOrigin + performance.now();
      Atomics.store(new BigInt64Array(shared), 0, 2n);
    }, 500);`;
  const worker = new Worker(source, { eval: true, workerData: { shared: interrupt.shared, cancelledAt } });
  await once(worker, 'online');
  const outcome = await run(window, interrupt).then(
    () => 'finished',
    () => 'cancelled',
  );
  const endedAt = performance.timeOrigin + performance.now();
  await worker.terminate();
  return outcome === 'cancelled' ? Math.round(endedAt - (cancelledAt[0] ?? 0)) : NaN;
}

async function compare(): Promise<void> {
  const speech = readWav(kennedy.wav);
  const { model: theirs, preprocessor } = await openParakeetJs();
  const ours = await ParakeetModel.load(standInParakeet(), 2);
  const rows: object[] = [];
  const expected: object[] = [];
  for (const [from, to] of parts) {
    const samples = speech.slice(from, to);
    const recognized = await ours.recognize(samples, new Interrupt());
    const reference = await theirs.transcribe(samples, sampleRate, {
      enableProfiling: false,
      returnTimestamps: true,
      returnTokenIds: true,
      returnFrameIndices: true,
      returnTdtSteps: true,
      returnLogProbs: true,
    });
    const { tokenIds: tokens, frameIndices: frames, tdtSteps: durations, logProbs } = reference;
    const isSame = (list: readonly number[], key: 'token' | 'frame' | 'duration'): boolean =>
      list.length === recognized.length && list.every((value, i) => value === recognized[i]?.[key]);
    rows.push({
      seconds: (to - from) / sampleRate,
      tokens: tokens.length,
      sameTokens: isSame(tokens, 'token'),
      sameFrames: isSame(frames, 'frame'),
      sameDurations: isSame(durations, 'duration'),
      logProbabilityDifference: maxAbsolute(
        recognized.map(({ probability }, i) => Math.log(probability) - (logProbs[i] ?? 0)),
      ),
      inputDifference: inputDifference(samples, preprocessor.process(samples)),
    });
    const logProbabilities = logProbs.map((value) => Number(value.toFixed(4)));
    expected.push({ from, to, tokens, frames, durations, logProbabilities });
  }
  console.table(rows);
  await ours.release();
  if (values.write) writeFileSync(fixture, `${JSON.stringify(expected)}\n`);
}

function maxAbsolute(differences: readonly number[]): number {
  return Math.max(0, ...differences.map(Math.abs));
}

/** The largest difference between two inputs of the model. */
function inputDifference(
  samples: Float32Array,
  { features, length }: { readonly features: Float32Array; readonly length: number },
): number {
  const { values: ours, columns } = logMelFeatures(samples);
  if (columns !== length) return Infinity;
  const theirColumns = features.length / featureBands;
  const differences = Array.from(
    ours,
    (value, i) => value - (features[Math.floor(i / columns) * theirColumns + (i % columns)] ?? 0),
  );
  return differences.reduce((max, difference) => Math.max(max, Math.abs(difference)), 0);
}
