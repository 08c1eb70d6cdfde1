import type { SegmentId } from '../../../contract/identifiers.ts';
import type { Change, Draft } from '../../../contract/transcript.ts';
import { differenceOf } from './whole-text.ts';

/** Where a change is seen: a segment, and the place in its text where it ends, in UTF-16 units. */
export interface TouchedPlace {
  readonly segment: SegmentId;
  readonly offset: number;
}

/**
 * Where to look for what a change has done; `after` is the draft with it. `null` when it is nowhere in particular, as
 * with all times, and when nothing is left.
 */
export function touchedPlace(after: Draft, change: Change): TouchedPlace | null {
  for (const step of change) {
    if (step.kind === 'splice') {
      // What was taken out is missed where its neighbours are.
      const segment = step.inserted[0] ?? after.segments[step.at] ?? after.segments[step.at - 1];
      if (segment !== undefined) return { segment: segment.id, offset: 0 };
    } else if (step.kind === 'replace') {
      const [pair] = step.pairs;
      if (pair === undefined) continue;
      const difference = differenceOf(pair.before.text, pair.after.text);
      const offset = difference === null ? 0 : difference.at + difference.inserted.length;
      return { segment: pair.after.id, offset };
    }
  }
  return null;
}
