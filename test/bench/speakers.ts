/**
 * Measures the search for speakers: clustering the embeddings of long recordings, the features of the audio, and models of the
 * same size and structure as the published ones, with other weights.
 *
 * `npm run bench -- speakers [--hours 1,10] [--people 4,40] [--noise 0.5,1]`
 *
 * `npm run bench:speakers -- --voxconverse DIR --models DIR` measures the diarization error on a corpus: recordings as WAV
 * files (mono, 16 kHz) with RTTM files, such as VoxConverse, and the folder with the published models, which Longhand
 * downloads to `models` in its data folder.
 *
 * The embeddings are made up, with 256 dimensions, 2,000 an hour, as the models find in a conversation. `--noise` is the
 * length of their noise relative to the distance between people; the greater it is, the more clusters variational Bayes
 * has to join. `wrongPercent` is the share of embeddings that are not assigned to their person.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { coresToUse } from '../../electron/on-device/engine/thread/worker-engine.ts';
import { assignBest } from '../../electron/on-device/speakers/assignment.ts';
import { assignVoices, findSpeakers } from '../../electron/on-device/speakers/cluster-voices.ts';
import { filterBands, FilterBank } from '../../electron/on-device/speakers/filter-bank.ts';
import { newMatrix, rowOf } from '../../electron/on-device/speakers/matrix.ts';
import { OnnxEmbedding, OnnxSegmentation } from '../../electron/on-device/speakers/onnx-models.ts';
import { windowSamples, windowStep } from '../../electron/on-device/speakers/window-grid.ts';
import { maxFeatureFrames } from '../../electron/on-device/speakers/window-voices.ts';
import { samplePlda, Voices } from '../support/speech/sample-voices.ts';
import { noise } from '../support/speech/speech-audio.ts';
import { fullSizeEmbedding, fullSizeSegmentation } from './support/full-size-speaker-models.ts';
import { watchMachine } from './support/machine-facts.ts';
import { inOwnProcess } from './support/own-process.ts';
import { scoreCorpus } from './support/voxconverse.ts';
import { saveResults } from './support/results.ts';

const { values } = parseArgs({
  options: {
    hours: { type: 'string', default: '1,10' },
    people: { type: 'string', default: '4,40' },
    noise: { type: 'string', default: '0.5,1' },
    /** Measures one case in this process and sends the figures to its parent. */
    one: { type: 'string' },
    /** Measures only the models, as above. */
    'full-size': { type: 'boolean', default: false },
    voxconverse: { type: 'string' },
    models: { type: 'string' },
  },
});

const dimensions = 256;
const embeddingsPerHour = 2000;
const numbers = (list: string): readonly number[] => list.split(',').map(Number);

if (values.voxconverse !== undefined) {
  if (values.models === undefined) throw new Error('--models names the folder with the models.');
  const rows = await scoreCorpus(values.voxconverse, values.models);
  console.table(rows);
  saveResults('voxconverse', { rows });
} else if (values['full-size']) {
  process.send?.(await runModels());
} else if (values.one !== undefined) {
  const [hours = 1, people = 4, loudness = 0.5] = numbers(values.one);
  process.send?.(clusterOnce(hours, people, loudness));
} else {
  const rows: object[] = [];
  for (const hours of numbers(values.hours)) {
    for (const people of numbers(values.people)) {
      for (const loudness of numbers(values.noise)) {
        rows.push(await inOwnProcess<object>(['--one', [hours, people, loudness].join(',')]));
      }
    }
  }
  console.table(rows);
  const features = computeFeatures();
  console.table([features]);
  const models = await inOwnProcess<object>(['--full-size']);
  console.table([models]);
  saveResults('speakers', { clustering: rows, features, models });
}

/** Clusters the embeddings of one recording. */
function clusterOnce(hours: number, people: number, loudness: number): object {
  const sample = new Voices(dimensions, loudness);
  const count = hours * embeddingsPerHour;
  const embeddings = newMatrix(count, dimensions);
  // Every third window has two voices, of two people.
  const windows = Array.from({ length: count }, (_, i) => i - Math.floor((i + 2) / 4));
  // Turns of eight windows.
  const personOf = (i: number): number =>
    (Math.floor((windows[i] ?? 0) / 8) * 7 + Number(windows[i] === windows[i - 1])) % people;
  for (let i = 0; i < count; i++) rowOf(embeddings, i).set(sample.embedding(personOf(i), i));
  const voices = windows.map((window, i) => ({ window, voice: i % 2, framesAlone: 200 }));
  const plda = samplePlda(dimensions);
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const machine = watchMachine();
  const startedAt = performance.now();
  const cpu = process.cpuUsage();
  const options = { plda, speakerCount: null, throwIfCancelled: () => undefined };
  const { centroids } = findSpeakers(embeddings, voices, options);
  const clusteredAt = performance.now();
  const labels = assignVoices(embeddings, voices, centroids, true);
  const assignedAt = performance.now();
  const { user, system } = process.cpuUsage(cpu);
  return {
    hours,
    embeddings: count,
    people,
    noise: loudness,
    found: centroids.rows,
    wrongPercent: Number(
      ((100 * countWrong(labels.speakers, centroids.rows, people, personOf)) / count).toFixed(2),
    ),
    clusterSeconds: Number(((clusteredAt - startedAt) / 1000).toFixed(1)),
    assignSeconds: Number(((assignedAt - clusteredAt) / 1000).toFixed(1)),
    processorSeconds: Number(((user + system) / 1e6).toFixed(1)),
    peakMoreMB: Math.round((process.resourceUsage().maxRSS * 1024 - before) / 2 ** 20),
    ...machine(),
  };
}

/** Counts the embeddings that are not assigned to the speaker of their person; each person has at most one speaker. */
function countWrong(
  speakers: Int32Array,
  found: number,
  people: number,
  personOf: (i: number) => number,
): number {
  const sharedCounts = new Int32Array(people * found);
  const indexOf = (i: number): number => personOf(i) * found + (speakers[i] ?? 0);
  for (const i of speakers.keys()) sharedCounts[indexOf(i)] = (sharedCounts[indexOf(i)] ?? 0) + 1;
  const speakerOfPerson = assignBest(sharedCounts, people, found);
  return speakers.filter((speaker, i) => speakerOfPerson[personOf(i)] !== speaker).length;
}

/** Computes the features of ten minutes. */
function computeFeatures(): object {
  const minute = noise(60);
  const filterBank = new FilterBank();
  filterBank.push(minute);
  const started = performance.now();
  for (let i = 0; i < 10; i++) filterBank.push(minute);
  return { featureMillisecondsPerAudioSecond: Number(((performance.now() - started) / 600).toFixed(2)) };
}

/**
 * Runs the models on 20 windows in which somebody speaks alone all the time: the most work that they can have. One
 * window of 10 s starts every 3 s.
 */
async function runModels(): Promise<object> {
  const [segmentationFile, embeddingFile] = [fullSizeSegmentation(), fullSizeEmbedding()];
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const threads = coresToUse(availableParallelism());
  const segmentation = await OnnxSegmentation.load(segmentationFile, threads);
  const embedding = await OnnxEmbedding.load(embeddingFile, dimensions, threads);
  const samples = noise(windowSamples / 16_000);
  const features = new FilterBank().push(samples).slice(0, maxFeatureFrames * filterBands);
  await segmentation.segment(samples);
  await embedding.embed(features);
  const machine = watchMachine();
  const started = performance.now();
  const segmentationSeconds = await processorSeconds(() => segmentation.segment(samples));
  const embeddingSeconds = await processorSeconds(() => embedding.embed(features));
  const elapsed = (performance.now() - started) / 1000 / 20;
  const stepSeconds = windowStep / 16_000;
  return {
    modelsMB: [segmentationFile.length, embeddingFile.length].map((n) => (n / 1e6).toFixed(1)).join(' + '),
    segmentationSeconds,
    embeddingSeconds,
    processorSecondsPerAudioSecond: Number(
      ((segmentationSeconds + embeddingSeconds) / stepSeconds).toFixed(3),
    ),
    timesRealTime: Number((stepSeconds / elapsed).toFixed(1)),
    peakMoreMB: Math.round((process.resourceUsage().maxRSS * 1024 - before) / 2 ** 20),
    ...machine(),
  };
}

/** Returns the mean processor time of a run, in seconds. */
async function processorSeconds(run: () => Promise<unknown>): Promise<number> {
  const cpu = process.cpuUsage();
  for (let i = 0; i < 20; i++) await run();
  const { user, system } = process.cpuUsage(cpu);
  return Number(((user + system) / 1e6 / 20).toFixed(3));
}
