/**
 * Measures how well the probability of a word tells wrong words from right ones: how many of both are below a threshold,
 * with each model, in recordings with a known text. A word that was said but is missing has no probability and is not
 * counted. The program flags words below `unsureThreshold`.
 *
 * `npm run bench -- flagged-words [--models tiny,base,small] [--fetch]`
 *
 * Without `--fetch`, now or earlier, the real voices are one recording; with it, those of Debian are added. The synthetic
 * voices are espeak-ng's, where its library is installed (Debian's `libespeak-ng1`).
 */
import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { accuracies } from '../../electron/contract/choices.ts';
import { unsureThreshold } from '../../electron/core/transcript/review/unsure-words.ts';
import { coresToUse } from '../../electron/on-device/engine/thread/worker-engine.ts';
import { defaultModels } from '../../electron/on-device/models/model-catalog.ts';
import { join16k, silence } from '../support/speech/speech-audio.ts';
import { fetchDebianRecordings, spokenFixtures, type Spoken } from '../support/speech/speech-fixtures.ts';
import { EngineRecogniser } from './support/engine-recogniser.ts';
import { speakTimedWords } from './support/espeak.ts';
import { flaggedBelow, judgeWords } from './support/judged-words.ts';
import { saveResults } from './support/results.ts';

const { values } = parseArgs({
  options: {
    models: { type: 'string', default: 'tiny,base,small' },
    fetch: { type: 'boolean', default: false },
  },
});

const thresholds = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
/** Between two recordings, in seconds. */
const pauseSeconds = 0.6;

const percent = (part: number, total: number): string => `${((100 * part) / total).toFixed(1)} %`;

if (values.fetch) fetchDebianRecordings();
const [model = '', ...otherModels] = values.models.split(',');
if (otherModels.length === 0) await measure(model, loadRecordings());
// One process cannot load the engine twice.
else
  for (const one of [model, ...otherModels])
    execFileSync(process.execPath, [import.meta.filename, '--models', one], { stdio: 'inherit' });

function loadRecordings(): Readonly<Record<string, Spoken>> {
  const real = [...spokenFixtures()];
  const synthetic = speakTimedWords();
  const joinedRecordings = {
    samples: join16k(...real.flatMap(({ samples }) => [samples, silence(pauseSeconds)])),
    text: real.map(({ text }) => text).join(' '),
  };
  return { real: joinedRecordings, ...(synthetic !== null && { synthetic }) };
}

async function measure(name: string, recordings: Readonly<Record<string, Spoken>>): Promise<void> {
  const accuracy = accuracies.find((one) => defaultModels[one] === name);
  if (accuracy === undefined) throw new Error(`There is no model "${name}".`);
  const recogniser = new EngineRecogniser(accuracy, coresToUse(availableParallelism()));
  const results: Record<string, unknown> = {};
  for (const [voices, { samples, text }] of Object.entries(recordings)) {
    const judged = judgeWords(await recogniser.segments(samples), text);
    const all = flaggedBelow(judged, Infinity);
    console.log(`\n${name}, ${voices} voices: ${all.right} right and ${all.wrong} wrong words`);
    const rows = thresholds.map((threshold) => {
      const { wrong, right } = flaggedBelow(judged, threshold);
      return {
        below: threshold === unsureThreshold ? `${threshold} (flagged)` : String(threshold),
        'of the wrong words': percent(wrong, all.wrong),
        'of the right words': percent(right, all.right),
        wrong,
        right,
      };
    });
    console.table(rows);
    results[voices] = { ...all, rows };
  }
  await recogniser.close();
  saveResults(`flagged-words-${name}`, results);
}
