import type { Segment } from '../../../contract/segment-schema.ts';
import { joinTexts, oneLine, textOfSegments } from '../../transcript/plain-text.ts';

/** What the database stores of a transcript's text. */
export interface TextRow {
  /** As the service delivered it. */
  readonly text: string;
  /** The edited text of a transcript without times. */
  readonly edited_text: string | null;
  /** How many segments the original has; `null` if nothing was ever edited. */
  readonly original_count: number | null;
}

/** Returns the current text. A text that was never edited keeps its paragraphs if its segments say the same. */
export function currentText(row: TextRow, segments: readonly Segment[]): string {
  if (row.original_count === null) return textOfSegments(row.text, segments);
  return row.edited_text ?? joinTexts(segments.map(({ text }) => oneLine(text)));
}
