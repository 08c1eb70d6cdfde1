import { z } from 'zod';
import { id, task, command, noInput, result } from './command.ts';
import type { TranscriptId } from './identifiers.ts';
import type { MarkedText, TextRange } from './library-commands.ts';
import {
  maxFindLength,
  maxRows,
  maxSegments,
  maxSpeakerNameLength,
  maxSpeakers,
  maxTextLength,
} from './limits.ts';
import type { Problem } from './problem.ts';
import { type Captures, type PatternFailure, type Query, querySchema } from './query.ts';
import type { ExpandedMatch, MatchPosition, RenamedSpeaker } from './transcript.ts';
import { speakerIndex } from './transcript-commands.ts';

/** How the text of a query is read: literally, or as a regular expression. */
export type ReplaceMode = 'text' | 'pattern';

/** What to find, as typed. */
export interface ReplaceQuery extends Query {
  readonly mode: ReplaceMode;
}

/** What a pattern matched in a text, and the {@link ExpandedMatch.searchedHash} of that text. */
export interface PatternMatchCaptures extends Captures {
  readonly searchedHash: number;
}

/** A match, with the text around it. */
export interface ReplaceMatch extends MatchPosition, MarkedText {
  /** The start of its segment, in seconds from the start of the recording; `null` in a transcript without times. */
  readonly start: number | null;
  /** Absent for a literal text. */
  readonly captures?: PatternMatchCaptures | undefined;
}

/** A speaker in whose name a text was found; the text is the name. */
export interface ReplaceSpeaker extends MarkedText {
  /** Index into the names of the transcript's speakers. */
  readonly speaker: number;
  /** The matches in the whole name, in order; absent for a literal text. */
  readonly captures?: readonly (TextRange & Captures)[] | undefined;
}

/** A transcript in which a text was found: in its text, in the names of its speakers, or in both. */
export interface ReplaceGroup {
  readonly id: TranscriptId;
  readonly name: string;
  readonly durationSeconds: number | null;
  /** In the order of the text. */
  readonly matches: readonly ReplaceMatch[];
  /** Empty for a transcript without times, which shows no speakers. */
  readonly speakers: readonly ReplaceSpeaker[];
  /** The names of all its speakers, by index; empty if none of them matches. */
  readonly names: readonly string[];
}

/**
 * The matches of a text in the library, the newest transcript first, without those in the trash. Transcripts that a
 * replacement of this text would have made too long come last, so that others are reached.
 */
export interface ReplacePreview {
  readonly groups: readonly ReplaceGroup[];
  /** Whether there are more matches than can be shown at once; a second run finds those. */
  readonly isCapped: boolean;
}

/** Why a pattern was not searched for everywhere. */
export interface PatternProblem {
  readonly failure: PatternFailure;
  /** The name of the transcript in which it failed; `null` if the pattern itself is invalid. */
  readonly transcript: string | null;
}

/** What to replace, as previewed and chosen. */
export type ReplaceRequest = {
  readonly query: Query;
  readonly replacement: string;
  /** Whether speakers who get the same name as another one are merged; otherwise they keep their names. */
  readonly mergesSpeakers: boolean;
} & (
  | { readonly mode: 'text'; readonly targets: readonly ReplaceTarget[] }
  | { readonly mode: 'pattern'; readonly targets: readonly PatternTarget[] }
);

export interface ReplaceTarget {
  readonly id: TranscriptId;
  readonly matches: readonly MatchPosition[];
  /** The speakers to rename, by index; their names are changed as the text is. */
  readonly speakers: readonly number[];
}

/** What to replace in a transcript exactly as previewed: the main process matches no pattern. */
export interface PatternTarget {
  readonly id: TranscriptId;
  readonly matches: readonly ExpandedMatch[];
  readonly speakers: readonly RenamedSpeaker[];
}

/** The outcome of replacing. */
export interface ReplaceReport {
  /** Identifies it for `replace.undo`, numbered from 1; `null` if nothing was changed. */
  readonly run: number | null;
  /** Transcripts in whose text it was replaced. */
  readonly changed: number;
  /** Transcripts in which speakers were renamed, with and without a change of the text. */
  readonly renamed: number;
  /** Transcripts among {@link renamed} in which speakers were merged. */
  readonly merged: number;
  /** Transcripts that no longer contain the text, or are gone. */
  readonly unchanged: number;
  /** Transcripts that stay unchanged because they, or a segment of them, would become longer than they may be. */
  readonly tooLong: number;
  /** How it ended: what is changed stays if it was cancelled, or if a problem, such as a full disk, ended it. */
  readonly outcome: 'finished' | 'cancelled' | Problem;
}

/** The text that a replacement replaces, and the new one. */
export interface ReplacementTexts {
  readonly text: string;
  readonly replacement: string;
}

/** A replacement that can be undone. */
export interface StoredReplacement extends ReplacementTexts {
  /** See {@link ReplaceReport.run}. */
  readonly run: number;
  /** When it was made, Unix milliseconds. */
  readonly at: number;
  /** Transcripts that are changed, of `total` that were to be. */
  readonly changed: number;
  readonly total: number;
  /**
   * What the end of the program interrupted: the replacement or its undo, unless the same replacement was made in all
   * the transcripts that were left, or it was dismissed; `null` if nothing.
   */
  readonly interrupted: 'replacement' | 'undo' | null;
}

/** The outcome of undoing a replacement. */
export interface ReplaceUndoReport {
  readonly undone: number;
  /** Transcripts that were edited since and stay unchanged. */
  readonly kept: number;
  /** The names of some of them that no later replacement has changed. */
  readonly edited: readonly string[];
  /** The latest replacement that has changed `count` of them since: undo it first; `null` if there is none. */
  readonly later: (ReplacementTexts & { readonly run: number; readonly count: number }) | null;
  readonly cancelled: boolean;
}

const position = z.strictObject({ segment: z.int().nonnegative().nullable(), offset: z.int().nonnegative() });
const target = z.strictObject({
  id,
  matches: z.array(position).max(maxSegments).readonly(),
  speakers: z.array(speakerIndex).max(maxSpeakers).readonly(),
});

const patternTarget = z.strictObject({
  id,
  matches: z
    .array(
      z.strictObject({
        ...position.shape,
        length: z.int().nonnegative(),
        replacement: z.string().max(maxTextLength),
        searchedHash: z.int(),
      }),
    )
    .max(maxSegments)
    .readonly(),
  speakers: z
    .array(
      z.strictObject({
        speaker: speakerIndex,
        before: z.string().max(maxSpeakerNameLength),
        name: z.string().max(maxSpeakerNameLength),
      }),
    )
    .max(maxSpeakers)
    .readonly(),
});

const replaceRequest = {
  query: querySchema,
  replacement: z.string().max(maxFindLength),
  mergesSpeakers: z.boolean(),
  task,
};

export const replaceCommands = {
  /**
   * Finds a text in some transcripts, or in all if `ids` is `null`, and in the names of their speakers; returns `null`
   * if it was stopped, or another search was started meanwhile.
   */
  'replace.find': command({
    input: z.strictObject({
      query: z.strictObject({ ...querySchema.shape, mode: z.enum(['text', 'pattern']) }),
      ids: z.array(id).max(maxRows).readonly().nullable(),
    }),
    result: result<ReplacePreview | PatternProblem | null>(),
  }),
  /** Cancels the search in progress. */
  'replace.stopFinding': command({ input: noInput }),
  /** Replaces the chosen matches, with one edit per transcript. */
  'replace.run': command({
    input: z.discriminatedUnion('mode', [
      z.strictObject({
        ...replaceRequest,
        mode: z.literal('text'),
        targets: z.array(target).max(maxRows).readonly(),
      }),
      z.strictObject({
        ...replaceRequest,
        mode: z.literal('pattern'),
        targets: z.array(patternTarget).max(maxRows).readonly(),
      }),
    ]) satisfies z.ZodType<ReplaceRequest>,
    result: result<ReplaceReport>(),
  }),
  /** Returns the replacements that can be undone, the earliest first. */
  'replace.stored': command({ input: noInput, result: result<readonly StoredReplacement[]>() }),
  /** Stops reporting a replacement that the end of the program interrupted. */
  'replace.dismissInterruption': command({ input: z.strictObject({ run: z.int().positive() }) }),
  /** Undoes the edits of a `replace.run`: one of the last `undoableRuns`. */
  'replace.undo': command({
    input: z.strictObject({ run: z.int().positive(), task }),
    result: result<ReplaceUndoReport>(),
  }),
} as const;
