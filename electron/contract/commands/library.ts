import { z } from 'zod';
import type { TranscriptId } from '../identifiers.ts';
import type {
  ImportReport,
  LibraryCounts,
  LibraryView,
  PurgeReport,
  RecordingsReport,
  Tag,
} from '../library.ts';
import { librarySorts } from '../choices.ts';
import { maxNameLength, maxQueryLength, maxTagLength, maxRows } from '../limits.ts';
import { id, ids, jobIds, nothing, page, path, task } from './inputs.ts';

const tag = z.string().trim().min(1).max(maxTagLength);
const question = {
  query: z.string().max(maxQueryLength),
  tag: tag.nullable(),
  sort: z.enum(librarySorts),
  trash: z.boolean(),
};

export const libraryCommands = {
  'library.counts': nothing,
  'library.list': z.strictObject({ ...question, ...page, whole: z.boolean() }),
  'library.ids': z.strictObject(question),
  'library.tags': nothing,
  'library.tagsOf': z.strictObject({ ids }),
  'library.tag': z.strictObject({ ids, add: z.array(tag).max(100), remove: z.array(tag).max(100) }),
  'library.renameTag': z.strictObject({ from: tag, to: tag }),
  'library.removeTag': z.strictObject({ name: tag }),
  'library.rename': z.strictObject({ id, name: z.string().trim().min(1).max(maxNameLength) }),
  'library.trash': z.strictObject({ ids }),
  'library.restore': z.strictObject({ ids }),
  'library.purge': z.strictObject({ ids, jobIds, task }),
  'library.import': z.strictObject({ paths: z.array(path).max(maxRows), task }),
  'library.pickImport': z.strictObject({ what: z.enum(['files', 'folder']) }),
  'library.findRecordings': z.strictObject({ task }),
} as const;

export interface LibraryResults {
  'library.counts': LibraryCounts;
  /**
   * A stretch of what answers a question. Of a search for frequent words the best of the newest come at once; `whole`
   * has all others after them, which may take a while.
   */
  'library.list': LibraryView;
  /** All transcripts that answer the question, in its order: a selection reaches beyond the loaded rows. */
  'library.ids': readonly TranscriptId[];
  /** All tags in the order of the alphabet. */
  'library.tags': readonly Tag[];
  /** All tags, each with how many of these transcripts have it. */
  'library.tagsOf': readonly Tag[];
  'library.tag': void;
  /** A tag of the new name that is there already takes in the other one. Answers the name that counts now. */
  'library.renameTag': string;
  'library.removeTag': void;
  'library.rename': void;
  'library.trash': void;
  /** How many came back: what was deleted for good does not. */
  'library.restore': number;
  /** Deletes transcripts of the trash for good; before that, these jobs at the service in use. */
  'library.purge': PurgeReport;
  /** Takes subtitles, texts and Longhand's own JSON into the library, from folders as well. */
  'library.import': ImportReport;
  /** Asks for such files, or a folder of them; `null` when the user chose none. */
  'library.pickImport': readonly string[] | null;
  /** Asks for a folder and looks there for recordings that are missing; `null` when the user chose none. */
  'library.findRecordings': RecordingsReport | null;
}
