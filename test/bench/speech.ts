/**
 * Measures the speech engine: word error rate, speed and memory of each model on the same speech.
 *
 * `electron test/bench/speech.ts [--minutes 3] [--models tiny,base,small] [--sounds FOLDER --texts FILE] [--json FILE]`,
 * with `ELECTRON_RUN_AS_NODE=1`. Without `--sounds` it is one real recording over and over; with them, each line
 * `name: what is said` of FILE is `FOLDER/name.wav` (Debian's `asterisk-core-sounds-en` and `-en-wav` have both).
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { accuracies } from '../../electron/contract/options.ts';
import { Resampler } from '../../electron/on-device/decode/resampler.ts';
import { modelFor, type ModelName } from '../../electron/on-device/engine/models.ts';
import { createSpeechEngine } from '../../electron/on-device/engine/worker-engine.ts';
import {
  inChunks,
  join16k,
  kennedy,
  modelsFolder,
  readWav,
  sampleRate,
  silence,
  wordErrorRate,
  words,
} from '../support/speech-audio.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '3' },
    models: { type: 'string', default: 'tiny,base,small' },
    sounds: { type: 'string' },
    texts: { type: 'string' },
    json: { type: 'string' },
    threads: { type: 'string' },
    /** Measures one model in this process and sends what it found to the one that started it. */
    one: { type: 'string' },
  },
});

interface Speech {
  readonly samples: Float32Array;
  readonly text: string;
}

interface Figures {
  readonly model: ModelName;
  readonly wordErrorRate: number;
  readonly timesRealTime: number;
  readonly loadSeconds: number;
  readonly peakMegabytes: number;
}

if (values.one === undefined) await measureAll();
else process.send?.(await measure(values.one, loadSpeech()));

async function measureAll(): Promise<void> {
  const { samples, text } = loadSpeech();
  const seconds = samples.length / sampleRate;
  console.log(`${seconds.toFixed(0)} s of speech, ${words(text).length} words, ${cpus().length} cores`);
  const figures: Figures[] = [];
  for (const model of values.models.split(',')) {
    const child = fork(import.meta.filename, [...process.argv.slice(2), '--one', model]);
    const [result]: readonly Figures[] = await once(child, 'message');
    if (result === undefined) throw new Error(`There are no figures for ${model}.`);
    figures.push(result);
  }
  console.table(
    figures.map((found) => ({
      model: found.model,
      'word error rate': `${(found.wordErrorRate * 100).toFixed(1)} %`,
      'times real time': found.timesRealTime.toFixed(1),
      'loaded in': `${found.loadSeconds.toFixed(1)} s`,
      'peak memory': `${found.peakMegabytes.toFixed(0)} MB`,
    })),
  );
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify({ seconds, figures }, null, 2));
}

async function measure(model: string, speech: Speech): Promise<Figures> {
  const accuracy = accuracies.find((candidate) => {
    return modelFor({ accuracy: candidate, translateToEnglish: false }) === model;
  });
  if (accuracy === undefined) throw new Error(`There is no model "${model}".`);
  const engine = createSpeechEngine({
    modelsFolder,
    workerUrl: new URL('../../electron/on-device/engine/worker.ts', import.meta.url),
    ...(values.threads === undefined ? {} : { threads: Number(values.threads) }),
  });
  const transcribe = async (samples: Float32Array) => {
    const start = performance.now();
    const { segments } = await engine.transcribe({
      samples: inChunks(samples),
      options: { language: 'en', accuracy, translateToEnglish: false },
      signal: new AbortController().signal,
      onProgress: () => undefined,
    });
    return { segments, seconds: (performance.now() - start) / 1000 };
  };
  const loading = await transcribe(silence(1));
  const { segments, seconds } = await transcribe(speech.samples);
  await engine.close();
  return {
    model: modelFor({ accuracy, translateToEnglish: false }),
    wordErrorRate: wordErrorRate(speech.text, segments.map((segment) => segment.text).join(' ')),
    timesRealTime: speech.samples.length / sampleRate / seconds,
    loadSeconds: loading.seconds,
    peakMegabytes: process.resourceUsage().maxRSS / 1024,
  };
}

/** As much speech as asked for, with short pauses. */
function loadSpeech(): Speech {
  const wanted = Number(values.minutes) * 60 * sampleRate;
  const pieces: Float32Array[] = [];
  const texts: string[] = [];
  let length = 0;
  for (const { samples, text } of sentences()) {
    if (length >= wanted) break;
    pieces.push(samples, silence(0.6));
    texts.push(text);
    length += samples.length + 0.6 * sampleRate;
  }
  return { samples: join16k(...pieces), text: texts.join(' ') };
}

function* sentences(): Generator<Speech> {
  const { sounds, texts } = values;
  if (sounds === undefined || texts === undefined) {
    const samples = readWav(kennedy.wav);
    for (;;) yield { samples, text: kennedy.text };
  }
  const spoken = readFileSync(texts, 'utf8').matchAll(/^([^;:\n]+): ([^[\]<>#*\n]+)$/gm);
  for (const [, name = '', text = ''] of spoken) {
    const path = join(sounds, `${name.replace(/\.wav$/, '')}.wav`);
    if (text.split(' ').length >= 8 && existsSync(path)) yield { samples: readTelephoneWav(path), text };
  }
}

/** A recording as telephones make them. */
function readTelephoneWav(path: string): Float32Array {
  const telephoneRate = 8000;
  const resampler = new Resampler(telephoneRate, sampleRate);
  return join16k(resampler.push(readWav(path, telephoneRate)), resampler.end());
}
