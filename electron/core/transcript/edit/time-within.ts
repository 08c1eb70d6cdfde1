import type { Segment } from '../../../contract/library.ts';

const lettersOf = (text: string): number => text.replaceAll(/\s/gu, '').length;

/** When a place of a segment's text is spoken, in seconds: its time is shared by letters. `offset` in UTF-16 units. */
export function timeWithin({ start, end, text }: Segment, offset: number): number {
  const share = lettersOf(text.slice(0, offset)) / Math.max(1, lettersOf(text));
  return start + (end - start) * share;
}
