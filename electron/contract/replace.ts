import { z } from 'zod';
import { id, task, command, result } from './command.ts';
import type { SegmentId, TranscriptId } from './identifiers.ts';
import type { MarkedText } from './library.ts';
import { maxFindLength, maxRows, maxSegments } from './limits.ts';
import { type Query, querySchema } from './transcript.ts';

/** A segment in which a text was found, or all of a transcript without times. */
export interface ReplacePassage extends MarkedText {
  /** `null` in a transcript without times, which is replaced in as a whole. */
  readonly segment: SegmentId | null;
  /** When it is said, in seconds from the start of the recording. */
  readonly start: number | null;
  /** How often the text is in it; not all places need be in what is shown. */
  readonly matchCount: number;
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
export interface ReplaceRequest {
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

const target = z.strictObject({
  id,
  segments: z.array(z.int().nonnegative()).max(maxSegments).readonly().nullable(),
});

export const replaceCommands = {
  /** Looks for a text in all transcripts; `null` when something else was looked for meanwhile. */
  'replace.find': command({
    input: z.strictObject({ query: querySchema }),
    result: result<ReplacePreview | null>(),
  }),
  /** Replaces what was found and chosen, with one edit for each transcript. */
  'replace.run': command({
    input: z.strictObject({
      query: querySchema,
      replacement: z.string().max(maxFindLength),
      targets: z.array(target).max(maxRows).readonly(),
      task,
    }) satisfies z.ZodType<ReplaceRequest>,
    result: result<ReplaceReport>(),
  }),
  /** Takes the edits of the last `replace.run` back. */
  'replace.undo': command({ input: z.strictObject({ task }), result: result<ReplaceUndoReport>() }),
} as const;
