import type { SegmentId } from '../../../../electron/contract/identifiers.ts';
import type { Draft, Query } from '../../../../electron/contract/transcript.ts';
import { findMatches, patternOf } from '../../../../electron/core/transcript/find.ts';

/** A place in a transcript; `start` in UTF-16 units of the text that it is in. */
export interface TextPlace {
  /** `null` in a transcript without times, whose text is one. */
  readonly segment: SegmentId | null;
  readonly start: number;
}

/** A place where the text that is looked for stands. */
export interface Found extends TextPlace {
  readonly end: number;
}

type Texts = Pick<Draft, 'segments' | 'text'>;

/** All places where a query finds something, in the order of the text. */
export function findIn({ segments, text: whole }: Texts, query: Query): readonly Found[] {
  const pattern = patternOf(query);
  if (pattern === null) return [];
  const foundIn = (segment: SegmentId | null, text: string): readonly Found[] =>
    findMatches(text, pattern).map((match) => ({ segment, ...match }));
  return whole === null ? segments.flatMap(({ id, text }) => foundIn(id, text)) : foundIn(null, whole);
}

/** The index of the first of the found places that is not before `from`; 0 when all are. */
export function firstFrom({ segments }: Texts, found: readonly Found[], from: TextPlace | null): number {
  if (from === null) return 0;
  let index = 0;
  // Both are in the order of the text.
  for (const { id } of from.segment === null ? [] : segments) {
    if (id === from.segment) break;
    while (found[index]?.segment === id) index += 1;
  }
  while (found[index]?.segment === from.segment && (found[index]?.start ?? 0) < from.start) index += 1;
  return index < found.length ? index : 0;
}
