import type Database from 'better-sqlite3';
import type { ItemId } from '../../../contract/identifiers.ts';
import type { Item, StateKind } from '../../item/item.ts';
import { Statements } from '../../../sqlite/statements.ts';
import { ItemReader } from './item-row.ts';

/** An item that most likely has a certain content. */
export interface LikelyItem {
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

  /** Returns items that most likely have the same content, the oldest first, without parsing their rows: see {@link get}. */
  likely(fingerprint: string): readonly LikelyItem[] {
    return this.#statements
      .prepare<[string], LikelyItem>(
        `SELECT id, kind, coalesce(source ->> '$.path', source ->> '$.url') AS location FROM items
         WHERE fingerprint = ? ORDER BY id`,
      )
      .all(fingerprint);
  }

  get(id: ItemId): Item | null {
    return this.#reader.getMany([id])[0] ?? null;
  }
}
