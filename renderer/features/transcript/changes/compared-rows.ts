import type { SegmentId } from '../../../../electron/contract/identifiers.ts';
import type {
  AssignedSpeaker,
  Change,
  ComparisonBase,
  Draft,
  DraftSegment,
  EditOperation,
} from '../../../../electron/contract/transcript.ts';
import {
  areDividedDifferently,
  comparedTimes,
  compareLines,
  compareSegments,
  type ComparedSegments,
  type Span,
} from '../../../../electron/core/transcript/edit/compare.ts';
import { draftOf } from '../../../../electron/core/transcript/edit/edit.ts';
import { findRetiming, isSameTime } from '../../../../electron/core/transcript/edit/retiming.ts';
import { formatTimeCode } from '../../../ui/text/format.ts';
import type { ReadingParagraph } from '../reading-list.tsx';

/** A segment or some lines of a transcript, compared with the original. */
export interface ComparedRow extends ReadingParagraph {
  /** Seconds from the start of the recording; `null` in a text without times. */
  readonly start: number | null;
  readonly before: string;
  readonly after: string;
  /** Whether the original has nothing of it, so that restoring the original removes it. */
  readonly isInserted: boolean;
  /** The times of the original and the current ones, in seconds; `null` if they are the same. */
  readonly times: Difference<Span> | null;
  /** The number of segments, if they were split or merged, or words moved between them; else `null`. */
  readonly segments: Difference<number> | null;
  /** The distinct speakers before and after manual reassignment; `null` without one. */
  readonly speakers: Difference<readonly (number | null)[]> | null;
  /** Restores this row only. */
  readonly restoration: EditOperation;
}

/** What the original had, and what there is now. */
export interface Difference<T> {
  readonly before: T;
  readonly after: T;
}

/** A comparison of a transcript with its original. */
export interface Comparison {
  /** All rows, changed or not, in the order of the text. */
  readonly rows: readonly ComparedRow[];
  /**
   * Whether the times were changed as a whole: `retimed` by shifting or stretching all, with which the rows are
   * compared; `not-compared` because most of them were changed in different ways.
   */
  readonly times: 'kept' | 'retimed' | 'not-compared';
}

/** Compares a transcript with its original. */
export function compareWithOriginal(
  draft: Draft,
  original: ComparisonBase,
  durationSeconds: number | null,
): Comparison {
  return draft.text === null
    ? comparedSegments(draft, original, durationSeconds)
    : { rows: comparedLines(draft.text, original.text ?? ''), times: 'kept' };
}

const comparedLines = (text: string, original: string): readonly ComparedRow[] =>
  compareLines(text, original)
    .filter(({ before, after }) => before.trim() !== '' || after.trim() !== '')
    .map(({ at, before, after }) => ({
      text: (after === '' ? before : after).replace(/^\n/u, ''),
      start: null,
      before: before.replace(/^\n/u, ''),
      after: after.replace(/^\n/u, ''),
      isInserted: before.trim() === '',
      times: null,
      segments: null,
      speakers: null,
      restoration: { kind: 'edit-text', at, removed: after.length, inserted: before },
    }));

function comparedSegments(
  draft: Draft,
  original: ComparisonBase,
  durationSeconds: number | null,
): Comparison {
  const before = draftOf(original.segments).segments;
  const bases = new Map(original.speakersBefore.map((base) => [base.segment, base]));
  const splitOff = new Set(
    original.speakersBefore.flatMap((base) => (base.isSplitOff ? [base.segment] : [])),
  );
  const maxSeconds = durationSeconds ?? draft.segments.at(-1)?.end ?? before.at(-1)?.end ?? 0;
  const retiming = findRetiming(draft.segments, before, durationSeconds);
  const rows = compareSegments(draft.segments, before).map((compared): ComparedRow => {
    const start = (compared.current[0] ?? compared.original[0])?.start ?? 0;
    // An inserted segment has no speaker in the original.
    const kept = compared.original.length === 0 ? [] : compared.current;
    const reassigned = kept.flatMap(({ id, speaker }) => {
      const base = bases.get(id);
      return base === undefined || base.speaker === speaker ? [] : [base];
    });
    const row = {
      time: formatTimeCode(start, maxSeconds),
      text: compared.after === '' ? compared.before : compared.after,
      start,
      before: compared.before,
      after: compared.after,
      isInserted: compared.original.length === 0,
      times: retiming === null ? null : comparedTimes(compared, retiming),
      segments: areDividedDifferently(compared, splitOff)
        ? { before: compared.original.length, after: compared.current.length }
        : null,
      speakers:
        reassigned.length === 0
          ? null
          : { before: speakersOf(compared.current, bases), after: speakersOf(compared.current) },
    };
    const isOnlyReassigned = row.speakers !== null && !isChanged({ ...row, speakers: null });
    return {
      ...row,
      restoration: isOnlyReassigned ? reassignment(reassigned) : restorationOf(compared, bases),
    };
  });
  if (retiming === null) return { rows, times: 'not-compared' };
  const moved = before.filter(({ start }) => !isSameTime(retiming(start), start));
  return { rows, times: moved.length * 2 > before.length ? 'retimed' : 'kept' };
}

/** Whether a transcript differs from its original. */
export function differsFromOriginal(
  draft: Draft,
  original: ComparisonBase,
  durationSeconds: number | null,
): boolean {
  // A comparison does not show empty segments, nor those that identifying speakers has split off.
  if (draft.segments.length !== original.segments.length) return true;
  const { rows, times } = compareWithOriginal(draft, original, durationSeconds);
  return times !== 'kept' || rows.some(isChanged);
}

/** Returns the distinct speakers of segments: the current ones, or with `bases` those before. */
const speakersOf = (
  segments: readonly DraftSegment[],
  bases: ReadonlyMap<SegmentId, AssignedSpeaker> = new Map(),
): readonly (number | null)[] => [
  ...new Set(segments.map((segment) => (bases.get(segment.id) ?? segment).speaker)),
];

/** Returns the operation that restores only the speaker; if there were several, only in the segments of the first one. */
const reassignment = (bases: readonly AssignedSpeaker[]): EditOperation => {
  const speaker = bases[0]?.speaker ?? null;
  const segments = bases.filter((base) => base.speaker === speaker).map(({ segment }) => segment);
  return { kind: 'set-speaker', segments, speaker };
};

/** Returns the operation that restores segments with the speakers that they had, including deleted segments. */
function restorationOf(
  { current, original }: ComparedSegments,
  bases: ReadonlyMap<SegmentId, AssignedSpeaker>,
): EditOperation {
  const speakers = original.flatMap(({ id }) => {
    const base = bases.get(id);
    return base === undefined ? [] : [{ segment: id, speaker: base.speaker }];
  });
  const only = { current: current.map(({ id }) => id), original: original.map(({ id }) => id) };
  return { kind: 'restore', only: { ...only, ...(speakers.length > 0 && { speakers }) } };
}

/** Whether a row differs from the original. */
export const isChanged = ({
  before,
  after,
  times,
  segments,
  speakers,
}: Omit<ComparedRow, 'restoration' | 'text' | 'start'>): boolean =>
  before !== after || times !== null || segments !== null || speakers !== null;

/**
 * Returns a side effect of restoring segments to report: their neighbours left no room for the original times, or have
 * other times now; `null` for none.
 *
 * @param after the draft after the change that restored them
 */
export function restorationOutcome(
  change: Change,
  after: Draft,
  original: ComparisonBase,
  durationSeconds: number | null,
): 'noRoom' | 'neighbours' | null {
  const restored = new Set(
    change.flatMap((step) => (step.kind === 'splice' ? step.inserted.map(({ id }) => id) : [])),
  );
  if (restored.size === 0 || after.text !== null) return null;
  const before = draftOf(original.segments).segments;
  const retiming = findRetiming(after.segments, before, durationSeconds);
  const isRestored = ({ id }: DraftSegment): boolean => restored.has(id);
  const compared = { current: after.segments.filter(isRestored), original: before.filter(isRestored) };
  if (retiming !== null && comparedTimes(compared, retiming) !== null) return 'noRoom';
  return change.some(({ kind }) => kind === 'replace') ? 'neighbours' : null;
}
