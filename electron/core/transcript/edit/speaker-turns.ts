import type { SegmentId } from '../../../contract/identifiers.ts';
import type { DraftSegment } from '../../../contract/transcript.ts';
import { joinTexts } from '../plain-text.ts';
import { timeAtOffset } from '../segment.ts';

/** A range of a segment's text, in UTF-16 units; without a selection, the caret as an empty range. */
export interface SegmentRange {
  readonly segment: SegmentId;
  readonly start: number;
  readonly end: number;
}

/** What one speaker says without interruption. */
export interface SpeakerTurn {
  readonly speaker: number | null;
  readonly text: string;
  /** When its first word is spoken, in seconds. */
  readonly atSeconds: number;
}

/** Returns the text in some ranges of a transcript, divided by speaker; skips empty ranges. */
export function speakerTurns(
  segments: readonly DraftSegment[],
  ranges: readonly SegmentRange[],
): readonly SpeakerTurn[] {
  const byId = new Map(segments.map((segment) => [segment.id, segment]));
  const turns: (Omit<SpeakerTurn, 'text'> & { readonly texts: string[] })[] = [];
  for (const { segment: id, start, end } of ranges) {
    const segment = byId.get(id);
    const text = segment?.text.slice(start, end).trim() ?? '';
    if (segment === undefined || text === '') continue;
    const before = turns.at(-1);
    if (before?.speaker === segment.speaker) before.texts.push(text);
    else turns.push({ speaker: segment.speaker, texts: [text], atSeconds: timeAtOffset(segment, start) });
  }
  // Joined at the end: one after the other, the text so far would be copied for each.
  return turns.map(({ texts, ...turn }) => ({ ...turn, text: joinTexts(texts) }));
}
