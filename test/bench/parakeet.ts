/**
 * Compares the Parakeet engine with another implementation, parakeet.js, with the same stand-in graphs.
 *
 * `npm run bench -- parakeet --compare [--write]`
 *
 * `--compare` fetches parakeet.js from the package registry and compares the model's input and its tokens, frames,
 * durations and probabilities, for parts of a real recording. `--write` saves those for the tests.
 */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { featureBands, logMelFeatures } from '../../electron/on-device/engine/parakeet/log-mel.ts';
import { ParakeetModel } from '../../electron/on-device/engine/parakeet/parakeet-model.ts';
import { Interrupt } from '../../electron/on-device/engine/whisper/interrupt.ts';
import { kennedy, readWav, sampleRate } from '../support/speech/speech-audio.ts';
import { standInParakeet } from '../support/speech/stand-in-parakeet.ts';
import { openParakeetJs } from './support/parakeet-js.ts';

const { values } = parseArgs({
  options: { compare: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
});
const fixture = resolve(import.meta.dirname, '../unit/on-device/engine/parakeet/decoding.json');
/** Parts of the recording, in samples. */
const parts = [
  [0, 176_000],
  [70_123, 90_000],
  [16_000, 16_900],
] as const;

if (values.compare) await compare();

async function compare(): Promise<void> {
  const speech = readWav(kennedy.wav);
  const { model: theirs, preprocessor } = await openParakeetJs();
  const ours = await ParakeetModel.load(standInParakeet(), 2);
  const rows: object[] = [];
  const expected: object[] = [];
  for (const [from, to] of parts) {
    const samples = speech.slice(from, to);
    const found = await ours.recognize(samples, new Interrupt());
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
      list.length === found.length && list.every((value, i) => value === found[i]?.[key]);
    rows.push({
      seconds: (to - from) / sampleRate,
      tokens: tokens.length,
      sameTokens: isSame(tokens, 'token'),
      sameFrames: isSame(frames, 'frame'),
      sameDurations: isSame(durations, 'duration'),
      logProbabilityDifference: greatest(
        found.map(({ probability }, i) => Math.log(probability) - (logProbs[i] ?? 0)),
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

function greatest(differences: readonly number[]): number {
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
  return differences.reduce((most, difference) => Math.max(most, Math.abs(difference)), 0);
}
