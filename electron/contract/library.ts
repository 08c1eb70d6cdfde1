import { z } from 'zod';
import { type LibrarySort, librarySorts } from './choices.ts';
import { id, ids, jobIds, nothing, page, path, task, command, result } from './command.ts';
import type { ItemId, SegmentId, TranscriptId } from './identifiers.ts';
import { maxNameLength, maxQueryLength, maxTagLength, maxRows } from './limits.ts';
import type { LeftOut } from './rejection.ts';
import type { Segment } from './segment.ts';

export interface Transcript {
  readonly id: TranscriptId;
  readonly itemId: ItemId | null;
  readonly name: string;
  /** ISO 639 code when the service told it or it was asked for. */
  readonly language: string | null;
  readonly durationSeconds: number | null;
  readonly wordCount: number;
  /** Unix milliseconds. */
  readonly createdAt: number;
  readonly text: string;
  readonly segments: readonly Segment[];
}

/** A piece of a text: from `start` to before `end`, in UTF-16 units. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A text with what a search found in it. Text and marks are apart: nothing in the text is ever markup. */
export interface MarkedText {
  readonly text: string;
  /** In order, apart from each other. */
  readonly marks: readonly TextRange[];
}

/** A segment that answers a search, or a place in a text without times. */
export interface Passage extends MarkedText {
  /** `null` in a text without times. */
  readonly segment: SegmentId | null;
  /** When it is said, in seconds from the start of the recording; `null` as above. */
  readonly start: number | null;
  /** Where the passage stands in a text without times. */
  readonly range?: TextRange;
}

/** A transcript as the library lists it. */
export interface TranscriptRow {
  readonly id: TranscriptId;
  readonly name: string;
  /** What a search found in the name. */
  readonly nameMarks: readonly TextRange[];
  readonly language: string | null;
  readonly durationSeconds: number | null;
  readonly wordCount: number;
  readonly createdAt: number;
  /** The first words, on one line. */
  readonly excerpt: string;
  /** In the order of the alphabet. */
  readonly tags: readonly string[];
  /** The best answers to the search; none without one, or when the name alone answers it. */
  readonly passages: readonly Passage[];
  /** How many passages of this transcript were found. */
  readonly passageCount: number;
  /** When it was moved to the trash, Unix milliseconds; `null` when it was not. */
  readonly trashedAt: number | null;
}

/** Which transcripts are asked for, and in what order. */
export interface LibraryQuery {
  /** Words, `"phrases"`, `begin*`, `-without`; empty for all. */
  readonly query: string;
  /** Only those that have this tag; `null` for all. */
  readonly tag: string | null;
  readonly sort: LibrarySort;
  /** Whether the trash is asked for, in place of the library. */
  readonly trash: boolean;
}

export interface LibraryView {
  /** Whether the query asks for anything; signs alone do not, and everything is listed. */
  readonly isSearch: boolean;
  /** Transcripts that answer the question; at least so many when it {@link isWhole} not. */
  readonly total: number;
  readonly offset: number;
  readonly rows: readonly TranscriptRow[];
  /** Passages that were found in them; at least so many when {@link isCapped}. */
  readonly passageTotal: number;
  /** Whether more was found than is ranked: by relevance, the rest follows, the newest first. */
  readonly isCapped: boolean;
  /** Whether this counts all that there are, and not only those that are ranked. */
  readonly isWhole: boolean;
  /** Whether older transcripts are still being taken into the index, and may be missing from a search. */
  readonly isIndexing: boolean;
}

/** A tag with the number of transcripts that have it. */
export interface Tag {
  readonly name: string;
  readonly count: number;
}

/** How much the library holds. */
export interface LibraryCounts {
  /** Transcripts outside the trash. */
  readonly total: number;
  readonly trashed: number;
}

/** A transcript's recording, as far as it is a local file. */
export interface RecordingFile {
  /** Where it was seen last. */
  readonly path: string;
  readonly sizeBytes: number;
  /** Of its content; `null` when the file was given by the user although its content was another. */
  readonly fingerprint: string | null;
}

/** What came of bringing files into the library. */
export interface ImportReport {
  /** Transcripts that are new in the library, in the order of the files. */
  readonly added: readonly { readonly id: TranscriptId; readonly name: string }[];
  /** Transcripts that were there already. */
  readonly known: number;
  readonly leftOut: readonly LeftOut[];
  /** Files that nobody has looked at, because it was called off; `null`: it was not. */
  readonly unread: number | null;
}

/** What came of deleting transcripts for good. */
export interface PurgeReport {
  readonly deleted: number;
  /** Jobs that the service was to delete as well, and has not. */
  readonly leftAtService: number;
  /** Whether it was called off; what is left is in the trash. */
  readonly cancelled: boolean;
}

/** What came of looking for recordings that are not where they were. */
export interface RecordingsReport {
  /** Transcripts whose recording was missing. */
  readonly missing: number;
  /** Those that have theirs again. */
  readonly found: number;
  /** Whether it was called off; what was found until then stays. */
  readonly cancelled: boolean;
}

const tag = z.string().trim().min(1).max(maxTagLength);
const question = {
  query: z.string().max(maxQueryLength),
  tag: tag.nullable(),
  sort: z.enum(librarySorts),
  trash: z.boolean(),
};

export const libraryCommands = {
  'library.counts': command({ input: nothing, result: result<LibraryCounts>() }),
  /**
   * A stretch of what answers a question. Of a search for frequent words the best of the newest come at once; `whole`
   * has all others after them, which may take a while.
   */
  'library.list': command({
    input: z.strictObject({ ...question, ...page, whole: z.boolean() }),
    result: result<LibraryView>(),
  }),
  /** All transcripts that answer the question, in its order: a selection reaches beyond the loaded rows. */
  'library.ids': command({ input: z.strictObject(question), result: result<readonly TranscriptId[]>() }),
  /** All tags in the order of the alphabet. */
  'library.tags': command({ input: nothing, result: result<readonly Tag[]>() }),
  /** All tags, each with how many of these transcripts have it. */
  'library.tagsOf': command({ input: z.strictObject({ ids }), result: result<readonly Tag[]>() }),
  'library.tag': command({
    input: z.strictObject({ ids, add: z.array(tag).max(100), remove: z.array(tag).max(100) }),
  }),
  /** A tag of the new name that is there already takes in the other one. Answers the name that counts now. */
  'library.renameTag': command({ input: z.strictObject({ from: tag, to: tag }), result: result<string>() }),
  'library.removeTag': command({ input: z.strictObject({ name: tag }) }),
  'library.rename': command({
    input: z.strictObject({ id, name: z.string().trim().min(1).max(maxNameLength) }),
  }),
  'library.trash': command({ input: z.strictObject({ ids }) }),
  /** How many came back: what was deleted for good does not. */
  'library.restore': command({ input: z.strictObject({ ids }), result: result<number>() }),
  /** Deletes transcripts of the trash for good; before that, these jobs at the service in use. */
  'library.purge': command({ input: z.strictObject({ ids, jobIds, task }), result: result<PurgeReport>() }),
  /** Takes subtitles, texts and Longhand's own JSON into the library, from folders as well. */
  'library.import': command({
    input: z.strictObject({ paths: z.array(path).max(maxRows), task }),
    result: result<ImportReport>(),
  }),
  /** Asks for such files, or a folder of them; `null` when the user chose none. */
  'library.pickImport': command({
    input: z.strictObject({ what: z.enum(['files', 'folder']) }),
    result: result<readonly string[] | null>(),
  }),
  /** Asks for a folder and looks there for recordings that are missing; `null` when the user chose none. */
  'library.findRecordings': command({
    input: z.strictObject({ task }),
    result: result<RecordingsReport | null>(),
  }),
} as const;
