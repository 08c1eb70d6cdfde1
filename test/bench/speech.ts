/**
 * Measures the speech engine: word error rate, speed and memory of each model on the same speech, and of a peer where
 * one is asked for. Processor time counts the work of all threads, so it tells more than the clock on a busy computer.
 *
 * `npm run bench:speech -- [--minutes 4.2] [--models tiny,base,small] [--threads N] [--shifts 0,44] [--fetch] [--peer]
 * [--json FILE]`
 *
 * With `--shifts` the same speech is heard again after so many milliseconds of silence each: where frames and windows
 * fall is chance, and should make no difference.
 *
 * Without `--fetch`, now or earlier, there is one recording, over and over; with it Debian's recordings come to it.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { accuracies } from '../../electron/contract/options.ts';
import { modelFor } from '../../electron/on-device/engine/models.ts';
import { coresToUse, createSpeechEngine } from '../../electron/on-device/engine/worker-engine.ts';
import {
  inChunks,
  join16k,
  modelsFolder,
  sampleRate,
  silence,
  wordErrorRate,
  words,
} from '../support/speech-audio.ts';
import { fetchDebianRecordings, spokenFixtures, type Spoken } from '../support/speech-fixtures.ts';
import { fetchPeer, openPeer, peerIsThere } from '../support/speech-peer.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '4.2' },
    models: { type: 'string', default: 'tiny,base,small' },
    fetch: { type: 'boolean', default: false },
    peer: { type: 'boolean', default: false },
    shifts: { type: 'string', default: '0' },
    json: { type: 'string' },
    threads: { type: 'string', default: String(coresToUse(availableParallelism())) },
    /** Measures one recogniser in this process and sends what it found to the one that started it. */
    one: { type: 'string' },
  },
});

const threads = Number(values.threads);
const shifts = values.shifts.split(',').map(Number);
const peerName = 'peer tiny';
/** Between two sentences. */
const pauseSeconds = 0.6;

interface Figures {
  readonly name: string;
  /** Milliseconds of silence before the speech. */
  readonly shift: number;
  readonly wordErrorRate: number;
  readonly timesRealTime: number;
  /** Seconds of work on any core for each second of sound. */
  readonly processorSeconds: number;
  readonly loadSeconds: number;
  readonly peakMegabytes: number;
  readonly text: string;
}

/** Something that can be measured. */
interface Recogniser {
  transcribe(samples: Float32Array): Promise<string>;
  close(): Promise<void> | void;
}

if (values.one === undefined) await measureAll();
else await measure(values.one, loadSpeech());

async function measureAll(): Promise<void> {
  if (values.fetch) fetchDebianRecordings();
  if (values.peer && !peerIsThere()) fetchPeer();
  const { samples, text } = loadSpeech();
  const seconds = samples.length / sampleRate;
  console.log(`${seconds.toFixed(0)} s of speech, ${words(text).length} words, ${threads} threads`);
  const figures: Figures[] = [];
  for (const name of [...values.models.split(','), ...(values.peer ? [peerName] : [])]) {
    const child = fork(import.meta.filename, [...process.argv.slice(2), '--one', name]);
    child.on('message', (found: Figures) => figures.push(found));
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`There are no figures for ${name}.`);
  }
  console.table(
    figures.map((found) => ({
      model: found.name,
      'shift (ms)': found.shift,
      'word error rate': `${(found.wordErrorRate * 100).toFixed(1)} %`,
      'times real time': found.timesRealTime.toFixed(1),
      'processor s per s': found.processorSeconds.toFixed(3),
      'loaded in': `${found.loadSeconds.toFixed(1)} s`,
      'peak memory': `${found.peakMegabytes.toFixed(0)} MB`,
    })),
  );
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify({ seconds, figures }, null, 2));
}

/** Measures one recogniser, once for each shift, and sends what it finds to the process that started this one. */
async function measure(name: string, speech: Spoken): Promise<void> {
  const loading = performance.now();
  const recogniser = name === peerName ? await openPeer(threads) : openEngine(name);
  await recogniser.transcribe(silence(1));
  const loadSeconds = (performance.now() - loading) / 1000;
  for (const shift of shifts) {
    const samples = join16k(silence(shift / 1000), speech.samples);
    const seconds = samples.length / sampleRate;
    const start = performance.now();
    const before = process.cpuUsage();
    const text = await recogniser.transcribe(samples);
    const { user, system } = process.cpuUsage(before);
    const figures: Figures = {
      name,
      shift,
      wordErrorRate: wordErrorRate(speech.text, text),
      timesRealTime: seconds / ((performance.now() - start) / 1000),
      processorSeconds: (user + system) / 1e6 / seconds,
      loadSeconds,
      peakMegabytes: process.resourceUsage().maxRSS / 1024,
      text,
    };
    process.send?.(figures);
  }
  await recogniser.close();
}

function openEngine(model: string): Recogniser {
  const accuracy = accuracies.find(
    (candidate) => modelFor({ accuracy: candidate, translateToEnglish: false }) === model,
  );
  if (accuracy === undefined) throw new Error(`There is no model "${model}".`);
  const engine = createSpeechEngine({
    modelsFolder,
    workerUrl: new URL('../../electron/on-device/engine/worker.ts', import.meta.url),
    threads,
  });
  return {
    transcribe: async (samples) => {
      const { segments } = await engine.transcribe({
        samples: inChunks(samples),
        options: { language: 'en', accuracy, translateToEnglish: false },
        signal: new AbortController().signal,
        onProgress: () => undefined,
      });
      return segments.map((segment) => segment.text).join(' ');
    },
    close: () => engine.close(),
  };
}

/** As much speech as asked for, with short pauses. */
function loadSpeech(): Spoken {
  const wanted = Number(values.minutes) * 60 * sampleRate;
  const pieces: Float32Array[] = [];
  const texts: string[] = [];
  let length = 0;
  while (length < wanted) {
    for (const { samples, text } of spokenFixtures()) {
      pieces.push(samples, silence(pauseSeconds));
      texts.push(text);
      length += samples.length + pauseSeconds * sampleRate;
      if (length >= wanted) break;
    }
  }
  return { samples: join16k(...pieces), text: texts.join(' ') };
}
