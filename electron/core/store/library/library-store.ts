import type Database from 'better-sqlite3';
import type { TranscriptId } from '../../../contract/identifiers.ts';
import type {
  LibraryCounts,
  LibraryQuery,
  LibraryView,
  RenamedTag,
  Tag,
  TagChange,
  TaggedTranscripts,
} from '../../../contract/library-commands.ts';
import type { LibrarySort } from '../../../contract/choices.ts';
import { maxRows, storedLimits } from '../../../contract/limits.ts';
import { ProblemError } from '../../../contract/problem.ts';
import { foldCase } from '../../../contract/unicode.ts';
import { compareTags, filterCondition, libraryRows } from './library-rows.ts';
import { publishedCondition } from './staged-transcripts.ts';
import { deleteUnusedTags } from './transcript-tables.ts';

/** Each order ends with the ID, so that pages never overlap. */
const orders: Readonly<Record<LibrarySort, string>> = {
  relevance: 'created_at DESC, id DESC',
  newest: 'created_at DESC, id DESC',
  oldest: 'created_at, id',
  name: 'name COLLATE NOCASE, id',
  longest: 'duration_seconds DESC, id DESC',
};

const hasTranscripts = ({ ids }: TaggedTranscripts): boolean => ids.length > 0;

/** How often tags can be added or removed at once: some tags of as many transcripts as can be selected. */
const maxChangedTags = 5 * maxRows;

const byName = (a: Tag, b: Tag): number => compareTags(a.name, b.name);

/** A transcript as a menu names it. */
export interface NamedTranscript {
  readonly id: TranscriptId;
  readonly name: string;
  /** Unix milliseconds. */
  readonly createdAt: number;
}

interface StoredTag {
  readonly id: number;
  readonly name: string;
}

/** The number of latest transcripts whose languages count as those that the user works with. */
const languageSampleSize = 200;

/** The library as a collection: its order, tags and trash. `TranscriptStore` holds the contents. */
export class LibraryStore {
  readonly #database: Database.Database;

  constructor(database: Database.Database) {
    this.#database = database;
  }

  counts(): LibraryCounts {
    const count = (condition: string): number =>
      this.#database
        .prepare<[], number>(
          `SELECT count(*) FROM transcripts WHERE trashed_at ${condition} AND ${publishedCondition}`,
        )
        .pluck()
        .get() ?? 0;
    return { total: count('IS NULL'), trashed: count('IS NOT NULL') };
  }

  /** Returns the ID of the latest transcript, which may be deleted; 0 if there was none. */
  latestId(): TranscriptId {
    return (
      this.#database
        .prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'transcripts'")
        .pluck()
        .get() ?? 0
    );
  }

  /** Returns how many transcripts of a service were saved after another transcript. */
  countAfter(id: TranscriptId, service: string): number {
    return (
      this.#database
        .prepare<[number, string], number>('SELECT count(*) FROM transcripts WHERE id > ? AND service = ?')
        .pluck()
        .get(id, service) ?? 0
    );
  }

  /** Returns how many transcripts with a higher ID were not saved by the queue. */
  countAfterExceptQueue(id: TranscriptId): number {
    return (
      this.#database
        .prepare<[number], number>(
          `SELECT count(*) FROM transcripts WHERE id > ? AND item_id IS NULL AND ${publishedCondition}`,
        )
        .pluck()
        .get(id) ?? 0
    );
  }

  /** Returns a page of the library, ignoring the search text. */
  list(query: LibraryQuery, offset: number, limit: number): LibraryView {
    const ids = this.#ids(query, offset, limit);
    const rows = libraryRows(this.#database, ids).map((row) => ({
      ...row,
      nameMarks: [],
      passages: [],
      passageCount: 0,
    }));
    return {
      isSearch: false,
      total: this.#count(query),
      offset,
      rows,
      passageTotal: 0,
      isCapped: false,
      isComplete: true,
      isIndexing: false,
      similar: [],
    };
  }

  /** Returns all IDs that {@link list} would list, in its order. */
  ids(query: LibraryQuery): readonly TranscriptId[] {
    return this.#ids(query, 0, -1);
  }

  /** Returns the names of the given transcripts, without those in the trash. */
  listNames(ids: readonly TranscriptId[]): readonly NamedTranscript[] {
    return this.#database
      .prepare<[string], NamedTranscript>(
        `SELECT id, name, created_at AS createdAt FROM transcripts
         WHERE trashed_at IS NULL AND id IN (SELECT value FROM json_each(?))`,
      )
      .all(JSON.stringify(ids));
  }

  /** Returns the names of the given transcripts, including those in the trash. */
  names(ids: readonly TranscriptId[]): readonly string[] {
    return this.#database
      .prepare<[string], string>('SELECT name FROM transcripts WHERE id IN (SELECT value FROM json_each(?))')
      .pluck()
      .all(JSON.stringify(ids));
  }

  /** Whether a transcript exists and is not in the trash. */
  isListed(id: TranscriptId): boolean {
    return this.listNames([id]).length > 0;
  }

  tags(): readonly Tag[] {
    return this.#database
      .prepare<[], Tag>(
        `SELECT name, (SELECT count(*) FROM transcript_tags
           WHERE tag_id = tags.id
             AND transcript_id NOT IN (SELECT id FROM transcripts WHERE trashed_at IS NOT NULL)) AS count
         FROM tags LIMIT ${storedLimits.tags}`,
      )
      .all()
      .sort(byName);
  }

  /** Returns the languages of the latest transcripts, the most frequent first. Does not read the whole library. */
  recentLanguages(): readonly string[] {
    return this.#database
      .prepare<[number], string>(
        `SELECT language FROM (SELECT id, language FROM transcripts ORDER BY id DESC LIMIT ?)
         WHERE language IS NOT NULL GROUP BY language ORDER BY count(*) DESC, max(id) DESC`,
      )
      .pluck()
      .all(languageSampleSize);
  }

  /** Returns all tags, each with the number of these transcripts that have it. */
  tagsOf(ids: readonly TranscriptId[]): readonly Tag[] {
    return this.#database
      .prepare<[string], Tag>(
        `SELECT name, (SELECT count(*) FROM transcript_tags
           WHERE tag_id = tags.id AND transcript_id IN (SELECT value FROM json_each(?))) AS count
         FROM tags LIMIT ${storedLimits.tags}`,
      )
      .all(JSON.stringify(ids))
      .sort(byName);
  }

  /** Adds and removes tags of transcripts. @returns the inverse change */
  tag(ids: readonly TranscriptId[], add: readonly string[], remove: readonly string[]): TagChange {
    const ofAll = (name: string): TaggedTranscripts => ({ name, ids });
    return this.changeTags({ remove: remove.map(ofAll), add: add.map(ofAll) });
  }

  /**
   * Renames a tag, or merges it into the tag that has the name already: removes it from its transcripts and adds the
   * other one to them, so that the inverse change names exactly the transcripts that had each tag.
   */
  renameTag(from: string, to: string): RenamedTag {
    const ids = this.#taggedWith(from);
    const other = this.#tagNamed(to);
    const isMerge = other !== undefined && other.id !== this.#tagNamed(from)?.id;
    const undo = this.changeTags({ remove: [{ name: from, ids }], add: [{ name: to, ids }] });
    return { name: isMerge ? other.name : to, isMerge, undo };
  }

  /** Removes a tag from all transcripts. @returns the inverse change */
  removeTag(name: string): TagChange {
    return this.changeTags({ remove: [{ name, ids: this.#taggedWith(name) }], add: [] });
  }

  /**
   * Changes tags, and deletes those that are no longer used.
   *
   * @returns the inverse change
   * @throws ProblemError `too_many_tags`, and changes nothing
   */
  changeTags({ remove, add }: TagChange): TagChange {
    // Checked first: many tags of many transcripts would take minutes.
    for (const tagged of [remove, add])
      if (tagged.reduce((sum, { ids }) => sum + ids.length, 0) > maxChangedTags)
        throw new ProblemError({ code: 'too_many_tags' });
    return this.#database.transaction(() => {
      const before = this.#tagsByName();
      const removed = remove.flatMap(({ name, ids }) => {
        const tag = before.get(foldCase(name));
        return tag === undefined ? [] : [{ name: tag.name, ids: this.#untag(tag.id, ids) }];
      });
      // Before adding, so that a name can return in another spelling.
      deleteUnusedTags(this.#database);
      const remaining = this.#tagsByName();
      const added = add.map(({ name, ids }) => {
        const key = foldCase(name);
        const tag = remaining.get(key) ?? this.#newTag(name);
        remaining.set(key, tag);
        return { name: tag.name, ids: this.#addTag(tag.id, ids) };
      });
      deleteUnusedTags(this.#database);
      this.#assertFewTags(added.flatMap(({ ids }) => ids));
      return { remove: added.filter(hasTranscripts), add: removed.filter(hasTranscripts) };
    })();
  }

  /** @returns Those of the transcripts that had the tag. */
  #untag(tag: number, ids: readonly TranscriptId[]): readonly TranscriptId[] {
    return this.#database
      .prepare<[number, string], TranscriptId>(
        `DELETE FROM transcript_tags WHERE tag_id = ? AND transcript_id IN (SELECT value FROM json_each(?))
         RETURNING transcript_id`,
      )
      .pluck()
      .all(tag, JSON.stringify(ids));
  }

  /** @returns Those of the transcripts that exist and did not have the tag. */
  #addTag(tag: number, ids: readonly TranscriptId[]): readonly TranscriptId[] {
    return this.#database
      .prepare<[number, string], TranscriptId>(
        `INSERT OR IGNORE INTO transcript_tags (tag_id, transcript_id)
         SELECT ?, transcripts.id FROM json_each(?) JOIN transcripts ON transcripts.id = value
         RETURNING transcript_id`,
      )
      .pluck()
      .all(tag, JSON.stringify(ids));
  }

  /**
   * @throws ProblemError `too_many_tags` if one of these transcripts, to which tags were added, or the library has too
   * many
   */
  #assertFewTags(ids: readonly TranscriptId[]): void {
    if (ids.length === 0) return;
    const { tags, tagsOfTranscript } = storedLimits;
    const tooMany = this.#database
      .prepare<[string], number>(
        `SELECT 1 WHERE (SELECT count(*) FROM tags) > ${tags} OR EXISTS
           (SELECT 1 FROM transcript_tags WHERE transcript_id IN (SELECT value FROM json_each(?))
            GROUP BY transcript_id HAVING count(*) > ${tagsOfTranscript})`,
      )
      .get(JSON.stringify(ids));
    if (tooMany !== undefined) throw new ProblemError({ code: 'too_many_tags' });
  }

  #newTag(name: string): StoredTag {
    const { lastInsertRowid } = this.#database.prepare('INSERT INTO tags (name) VALUES (?)').run(name);
    return { id: Number(lastInsertRowid), name };
  }

  /** Returns all transcripts with a tag, including those in the trash. */
  #taggedWith(name: string): readonly TranscriptId[] {
    return this.#database
      .prepare<[number | null], TranscriptId>('SELECT transcript_id FROM transcript_tags WHERE tag_id = ?')
      .pluck()
      .all(this.#tagNamed(name)?.id ?? null);
  }

  #tagNamed(name: string): StoredTag | undefined {
    return this.#tagsByName().get(foldCase(name));
  }

  /** Returns all tags by their folded names: SQLite ignores case for ASCII only. */
  #tagsByName(): Map<string, StoredTag> {
    const tags = this.#database.prepare<[], StoredTag>('SELECT id, name FROM tags').all();
    return new Map(tags.map((tag) => [foldCase(tag.name), tag]));
  }

  rename(id: TranscriptId, name: string): void {
    this.#database.prepare('UPDATE transcripts SET name = ? WHERE id = ?').run(name, id);
  }

  /** @throws ProblemError `transcript_gone` */
  setLanguage(id: TranscriptId, language: string | null): void {
    const { changes } = this.#database
      .prepare('UPDATE transcripts SET language = ? WHERE id = ?')
      .run(language, id);
    if (changes === 0) throw new ProblemError({ code: 'transcript_gone' });
  }

  /** Moves transcripts to the trash, which keeps all of their data. @returns How many were outside it. */
  trash(ids: readonly TranscriptId[], now: number): number {
    return this.#updateRows(
      'UPDATE transcripts SET trashed_at = ? WHERE trashed_at IS NULL AND id',
      ids,
      now,
    );
  }

  /** Restores transcripts from the trash. @returns How many were in it. */
  restore(ids: readonly TranscriptId[]): number {
    const inTrash = `trashed_at IS NOT NULL AND ${publishedCondition}`;
    return this.#updateRows(`UPDATE transcripts SET trashed_at = NULL WHERE ${inTrash} AND id`, ids);
  }

  /** @returns How many rows were changed. */
  #updateRows(statement: string, ids: readonly TranscriptId[], ...values: readonly number[]): number {
    return this.#database
      .prepare(`${statement} IN (SELECT value FROM json_each(?))`)
      .run(...values, JSON.stringify(ids)).changes;
  }

  #ids({ tag, trash, sort }: LibraryQuery, offset: number, limit: number): TranscriptId[] {
    const order =
      trash && (sort === 'relevance' || sort === 'newest') ? 'trashed_at DESC, id DESC' : orders[sort];
    return this.#database
      .prepare<{ tag: string | null; offset: number; limit: number }, TranscriptId>(
        `SELECT id FROM transcripts WHERE ${listCondition({ tag, trash })} ORDER BY ${order} LIMIT @limit OFFSET @offset`,
      )
      .pluck()
      .all({ tag, offset, limit });
  }

  #count({ tag, trash }: LibraryQuery): number {
    return (
      this.#database
        .prepare<{ tag: string | null }, number>(
          `SELECT count(*) FROM transcripts WHERE ${listCondition({ tag, trash })}`,
        )
        .pluck()
        .get({ tag }) ?? 0
    );
  }
}

/** The condition on `trashed_at` comes first and is written as in the indexes, so that SQLite uses them. */
const listCondition = ({ tag, trash }: Pick<LibraryQuery, 'tag' | 'trash'>): string =>
  `trashed_at IS ${trash ? 'NOT NULL' : 'NULL'} AND ${filterCondition('transcripts.id', { tag, trash })}`;
