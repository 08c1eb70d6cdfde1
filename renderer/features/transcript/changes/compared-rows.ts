import type { Draft, EditOperation, OriginalTranscript } from '../../../../electron/contract/transcript.ts';
import {
  comparedTimes,
  compareLines,
  compareSegments,
  type Span,
} from '../../../../electron/core/transcript/edit/compare.ts';
import { draftOf } from '../../../../electron/core/transcript/edit/edit.ts';
import { findRetiming } from '../../../../electron/core/transcript/edit/retiming.ts';
import { formatTimeCode } from '../../../ui/text/format.ts';
import type { Paragraph } from '../reading-list.tsx';

/** A segment or some lines of a transcript, compared with the original. */
export interface ComparedRow extends Paragraph {
  /** Seconds from the start of the recording; `null` in a text without times. */
  readonly start: number | null;
  readonly before: string;
  readonly after: string;
  /** The times of the original and the current ones, in seconds; `null` if they are the same. */
  readonly times: { readonly before: Span; readonly after: Span } | null;
  /** Restores this row only. */
  readonly restoration: EditOperation;
}

/** Returns all rows of a comparison, changed or not, in the order of the text. */
export function comparedRows(
  draft: Draft,
  original: OriginalTranscript,
  durationSeconds: number | null,
): readonly ComparedRow[] {
  if (draft.text !== null) {
    return compareLines(draft.text, original.text ?? '')
      .filter(({ before, after }) => before.trim() !== '' || after.trim() !== '')
      .map(({ at, before, after }) => ({
        text: (after === '' ? before : after).replace(/^\n/u, ''),
        start: null,
        before: before.replace(/^\n/u, ''),
        after: after.replace(/^\n/u, ''),
        times: null,
        restoration: { kind: 'edit-text', at, removed: after.length, inserted: before },
      }));
  }
  const before = draftOf(original.segments).segments;
  const maxSeconds = durationSeconds ?? draft.segments.at(-1)?.end ?? before.at(-1)?.end ?? 0;
  const retiming = findRetiming(draft.segments, before, durationSeconds);
  return compareSegments(draft.segments, before).map((compared) => {
    const start = (compared.current[0] ?? compared.original[0])?.start ?? 0;
    return {
      time: formatTimeCode(start, maxSeconds),
      text: compared.after === '' ? compared.before : compared.after,
      start,
      before: compared.before,
      after: compared.after,
      times: retiming === null ? null : comparedTimes(compared, retiming),
      restoration: {
        kind: 'restore',
        only: {
          current: compared.current.map(({ id }) => id),
          original: compared.original.map(({ id }) => id),
        },
      },
    };
  });
}

/** Whether words or times differ from the original. */
export const isChanged = ({ before, after, times }: ComparedRow): boolean =>
  before !== after || times !== null;
