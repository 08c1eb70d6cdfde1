import { basename } from 'node:path';
import type Database from 'better-sqlite3';
import type { ExportFormat } from '../../contract/choices.ts';
import { exportFormatsSchema } from '../../contract/export.ts';
import type { ItemId, TranscriptId } from '../../contract/identifiers.ts';
import type { AutoExportChoice, SavedFiles } from '../../contract/queue-commands.ts';
import type { FailedAutoExports } from '../../contract/auto-exports.ts';
import type { Problem } from '../../contract/problem.ts';
import { problemSchema } from './items/item-json-schemas.ts';
import {
  savedTranscriptOf,
  type SavedTranscript,
  type SavedTranscriptRow,
} from './library/transcript-store.ts';

/** A file to be exported automatically once an item has a transcript. */
export interface AutoExport {
  readonly format: ExportFormat;
  /** Absolute path; `null`: next to the recording. */
  readonly folder: string | null;
  /** The name of the copy of the recording that it is for; absent: the item's own. */
  readonly name?: string | undefined;
}

/** An auto export whose transcript exists. */
export interface WritableAutoExport extends AutoExport {
  readonly itemId: ItemId;
  readonly transcriptId: TranscriptId;
  /** Whether the transcript has no words. */
  readonly isEmpty: boolean;
}

/** An auto export and its result. */
export interface AutoExportResult extends AutoExport {
  /** Where it was written; `null` until then. */
  readonly path: string | null;
  /** Why it could not be written. */
  readonly problem: Problem | null;
}

interface ResultRow {
  readonly format: ExportFormat;
  readonly folder: string;
  readonly name: string;
  readonly written_path: string | null;
  readonly problem: string | null;
}

interface OutcomeRow {
  readonly item_id: number;
  readonly format: ExportFormat;
  readonly written: 0 | 1;
}

interface WritableRow {
  readonly item_id: number;
  readonly transcript_id: number;
  readonly format: ExportFormat;
  readonly folder: string;
  readonly name: string;
  readonly is_empty: 0 | 1;
}

interface UnfinishedRow {
  readonly first: string | null;
  readonly last: string | null;
  readonly hasUnchosen: 0 | 1;
}

/** Must be exactly the condition of the index `items_by_formats`: SQLite uses the index only for the same condition. */
const unfinishedCondition = "kind NOT IN ('done', 'failed', 'cancelled')";

const parseChoice = (formats: string | null): readonly ExportFormat[] | null =>
  formats === null ? null : exportFormatsSchema.parse(JSON.parse(formats));

/** Selects an auto export by its item and {@link keyOf}. */
const keyCondition = 'item_id = ? AND format = ? AND folder = ? AND name = ?';

/** Returns the columns that identify an auto export among those of its item. */
const keyOf = ({ format, folder, name }: AutoExport): readonly [string, string, string] => [
  format,
  folder ?? '',
  name ?? '',
];

const autoExportOf = ({
  format,
  folder,
  name,
}: Pick<WritableRow, 'format' | 'folder' | 'name'>): AutoExport => ({
  format,
  folder: folder === '' ? null : folder,
  ...(name !== '' && { name }),
});

/** Stores the auto exports, so that none is lost or written twice when the program ends. */
export class AutoExportStore {
  readonly #database: Database.Database;
  readonly #unfinished: Database.Statement<[], UnfinishedRow>;

  constructor(database: Database.Database) {
    this.#database = database;
    this.#unfinished = database.prepare(
      `SELECT (SELECT min(formats) FROM items WHERE ${unfinishedCondition}) AS first,
         (SELECT max(formats) FROM items WHERE ${unfinishedCondition}) AS last,
         EXISTS (SELECT 1 FROM items WHERE ${unfinishedCondition} AND formats IS NULL) AS hasUnchosen`,
    );
  }

  /** Adds auto exports to an item. One that exists already stays unchanged, except that a failed one is retried. */
  request(itemId: ItemId, files: readonly AutoExport[]): void {
    if (files.length === 0) return;
    const insert = this.#database.prepare(
      `INSERT INTO wanted_files (item_id, format, folder, name) VALUES (?, ?, ?, ?)
       ON CONFLICT (item_id, format, folder, name) DO UPDATE SET problem = NULL`,
    );
    for (const file of files) insert.run(itemId, ...keyOf(file));
  }

  /**
   * Stores the formats that are exported for items in addition to requested files. They replace those of the settings,
   * even if the settings change before the items are done.
   */
  chooseFormats(itemIds: readonly ItemId[], formats: readonly ExportFormat[]): void {
    this.#database
      .prepare('UPDATE items SET formats = ? WHERE id IN (SELECT value FROM json_each(?))')
      .run(JSON.stringify(formats), JSON.stringify(itemIds));
  }

  /** Returns the formats that were chosen for an item; `null`: those of the settings. */
  formatsOf(itemId: ItemId): readonly ExportFormat[] | null {
    return parseChoice(
      this.#database
        .prepare<[ItemId], string | null>('SELECT formats FROM items WHERE id = ?')
        .pluck()
        .get(itemId) ?? null,
    );
  }

  /**
   * Returns the formats that were chosen for unfinished items, if they are the same for all, or `mixed`. Runs in constant
   * time, however long the queue is.
   */
  formatsOfUnfinished(): AutoExportChoice {
    const row = this.#unfinished.get();
    if (row === undefined || row.first === null) return null;
    if (row.hasUnchosen === 1 || row.first !== row.last) return 'mixed';
    return parseChoice(row.first);
  }

  /** Marks a written file that no longer exists as pending again. */
  requestAgain(itemId: ItemId, path: string): void {
    this.#database
      .prepare('UPDATE wanted_files SET written_path = NULL WHERE item_id = ? AND written_path = ?')
      .run(itemId, path);
  }

  /** Marks all auto exports of an item as pending again. */
  requestAllAgain(itemId: ItemId): void {
    this.#database
      .prepare('UPDATE wanted_files SET written_path = NULL, problem = NULL WHERE item_id = ?')
      .run(itemId);
  }

  /** Deletes those of an item's auto exports that have not been written. */
  deletePending(itemId: ItemId): void {
    this.#database.prepare('DELETE FROM wanted_files WHERE item_id = ? AND written_path IS NULL').run(itemId);
  }

  /** Returns the auto exports of an item. */
  of(itemId: ItemId): readonly AutoExportResult[] {
    return this.#database
      .prepare<[ItemId], ResultRow>(
        'SELECT format, folder, name, written_path, problem FROM wanted_files WHERE item_id = ?',
      )
      .all(itemId)
      .map((row) => ({
        ...autoExportOf(row),
        path: row.written_path,
        problem: row.problem === null ? null : problemSchema.parse(JSON.parse(row.problem)),
      }));
  }

  /** Returns the saved and failed files of items; items without any are absent. */
  outcomesOf(itemIds: readonly ItemId[]): ReadonlyMap<ItemId, SavedFiles> {
    const rows = this.#database
      .prepare<[string], OutcomeRow>(
        `SELECT item_id, format, written_path IS NOT NULL AS written FROM wanted_files
         WHERE item_id IN (SELECT value FROM json_each(?)) AND (written_path IS NOT NULL OR problem IS NOT NULL)`,
      )
      .all(JSON.stringify(itemIds));
    const files = new Map<ItemId, { saved: ExportFormat[]; failed: ExportFormat[] }>();
    for (const { item_id: id, format, written } of rows) {
      const outcome = files.get(id) ?? { saved: [], failed: [] };
      files.set(id, outcome);
      const formats = written === 1 ? outcome.saved : outcome.failed;
      if (!formats.includes(format)) formats.push(format);
    }
    return files;
  }

  /** Returns the files of one item, or of all, that can be written now: not before the speakers were identified. */
  writable(itemId?: ItemId): readonly WritableAutoExport[] {
    const [ofItem, items] = itemId === undefined ? ['', []] : ['AND wanted.item_id = ?', [itemId]];
    return this.#database
      .prepare<ItemId[], WritableRow>(
        `SELECT wanted.item_id, transcripts.id AS transcript_id, wanted.format, wanted.folder, wanted.name,
           coalesce(edit_states.word_count, transcripts.word_count) = 0 AS is_empty
         FROM wanted_files AS wanted JOIN transcripts ON transcripts.item_id = wanted.item_id
           LEFT JOIN edit_states ON edit_states.transcript_id = transcripts.id
         WHERE wanted.written_path IS NULL AND wanted.problem IS NULL ${ofItem}
           AND NOT EXISTS (SELECT 1 FROM speaker_requests request
             WHERE request.transcript_id = transcripts.id AND request.problem IS NULL)
         ORDER BY wanted.item_id`,
      )
      .all(...items)
      .map((row) => ({
        itemId: row.item_id,
        transcriptId: row.transcript_id,
        ...autoExportOf(row),
        isEmpty: row.is_empty === 1,
      }));
  }

  /** Whether a file is stored as written at a path. */
  isWritten(path: string): boolean {
    return (
      this.#database.prepare('SELECT 1 FROM wanted_files WHERE written_path = ?').get(path) !== undefined
    );
  }

  /** Returns the transcript for which a file was written at a path, even one in the trash; `null` if there is none. */
  transcriptOf(path: string): SavedTranscript | null {
    const row = this.#database
      .prepare<[string], SavedTranscriptRow>(
        `SELECT transcripts.id, trashed_at IS NOT NULL AS isTrashed
         FROM wanted_files AS wanted JOIN transcripts ON transcripts.item_id = wanted.item_id
         WHERE wanted.written_path = ? ORDER BY isTrashed LIMIT 1`,
      )
      .get(path);
    return row === undefined ? null : savedTranscriptOf(row);
  }

  /** Returns the items with files that are not written yet. */
  itemsWithPendingExports(): readonly ItemId[] {
    return this.#database
      .prepare<[], ItemId>('SELECT DISTINCT item_id FROM wanted_files WHERE written_path IS NULL')
      .pluck()
      .all();
  }

  /** Returns how many files could not be written, with the latest problem; `null` if there are none. */
  failed(): FailedAutoExports | null {
    const count = this.#database
      .prepare<[], number>('SELECT count(*) FROM wanted_files WHERE problem IS NOT NULL')
      .pluck()
      .get();
    const latest = this.#database
      .prepare<[], string>(
        'SELECT problem FROM wanted_files WHERE problem IS NOT NULL ORDER BY item_id DESC LIMIT 1',
      )
      .pluck()
      .get();
    if (count === undefined || latest === undefined) return null;
    const problem = problemSchema.parse(JSON.parse(latest));
    const folder = problem.params?.['folder'];
    return { count, folder: typeof folder === 'string' ? basename(folder) : null, problem };
  }

  /** Marks failed files to be retried, in another `folder` if one is given. */
  retryFailed(folder?: string): void {
    this.#database.transaction(() => {
      if (folder !== undefined) {
        this.#database
          .prepare(
            `INSERT OR IGNORE INTO wanted_files (item_id, format, folder, name)
             SELECT item_id, format, ?, name FROM wanted_files WHERE problem IS NOT NULL`,
          )
          .run(folder);
        this.#database
          .prepare('DELETE FROM wanted_files WHERE problem IS NOT NULL AND folder <> ?')
          .run(folder);
      }
      this.#database.exec('UPDATE wanted_files SET problem = NULL WHERE problem IS NOT NULL');
    })();
  }

  /** Deletes the failed auto exports. */
  forgetFailed(): void {
    this.#database.exec('DELETE FROM wanted_files WHERE problem IS NOT NULL');
  }

  /** Deletes an auto export that has nothing to write. */
  forget(file: WritableAutoExport): void {
    this.#database.prepare(`DELETE FROM wanted_files WHERE ${keyCondition}`).run(file.itemId, ...keyOf(file));
  }

  markWritten(file: WritableAutoExport, path: string): void {
    this.#database
      .prepare(`UPDATE wanted_files SET written_path = ?, problem = NULL WHERE ${keyCondition}`)
      .run(path, file.itemId, ...keyOf(file));
  }

  markFailed(file: WritableAutoExport, problem: Problem): void {
    this.#database
      .prepare(`UPDATE wanted_files SET problem = ? WHERE ${keyCondition}`)
      .run(JSON.stringify(problem), file.itemId, ...keyOf(file));
  }
}
