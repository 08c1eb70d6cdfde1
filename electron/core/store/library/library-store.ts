import type Database from 'better-sqlite3';
import type { TranscriptId } from '../../../contract/model/identifiers.ts';
import type {
  LibraryCounts,
  LibraryQuestion,
  LibrarySort,
  LibraryView,
  Tag,
} from '../../../contract/model/library.ts';
import { filterCondition, libraryRows } from './library-rows.ts';

/** Each order ends with the number, so that pages never overlap. */
const orders: Readonly<Record<LibrarySort, string>> = {
  relevance: 'created_at DESC, id DESC',
  newest: 'created_at DESC, id DESC',
  oldest: 'created_at, id',
  name: 'name COLLATE NOCASE, id',
  longest: 'duration_seconds DESC, id DESC',
};

/** The library as a collection: its order, its tags and its trash. What is in a transcript is `TranscriptStore`'s. */
export class LibraryStore {
  readonly #database: Database.Database;

  constructor(database: Database.Database) {
    this.#database = database;
  }

  counts(): LibraryCounts {
    const count = (condition: string): number =>
      this.#database
        .prepare<[], number>(`SELECT count(*) FROM transcripts WHERE trashed_at ${condition}`)
        .pluck()
        .get() ?? 0;
    return { total: count('IS NULL'), trashed: count('IS NOT NULL') };
  }

  /** A stretch of the library without a search; the query of the question is left aside. */
  list(question: LibraryQuestion, offset: number, limit: number): LibraryView {
    const ids = this.#ids(question, offset, limit);
    const rows = libraryRows(this.#database, ids).map((row) => ({
      ...row,
      nameMarks: [],
      passages: [],
      passageCount: 0,
    }));
    return {
      total: this.#count(question),
      offset,
      rows,
      passageTotal: 0,
      isCapped: false,
      isWhole: true,
      isIndexing: false,
    };
  }

  /** All that {@link list} would list, in its order. */
  ids(question: LibraryQuestion): readonly TranscriptId[] {
    return this.#ids(question, 0, -1);
  }

  tags(): readonly Tag[] {
    return this.#database
      .prepare<[], Tag>(
        `SELECT name, (SELECT count(*) FROM transcript_tags
           WHERE tag_id = tags.id
             AND transcript_id NOT IN (SELECT id FROM transcripts WHERE trashed_at IS NOT NULL)) AS count
         FROM tags ORDER BY name`,
      )
      .all();
  }

  /** All tags, each with how many of these transcripts have it. */
  tagsOf(ids: readonly TranscriptId[]): readonly Tag[] {
    return this.#database
      .prepare<[string], Tag>(
        `SELECT name, (SELECT count(*) FROM transcript_tags
           WHERE tag_id = tags.id AND transcript_id IN (SELECT value FROM json_each(?))) AS count
         FROM tags ORDER BY name`,
      )
      .all(JSON.stringify(ids));
  }

  /** Gives tags to transcripts and takes others from them; a tag that nobody has any more is gone. */
  tag(ids: readonly TranscriptId[], add: readonly string[], remove: readonly string[]): void {
    const list = JSON.stringify(ids);
    this.#database.transaction(() => {
      for (const name of add) {
        this.#database.prepare('INSERT OR IGNORE INTO tags (name) VALUES (?)').run(name);
        this.#database
          .prepare(
            `INSERT OR IGNORE INTO transcript_tags (transcript_id, tag_id)
             SELECT transcripts.id, tags.id FROM json_each(?) JOIN transcripts ON transcripts.id = value
             JOIN tags ON tags.name = ?`,
          )
          .run(list, name);
      }
      for (const name of remove) {
        this.#database
          .prepare(
            `DELETE FROM transcript_tags WHERE tag_id = (SELECT id FROM tags WHERE name = ?)
             AND transcript_id IN (SELECT value FROM json_each(?))`,
          )
          .run(name, list);
      }
      this.#forgetUnusedTags();
    })();
  }

  /** Gives a tag another name; one of that name takes it in. */
  renameTag(from: string, to: string): void {
    this.#database.transaction(() => {
      const idOf = this.#database.prepare<[string], number>('SELECT id FROM tags WHERE name = ?').pluck();
      const id = idOf.get(from);
      const other = idOf.get(to);
      if (id === undefined) return;
      if (other === undefined || other === id) {
        this.#database.prepare('UPDATE tags SET name = ? WHERE id = ?').run(to, id);
        return;
      }
      this.#database
        .prepare('UPDATE OR IGNORE transcript_tags SET tag_id = ? WHERE tag_id = ?')
        .run(other, id);
      this.#database.prepare('DELETE FROM tags WHERE id = ?').run(id);
    })();
  }

  removeTag(name: string): void {
    this.#database.prepare('DELETE FROM tags WHERE name = ?').run(name);
  }

  rename(id: TranscriptId, name: string): void {
    this.#database.prepare('UPDATE transcripts SET name = ? WHERE id = ?').run(name, id);
  }

  /** Moves transcripts to the trash; nothing of them is lost there. */
  trash(ids: readonly TranscriptId[], now: number): void {
    this.#eachOf('UPDATE transcripts SET trashed_at = ? WHERE trashed_at IS NULL AND id', ids, now);
  }

  /** Brings transcripts back from the trash. */
  restore(ids: readonly TranscriptId[]): void {
    this.#eachOf('UPDATE transcripts SET trashed_at = NULL WHERE id', ids);
  }

  /** Deletes transcripts for good; those that are not in the trash stay. */
  purge(ids: readonly TranscriptId[]): void {
    this.#database.transaction(() => {
      this.#eachOf('DELETE FROM transcripts WHERE trashed_at IS NOT NULL AND id', ids);
      this.#forgetUnusedTags();
    })();
  }

  #eachOf(statement: string, ids: readonly TranscriptId[], ...values: readonly number[]): void {
    this.#database
      .prepare(`${statement} IN (SELECT value FROM json_each(?))`)
      .run(...values, JSON.stringify(ids));
  }

  #forgetUnusedTags(): void {
    this.#database.exec('DELETE FROM tags WHERE id NOT IN (SELECT tag_id FROM transcript_tags)');
  }

  #ids({ tag, trash, sort }: LibraryQuestion, offset: number, limit: number): TranscriptId[] {
    const order =
      trash && (sort === 'relevance' || sort === 'newest') ? 'trashed_at DESC, id DESC' : orders[sort];
    return this.#database
      .prepare<{ tag: string | null; offset: number; limit: number }, TranscriptId>(
        `SELECT id FROM transcripts WHERE ${listed({ tag, trash })} ORDER BY ${order} LIMIT @limit OFFSET @offset`,
      )
      .pluck()
      .all({ tag, offset, limit });
  }

  #count({ tag, trash }: LibraryQuestion): number {
    return (
      this.#database
        .prepare<{ tag: string | null }, number>(
          `SELECT count(*) FROM transcripts WHERE ${listed({ tag, trash })}`,
        )
        .pluck()
        .get({ tag }) ?? 0
    );
  }
}

/** The state of the trash comes first and as it is in the indexes, so that they serve. */
const listed = ({ tag, trash }: Pick<LibraryQuestion, 'tag' | 'trash'>): string =>
  `trashed_at IS ${trash ? 'NOT NULL' : 'NULL'} AND ${filterCondition('transcripts.id', { tag, trash })}`;
