/**
 * Measures known terms: the share of rare names that are spelled correctly with and without the list, and the word errors
 * elsewhere, in synthetic voices (espeak-ng, Debian's `libespeak-ng1`) and of people; and the processor time of the list.
 *
 * `npm run bench -- terms [--models tiny,base,small] [--shifts 0,88] [--threads N] [--fetch] [--errors]`
 *
 * `--shifts` transcribes the same speech again after that many milliseconds of silence; the figures are sums. `--errors`
 * prints the transcripts. `--fetch` downloads the recordings of people from Debian; without it, now or earlier, there is
 * only one, which has no names.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { accuracies } from '../../electron/contract/choices.ts';
import { coresToUse } from '../../electron/on-device/engine/thread/worker-engine.ts';
import { defaultModels } from '../../electron/on-device/models/model-catalog.ts';
import { join16k, sampleRate, silence, words } from '../support/speech/speech-audio.ts';
import { fetchDebianRecordings } from '../support/speech/speech-fixtures.ts';
import { EngineRecogniser } from './support/engine-recogniser.ts';
import { inOwnProcess } from './support/own-process.ts';
import { realNames, syntheticNames, type SpeechWithNames } from './support/rare-names.ts';
import { wrongWords } from './support/wrong-words.ts';

const { values } = parseArgs({
  options: {
    models: { type: 'string', default: 'tiny,base,small' },
    shifts: { type: 'string', default: '0,88' },
    threads: { type: 'string', default: String(coresToUse(availableParallelism())) },
    fetch: { type: 'boolean', default: false },
    errors: { type: 'boolean', default: false },
    /** Measures one model in this process and sends the figures to its parent. */
    one: { type: 'string' },
  },
});

interface Counts {
  names: number;
  correct: number;
  otherWords: number;
  otherErrors: number;
  /** Words of the list that were written although nobody said them. */
  unsaid: number;
  segments: number;
  processorSeconds: number;
  seconds: number;
}

if (values.one !== undefined) {
  process.send?.(await measureModel(values.one));
} else {
  if (values.fetch) fetchDebianRecordings();
  if (syntheticNames() === null) console.log('espeak-ng is not installed; only people are measured.');
  const rows: object[] = [];
  for (const model of values.models.split(','))
    rows.push(...(await inOwnProcess<object[]>(['--one', model])));
  console.table(rows);
}

/** Returns the figures of one model. */
async function measureModel(model: string): Promise<readonly object[]> {
  const accuracy = accuracies.find((one) => defaultModels[one] === model);
  if (accuracy === undefined) throw new Error(`There is no model "${model}".`);
  const recogniser = new EngineRecogniser(accuracy, Number(values.threads));
  const rows: object[] = [];
  for (const [voices, speeches] of [
    ['people', realNames()],
    ['synthetic', syntheticNames() ?? []],
  ] as const) {
    if (speeches.length === 0) continue;
    for (const list of ['no', 'yes'] as const) {
      rows.push({ model, voices, list, ...(await measure(recogniser, speeches, list === 'yes')) });
    }
  }
  await recogniser.close();
  return rows;
}

/** Transcribes speeches at each shift and counts their words and errors. */
async function measure(
  recogniser: EngineRecogniser,
  speeches: readonly SpeechWithNames[],
  withTerms: boolean,
): Promise<object> {
  const counts: Counts = {
    names: 0,
    correct: 0,
    otherWords: 0,
    otherErrors: 0,
    unsaid: 0,
    segments: 0,
    processorSeconds: 0,
    seconds: 0,
  };
  for (const speech of speeches) {
    for (const shift of values.shifts.split(',').map(Number)) {
      const samples = join16k(silence(shift / 1000), speech.samples);
      const before = process.cpuUsage();
      const segments = await recogniser.segments(samples, withTerms ? speech.terms : []);
      const { user, system } = process.cpuUsage(before);
      const heard = segments.map(({ text }) => text).join(' ');
      counts.processorSeconds += (user + system) / 1e6;
      counts.seconds += samples.length / sampleRate;
      counts.segments += segments.length;
      count(speech, heard, counts);
      if (values.errors) {
        console.log(`\n${speech.name}, list: ${withTerms}, ${shift} ms: ${heard}`);
        console.log(
          wrongWords(speech.text, heard)
            .map(({ said, heard: h }) => `${said} > ${h}`)
            .join('; '),
        );
      }
    }
  }
  return {
    names: counts.names,
    correct: `${((100 * counts.correct) / counts.names).toFixed(0)} %`,
    'other words': counts.otherWords,
    'errors in them': `${((100 * counts.otherErrors) / counts.otherWords).toFixed(1)} % (${counts.otherErrors})`,
    'never said': counts.unsaid,
    segments: counts.segments,
    'processor s per s': (counts.processorSeconds / counts.seconds).toFixed(4),
  };
}

/** Counts the words of names and the others separately: a wrong word that is not a name is an error in the others. */
function count({ text, terms }: SpeechWithNames, heard: string, counts: Counts): void {
  const termWords = new Set(terms.flatMap(words));
  const said = words(text);
  const names = said.filter((word) => termWords.has(word));
  const saidNames = new Set(names);
  let wrong = 0;
  for (const one of wrongWords(text, heard)) {
    const [saidWords, heardWords] = [words(one.said), words(one.heard)];
    const wrongNames = saidWords.filter((word) => termWords.has(word)).length;
    wrong += wrongNames;
    counts.otherErrors += Math.max(saidWords.length, heardWords.length) - wrongNames;
    counts.unsaid += heardWords.filter((word) => termWords.has(word) && !saidNames.has(word)).length;
  }
  counts.names += names.length;
  counts.correct += names.length - wrong;
  counts.otherWords += said.length - names.length;
}
