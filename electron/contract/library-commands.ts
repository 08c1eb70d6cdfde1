import { z } from 'zod';
import { type Accuracy, type LibrarySort, librarySorts } from './choices.ts';
import { id, ids, noInput, page, path, service, task, command, result } from './command.ts';
import type { ItemId, SegmentId, TranscriptId } from './identifiers.ts';
import { resumableTask, type InterruptedTask } from './interrupted-task.ts';
import { maxNameLength, maxQueryLength, maxTagLength, maxRows } from './limits.ts';
import type { Rejection } from './rejection.ts';
import type { Segment } from './segment-schema.ts';
import type { ServiceAddress } from './service.ts';

export interface Transcript {
  readonly id: TranscriptId;
  readonly itemId: ItemId | null;
  readonly name: string;
  /** ISO 639 code, if detected or requested. */
  readonly language: string | null;
  readonly durationSeconds: number | null;
  readonly wordCount: number;
  /** Unix milliseconds. */
  readonly createdAt: number;
  readonly text: string;
  readonly segments: readonly Segment[];
}

/** A range of a text, from `start` to before `end`, in UTF-16 units. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A text with search highlights. They are separate: nothing in the text is ever markup. */
export interface MarkedText {
  readonly text: string;
  /** In order and not overlapping. */
  readonly marks: readonly TextRange[];
}

/** A segment that matches a search, or a part of a text without times. */
export interface MatchedPassage extends MarkedText {
  /** `null` in a text without times. */
  readonly segment: SegmentId | null;
  /** When its first match is said, in seconds from the start of the recording; `null` in a text without times. */
  readonly start: number | null;
  /** The position in a text without times. */
  readonly range?: TextRange;
}

/** What tells a transcript apart from others of the same name, besides the time of its creation. */
export interface Distinction {
  /** What it was transcribed with; `null` if it was imported, or its row in the queue was removed. */
  readonly accuracy: Accuracy | null;
  readonly isEdited: boolean;
}

/** A transcript as the library lists it. */
export interface TranscriptRow {
  readonly id: TranscriptId;
  readonly name: string;
  /** The search highlights in the name. */
  readonly nameMarks: readonly TextRange[];
  readonly language: string | null;
  readonly durationSeconds: number | null;
  readonly wordCount: number;
  readonly createdAt: number;
  /** The first words, on one line. */
  readonly excerpt: string;
  /** In alphabetical order. */
  readonly tags: readonly string[];
  /** The best matches of the search; none without a search, or if only the name matches. */
  readonly passages: readonly MatchedPassage[];
  /** The number of matching passages. */
  readonly passageCount: number;
  /** When it was moved to the trash, Unix milliseconds; `null` if it was not. */
  readonly trashedAt: number | null;
  /** `null` unless another transcript in the library has the same name, apart from upper and lower case. */
  readonly distinction: Distinction | null;
}

/** Which transcripts to list, and in what order. */
export interface LibraryQuery {
  /** Words, `"phrases"`, `prefix*`, `-excluded`; empty for all. */
  readonly query: string;
  /** Only those with this tag; `null` for all. */
  readonly tag: string | null;
  readonly sort: LibrarySort;
  /** Whether to list the trash instead of the library. */
  readonly trash: boolean;
}

export interface LibraryView {
  /** Whether the query has a word to search for. If it has only quotes or a minus, all transcripts are listed. */
  readonly isSearch: boolean;
  /** The number of matching transcripts; at least that many unless {@link isComplete}. */
  readonly total: number;
  readonly offset: number;
  readonly rows: readonly TranscriptRow[];
  /** The number of matching passages; at least that many if {@link isCapped} and not {@link isComplete}. */
  readonly passageTotal: number;
  /** Whether there are more matches than are ranked. Sorted by relevance, the others follow, newest first. */
  readonly isCapped: boolean;
  /** Whether this covers all matches and not only the ranked ones. */
  readonly isComplete: boolean;
  /** Whether transcripts are still being indexed and may be missing from a search. */
  readonly isIndexing: boolean;
  /**
   * Queries that find other transcripts, the one that finds the most first: with similar words if nothing matches, or else
   * with other spellings of the words.
   */
  readonly similar: readonly SimilarQuery[];
}

/** A query that finds something. */
export interface SimilarQuery {
  readonly query: string;
  /** The number of transcripts that it finds. */
  readonly count: number;
}

/** A tag with the number of its transcripts. */
export interface Tag {
  readonly name: string;
  readonly count: number;
}

/** A tag with some of its transcripts. */
export interface TaggedTranscripts {
  readonly name: string;
  readonly ids: readonly TranscriptId[];
}

/** Tags to remove from transcripts and, after that, to add to transcripts. */
export interface TagChange {
  readonly remove: readonly TaggedTranscripts[];
  readonly add: readonly TaggedTranscripts[];
}

/** The outcome of renaming a tag. */
export interface RenamedTag {
  /** In the spelling of an existing tag if there is one. */
  readonly name: string;
  /** Whether the tag was merged into another one. */
  readonly isMerge: boolean;
  readonly undo: TagChange;
}

/** The size of the library. */
export interface LibraryCounts {
  /** Transcripts outside the trash. */
  readonly total: number;
  readonly trashed: number;
}

/** A transcript's recording, if it is a local file. */
export interface RecordingFile {
  /** Where it was last seen. */
  readonly path: string;
  readonly sizeBytes: number;
  /** The fingerprint of its content; `null` if unknown. */
  readonly fingerprint: string | null;
}

/** The outcome of an import. */
export interface ImportReport {
  /** New transcripts, in the order of the files. */
  readonly added: readonly { readonly id: TranscriptId; readonly name: string }[];
  /** The number of files whose transcripts the library had already. */
  readonly known: number;
  /** Transcripts that existed already but are in the trash. */
  readonly trashed: readonly TranscriptId[];
  /** Names of added files whose encoding was guessed. */
  readonly guessed: readonly string[];
  readonly rejected: readonly Rejection[];
  /** Files that were not read because of a cancellation; `null` if it was not cancelled. */
  readonly unread: number | null;
}

/** How many of the selected transcripts a cloud account may still have, with their audio. */
export interface CopiesAtService {
  readonly service: ServiceAddress;
  readonly count: number;
}

/** The outcome of permanently deleting transcripts. */
export interface PurgeReport {
  readonly deleted: number;
  /** Jobs that should have been deleted at the service too, but were not. */
  readonly leftAtService: number;
  /** Whether it was cancelled; the rest stays in the trash. */
  readonly cancelled: boolean;
}

/** The outcome of a search for missing recordings. */
export interface RecordingsReport {
  /** Transcripts whose recording was missing. */
  readonly missing: number;
  /** How many of these recordings were found. */
  readonly found: number;
  /** Whether it was cancelled; recordings found until then stay assigned. */
  readonly cancelled: boolean;
}

const tag = z.string().trim().min(1).max(maxTagLength);
const taggedTranscripts = z
  .array(z.strictObject({ name: tag, ids }))
  .max(100)
  .readonly();
const listQuery = {
  query: z.string().max(maxQueryLength),
  tag: tag.nullable(),
  sort: z.enum(librarySorts),
  trash: z.boolean(),
};

/** What was moved to the trash, or restored from it. */
export interface TrashReport {
  readonly count: number;
  /** The name of the transcript if it is only one; `null` for none or several. */
  readonly name: string | null;
}

export const libraryCommands = {
  'library.counts': command({ input: noInput, result: result<LibraryCounts>() }),
  /**
   * Returns a page of the matching transcripts. A search for frequent words returns the best of the newest at once;
   * with `whole`, all others follow, which may take a while.
   */
  'library.list': command({
    input: z.strictObject({ ...listQuery, ...page, whole: z.boolean() }),
    result: result<LibraryView>(),
  }),
  /** Returns all matching transcripts in order: a selection can extend beyond the loaded rows. */
  'library.ids': command({ input: z.strictObject(listQuery), result: result<readonly TranscriptId[]>() }),
  /** Returns all tags in alphabetical order. */
  'library.tags': command({ input: noInput, result: result<readonly Tag[]>() }),
  /** Returns the languages of the latest transcripts, the most frequent first, as BCP 47 tags. */
  'library.languages': command({ input: noInput, result: result<readonly string[]>() }),
  /** Returns all tags, each with the number of these transcripts that have it. */
  'library.tagsOf': command({ input: z.strictObject({ ids }), result: result<readonly Tag[]>() }),
  /** Adds and removes tags of transcripts. Like the next three commands, returns the change that undoes it. */
  'library.tag': command({
    input: z.strictObject({ ids, add: z.array(tag).max(100), remove: z.array(tag).max(100) }),
    result: result<TagChange>(),
  }),
  /** Renames a tag, or merges it into the tag that has the new name. */
  'library.renameTag': command({
    input: z.strictObject({ from: tag, to: tag }),
    result: result<RenamedTag>(),
  }),
  'library.removeTag': command({ input: z.strictObject({ name: tag }), result: result<TagChange>() }),
  'library.changeTags': command({
    input: z.strictObject({ remove: taggedTranscripts, add: taggedTranscripts }),
    result: result<TagChange>(),
  }),
  'library.rename': command({
    input: z.strictObject({ id, name: z.string().trim().min(1).max(maxNameLength) }),
  }),
  /** Moves transcripts to the trash; ignores permanently deleted ones. */
  'library.trash': command({ input: z.strictObject({ ids }), result: result<TrashReport>() }),
  /** Restores transcripts from the trash; ignores permanently deleted ones. */
  'library.restore': command({ input: z.strictObject({ ids }), result: result<TrashReport>() }),
  /** Returns where there may be copies of transcripts in the trash, including accounts that were removed. */
  'library.copies': command({ input: z.strictObject({ ids }), result: result<readonly CopiesAtService[]>() }),
  /**
   * Permanently deletes transcripts in the trash. Deletes their jobs first: those on this computer and those at the
   * accounts in `servicesToPurge`.
   */
  'library.purge': command({
    input: z.strictObject({ ids, servicesToPurge: z.array(service).max(maxRows), task }),
    result: result<PurgeReport>(),
  }),
  /** Imports subtitles, texts and Longhand's own JSON, including those in folders. */
  'library.import': command({
    input: z.strictObject({ paths: z.array(path).max(maxRows), task }),
    result: result<ImportReport>(),
  }),
  /** Returns what the end of the program interrupted. */
  'library.interrupted': command({ input: noInput, result: result<readonly InterruptedTask[]>() }),
  /** Imports the rest of what was interrupted. What cannot be found stays interrupted. */
  'library.resumeImport': command({ input: z.strictObject({ task }), result: result<ImportReport>() }),
  /** Stops reporting what was interrupted. */
  'library.dismissInterrupted': command({ input: resumableTask }),
  /** Asks for files to import, or for a folder of them; `null` if the user chose none. */
  'library.pickImport': command({
    input: z.strictObject({ what: z.enum(['files', 'folder']) }),
    result: result<readonly string[] | null>(),
  }),
  /** Asks for a folder and searches it for missing recordings; `null` if the user chose none. */
  'library.findRecordings': command({
    input: z.strictObject({ task }),
    result: result<RecordingsReport | null>(),
  }),
} as const;
