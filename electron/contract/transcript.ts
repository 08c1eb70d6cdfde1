import type { SegmentId } from './identifiers.ts';
import type { Transcript } from './library-commands.ts';
import type { Query } from './query.ts';
import type { Shortfall } from './queue-commands.ts';
import type { Segment, SegmentExtras } from './segment-schema.ts';

/** A segment as it is being edited. */
export interface DraftSegment extends Segment {
  readonly id: SegmentId;
  /** Index into {@link Draft.speakers}; `null` without a speaker. */
  readonly speaker: number | null;
}

/** The user's note at a time of the recording. */
export interface Note {
  readonly id: number;
  readonly atSeconds: number;
  readonly text: string;
}

/** The current state of everything in a transcript that can be edited, as opposed to its original. */
export interface Draft {
  /** Ordered by start. */
  readonly segments: readonly DraftSegment[];
  /** The text of a transcript without times; `null` for one with times, whose text is in its segments. */
  readonly text: string | null;
  /** Names by index; a speaker without a name has an empty one. */
  readonly speakers: readonly string[];
  /** Ordered by time. */
  readonly notes: readonly Note[];
  /** Greater than any number of a present or former segment or note. */
  readonly nextId: number;
}

/** When somebody speaks, as found in the recording; in seconds from its start. */
export interface IdentifiedTurn {
  readonly start: number;
  readonly end: number;
  /** From 0, in the order of their first turns. */
  readonly speaker: number;
  /** How certain it is that it is this speaker and no other one, from 0 to 1. */
  readonly confidence: number;
}

/** An operation of the user on a transcript. Times are seconds from the start of the recording. */
export type EditOperation =
  | {
      readonly kind: 'set-text';
      readonly segment: SegmentId;
      readonly text: string;
      /** The part of the text that a person typed in place of other words, even of the same ones, in UTF-16 units. */
      readonly typed?: { readonly from: number; readonly to: number } | undefined;
    }
  | {
      readonly kind: 'split';
      readonly segment: SegmentId;
      /** The offset in the text, in UTF-16 units. */
      readonly offset: number;
      /** The time; `null` estimates it from the letters. */
      readonly atSeconds: number | null;
    }
  /** Merges a segment with the one after it, or with all after it up to `through`. */
  | { readonly kind: 'merge'; readonly segment: SegmentId; readonly through?: SegmentId | undefined }
  /**
   * Moves the start or the end of a segment; the edge of a neighbour that touches it moves along. Stored edits have
   * this historic name.
   */
  | {
      readonly kind: 'move-boundary';
      readonly segment: SegmentId;
      readonly edge: 'start' | 'end';
      readonly toSeconds: number;
    }
  /** Moves an edge of a segment by one word, with the word: from or to the neighbour at this edge. */
  | {
      readonly kind: 'move-word';
      readonly segment: SegmentId;
      readonly edge: 'start' | 'end';
      /** 1: the edge moves to a later word. */
      readonly by: -1 | 1;
    }
  /** Sets the times of a segment; the edge of a neighbour that touches or would overlap it moves along. */
  | {
      readonly kind: 'set-times';
      readonly segment: SegmentId;
      readonly start: number;
      readonly end: number;
    }
  /** Inserts a segment into the gap after another, or before the first. */
  | {
      readonly kind: 'insert';
      readonly after: SegmentId | null;
      readonly text: string;
      /** Whether it fills the whole gap. */
      readonly fillsGap: boolean;
    }
  /** Inserts a segment by its start: one that was deleted elsewhere while the user typed in it. */
  | {
      readonly kind: 'put-back';
      readonly start: number;
      readonly end: number;
      readonly text: string;
      readonly extras?: SegmentExtras | undefined;
      readonly speaker: number | null;
    }
  | { readonly kind: 'delete'; readonly segments: readonly SegmentId[] }
  /** Changes every time to `time * factor + offsetSeconds`. */
  | { readonly kind: 'retime'; readonly factor: number; readonly offsetSeconds: number }
  | {
      readonly kind: 'set-speaker';
      readonly segments: readonly SegmentId[];
      readonly speaker: number | null;
    }
  /** Highlights segments, or removes their highlight. */
  | {
      readonly kind: 'set-highlight';
      readonly segments: readonly SegmentId[];
      readonly isHighlighted: boolean;
    }
  /** Highlights words, or removes their highlight; those that are not there stay as they are. */
  | {
      readonly kind: 'highlight-words';
      readonly passages: readonly WordsInSegment[];
      readonly isHighlighted: boolean;
    }
  /** Names the speakers by index; equal names merge speakers, and those beyond the list keep their names. */
  | {
      readonly kind: 'name-speakers';
      readonly names: readonly string[];
      /** For each speaker, the index of the speaker that it is merged into; `null` or absent: it is not merged. */
      readonly becomes?: readonly (number | null)[] | undefined;
    }
  /** Replaces all matches of a text, and those in the names of speakers. */
  | {
      readonly kind: 'replace';
      readonly query: Query;
      readonly replacement: string;
      /** Only these matches; if absent, all. */
      readonly matches?: readonly MatchPosition[] | undefined;
      /** The speakers whose names change too; if absent, none. */
      readonly speakers?: readonly number[] | undefined;
      /** Whether equal names merge speakers, as in `name-speakers`; otherwise those who would be merged keep their names. */
      readonly mergesSpeakers?: boolean | undefined;
    }
  /** Changes the texts of segments; one whose text is no longer `before` stays unchanged. */
  | {
      readonly kind: 'set-texts';
      readonly texts: readonly {
        readonly segment: SegmentId;
        readonly before: string;
        readonly text: string;
      }[];
    }
  /** Replaces other spellings of a name with one of them, wherever they are whole words in the same case. */
  | { readonly kind: 'respell'; readonly spellings: readonly string[]; readonly replacement: string }
  /** Sets the probability of words to 1, because a person has checked them. Does nothing if they are not there. */
  | ({ readonly kind: 'accept-words' } & WordsInSegment)
  | { readonly kind: 'add-note'; readonly atSeconds: number; readonly text: string }
  | { readonly kind: 'change-note'; readonly note: number; readonly text: string }
  | { readonly kind: 'remove-note'; readonly note: number }
  /** Replaces `removed` UTF-16 units at `at` by `inserted`, in a transcript without times. */
  | {
      readonly kind: 'edit-text';
      readonly at: number;
      readonly removed: number;
      readonly inserted: string;
    }
  /** Restores the original segments or text. */
  | {
      readonly kind: 'restore';
      /** Restores only some segments of the original, in place of adjacent ones; absent: everything. */
      readonly only?: RestoredSegments | undefined;
    };

/** Where a match starts. */
export interface MatchPosition {
  /** `null` in a transcript without times. */
  readonly segment: SegmentId | null;
  /** The offset in the text of the segment, or of the transcript, in UTF-16 units. */
  readonly offset: number;
}

/** A match of a pattern, and what replaces it. */
export interface ExpandedMatch extends MatchPosition {
  /** The length of the match, in UTF-16 units. */
  readonly length: number;
  readonly replacement: string;
  /** The `textHash` of the text that was searched: another text stays unchanged. */
  readonly searchedHash: number;
}

/** A new name for a speaker whose name is still `before`. */
export interface RenamedSpeaker {
  readonly speaker: number;
  readonly before: string;
  readonly name: string;
}

/** Replaces matches of a pattern as they were previewed, and names of speakers. */
export interface ExpandedReplacement {
  readonly kind: 'replace-expanded';
  readonly matches: readonly ExpandedMatch[];
  readonly speakers: readonly RenamedSpeaker[];
  /** As in `replace`. */
  readonly mergesSpeakers: boolean;
}

/** Words of a segment. */
export interface WordsInSegment {
  readonly segment: SegmentId;
  /** Where they start in the text, in UTF-16 units. */
  readonly from: number;
  readonly text: string;
}

/** Assigns all segments but those that a person has assigned, and splits them where the speaker changes. */
export interface SpeakerAssignment {
  readonly kind: 'assign-speakers';
  readonly turns: readonly IdentifiedTurn[];
}

/** An operation of the user or of the program. */
export type StoredOperation = EditOperation | SpeakerAssignment | ExpandedReplacement;

/** Segments of the original, and those in whose place they are restored; either may be empty. */
export interface RestoredSegments {
  readonly current: readonly SegmentId[];
  readonly original: readonly SegmentId[];
  /** The speakers of restored segments; another one keeps its speaker, or gets that of the first segment it replaces. */
  readonly speakers?: readonly AssignedSpeaker[] | undefined;
}

/** Who speaks in a segment. */
export interface AssignedSpeaker {
  readonly segment: SegmentId;
  /** Index of the speaker; `null`: none. */
  readonly speaker: number | null;
}

/** One step of a {@link Change}; it includes the state before, so that undo is exact. */
export type ChangeStep =
  | {
      readonly kind: 'splice';
      /** Index of the first affected segment. */
      readonly at: number;
      readonly removed: readonly DraftSegment[];
      readonly inserted: readonly DraftSegment[];
    }
  /** Segments that change in place. */
  | {
      readonly kind: 'replace';
      readonly pairs: readonly {
        readonly at: number;
        readonly before: DraftSegment;
        readonly after: DraftSegment;
      }[];
    }
  /** Start and end of every segment, alternating. */
  | { readonly kind: 'times'; readonly before: readonly number[]; readonly after: readonly number[] }
  /** A range of a text without times; `at` in UTF-16 units. */
  | { readonly kind: 'text'; readonly at: number; readonly removed: string; readonly inserted: string }
  | { readonly kind: 'speakers'; readonly before: readonly string[]; readonly after: readonly string[] }
  | { readonly kind: 'notes'; readonly before: readonly Note[]; readonly after: readonly Note[] };

/** The effect of an operation on a draft, in order. */
export type Change = readonly ChangeStep[];

/** The state of a transcript after an edit. */
export interface EditState {
  /** Increases with each edit, undo and redo. An edit names the revision that it is based on. */
  readonly revision: number;
  readonly wordCount: number;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

/** The result of an undo or redo; `change` is empty if there was nothing to do, or if the sender has it already. */
export interface UndoResult extends EditState {
  readonly change: Change;
}

/** A transcript that is open for reading and editing. */
export interface TranscriptDocument extends Omit<Transcript, 'segments' | 'text'>, Draft, EditState {
  /**
   * Where the recording ends, in seconds, which no time may exceed. `null` if unknown, because an imported transcript only
   * states its own end: then no time may exceed {@link maxTimeSeconds}.
   */
  readonly recordingSeconds: number | null;
  /** Whether it was ever edited, so that there is an original to restore. */
  readonly edited: boolean;
  /** Whether it is in the trash, where it can still be edited. */
  readonly trashed: boolean;
  /** The keys of review findings that the user has accepted. */
  readonly accepted: readonly string[];
  /** Absent unless a part of the recording could not be read. */
  readonly shortfall?: Shortfall;
  /** The known terms that the recording was transcribed with, as long as it is in the queue. */
  readonly terms: readonly string[];
}

/** A piece of a transcript, ordered by the ids of its segments. Pieces keep a long transcript from blocking anything. */
export interface SegmentPiece {
  readonly segments: readonly DraftSegment[];
  /** The first id of the next piece; `null` in the last one. */
  readonly next: SegmentId | null;
  /** In the last piece: the ids of all segments in order; `null` if they are ascending. */
  readonly order: readonly SegmentId[] | null;
}

/** An opened transcript with its first segments: the first screen does not wait for the rest. */
export interface OpenedDocument extends TranscriptDocument {
  /** Whether these are all of its segments. */
  readonly isComplete: boolean;
}

/** A segment as the service delivered it. */
export interface OriginalSegment extends Segment {
  /** The current speaker, or for a deleted segment its last one; see {@link DraftSegment}. */
  readonly speaker: number | null;
}

/** A transcript as the service delivered it. */
export interface OriginalTranscript {
  readonly segments: readonly OriginalSegment[];
  /** `null` for a transcript with times. */
  readonly text: string | null;
}

/** The speaker of a segment before a person assigned another one: as delivered, or as identified in the recording. */
export interface SpeakerBefore extends AssignedSpeaker {
  /** Whether identifying speakers has split the segment off another one. */
  readonly isSplitOff: boolean;
}

/** What the current version of a transcript is compared with. */
export interface ComparisonBase extends OriginalTranscript {
  /** The earlier speakers of the segments whose speaker may have been changed, even of deleted segments. */
  readonly speakersBefore: readonly SpeakerBefore[];
}
