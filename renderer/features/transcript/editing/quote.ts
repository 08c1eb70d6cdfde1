import type { Draft, DraftSegment } from '../../../../electron/contract/transcript.ts';
import { speakerTurns, type SegmentRange } from '../../../../electron/core/transcript/edit/speaker-turns.ts';
import { clock } from '../../../ui/words/format.ts';

/**
 * What is selected in a transcript as a quote: the words, who said them, in which recording and when they begin; each
 * turn of speech on a line of its own.
 *
 * @param names of the speakers, by index.
 */
export function formatQuote(
  segments: readonly DraftSegment[],
  selected: readonly SegmentRange[],
  names: readonly string[],
  recording: string,
): string {
  const lines = speakerTurns(segments, selected).map(({ speaker, text, atSeconds }) => {
    const name = speaker === null ? undefined : names[speaker];
    const source = [name, recording, clock(atSeconds)].filter((part) => part !== undefined).join(', ');
    return `“${text}” (${source})`;
  });
  return lines.join('\n');
}

/** All of a transcript as plain text, each turn of speech on a line of its own that names who speaks. */
export function plainTextOf({ segments, text }: Draft, names: readonly string[]): string {
  if (text !== null) return text;
  const all = segments.map(({ id, text: said }) => ({ segment: id, start: 0, end: said.length }));
  const lines = speakerTurns(segments, all).map((turn) => {
    const name = turn.speaker === null ? undefined : names[turn.speaker];
    return name === undefined ? turn.text : `${name}: ${turn.text}`;
  });
  return lines.join('\n');
}
