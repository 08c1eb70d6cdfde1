import type { Note } from '../../contract/transcript.ts';
import type { Transcript } from '../../contract/library-commands.ts';
import type { Segment } from '../../contract/segment-schema.ts';
import { joinTexts } from '../transcript/plain-text.ts';
import { highlightedPassages, isHighlighted, segmentIndexAt } from '../transcript/segment.ts';

/** A segment with the name of its speaker, if it has one. */
export interface SpokenSegment extends Segment {
  readonly speaker?: string | null | undefined;
  /** Whether something was left out before it, so that it does not continue what precedes it; absent: no. */
  readonly startsPassage?: boolean;
}

/** A segment for subtitles that cannot name speakers; its text gets a label instead. */
export interface LabelledSegment extends SpokenSegment {
  /** Precedes the text, as in `Anna:`; absent if the speaker is the same as before, or no speaker was named yet. */
  readonly label?: string;
}

/** A note at a moment of the recording. */
export type TimedNote = Pick<Note, 'atSeconds' | 'text'>;

/** The parts of a transcript that are exported. */
export interface TranscriptContent extends Pick<
  Transcript,
  'name' | 'language' | 'durationSeconds' | 'createdAt' | 'text'
> {
  readonly segments: readonly SpokenSegment[];
  /** The user's notes, in the order of their times. */
  readonly notes?: readonly TimedNote[];
}

/** Returns the name of a speaker for files, in English: `Speaker 1` if it has no name. */
export function speakerName(speaker: number | null, names: readonly string[]): string | null {
  if (speaker === null) return null;
  const name = names[speaker]?.trim() ?? '';
  return name === '' ? `Speaker ${speaker + 1}` : name;
}

/** Whether a speaker has a name. */
export const isNamed = (speaker: string | null | undefined): speaker is string =>
  speaker !== null && speaker !== undefined && speaker.trim() !== '';

/** The label of text without a speaker that follows a named speaker, to whom it would otherwise be attributed. */
export const unknownSpeaker = 'Unknown speaker';

/**
 * Returns the name to write where the speaker changes; `null` if the previous one continues.
 *
 * @param previous the speaker before; with `undefined`, a name is always returned
 * @param startsPassage whether something was left out since, so that a named speaker is named again
 */
export const nameAtChange = (
  speaker: string | null,
  previous: string | null | undefined,
  startsPassage = false,
): string | null =>
  speaker === previous && (speaker === null || !startsPassage) ? null : (speaker ?? unknownSpeaker);

/** Whether a transcript is a text without times: those of its subtitles are estimated. */
export const isUntimed = ({ segments, text }: TranscriptContent): boolean =>
  segments.length === 0 && text !== '';

/** Returns the transcript without the names of its speakers. */
export function withoutSpeakers(transcript: TranscriptContent): TranscriptContent {
  if (!transcript.segments.some(({ speaker }) => isNamed(speaker))) return transcript;
  return {
    ...transcript,
    segments: transcript.segments.map(({ speaker: _speaker, ...segment }) => segment),
  };
}

/** Returns the transcript without the user's notes. */
export function withoutNotes({ notes: _notes, ...transcript }: TranscriptContent): TranscriptContent {
  return transcript;
}

/** Returns only what is highlighted of a transcript, with the notes of its segments; `null` if nothing is. */
export function onlyHighlights(transcript: TranscriptContent): TranscriptContent | null {
  const { segments, notes = [] } = transcript;
  const highlighted = highlightedPassages(segments).flatMap((passage) =>
    passage.map((part, index) => (index === 0 ? { ...part, startsPassage: true } : part)),
  );
  if (highlighted.length === 0) return null;
  const highlightedSegments = new Set(segments.filter(isHighlighted));
  const isInside = ({ atSeconds }: TimedNote): boolean => {
    const segment = segments[segmentIndexAt(segments, atSeconds)];
    return segment !== undefined && highlightedSegments.has(segment);
  };
  return {
    ...transcript,
    segments: highlighted,
    text: joinTexts(highlighted.map(({ text }) => text)),
    notes: notes.filter(isInside),
  };
}
