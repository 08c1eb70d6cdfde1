import type { Draft, DraftSegment } from '../../../../electron/contract/transcript.ts';
import { speakerTurns, type SegmentRange } from '../../../../electron/core/transcript/edit/speaker-turns.ts';
import { clock } from '../../../ui/text/format.ts';

/**
 * Formats a selection as a quote with speaker, recording and time; one line per turn of speech.
 *
 * @param names the names of the speakers, by index
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

/** Returns a transcript, or some segments of it, as plain text: one line per turn of speech, with the speaker. */
export function plainTextOf(
  { segments, text }: Pick<Draft, 'segments' | 'text'>,
  names: readonly string[],
): string {
  if (text !== null) return text;
  const all = segments.map(({ id, text: said }) => ({ segment: id, start: 0, end: said.length }));
  const lines = speakerTurns(segments, all).map((turn) => {
    const name = turn.speaker === null ? undefined : names[turn.speaker];
    return name === undefined ? turn.text : `${name}: ${turn.text}`;
  });
  return lines.join('\n');
}
