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
import { TooLongError } from './bounded-list.ts';
import type { ReadContent } from './read-content.ts';

/**
 * Clamps the content of a file to the limits that the program enforces for all transcripts: splits long segments, cuts
 * off long names, and turns speakers beyond the limit into labels in the text.
 *
 * @throws TooLongError
 */
export function clampContent(content: ReadContent): ReadContent {
  const { text, segments: unclamped, notes } = content;
  const isTooLong =
    text.length > maxTextLength ||
    unclamped.length > maxSegments ||
    notes.length > maxNotes ||
    notes.some((note) => note.text.length > maxSegmentTextLength);
  if (isTooLong) throw new TooLongError();
  const segments: SpokenSegment[] = [];
  let length = notes.reduce((sum, note) => sum + note.text.length, 0);
  for (const segment of limitSpeakers(unclamped)) {
    length += segment.text.length;
    if (length > maxTextLength) throw new TooLongError();
    segments.push(...splitLongSegment(segment));
  }
  if (segments.length > maxSegments) throw new TooLongError();
  const isUnchanged = segments.every((segment, at) => segment.text === unclamped[at]?.text);
  return {
    ...content,
    text: isUnchanged ? text : joinTexts(segments.map((one) => oneLine(one.text))),
    segments,
    name: content.name?.slice(0, maxNameLength).toWellFormed() ?? null,
    language: content.language?.slice(0, maxLanguageLength) ?? null,
  };
}

/** Yields one segment after the other, so that the caller can stop before all labels take up memory. */
function* limitSpeakers(segments: readonly SpokenSegment[]): Generator<SpokenSegment> {
  const speakers = new Set<string>();
  for (const segment of segments) {
    if (!isNamed(segment.speaker)) {
      yield segment;
      continue;
    }
    const speaker = segment.speaker.slice(0, maxSpeakerNameLength).toWellFormed();
    if (speakers.size < maxSpeakers) speakers.add(speaker);
    yield speakers.has(speaker)
      ? { ...segment, speaker }
      : { ...withText(segment, `${speaker}: ${segment.text}`), speaker: null };
  }
}
