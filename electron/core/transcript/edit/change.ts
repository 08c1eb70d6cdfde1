import { shiftSegment, typedWords, withText, withTypedWords } from '../segment.ts';
import type { Change, ChangeStep, Draft, DraftSegment, Note } from '../../../contract/transcript.ts';
import { diffRange, textChange } from './text-diff.ts';
import type { SegmentId } from '../../../contract/identifiers.ts';

/** Applies a change to the draft that it was made for. */
export const applyChange = (draft: Draft, change: Change): Draft => change.reduce(applyStep, draft);

/**
 * Whether a step can be applied to a draft: it finds what it removes or replaces. Steps of the stored history may come
 * from the backup of another computer.
 */
export function fitsDraft({ segments, text }: Draft, step: ChangeStep): boolean {
  switch (step.kind) {
    case 'splice':
      return (
        Number.isSafeInteger(step.at) &&
        step.at >= 0 &&
        step.at + step.removed.length <= segments.length &&
        step.removed.every(({ id }, index) => segments[step.at + index]?.id === id)
      );
    case 'replace':
      return step.pairs.every(
        ({ at, before, after }) => segments[at]?.id === before.id && after.id === before.id,
      );
    case 'times':
      return step.after.length === 2 * segments.length;
    case 'text':
      return text !== null && text.startsWith(step.removed, step.at) && step.at <= text.length;
    case 'speakers':
    case 'notes':
      return true;
  }
}

/** Returns the change that exactly undoes another one. */
export const invertChange = (change: Change): Change => change.toReversed().map(invertStep);

function applyStep(draft: Draft, step: ChangeStep): Draft {
  switch (step.kind) {
    case 'splice': {
      const { at, removed, inserted } = step;
      const nextId = inserted.reduce((next, { id }) => Math.max(next, id + 1), draft.nextId);
      const { segments } = draft;
      // Spread into a call, many segments would overflow the stack; spread into an array, they are copied one by one.
      return {
        ...draft,
        nextId,
        segments: segments.slice(0, at).concat(inserted, segments.slice(at + removed.length)),
      };
    }
    case 'replace': {
      const segments = [...draft.segments];
      for (const { at, after } of step.pairs) segments[at] = after;
      return { ...draft, segments };
    }
    case 'times':
      return { ...draft, segments: draft.segments.map((segment, at) => timed(segment, at, step.after)) };
    case 'text': {
      const text = draft.text ?? '';
      const rest = text.slice(step.at + step.removed.length);
      return { ...draft, text: text.slice(0, step.at) + step.inserted + rest };
    }
    case 'speakers':
      return { ...draft, speakers: step.after };
    case 'notes': {
      const nextId = step.after.reduce((next, { id }) => Math.max(next, id + 1), draft.nextId);
      return { ...draft, nextId, notes: step.after };
    }
  }
}

function timed(segment: DraftSegment, at: number, times: readonly number[]): DraftSegment {
  const start = times[2 * at] ?? segment.start;
  const end = times[2 * at + 1] ?? segment.end;
  return start === segment.start && end === segment.end ? segment : shiftSegment(segment, start, end);
}

function invertStep(step: ChangeStep): ChangeStep {
  switch (step.kind) {
    case 'splice':
      return { kind: 'splice', at: step.at, removed: step.inserted, inserted: step.removed };
    case 'replace':
      return {
        kind: 'replace',
        pairs: step.pairs.map(({ at, before, after }) => ({ at, before: after, after: before })),
      };
    case 'times':
      return { kind: 'times', before: step.after, after: step.before };
    case 'text':
      return { kind: 'text', at: step.at, removed: step.inserted, inserted: step.removed };
    case 'speakers':
      return { kind: 'speakers', before: step.after, after: step.before };
    case 'notes':
      return { kind: 'notes', before: step.after, after: step.before };
  }
}

/** Two changes of the same typing, merged into one. */
interface CoalescedTyping {
  /** Replaces both; empty if they cancel out. */
  readonly combined: Change;
  /** Turns the result of the first change into that of the combined one. */
  readonly remaining: Change;
}

/**
 * Merges two changes of the same typing into one. Its result is the same as if all of it had been typed at once.
 *
 * @param draft the draft after the first change
 * @returns `null` if the changes affect different texts, or a text and notes
 */
export function coalesceTyping(
  draft: Draft,
  firstChange: Change,
  secondChange: Change,
): CoalescedTyping | null {
  const [first] = firstChange;
  const [second] = secondChange;
  if (firstChange.length !== 1 || secondChange.length !== 1) return null;
  if (first?.kind === 'text' && second?.kind === 'text') {
    const before = applyChange(draft, invertChange(firstChange)).text ?? '';
    return {
      combined: textChange(before, applyChange(draft, secondChange).text ?? ''),
      remaining: secondChange,
    };
  }
  if (first?.kind === 'notes' && second?.kind === 'notes') {
    const isCancelled = haveEqualNotes(first.before, second.after);
    return {
      combined: isCancelled ? [] : [{ kind: 'notes', before: first.before, after: second.after }],
      remaining: secondChange,
    };
  }
  if (first?.kind !== 'replace' || second?.kind !== 'replace') return null;
  const [one] = first.pairs;
  const [next] = second.pairs;
  if (one === undefined || next === undefined || first.pairs.length + second.pairs.length !== 2) return null;
  if (one.after.id !== next.before.id) return null;
  const { at, before } = one;
  const isCancelled = before.text === next.after.text;
  const after = isCancelled
    ? before
    : withTypedWords(withText(before, next.after.text), typedWords(next.after));
  return {
    combined: isCancelled ? [] : [{ kind: 'replace', pairs: [{ at, before, after }] }],
    remaining: [{ kind: 'replace', pairs: [{ at, before: next.before, after }] }],
  };
}

function haveEqualNotes(some: readonly Note[], others: readonly Note[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ id, atSeconds, text }, index) => {
      const other = others[index];
      return other?.id === id && other.atSeconds === atSeconds && other.text === text;
    })
  );
}

/** A position in the text of a segment, in UTF-16 units. */
export interface TextPosition {
  readonly segment: SegmentId;
  readonly offset: number;
}

/** A segment in which a change is visible. */
interface ChangedSegment {
  readonly segment: DraftSegment;
  /** Its text before, or `null` for a segment that was inserted or is next to a removed one. */
  readonly before: string | null;
  /** Number of segments between it and the one that the user sees. */
  readonly distance: number;
}

/**
 * Returns the position where a change is visible, in the changed segment that is nearest to the one that the user sees;
 * `null` if there is none, for example after a change of all times or of the names of speakers.
 *
 * @param after the draft with the change
 * @param near index of the segment that the user sees
 */
export function changedPosition(after: Draft, change: Change, near: number): TextPosition | null {
  const changesSpeakers = change.some(({ kind }) => kind === 'speakers');
  let nearest: ChangedSegment | null = null;
  for (const step of change) {
    for (const changed of changedSegments(step, after, near)) {
      // Speakers are renamed or merged in the whole transcript: no single position shows it.
      if (changesSpeakers && changed.before === changed.segment.text) continue;
      if (nearest === null || changed.distance < nearest.distance) nearest = changed;
    }
  }
  if (nearest === null) return null;
  const { segment, before } = nearest;
  const difference = before === null ? null : diffRange(before, segment.text);
  return {
    segment: segment.id,
    offset: difference === null ? 0 : difference.at + difference.inserted.length,
  };
}

/** Returns the segments that a step changes in place, or the nearest one that it inserts. */
function changedSegments(step: ChangeStep, after: Draft, near: number): readonly ChangedSegment[] {
  if (step.kind === 'splice') {
    const last = step.at + Math.max(0, step.inserted.length - 1);
    const at = Math.min(Math.max(near, step.at), last);
    // A removal is visible at its neighbours.
    const segment = step.inserted[at - step.at] ?? after.segments[step.at] ?? after.segments[step.at - 1];
    return segment === undefined ? [] : [{ segment, before: null, distance: Math.abs(at - near) }];
  }
  if (step.kind !== 'replace') return [];
  return step.pairs.map(({ at, before, after: segment }) => ({
    segment,
    before: before.text,
    distance: Math.abs(at - near),
  }));
}
