import type { SegmentId } from '../../../contract/identifiers.ts';
import type { Change, DraftSegment, SpeakerBefore, StoredOperation } from '../../../contract/transcript.ts';
import { isAssignedByPerson } from '../segment.ts';

/** The operations that can change who speaks in a segment, or make segments out of others. */
export const speakerOperations = [
  'set-speaker',
  'name-speakers',
  'assign-speakers',
  'replace',
  'replace-expanded',
  'split',
  'merge',
  'insert',
  'put-back',
  'restore',
] as const satisfies readonly StoredOperation['kind'][];

/** An edit of the log, of {@link speakerOperations}. */
export interface SpeakerEdit {
  readonly kind: StoredOperation['kind'];
  readonly change: Change;
}

/**
 * Returns the speakers of segments before a person assigned others. Segments that no edit mentions are left out: their
 * speaker never changed.
 *
 * @param edits those in effect, the first one first
 */
export function speakersBefore(edits: Iterable<SpeakerEdit>): readonly SpeakerBefore[] {
  const bases = new Map<SegmentId, SpeakerBefore>();
  for (const { kind, change } of edits) {
    const isIdentified = kind === 'assign-speakers';
    for (const step of change) {
      const [before, after] = segmentsOf(step);
      for (const { id: segment, speaker } of before)
        if (!bases.has(segment)) bases.set(segment, { segment, speaker, isSplitOff: false });
      let previous: DraftSegment | undefined;
      for (const one of after) {
        const base = bases.get(one.id);
        if (base === undefined || (isIdentified && !isAssignedByPerson(one)))
          bases.set(one.id, {
            segment: one.id,
            speaker: isIdentified ? one.speaker : speakerBeforeSplit(one, previous, bases),
            isSplitOff: base === undefined ? isIdentified : base.isSplitOff,
          });
        previous = one;
      }
    }
  }
  return [...bases.values()];
}

/** Returns the speaker of a new segment before a person assigned another one: that of the segment it was split off. */
function speakerBeforeSplit(
  { speaker }: DraftSegment,
  previous: DraftSegment | undefined,
  bases: ReadonlyMap<SegmentId, SpeakerBefore>,
): number | null {
  const base = previous?.speaker === speaker ? bases.get(previous.id) : undefined;
  return base === undefined ? speaker : base.speaker;
}

function segmentsOf(step: Change[number]): readonly [readonly DraftSegment[], readonly DraftSegment[]] {
  if (step.kind === 'splice') return [step.removed, step.inserted];
  if (step.kind === 'replace')
    return [step.pairs.map(({ before }) => before), step.pairs.map(({ after }) => after)];
  return [[], []];
}
