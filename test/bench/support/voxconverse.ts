import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { SpeakerEngine } from '../../../electron/on-device/speakers/thread/speaker-engine.ts';
import { workerUrl } from '../../../electron/workers/registry.ts';
import {
  diarizationError,
  type DiarizationError,
  type SpeakerSpan,
} from '../../support/speech/diarization-error.ts';
import { inChunks, readWav } from '../../support/speech/speech-audio.ts';

/** The figures of one recording, or of all: rates in percent. */
export interface CorpusRow {
  readonly recording: string;
  readonly seconds: number;
  readonly speakers: number;
  readonly found: number;
  readonly missed: number;
  readonly falseAlarm: number;
  readonly confused: number;
  /** Diarization error rate with all overlaps and no collar. */
  readonly strict: number;
  /** As VoxConverse is scored by its authors: 0.25 s before and after each start and end are left out. */
  readonly collar: number;
}

/** Reads who speaks when from a file in the Rich Transcription Time Marked format. */
export function readRttm(text: string): readonly SpeakerSpan[] {
  return text.split('\n').flatMap((line) => {
    const [type, , , start, duration, , , speaker] = line.trim().split(/\s+/);
    if (type !== 'SPEAKER' || speaker === undefined) return [];
    return [{ start: Number(start), end: Number(start) + Number(duration), speaker }];
  });
}

/**
 * Identifies the speakers of a corpus, and compares them with its RTTM files.
 *
 * @param folder contains, at any depth, recordings as WAV files (mono, 16 kHz), each with an RTTM file of the same name
 * @param models the folder with the models
 * @throws Error if it contains no such pair
 */
export async function scoreCorpus(folder: string, models: string): Promise<readonly CorpusRow[]> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path));
  const waves = new Map(
    paths.filter((path) => path.endsWith('.wav')).map((path) => [basename(path, '.wav'), path]),
  );
  const pairs = paths.flatMap((rttm) => {
    const wave = rttm.endsWith('.rttm') ? waves.get(basename(rttm, '.rttm')) : undefined;
    return wave === undefined ? [] : [{ rttm, wave }];
  });
  if (pairs.length === 0) throw new Error(`${folder} has no recording with an RTTM file of its name.`);
  const engine = new SpeakerEngine(workerUrl('speaker'));
  const rows: CorpusRow[] = [];
  const sums = { strict: noError, collar: noError };
  try {
    for (const { rttm, wave } of pairs.toSorted((a, b) => a.wave.localeCompare(b.wave))) {
      const samples = readWav(wave);
      const { turns, speakers } = await engine.identify({
        models: { folder: models, isOwn: true },
        samples: inChunks(samples),
        speakerCount: null,
        signal: new AbortController().signal,
        onProgress: () => undefined,
      });
      const reference = readRttm(readFileSync(rttm, 'utf8'));
      const strict = diarizationError(reference, turns);
      const collar = diarizationError(reference, turns, { collarSeconds: 0.25 });
      sums.strict = sumOf(sums.strict, strict);
      sums.collar = sumOf(sums.collar, collar);
      const facts = { recording: basename(wave), seconds: samples.length / 16_000, found: speakers.length };
      rows.push(
        rowOf({ ...facts, speakers: new Set(reference.map(({ speaker }) => speaker)).size }, strict, collar),
      );
    }
  } finally {
    await engine.close();
  }
  const all = {
    recording: 'all',
    seconds: rows.reduce((sum, { seconds }) => sum + seconds, 0),
    speakers: rows.reduce((sum, { speakers }) => sum + speakers, 0),
    found: rows.reduce((sum, { found }) => sum + found, 0),
  };
  return [...rows, rowOf(all, sums.strict, sums.collar)];
}

type ErrorSums = Omit<DiarizationError, 'rate'>;
const noError: ErrorSums = { reference: 0, missed: 0, falseAlarm: 0, confused: 0 };

const sumOf = (a: ErrorSums, b: ErrorSums): ErrorSums => ({
  reference: a.reference + b.reference,
  missed: a.missed + b.missed,
  falseAlarm: a.falseAlarm + b.falseAlarm,
  confused: a.confused + b.confused,
});

const percent = (part: number, total: number): number =>
  Math.round((1000 * part) / Math.max(total, 1e-9)) / 10;

function rowOf(
  facts: Pick<CorpusRow, 'recording' | 'seconds' | 'speakers' | 'found'>,
  strict: ErrorSums,
  collar: ErrorSums,
): CorpusRow {
  const { reference, missed, falseAlarm, confused } = strict;
  const wrong = collar.missed + collar.falseAlarm + collar.confused;
  return {
    ...facts,
    missed: percent(missed, reference),
    falseAlarm: percent(falseAlarm, reference),
    confused: percent(confused, reference),
    strict: percent(missed + falseAlarm + confused, reference),
    collar: percent(wrong, collar.reference),
  };
}
