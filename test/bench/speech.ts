/**
 * Measures the speech engine: word error rate, speed and memory of each model on the same speech, and of a peer on
 * request. Processor time counts the work of all threads, so it is more reliable than the clock on a busy computer. Also
 * measures the times of segments and words, what the times of words cost, the delay of a request after a cancelled one,
 * and the delay of another program.
 *
 * `npm run bench:speech -- [--minutes 4.2] [--models tiny,base,small] [--threads N] [--shifts 0,44] [--errors] [--fetch]
 * [--peer] [--brief] [--download] [--json FILE]`
 *
 * With `--shifts` the same speech is transcribed again after that many milliseconds of silence, since the positions of
 * frames and windows are arbitrary and should make no difference. `--errors` lists the wrong words. `--brief` prints only
 * the first table.
 *
 * The times of words are compared with those of espeak-ng, where its library is installed (Debian's `libespeak-ng1`).
 *
 * Models that do not come with the program, such as `turbo` and `parakeet-v3`, are downloaded with `--download`, even from
 * `LONGHAND_MODEL_MIRRORS`, and kept. For them only the first table is printed, with their published error rate.
 *
 * Without `--fetch`, now or earlier, one recording is repeated; with it, recordings from Debian are added.
 */
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { accuracies } from '../../electron/contract/choices.ts';
import { systemClock } from '../../electron/core/system.ts';
import {
  defaultModels,
  modelCatalog,
  type ModelId,
  modelIds,
} from '../../electron/on-device/models/model-catalog.ts';
import { downloadModel, modelMirrors } from '../../electron/on-device/models/model-download.ts';
import { coresToUse } from '../../electron/on-device/engine/thread/worker-engine.ts';
import { join16k, sampleRate, silence, wordErrorRate, words } from '../support/speech/speech-audio.ts';
import {
  benchCache,
  fetchDebianRecordings,
  spokenFixtures,
  type Spoken,
} from '../support/speech/speech-fixtures.ts';
import { fetchPeer, openPeer, isPeerInstalled } from '../support/speech/speech-peer.ts';
import type { OtherProgramDelays } from './support/beside.ts';
import type { BoundaryErrors } from './support/boundaries.ts';
import type { DelaysAfterCancel } from './support/cancelling.ts';
import { EngineRecogniser } from './support/engine-recogniser.ts';
import { speakTimedWords } from './support/espeak.ts';
import { measureMemory, measureProcessor, type ProcessorCost } from './support/word-cost.ts';
import type { WordStartErrors } from './support/word-starts.ts';
import { median } from './support/median.ts';
import { inOwnProcess } from './support/own-process.ts';
import { wrongWords } from './support/wrong-words.ts';
import { saveResults } from './support/results.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '4.2' },
    models: { type: 'string', default: 'tiny,base,small' },
    fetch: { type: 'boolean', default: false },
    peer: { type: 'boolean', default: false },
    brief: { type: 'boolean', default: false },
    download: { type: 'boolean', default: false },
    shifts: { type: 'string', default: '0' },
    errors: { type: 'boolean', default: false },
    json: { type: 'string' },
    threads: { type: 'string', default: String(coresToUse(availableParallelism())) },
    /** Measures one recogniser in this process and sends the results to its parent. */
    one: { type: 'string' },
    /** Measures only the cost of the times of words. */
    cost: { type: 'string' },
  },
});

const threads = Number(values.threads);
const shifts = values.shifts.split(',').map(Number);
const peerName = 'peer tiny';
/** Where downloaded models are kept. */
const downloadFolder = join(benchCache, 'models');
/** Between two sentences. */
const pauseSeconds = 0.6;

interface Figures {
  readonly name: string;
  /** Milliseconds of silence before the speech. */
  readonly shift: number;
  readonly wordErrorRate: number;
  readonly timesRealTime: number;
  /** Seconds of processor time per second of audio. */
  readonly processorSeconds: number;
  readonly loadSeconds: number;
  readonly peakMegabytes: number;
  readonly text: string;
}

/** The results of one recogniser's process. */
interface Results {
  readonly figures: readonly Figures[];
  /** Only of our models. */
  readonly boundaries: BoundaryErrors | null;
  /** `null` without espeak-ng as well. */
  readonly wordStarts: WordStartErrors | null;
  readonly cancelling: DelaysAfterCancel | null;
  readonly beside: OtherProgramDelays | null;
}

const costKinds = ['processor', 'memory', 'memory-with'] as const;
/** The kinds of cost of the times of words; `memory` is measured without them. */
type CostKind = (typeof costKinds)[number];

/** A speech recogniser that can be measured. */
interface Recogniser {
  transcribe(samples: Float32Array): Promise<string>;
  close(): Promise<void> | void;
}

if (values.one === undefined) await measureAll();
else if (values.cost === undefined) await measure(values.one, loadSpeech());
else await measureWords(values.one, costKinds.find((kind) => kind === values.cost) ?? 'processor');

async function measureAll(): Promise<void> {
  if (values.fetch) fetchDebianRecordings();
  if (values.peer && !isPeerInstalled()) fetchPeer();
  const { samples, text } = loadSpeech();
  const seconds = samples.length / sampleRate;
  console.log(`${seconds.toFixed(0)} s of speech, ${words(text).length} words, ${threads} threads`);
  const all = new Map<string, Results>();
  for (const name of [...values.models.split(','), ...(values.peer ? [peerName] : [])]) {
    await download(name);
    all.set(name, await inOwnProcess<Results>(['--one', name]));
  }
  const figures = [...all.values()].flatMap((found) => found.figures);
  console.table(
    figures.map((found) => ({
      model: found.name,
      'shift (ms)': found.shift,
      'word error rate': `${(found.wordErrorRate * 100).toFixed(1)} %`,
      'times real time': found.timesRealTime.toFixed(1),
      'processor s per s': found.processorSeconds.toFixed(3),
      'loaded in': `${found.loadSeconds.toFixed(1)} s`,
      'peak memory': `${found.peakMegabytes.toFixed(0)} MB`,
      'published error rate': publishedRate(found.name),
    })),
  );
  saveResults('speech', { figures: figures.map(({ text: _text, ...figure }) => figure) });
  if (values.brief) return;
  if (values.errors)
    for (const { name, shift, text: transcript } of figures) listErrors(name, shift, text, transcript);
  const ours = [...all].flatMap(([model, { boundaries, wordStarts, cancelling, beside }]) =>
    boundaries === null || cancelling === null || beside === null
      ? []
      : [{ model, boundaries, wordStarts, cancelling, beside }],
  );
  console.log('\nErrors of the starts and ends of segments: median, maximum');
  console.table(
    ours.map(({ model, boundaries: { starts, ends, missed } }) => ({
      model,
      recordings: starts.length + missed,
      'without a segment': missed,
      starts: medianAndMax(starts),
      ends: medianAndMax(ends),
      'ends within 0.3 s': ends.filter((seconds) => seconds <= 0.3).length,
    })),
  );
  console.log('\nErrors of the starts of words, in seconds, of those that were recognized');
  console.table(ours.map(({ model, wordStarts }) => ({ model, ...startErrors(wordStarts) })));
  console.log('\nWhat the times of words cost');
  console.table(await measureCosts(ours.map(({ model }) => model)));
  console.log('\nA request right after a cancelled one: median, maximum');
  console.table(
    ours.map(({ model, cancelling: { untilStart, untilProgress, undisturbed } }) => ({
      model,
      'until its start': medianAndMax(untilStart),
      'until its first progress': medianAndMax(untilProgress),
      'without a cancelled one': `${undisturbed.toFixed(2)} s`,
    })),
  );
  console.log('\nDelay of another program: median, 99th percentile, maximum');
  console.table(
    ours.map(({ model, beside: { alone, beside } }) => ({
      model,
      alone: lateness(alone),
      [`with ${threads} threads`]: lateness(beside),
    })),
  );
  if (values.json !== undefined) {
    writeFileSync(values.json, JSON.stringify({ seconds, found: Object.fromEntries(all) }, null, 2));
  }
}

function startErrors(wordStarts: WordStartErrors | null): Readonly<Record<string, string | number>> {
  if (wordStarts === null) return { said: 'espeak-ng is not installed' };
  const sizes = wordStarts.errors.map(Math.abs).toSorted((a, b) => a - b);
  const percentile = (share: number): string =>
    (sizes[Math.ceil(share * sizes.length) - 1] ?? NaN).toFixed(3);
  return {
    said: wordStarts.said,
    recognized: sizes.length,
    median: percentile(0.5),
    '90 of 100 within': percentile(0.9),
    largest: percentile(1),
    'median of those after (+) or before (-)': median(wordStarts.errors).toFixed(3),
  };
}

async function measureCosts(models: readonly string[]): Promise<readonly object[]> {
  const rows: object[] = [];
  for (const model of models) {
    const cost = <T>(kind: CostKind): Promise<T> => inOwnProcess<T>(['--one', model, '--cost', kind]);
    const processor = await cost<ProcessorCost>('processor');
    const [memoryWithout, memoryWith] = [await cost<number>('memory'), await cost<number>('memory-with')];
    rows.push({
      model,
      'processor s per s without': processor.without.toFixed(4),
      with: processor.with.toFixed(4),
      more: `${(100 * (processor.with / processor.without - 1)).toFixed(1)} %`,
      'memory without': `${memoryWithout.toFixed(0)} MB`,
      'memory with': `${memoryWith.toFixed(0)} MB`,
    });
  }
  return rows;
}

/** Measures what the times of words cost, and sends it to the parent process. */
async function measureWords(name: string, kind: CostKind): Promise<void> {
  const model = modelIds.find((one) => one === name);
  if (model === undefined) throw new Error(`There is no model "${name}".`);
  const task = { model, samples: loadSpeech().samples, threads };
  process.send?.(
    kind === 'processor' ? await measureProcessor(task) : await measureMemory(task, kind === 'memory-with'),
  );
}

function listErrors(name: string, shift: number, text: string, transcript: string): void {
  console.log(`\n${name}, ${shift} ms later:`);
  for (const wrong of wrongWords(text, transcript))
    console.log(`  said "${wrong.said}", heard "${wrong.heard}"`);
}

function medianAndMax(seconds: readonly number[]): string {
  const sorted = seconds.toSorted((a, b) => a - b);
  const [median = NaN, max = NaN] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  return `${median.toFixed(2)} s, ${max.toFixed(2)} s`;
}

function lateness(milliseconds: readonly number[]): string {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  return [0.5, 0.99, 1]
    .map((share) => `${(sorted[Math.ceil(share * sorted.length) - 1] ?? NaN).toFixed(1)} ms`)
    .join(', ');
}

/** Measures one recogniser once per shift, and sends the results to the parent process. */
async function measure(name: string, speech: Spoken): Promise<void> {
  const startedAt = performance.now();
  const recogniser = name === peerName ? await openPeer(threads) : openEngine(name);
  await recogniser.transcribe(silence(1));
  const loadSeconds = (performance.now() - startedAt) / 1000;
  const figures: Figures[] = [];
  for (const shift of shifts) {
    const samples = join16k(silence(shift / 1000), speech.samples);
    const seconds = samples.length / sampleRate;
    const start = performance.now();
    const before = process.cpuUsage();
    const text = await recogniser.transcribe(samples);
    const { user, system } = process.cpuUsage(before);
    figures.push({
      name,
      shift,
      wordErrorRate: wordErrorRate(speech.text, text),
      timesRealTime: seconds / ((performance.now() - start) / 1000),
      processorSeconds: (user + system) / 1e6 / seconds,
      loadSeconds,
      peakMegabytes: process.resourceUsage().maxRSS / 1024,
      text,
    });
  }
  const isOurs = recogniser instanceof EngineRecogniser && isBundled(name);
  const boundaries = isOurs ? await recogniser.boundaries() : null;
  const timedSpeech = isOurs ? speakTimedWords() : null;
  const wordStarts = isOurs && timedSpeech !== null ? await recogniser.wordStarts(timedSpeech) : null;
  const cancelling = isOurs ? await recogniser.cancelling() : null;
  const beside = isOurs ? await recogniser.beside() : null;
  process.send?.({ figures, boundaries, wordStarts, cancelling, beside } satisfies Results);
  await recogniser.close();
}

function openEngine(name: string): Recogniser {
  const model = modelNamed(name);
  if (model === null) throw new Error(`There is no model "${name}".`);
  const accuracy = accuracies.find((candidate) => defaultModels[candidate] === model);
  return accuracy === undefined
    ? new EngineRecogniser('accurate', threads, { model, folder: downloadFolder })
    : new EngineRecogniser(accuracy, threads);
}

/** Returns the model of a name; `turbo` is short for large-v3-turbo. */
function modelNamed(name: string): ModelId | null {
  return modelIds.find((id) => id === name || (name === 'turbo' && id === 'large-v3-turbo')) ?? null;
}

function isBundled(name: string): boolean {
  return accuracies.some((accuracy) => defaultModels[accuracy] === name);
}

/** The published word error rate for English, which is for other recordings. */
function publishedRate(name: string): string {
  const model = modelNamed(name);
  const rate = model === null ? null : modelCatalog[model].errorRate;
  return rate === null ? '' : `${rate} %`;
}

/** Downloads a model that does not come with the program, if `--download` allows it. */
async function download(name: string): Promise<void> {
  const model = modelNamed(name);
  if (!values.download || model === null || isBundled(name)) return;
  const mirrors = modelMirrors(process.env['LONGHAND_MODEL_MIRRORS']);
  const options = { downloadFolder, mirrors, clock: systemClock };
  console.log(`downloading ${modelCatalog[model].name}`);
  await downloadModel(model, options, () => undefined, new AbortController().signal);
}

/** The requested duration of speech, with short pauses. */
function loadSpeech(): Spoken {
  const targetLength = Number(values.minutes) * 60 * sampleRate;
  const recordings: Float32Array[] = [];
  const texts: string[] = [];
  let length = 0;
  while (length < targetLength) {
    for (const { samples, text } of spokenFixtures()) {
      recordings.push(samples, silence(pauseSeconds));
      texts.push(text);
      length += samples.length + pauseSeconds * sampleRate;
      if (length >= targetLength) break;
    }
  }
  return { samples: join16k(...recordings), text: texts.join(' ') };
}
