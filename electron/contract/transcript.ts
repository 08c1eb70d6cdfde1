import { z } from 'zod';
import { id, command, result } from './command.ts';
import type { SegmentId } from './identifiers.ts';
import type { Transcript } from './library.ts';
import { maxSegmentTextLength, maxFindLength, maxTextLength, maxSegments } from './limits.ts';
import { segmentExtrasSchema, type Segment, type SegmentExtras } from './segment.ts';
import type { Waveform } from './waveform.ts';

/** A segment as it is being edited. */
export interface DraftSegment extends Segment {
  readonly id: SegmentId;
  /** Index into {@link Draft.speakers}; `null` when nobody is named. */
  readonly speaker: number | null;
}

/** A remark of the user at a moment of the recording. */
export interface Note {
  readonly id: number;
  readonly atSeconds: number;
  readonly text: string;
}

/** Everything of a transcript that can be edited. */
export interface Draft {
  /** In the order of their starts. */
  readonly segments: readonly DraftSegment[];
  /** The text of a transcript without times; `null` for one that has them, which is in its segments. */
  readonly text: string | null;
  /** Names by index; a speaker without a name has an empty one. */
  readonly speakers: readonly string[];
  /** In the order of their times. */
  readonly notes: readonly Note[];
  /** Larger than the number of any segment or note that there ever was. */
  readonly nextId: number;
}

/** How a text is looked for. */
export interface Query {
  readonly text: string;
  readonly matchCase: boolean;
  readonly wholeWords: boolean;
}

/** What the user does to a transcript. Times are seconds from the start of the recording. */
export type EditOperation =
  | { readonly kind: 'set-text'; readonly segment: SegmentId; readonly text: string }
  | {
      readonly kind: 'split';
      readonly segment: SegmentId;
      /** Where in the text, in UTF-16 units. */
      readonly offset: number;
      /** Where in time; `null` shares the time by characters. */
      readonly atSeconds: number | null;
    }
  /** Joins a segment with the one after it. */
  | { readonly kind: 'merge'; readonly segment: SegmentId }
  /** Moves the start or the end of a segment; the edge of a neighbour that touches it moves along. */
  | {
      readonly kind: 'move-boundary';
      readonly segment: SegmentId;
      readonly edge: 'start' | 'end';
      readonly toSeconds: number;
    }
  /** Puts a segment into the gap after another, or before the first. */
  | {
      readonly kind: 'insert';
      readonly after: SegmentId | null;
      readonly text: string;
      /** Lasts as long as the gap, not only as long as a sentence. */
      readonly fillsGap: boolean;
    }
  /** Puts a segment where its start belongs, as one that was deleted elsewhere while somebody typed in it. */
  | {
      readonly kind: 'put-back';
      readonly start: number;
      readonly end: number;
      readonly text: string;
      readonly extras?: SegmentExtras | undefined;
      readonly speaker: number | null;
    }
  | { readonly kind: 'delete'; readonly segments: readonly SegmentId[] }
  /** Moves every time to `time * factor + offsetSeconds`. */
  | { readonly kind: 'retime'; readonly factor: number; readonly offsetSeconds: number }
  | {
      readonly kind: 'set-speaker';
      readonly segments: readonly SegmentId[];
      readonly speaker: number | null;
    }
  /** Names the speakers, by index; two with one name become one, and those beyond the list keep theirs. */
  | { readonly kind: 'name-speakers'; readonly names: readonly string[] }
  /** Replaces a text wherever it is found. */
  | {
      readonly kind: 'replace';
      readonly query: Query;
      readonly replacement: string;
      /** In these segments alone; absent: everywhere. */
      readonly segments?: readonly SegmentId[] | undefined;
    }
  | { readonly kind: 'add-note'; readonly atSeconds: number; readonly text: string }
  | { readonly kind: 'change-note'; readonly note: number; readonly text: string }
  | { readonly kind: 'remove-note'; readonly note: number }
  /** Changes the text of a transcript without times: `removed` UTF-16 units from `at` on give way to `inserted`. */
  | {
      readonly kind: 'edit-text';
      readonly at: number;
      readonly removed: number;
      readonly inserted: string;
    }
  /** Brings the segments, or the text, back as they came from the service. */
  | { readonly kind: 'restore' };

/** One step of a {@link Change}; it holds what was there before as well, so that it can be taken back exactly. */
export type ChangeStep =
  | {
      readonly kind: 'splice';
      /** Index of the first segment concerned. */
      readonly at: number;
      readonly removed: readonly DraftSegment[];
      readonly inserted: readonly DraftSegment[];
    }
  /** Segments that stay where they are but are no longer the same. */
  | {
      readonly kind: 'replace';
      readonly pairs: readonly {
        readonly at: number;
        readonly before: DraftSegment;
        readonly after: DraftSegment;
      }[];
    }
  /** Start and end of every segment, one after the other. */
  | { readonly kind: 'times'; readonly before: readonly number[]; readonly after: readonly number[] }
  /** A stretch of a text without times; `at` in UTF-16 units. */
  | { readonly kind: 'text'; readonly at: number; readonly removed: string; readonly inserted: string }
  | { readonly kind: 'speakers'; readonly before: readonly string[]; readonly after: readonly string[] }
  | { readonly kind: 'notes'; readonly before: readonly Note[]; readonly after: readonly Note[] };

/** What an operation has done to a draft, in the order in which it was done. */
export type Change = readonly ChangeStep[];

/** How a transcript stands after an edit. */
export interface EditState {
  /** Rises with each edit, undo and redo. An edit names the one that it was made on. */
  readonly revision: number;
  readonly wordCount: number;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

/** An edit that was taken back or made again, with what that did; `change` is empty when there was nothing to do. */
export interface StepResult extends EditState {
  readonly change: Change;
}

/** A transcript opened for reading and editing. */
export interface TranscriptDocument extends Omit<Transcript, 'segments' | 'text'>, Draft, EditState {
  /** Whether it has ever been edited, so that there is an original to go back to. */
  readonly edited: boolean;
  /** Whether it is in the trash, where it can be edited all the same. */
  readonly trashed: boolean;
  /** The keys of review findings that the user has accepted. */
  readonly accepted: readonly string[];
}

/** Some of the segments of a transcript, by their numbers. A long one is sent in pieces, so that nothing waits for it. */
export interface SegmentPiece {
  readonly segments: readonly DraftSegment[];
  /** The number that the next piece begins with; `null` when this is the last. */
  readonly next: SegmentId | null;
  /** With the last piece the numbers of all segments by their places; `null` when the numbers rise with them. */
  readonly order: readonly SegmentId[] | null;
}

/** A transcript opened, with the segments that it begins with: what is seen first does not wait for all the others. */
export interface SentDocument extends TranscriptDocument {
  /** Whether these are all of its segments. */
  readonly isWhole: boolean;
}

/** A transcript as it came from the service. */
export interface OriginalTranscript {
  readonly segments: readonly Segment[];
  /** `null` for a transcript with times. */
  readonly text: string | null;
}

/** The recording of a transcript, as the window can play it. */
export type Recording =
  | {
      readonly kind: 'ready';
      readonly media: 'audio' | 'video';
      readonly url: string;
      readonly sizeBytes: number;
      /** Which file it is now: another one, or the same one changed, has another stamp. */
      readonly stamp: string;
    }
  /** The file is not where it was. */
  | { readonly kind: 'missing'; readonly name: string }
  /** There never was a file on this computer. */
  | { readonly kind: 'none' };

/** A recording after the user was asked where it is. */
export interface LocatedRecording {
  readonly recording: Recording;
  /** Other transcripts of the same content that have it now as well. */
  readonly others: number;
  /** Whether it is not the recording that was transcribed. */
  readonly isOther: boolean;
}

const number = z.int().nonnegative();
/** A time of a recording, or how far times are put off: some months at the most, and before the start as well. */
const seconds = z.number().min(-1_000_000).max(10_000_000);
const text = z.string().max(maxSegmentTextLength);
const segments = z.array(number).max(maxSegments).readonly();
/** A hundred speakers are more than anybody tells apart. */
const mostSpeakers = 100;
const speaker = z
  .int()
  .min(0)
  .max(mostSpeakers - 1);

/** How a text is looked for. */
export const querySchema = z.strictObject({
  text: z.string().max(maxFindLength),
  matchCase: z.boolean(),
  wholeWords: z.boolean(),
});

const operation = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('set-text'), segment: number, text }),
  z.strictObject({
    kind: z.literal('split'),
    segment: number,
    offset: number,
    atSeconds: seconds.nullable(),
  }),
  z.strictObject({ kind: z.literal('merge'), segment: number }),
  z.strictObject({
    kind: z.literal('move-boundary'),
    segment: number,
    edge: z.enum(['start', 'end']),
    toSeconds: seconds,
  }),
  z.strictObject({ kind: z.literal('insert'), after: number.nullable(), text, fillsGap: z.boolean() }),
  z.strictObject({
    kind: z.literal('put-back'),
    start: seconds,
    end: seconds,
    text,
    extras: segmentExtrasSchema.optional(),
    speaker: speaker.nullable(),
  }),
  z.strictObject({ kind: z.literal('delete'), segments }),
  z.strictObject({
    kind: z.literal('retime'),
    factor: z.number().min(0.01).max(100),
    offsetSeconds: seconds,
  }),
  z.strictObject({ kind: z.literal('set-speaker'), segments, speaker: speaker.nullable() }),
  z.strictObject({
    kind: z.literal('name-speakers'),
    names: z.array(z.string().max(200)).max(mostSpeakers).readonly(),
  }),
  z.strictObject({
    kind: z.literal('replace'),
    query: querySchema,
    replacement: z.string().max(maxFindLength),
    segments: segments.optional(),
  }),
  z.strictObject({ kind: z.literal('add-note'), atSeconds: seconds, text }),
  z.strictObject({ kind: z.literal('change-note'), note: number, text }),
  z.strictObject({ kind: z.literal('remove-note'), note: number }),
  z.strictObject({
    kind: z.literal('edit-text'),
    at: number,
    removed: number,
    inserted: z.string().max(maxTextLength),
  }),
  z.strictObject({ kind: z.literal('restore') }),
]) satisfies z.ZodType<EditOperation>;

/** The revision that the user sees. */
const revision = number;
/** Whether it follows something that was sent before it and not answered yet. */
const ahead = z.boolean().optional();

export const transcriptCommands = {
  'transcript.get': command({ input: z.strictObject({ id }), result: result<SentDocument | null>() }),
  /** More segments of a transcript. Refused with `transcript_changed` when the revision is no longer the present one. */
  'transcript.segments': command({
    input: z.strictObject({ id, revision, from: number }),
    result: result<SegmentPiece>(),
  }),
  'transcript.original': command({ input: z.strictObject({ id }), result: result<OriginalTranscript>() }),
  /**
   * Refused with `transcript_changed` when the revision is no longer the present one, as steps are. What `continues`
   * becomes one edit with the typing before it; what is made `ahead` follows one that was not answered when it was sent.
   */
  'transcript.edit': command({
    input: z.strictObject({ id, revision, ahead, operation, continues: z.boolean().optional() }),
    result: result<EditState>(),
  }),
  'transcript.undo': command({
    input: z.strictObject({ id, revision, ahead }),
    result: result<StepResult>(),
  }),
  'transcript.redo': command({
    input: z.strictObject({ id, revision, ahead }),
    result: result<StepResult>(),
  }),
  'transcript.recording': command({ input: z.strictObject({ id }), result: result<Recording>() }),
  /** Asks the user for the recording's file; others of the same content get it too. */
  'transcript.locate': command({ input: z.strictObject({ id }), result: result<LocatedRecording>() }),
  /** The waveform of the recording as far as it was kept; `null` when nothing was. */
  'transcript.waveform': command({ input: z.strictObject({ id }), result: result<Waveform | null>() }),
  /** Keeps the waveform of the file that has this stamp; of any other it is nothing. */
  'transcript.keepWaveform': command({
    input: z.strictObject({
      id,
      stamp: z.string().regex(/^[\da-f]{32}$/u),
      waveform: z.strictObject({
        sliceSeconds: z.array(z.number().nonnegative().nullable()).max(1000).readonly(),
        peaks: z.instanceof(Uint8Array).refine((peaks) => peaks.length <= 100_000),
      }),
    }),
  }),
  /** Puts a text on the clipboard. */
  'transcript.copy': command({ input: z.strictObject({ text: z.string().max(maxTextLength) }) }),
  /** Keeps a finding of the review from being shown again, or lets it. */
  'transcript.accept': command({
    input: z.strictObject({ id, finding: z.string().max(500), accepted: z.boolean() }),
  }),
} as const;
