import { parseArgs } from 'node:util';
import { availableParallelism } from 'node:os';
import type { Segment } from '../../electron/contract/segment-schema.ts';
import { accuracies } from '../../electron/contract/choices.ts';
import { presetRules, type SubtitleRules } from '../../electron/contract/subtitle-rules.ts';
import { rawCues, type Cue } from '../../electron/core/formats/layout/cue.ts';
import { functionWordsOf } from '../../electron/core/formats/layout/function-words.ts';
import { layOut } from '../../electron/core/formats/layout/layout.ts';
import { assess } from '../../electron/core/formats/layout/cue-quality.ts';
import type { SpeechEngine } from '../../electron/on-device/engine/speech-engine.ts';
import { defaultModels } from '../../electron/on-device/models/model-catalog.ts';
import { coresToUse, createSpeechEngine } from '../../electron/on-device/engine/thread/worker-engine.ts';
import { workerUrl } from '../../electron/workers/registry.ts';
import { inChunks, join16k, modelsFolder, sampleRate, silence } from '../support/speech/speech-audio.ts';
import {
  fetchDebianRecordings,
  spokenFixtures,
  telephone,
  type Spoken,
  type TelephoneLanguage,
} from '../support/speech/speech-fixtures.ts';
import { newSegment } from '../../electron/core/transcript/segment.ts';
import { cueStartErrors } from './support/cue-starts.ts';
import { speakTimedWords } from './support/espeak.ts';
import { saveResults } from './support/results.ts';

/**
 * Measures the layout of real speech: cues that violate a rule of a preset, lines that end with a function word that
 * belongs to the next, cues that end inside a clause, and cues with a single word of a clause. With espeak-ng (Debian's
 * `libespeak-ng1`) also how far cues start from their first words, with and without the times of words.
 *
 * `npm run bench -- quality [--fetch] [--models tiny,base] [--show]`
 *
 * The texts are telephone announcements in English, Spanish and French, with the durations of their recordings, and the
 * transcripts of the recordings of the speech benchmark. `--fetch` downloads these from Debian; without it, now or
 * earlier, there is one recording. `--show` prints all cues of the broadcast preset.
 */

const { values } = parseArgs({
  options: {
    fetch: { type: 'boolean', default: false },
    models: { type: 'string', default: 'tiny' },
    show: { type: 'boolean', default: false },
  },
});

const languages: readonly TelephoneLanguage[] = ['en', 'es', 'fr'];
/** The minimum length in characters: shorter announcements always fit into one cue. */
const minAnnouncement = 60;
/** The number of words per segment when text is split as some services do, regardless of sentences. */
const wordsTogether = 13;
const announcementsCut = 25;
/** Between two recordings, in seconds. */
const pause = 0.6;

/** Segments of one language. */
interface Passage {
  readonly language: string;
  readonly segments: readonly Segment[];
}

interface Source {
  readonly name: string;
  readonly passages: readonly Passage[];
}

interface Counts {
  readonly cues: number;
  readonly flagged: number;
  readonly why: string;
  /** Lines except the last that end with an article, a conjunction or a preposition. */
  readonly smallWords: number;
  /** Cues except the last that end neither a sentence nor a clause. */
  readonly insideClauses: number;
  /** Cues of a single word that is not a sentence. */
  readonly loneWords: number;
}

const secondsOf = ({ samples }: Spoken): number => samples.length / sampleRate;

/** Consecutive announcements, each its own segment. */
function announcements(language: TelephoneLanguage): Passage {
  let time = 0;
  const segments: Segment[] = [];
  for (const spoken of telephone(language)) {
    if (spoken.text.length < minAnnouncement) continue;
    segments.push({ start: time, end: time + secondsOf(spoken), text: spoken.text.trim() });
    time += secondsOf(spoken) + pause;
  }
  return { language, segments };
}

/** The words of the first announcements, split regardless of sentences. */
function cutRegardless({ language, segments }: Passage): Passage {
  const words = segments.slice(0, announcementsCut).flatMap(({ start, end, text }) => {
    const spokenWords = text.split(/\s+/u);
    const secondsEach = (end - start) / spokenWords.length;
    return spokenWords.map((word, index) => ({
      word,
      start: start + index * secondsEach,
      end: start + (index + 1) * secondsEach,
    }));
  });
  const cut: Segment[] = [];
  for (let from = 0; from < words.length; from += wordsTogether) {
    const group = words.slice(from, from + wordsTogether);
    cut.push({
      start: group[0]?.start ?? 0,
      end: group.at(-1)?.end ?? 0,
      text: group.map(({ word }) => word).join(' '),
    });
  }
  return { language, segments: cut };
}

/** The transcript of all recordings of the speech benchmark, joined. */
async function transcribeFixtures(model: string, engine: SpeechEngine): Promise<Passage> {
  const samples = join16k(...Array.from(spokenFixtures(), (one) => [one.samples, silence(pause)]).flat());
  return { language: 'en', segments: await segmentsOf(model, engine, samples) };
}

async function segmentsOf(
  model: string,
  engine: SpeechEngine,
  samples: Float32Array,
): Promise<readonly Segment[]> {
  const accuracy = accuracies.find((candidate) => defaultModels[candidate] === model);
  if (accuracy === undefined) throw new Error(`There is no model "${model}".`);
  const { segments } = await engine.transcribe({
    samples: inChunks(samples),
    options: { language: 'en', accuracy, translateToEnglish: false, terms: [] },
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  return segments;
}

/** The distances of cue starts from their first words, with and without the times of words; `null` without espeak-ng. */
async function cueStarts(model: string, engine: SpeechEngine): Promise<readonly object[] | null> {
  const speech = speakTimedWords();
  if (speech === null) return null;
  const segments = await segmentsOf(model, engine, speech.samples);
  const plain = segments.map(({ start, end, text }) => newSegment(start, end, text));
  return Object.entries({ 'without words': plain, 'with words': segments }).flatMap(([times, variant]) =>
    Object.entries(presetRules).map(([layout, rules]) => {
      const errors = cueStartErrors(variant, speech.words, rules).map(Math.abs);
      const sorted = errors.toSorted((a, b) => a - b);
      const percentile = (share: number): number =>
        Math.round((sorted[Math.floor(sorted.length * share)] ?? NaN) * 1000) / 1000;
      return { model, times, layout, cues: errors.length, median: percentile(0.5), p90: percentile(0.9) };
    }),
  );
}

const lastWord = (line: string): string => (line.split(' ').at(-1) ?? '').toLowerCase();
const clauseEnd = /[.!?…,;:–—][\p{Pe}\p{Pf}"']*$/u;

function countsOf(
  cuesOf: (passage: Passage) => readonly Cue[],
  passages: readonly Passage[],
  rules: SubtitleRules,
): Counts {
  const counts = passages.map((passage) => {
    const { articles, connectives } = functionWordsOf(passage.language);
    const cues = cuesOf(passage);
    const lines = cues.flatMap((cue) => cue.lines);
    const texts = cues.map((cue) => cue.lines.join(' '));
    return {
      quality: assess(cues, rules),
      smallWords: lines
        .slice(0, -1)
        .filter((line) => articles.has(lastWord(line)) || connectives.has(lastWord(line))).length,
      insideClauses: texts.slice(0, -1).filter((text) => !clauseEnd.test(text)).length,
      loneWords: texts.filter(
        (text, index) =>
          !text.includes(' ') && !(clauseEnd.test(text) && clauseEnd.test(texts[index - 1] ?? '.')),
      ).length,
    };
  });
  const sum = (select: (one: (typeof counts)[number]) => number): number =>
    counts.reduce((total, one) => total + select(one), 0);
  const reasons = ['tooWide', 'tooManyLines', 'tooLong', 'tooShort', 'tooFast', 'tooClose'] as const;
  return {
    cues: sum(({ quality }) => quality.cues),
    flagged: sum(({ quality }) => quality.flagged),
    why: reasons
      .map((reason) => [sum(({ quality }) => quality[reason]), reason] as const)
      .filter(([count]) => count > 0)
      .map(([count, reason]) => `${count} ${reason}`)
      .join(', '),
    smallWords: sum((one) => one.smallWords),
    insideClauses: sum((one) => one.insideClauses),
    loneWords: sum((one) => one.loneWords),
  };
}

if (values.fetch) fetchDebianRecordings(['es', 'fr']);
const spoken = languages.map(announcements);
const sources: Source[] = [
  { name: 'announcements', passages: spoken },
  { name: `of ${wordsTogether} words`, passages: spoken.map(cutRegardless) },
];
const engine = createSpeechEngine({
  modelsFolder,
  workerUrl,
  threads: coresToUse(availableParallelism()),
});
const starts: object[] = [];
for (const model of values.models.split(',').filter((name) => name !== '')) {
  sources.push({ name: `transcribed by ${model}`, passages: [await transcribeFixtures(model, engine)] });
  starts.push(...((await cueStarts(model, engine)) ?? []));
}
await engine.close();

const results = sources
  .filter(({ passages }) => passages.some(({ segments }) => segments.length > 0))
  .flatMap(({ name, passages }) => [
    {
      source: name,
      layout: 'unchanged',
      ...countsOf(({ segments }) => rawCues(segments), passages, presetRules.broadcast),
    },
    ...Object.entries(presetRules).map(([preset, rules]) => ({
      source: name,
      layout: preset,
      ...countsOf(({ segments, language }) => layOut(segments, language, rules), passages, rules),
    })),
  ]);
console.table(results);
if (starts.length > 0) {
  console.log('Distance of cue starts from when their first words are said, in seconds:');
  console.table(starts);
}
saveResults('quality', { results, starts });

if (values.show) {
  for (const { name, passages } of sources) {
    for (const { language, segments } of passages) {
      console.log(`\n== ${name}, ${language}`);
      for (const { startMs, endMs, lines } of layOut(segments, language, presetRules.broadcast)) {
        const [start, length] = [startMs / 1000, (endMs - startMs) / 1000];
        console.log(`${start.toFixed(2)} +${length.toFixed(2)}  ${lines.join(' | ')}`);
      }
    }
  }
}
