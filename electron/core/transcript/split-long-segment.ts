import { maxSegmentTextLength } from '../../contract/limits.ts';
import { withText, moveEdges } from './segment.ts';
import type { Segment } from '../../contract/segment-schema.ts';

/** Splits a segment whose text is too long, at spaces if there are any; each part gets time by its length. */
export function splitLongSegment<S extends Segment>(segment: S): readonly S[] {
  const { start, end, text } = segment;
  if (text.length <= maxSegmentTextLength) return [segment];
  const timeAt = (index: number): number => start + ((end - start) * index) / text.length;
  const segments: S[] = [];
  for (let from = 0; from < text.length;) {
    const limit = Math.min(text.length, from + maxSegmentTextLength);
    // Only this part is searched, because there may be no space at all.
    const space = limit < text.length ? text.slice(from, limit + 1).lastIndexOf(' ') : -1;
    const to = space > 0 ? from + space : endOfCharacter(text, limit);
    const piece = withText(segment, text.slice(from, to).trim());
    if (piece.text !== '') segments.push(moveEdges(piece, timeAt(from), timeAt(to)));
    from = to;
  }
  return segments;
}

/** Moves an index out of a surrogate pair. */
const endOfCharacter = (text: string, index: number): number =>
  /[\uDC00-\uDFFF]/.test(text.charAt(index)) ? index - 1 : index;
