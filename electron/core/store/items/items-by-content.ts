import type Database from 'better-sqlite3';
import type { ItemId } from '../../../contract/identifiers.ts';
import type { FileSource, Item, StateKind } from '../../item/item.ts';
import { Statements } from '../../../sqlite/statements.ts';
import { ItemReader } from './item-row.ts';

/** A recording that another one can be compared with. */
export interface KnownRecording {
  /** Its path or link; `null` if its file is gone. */
  readonly location: string | null;
  /** The SHA-256 of the whole file that was sent; `null` if unknown. */
  readonly contentHash: string | null;
  /** When that file was last modified, Unix milliseconds; `null` if unknown. */
  readonly mtimeMs: number | null;
}

/** An item whose recording has a certain fingerprint, and so most likely a certain content. */
export interface ItemWithFingerprint extends KnownRecording {
  readonly id: ItemId;
  readonly kind: StateKind;
}

/** The condition for items whose file was sent, and that have no hash yet. */
const unhashed = `content_hash IS NULL AND sent_at IS NOT NULL AND source ->> '$.kind' = 'file'`;

/** Finds items by the content of their recording: the fingerprint of a file, or the URL of a link. */
export class ItemsByContent {
  readonly #database: Database.Database;
  readonly #statements: Statements;
  readonly #reader: ItemReader;

  constructor(database: Database.Database) {
    this.#database = database;
    this.#statements = new Statements(database);
    this.#reader = new ItemReader(database);
  }

  /**
   * Returns the items that most likely have the same content, the oldest first, without parsing their rows: see
   * {@link get}.
   *
   * @param fingerprint that of a file, or the URL of a link
   */
  withFingerprint(fingerprint: string): readonly ItemWithFingerprint[] {
    return this.#statements
      .prepare<[string], ItemWithFingerprint>(
        `SELECT id, kind, coalesce(source ->> '$.path', source ->> '$.url') AS location,
           content_hash AS contentHash, source ->> '$.mtimeMs' AS mtimeMs
         FROM items WHERE fingerprint = ? ORDER BY id`,
      )
      .all(fingerprint);
  }

  get(id: ItemId): Item | null {
    return this.#reader.getMany([id])[0] ?? null;
  }

  /** Whether an item's file was sent, and has no hash yet. */
  needsHash(id: ItemId): boolean {
    return this.#statements.prepare(`SELECT 1 FROM items WHERE id = ? AND ${unhashed}`).get(id) !== undefined;
  }

  /** Returns the items whose file was sent and that have no hash yet, and no transcript either. */
  sentWithoutHash(): readonly ItemId[] {
    return this.#statements
      .prepare<[], ItemId>(
        `SELECT id FROM items WHERE kind IN ('completing', 'transcribing', 'saving') AND ${unhashed} ORDER BY id`,
      )
      .pluck()
      .all();
  }

  /** Stores the hash of a file that was sent, unless the item has got another one, and the same for its transcript. */
  setContentHash(id: ItemId, { fingerprint, mtimeMs }: FileSource, hash: string): void {
    const values = { id, fingerprint, mtimeMs, hash };
    this.#database.transaction(() => {
      this.#statements
        .prepare(
          `UPDATE items SET content_hash = @hash
           WHERE id = @id AND fingerprint = @fingerprint AND source ->> '$.mtimeMs' = @mtimeMs`,
        )
        .run(values);
      this.#statements
        .prepare(
          `UPDATE transcripts SET content_hash = @hash, content_mtime_ms = @mtimeMs
           WHERE item_id = @id AND content_hash IS NULL
             AND coalesce(transcribed_fingerprint, recording_fingerprint) = @fingerprint`,
        )
        .run(values);
    })();
  }
}
