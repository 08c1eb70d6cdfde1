import type { SegmentId, TranscriptId } from './identifiers.ts';
import type { MarkedText } from './library.ts';
import type { Query } from './transcript.ts';

/** A segment in which a text was found, or all of a transcript without times. */
export interface ReplacePassage extends MarkedText {
  /** `null` in a transcript without times, which is replaced in as a whole. */
  readonly segment: SegmentId | null;
  /** When it is said, in seconds from the start of the recording. */
  readonly start: number | null;
  /** How often the text is in it; not all places need be in what is shown. */
  readonly places: number;
}

/** A transcript in which a text was found. */
export interface ReplaceGroup {
  readonly id: TranscriptId;
  readonly name: string;
  readonly durationSeconds: number | null;
  /** In the order of the text. */
  readonly passages: readonly ReplacePassage[];
}

/** Where a text is in the library, the newest transcript first. What is in the trash is left alone. */
export interface ReplacePreview {
  readonly groups: readonly ReplaceGroup[];
  /** Whether there are more passages than can be looked through at once; those come with the next time. */
  readonly isCapped: boolean;
}

/** What is to be replaced, as it was previewed and chosen. */
export interface ReplaceWish {
  readonly query: Query;
  readonly replacement: string;
  readonly targets: readonly ReplaceTarget[];
}

export interface ReplaceTarget {
  readonly id: TranscriptId;
  /** `null` for a transcript without times. */
  readonly segments: readonly SegmentId[] | null;
}

/** What came of replacing. */
export interface ReplaceReport {
  /** Transcripts that were changed, each by one edit. */
  readonly changed: number;
  /** Transcripts that no longer had the text, or are gone. */
  readonly unchanged: number;
  /** Whether it was called off; what was changed until then stays. */
  readonly cancelled: boolean;
}

/** What came of taking it back. */
export interface ReplaceUndoReport {
  readonly undone: number;
  /** Transcripts that have been edited since, and stay as they are. */
  readonly kept: number;
  readonly cancelled: boolean;
}
