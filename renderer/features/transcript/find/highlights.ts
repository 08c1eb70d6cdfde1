import type { SegmentId } from '../../../../electron/contract/model/transcript.ts';
import type { Found } from './use-find.ts';

/**
 * Marks what was found in the rows that are drawn. The marks lie over the text and are no part of it, so that typing is
 * not disturbed by them.
 */
export function markFound(list: HTMLElement, found: readonly Found[], current: Found | undefined): void {
  if (found.length === 0) {
    CSS.highlights.delete('found');
    CSS.highlights.delete('found-current');
    return;
  }
  const bySegment = new Map<SegmentId, Found[]>();
  for (const place of found) bySegment.set(place.segment, [...(bySegment.get(place.segment) ?? []), place]);
  const all: Range[] = [];
  const here: Range[] = [];
  for (const row of list.querySelectorAll<HTMLElement>('[data-segment]')) {
    const node = row.querySelector('[role=textbox]')?.firstChild;
    for (const place of bySegment.get(Number(row.dataset['segment'])) ?? []) {
      if (node === null || node === undefined || place.end > (node.textContent?.length ?? 0)) continue;
      const range = new Range();
      range.setStart(node, place.start);
      range.setEnd(node, place.end);
      (place === current ? here : all).push(range);
    }
  }
  CSS.highlights.set('found', new Highlight(...all));
  CSS.highlights.set('found-current', new Highlight(...here));
}
