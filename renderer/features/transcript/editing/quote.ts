import type { TFunction } from 'i18next';
import type { Draft, DraftSegment } from '../../../../electron/contract/transcript.ts';
import { speakerTurns, type SegmentRange } from '../../../../electron/core/transcript/edit/speaker-turns.ts';
import { clockTime } from '../../../../electron/core/transcript/clock-time.ts';
import { speakerLabel, speakerNames } from '../speaker-names.ts';

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
    const source = [name, recording, clockTime(atSeconds)].filter((part) => part !== undefined).join(', ');
    return `“${text}” (${source})`;
  });
  return lines.join('\n');
}

/** Returns a draft as plain text: one line per turn of speech, with the speaker. */
export function plainTextOf(draft: Draft, t: TFunction): string {
  const { segments, text } = draft;
  if (text !== null) return text;
  const names = speakerNames(draft, t);
  const all = segments.map(({ id, text: segmentText }) => ({
    segment: id,
    start: 0,
    end: segmentText.length,
  }));
  const lines = speakerTurns(segments, all).map((turn, index, turns) => {
    const name = speakerLabel(turn.speaker, turns[index - 1]?.speaker ?? null, names, t);
    return name === null ? turn.text : `${name}: ${turn.text}`;
  });
  return lines.join('\n');
}
