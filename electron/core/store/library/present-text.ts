import type { Segment } from '../../../contract/segment.ts';
import { joinTexts, oneLine } from '../../transcript/plain-text.ts';

/** What the database has of a transcript's text. */
export interface TextRow {
  /** As it came. */
  readonly text: string;
  /** As it was edited, of a transcript without times. */
  readonly edited_text: string | null;
  /** How many segments came; `null` when nothing was ever edited. */
  readonly original_count: number | null;
}

/** The text of a transcript as it stands: until it is edited as it came, which may have paragraphs. */
export function presentText(row: TextRow, segments: readonly Segment[]): string {
  if (row.original_count === null) return row.text;
  return row.edited_text ?? joinTexts(segments.map(({ text }) => oneLine(text)));
}
