import {
  maxLanguageLength,
  maxNameLength,
  maxNotes,
  maxSegments,
  maxSegmentTextLength,
  maxSpeakerNameLength,
  maxSpeakers,
  maxTextLength,
} from '../../../contract/limits.ts';
import { splitLongSegment } from '../../transcript/split-long-segment.ts';
import { joinTexts, oneLine } from '../../transcript/plain-text.ts';
import { withText } from '../../transcript/segment.ts';
import { isNamed, type SpokenSegment } from '../content.ts';
import type { ReadContent } from './read-content.ts';

/** A file has more text, segments or notes than a transcript can have. */
export class TooLongError extends Error {}

/**
 * Clamps the content of a file to the limits that the program enforces for all transcripts: splits long segments, cuts
 * off long names, and turns speakers beyond the limit into labels in the text.
 *
 * @throws TooLongError
 */
export function clampContent(content: ReadContent): ReadContent {
  const { text, segments: read, notes } = content;
  const lengths = [...read, ...notes].reduce((sum, one) => sum + one.text.length, 0);
  const isTooLong =
    Math.max(text.length, lengths) > maxTextLength ||
    read.length > maxSegments ||
    notes.length > maxNotes ||
    notes.some((note) => note.text.length > maxSegmentTextLength);
  if (isTooLong) throw new TooLongError();
  const segments = limitSpeakers(read).flatMap(splitLongSegment);
  return {
    ...content,
    text: segments.length === read.length ? text : joinTexts(segments.map((one) => oneLine(one.text))),
    segments,
    name: content.name?.slice(0, maxNameLength).toWellFormed() ?? null,
    language: content.language?.slice(0, maxLanguageLength) ?? null,
  };
}

function limitSpeakers(segments: readonly SpokenSegment[]): readonly SpokenSegment[] {
  const speakers = new Set<string>();
  return segments.map((segment) => {
    if (!isNamed(segment.speaker)) return segment;
    const speaker = segment.speaker.slice(0, maxSpeakerNameLength).toWellFormed();
    if (speakers.size < maxSpeakers) speakers.add(speaker);
    if (speakers.has(speaker)) return { ...segment, speaker };
    return { ...withText(segment, `${speaker}: ${segment.text}`), speaker: null };
  });
}
