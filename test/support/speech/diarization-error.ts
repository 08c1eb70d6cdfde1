import { assignBest } from '../../../electron/on-device/speakers/assignment.ts';

/** Somebody speaks from a start to an end, in seconds. */
export interface SpeakerSpan {
  readonly start: number;
  readonly end: number;
  readonly speaker: number | string;
}

export interface ScoringOptions {
  /** What is not scored before and after each start and end of the reference. */
  readonly collarSeconds?: number;
  /** Whether nothing is scored where several speak in the reference. */
  readonly skipsOverlap?: boolean;
}

/** The parts of the diarization error rate, in seconds of speakers: two who speak at once count twice. */
export interface DiarizationError {
  /** What was scored of the reference. */
  readonly reference: number;
  readonly missed: number;
  readonly falseAlarm: number;
  /** Attributed to somebody else. */
  readonly confused: number;
  /** The sum of the three, in relation to the reference. */
  readonly rate: number;
}

/** A span of time in which the same people speak. */
interface Interval {
  readonly seconds: number;
  readonly reference: readonly (number | string)[];
  readonly found: readonly (number | string)[];
}

/**
 * Computes the diarization error rate as NIST's `md-eval` and pyannote.metrics do. Each speaker that was found is
 * matched to one of the reference, so that the error is minimal. pyannote.metrics calls twice the seconds a collar.
 */
export function diarizationError(
  reference: readonly SpeakerSpan[],
  found: readonly SpeakerSpan[],
  { collarSeconds = 0, skipsOverlap = false }: ScoringOptions = {},
): DiarizationError {
  const intervals = scoredIntervals(reference, found, collarSeconds).filter(
    (interval) => !skipsOverlap || interval.reference.length < 2,
  );
  const matches = matchSpeakers(intervals);
  let [all, missed, falseAlarm, confused] = [0, 0, 0, 0];
  for (const { seconds, reference: spoken, found: attributed } of intervals) {
    const correct = attributed.filter((speaker) => {
      const match = matches.get(speaker);
      return match !== undefined && spoken.includes(match);
    }).length;
    all += seconds * spoken.length;
    missed += seconds * Math.max(0, spoken.length - attributed.length);
    falseAlarm += seconds * Math.max(0, attributed.length - spoken.length);
    confused += seconds * (Math.min(spoken.length, attributed.length) - correct);
  }
  return { reference: all, missed, falseAlarm, confused, rate: (missed + falseAlarm + confused) / all };
}

type Side = 'reference' | 'found' | 'collar';

/** Divides the recording where somebody starts or ends, and leaves out the collars. */
function scoredIntervals(
  reference: readonly SpeakerSpan[],
  found: readonly SpeakerSpan[],
  collar: number,
): readonly Interval[] {
  const events: {
    readonly time: number;
    readonly side: Side;
    readonly speaker: number | string;
    readonly by: 1 | -1;
  }[] = [];
  const addSpan = (side: Side, speaker: number | string, start: number, end: number): void => {
    if (end <= start) return;
    events.push({ time: start, side, speaker, by: 1 }, { time: end, side, speaker, by: -1 });
  };
  for (const { start, end, speaker } of reference) {
    addSpan('reference', speaker, start, end);
    for (const edge of [start, end]) addSpan('collar', 0, edge - collar, edge + collar);
  }
  for (const { start, end, speaker } of found) addSpan('found', speaker, start, end);

  const active = { reference: new Map(), found: new Map(), collar: new Map() } satisfies Record<
    Side,
    Map<number | string, number>
  >;
  const intervals: Interval[] = [];
  let last = 0;
  for (const { time, side, speaker, by } of events.sort((a, b) => a.time - b.time)) {
    if (time > last && active.collar.size === 0) {
      const speakers = { reference: [...active.reference.keys()], found: [...active.found.keys()] };
      intervals.push({ seconds: time - last, ...speakers });
    }
    last = time;
    const count = (active[side].get(speaker) ?? 0) + by;
    if (count > 0) active[side].set(speaker, count);
    else active[side].delete(speaker);
  }
  return intervals;
}

/** Returns for each speaker that was found the one of the reference with whom they share most time. */
function matchSpeakers(intervals: readonly Interval[]): ReadonlyMap<number | string, number | string> {
  const rows = [...new Set(intervals.flatMap((interval) => interval.found))];
  const columns = [...new Set(intervals.flatMap((interval) => interval.reference))];
  const shared = new Float64Array(rows.length * columns.length);
  for (const { seconds, reference, found } of intervals) {
    for (const one of found) {
      for (const other of reference)
        shared[rows.indexOf(one) * columns.length + columns.indexOf(other)]! += seconds;
    }
  }
  const matched = assignBest(shared, rows.length, columns.length);
  return new Map(
    rows.flatMap((speaker, i) => {
      const column = columns[matched[i]!];
      return column === undefined ? [] : [[speaker, column] as const];
    }),
  );
}
