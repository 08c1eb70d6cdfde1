import type { SegmentId } from '../../../../electron/contract/identifiers.ts';
import type { DraftSegment, EditOperation } from '../../../../electron/contract/transcript.ts';
import type { SegmentRange } from '../../../../electron/core/transcript/edit/speaker-turns.ts';
import { isRangeHighlighted } from '../../../../electron/core/transcript/highlights.ts';
import { isWhollyHighlighted } from '../../../../electron/core/transcript/segment.ts';

/**
 * Returns the operation that highlights the selected words, or else the targets, which are one segment or the selected
 * ones. It removes the highlight if all of that is highlighted.
 */
export function highlightOperation(
  segments: readonly DraftSegment[],
  targets: readonly SegmentId[],
  selected: readonly SegmentRange[],
): Extract<EditOperation, { readonly isHighlighted: boolean }> {
  const ids = new Set([...targets, ...selected.map(({ segment }) => segment)]);
  const byId = new Map<SegmentId, DraftSegment>();
  for (const segment of segments) {
    if (ids.has(segment.id)) byId.set(segment.id, segment);
    if (byId.size === ids.size) break;
  }
  const passages = selected.flatMap(({ segment: id, start, end }) => {
    const segment = byId.get(id);
    const text = segment?.text.slice(start, end) ?? '';
    return segment === undefined || text.trim() === '' ? [] : [{ segment, from: start, text }];
  });
  if (targets.length > 1 || !passages.some(({ segment }) => segment.id === targets[0])) {
    const isHighlighted = targets.some((id) => !isWhollyHighlighted(byId.get(id) ?? {}));
    return { kind: 'set-highlight', segments: targets, isHighlighted };
  }
  const isHighlighted = passages.some(
    ({ segment, from, text }) => !isRangeHighlighted(segment, { from, to: from + text.length }),
  );
  return {
    kind: 'highlight-words',
    passages: passages.map((passage) => ({ ...passage, segment: passage.segment.id })),
    isHighlighted,
  };
}
