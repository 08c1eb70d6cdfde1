/**
 * Measures the speech engine: word error rate, speed and memory of each model on the same speech, and of a peer where
 * one is asked for. Processor time counts the work of all threads, so it tells more than the clock on a busy computer.
 *
 * `npm run bench:speech -- [--minutes 4.2] [--models tiny,base,small] [--threads N] [--fetch] [--peer] [--json FILE]`
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
    json: { type: 'string' },
    threads: { type: 'string', default: String(coresToUse(availableParallelism())) },
    /** Measures one recogniser in this process and sends what it found to the one that started it. */
    one: { type: 'string' },
  },
});

const threads = Number(values.threads);
const peerName = 'peer tiny';
/** Between two sentences. */
const pauseSeconds = 0.6;

interface Figures {
  readonly name: string;
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
else process.send?.(await measure(values.one, loadSpeech()));

async function measureAll(): Promise<void> {
  if (values.fetch) fetchDebianRecordings();
  if (values.peer && !peerIsThere()) fetchPeer();
  const { samples, text } = loadSpeech();
  const seconds = samples.length / sampleRate;
  console.log(`${seconds.toFixed(0)} s of speech, ${words(text).length} words, ${threads} threads`);
  const figures: Figures[] = [];
  for (const name of [...values.models.split(','), ...(values.peer ? [peerName] : [])]) {
    const child = fork(import.meta.filename, [...process.argv.slice(2), '--one', name]);
    const [result]: readonly (Figures | number | undefined)[] = await Promise.race([
      once(child, 'message'),
      once(child, 'exit'),
    ]);
    if (typeof result !== 'object') throw new Error(`There are no figures for ${name}.`);
    figures.push(result);
  }
  console.table(
    figures.map((found) => ({
      model: found.name,
      'word error rate': `${(found.wordErrorRate * 100).toFixed(1)} %`,
      'times real time': found.timesRealTime.toFixed(1),
      'processor s per s': found.processorSeconds.toFixed(3),
      'loaded in': `${found.loadSeconds.toFixed(1)} s`,
      'peak memory': `${found.peakMegabytes.toFixed(0)} MB`,
    })),
  );
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify({ seconds, figures }, null, 2));
}

async function measure(name: string, speech: Spoken): Promise<Figures> {
  const loading = performance.now();
  const recogniser = name === peerName ? await openPeer(threads) : openEngine(name);
  await recogniser.transcribe(silence(1));
  const start = performance.now();
  const before = process.cpuUsage();
  const text = await recogniser.transcribe(speech.samples);
  const { user, system } = process.cpuUsage(before);
  const took = (performance.now() - start) / 1000;
  await recogniser.close();
  const seconds = speech.samples.length / sampleRate;
  return {
    name,
    wordErrorRate: wordErrorRate(speech.text, text),
    timesRealTime: seconds / took,
    processorSeconds: (user + system) / 1e6 / seconds,
    loadSeconds: (start - loading) / 1000,
    peakMegabytes: process.resourceUsage().maxRSS / 1024,
    text,
  };
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
