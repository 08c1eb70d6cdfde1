import type Database from 'better-sqlite3';
import type { ItemId } from '../../../contract/identifiers.ts';
import type { Item, StateKind } from '../../item/item.ts';
import { Statements } from '../../../sqlite/statements.ts';
import { ItemReader } from './item-row.ts';

/** An item whose recording has a certain fingerprint, and so most likely a certain content. */
export interface ItemWithFingerprint {
  readonly id: ItemId;
  readonly kind: StateKind;
  /** The path of its file, or its link. */
  readonly location: string;
}

/** Finds items by the content of their recording: the fingerprint of a file, or the URL of a link. */
export class ItemsByContent {
  readonly #statements: Statements;
  readonly #reader: ItemReader;

  constructor(database: Database.Database) {
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
        `SELECT id, kind, coalesce(source ->> '$.path', source ->> '$.url') AS location FROM items
         WHERE fingerprint = ? ORDER BY id`,
      )
      .all(fingerprint);
  }

  get(id: ItemId): Item | null {
    return this.#reader.getMany([id])[0] ?? null;
  }
}
