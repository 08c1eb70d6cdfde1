import type { Note } from '../../contract/transcript.ts';
import type { Transcript } from '../../contract/library.ts';
import type { Segment } from '../../contract/segment.ts';

/** A segment with the name of who speaks, where somebody has given one. */
export interface SpokenSegment extends Segment {
  readonly speaker?: string | null | undefined;
}

/** A segment as subtitles show it that have no place for speakers: whoever begins is named in the text. */
export interface LabelledSegment extends SpokenSegment {
  /** Stands before the text, as `Anna:`. */
  readonly label?: string;
}

/** A remark at a moment of the recording. */
export type TimedNote = Pick<Note, 'atSeconds' | 'text'>;

/** What of a transcript goes into an export. */
export interface TranscriptContent extends Pick<
  Transcript,
  'name' | 'language' | 'durationSeconds' | 'createdAt' | 'text'
> {
  readonly segments: readonly SpokenSegment[];
  /** Remarks of the user, in the order of their times. */
  readonly notes?: readonly TimedNote[];
}

/** Whether somebody has said who speaks. */
export const isNamed = (speaker: string | null | undefined): speaker is string =>
  speaker !== null && speaker !== undefined && speaker.trim() !== '';

/** The transcript without the names of its speakers. */
export function withoutSpeakers(transcript: TranscriptContent): TranscriptContent {
  if (!transcript.segments.some(({ speaker }) => isNamed(speaker))) return transcript;
  return {
    ...transcript,
    segments: transcript.segments.map(({ speaker: _speaker, ...segment }) => segment),
  };
}
