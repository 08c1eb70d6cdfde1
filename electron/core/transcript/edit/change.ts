import { withTimes } from '../segment.ts';
import type { Change, ChangeStep, Draft, DraftSegment } from '../../../contract/transcript.ts';

/** A draft after a change that was made for it. */
export const applyChange = (draft: Draft, change: Change): Draft => change.reduce(applyStep, draft);

/** The change that takes another one back, exactly. */
export const invertChange = (change: Change): Change => change.toReversed().map(invertStep);

function applyStep(draft: Draft, step: ChangeStep): Draft {
  switch (step.kind) {
    case 'splice': {
      const { at, removed, inserted } = step;
      const nextId = inserted.reduce((next, { id }) => Math.max(next, id + 1), draft.nextId);
      return { ...draft, nextId, segments: draft.segments.toSpliced(at, removed.length, ...inserted) };
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
  return start === segment.start && end === segment.end ? segment : withTimes(segment, start, end);
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
