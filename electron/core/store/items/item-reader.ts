import type Database from 'better-sqlite3';
import type { ItemId } from '../../../contract/identifiers.ts';
import type { Item } from '../../item/item.ts';
import { itemColumns, itemOf, type ItemRow } from './item-row.ts';

/** Reads items by ID. */
export class ItemReader {
  readonly #one: Database.Statement<[ItemId], ItemRow>;
  readonly #some: Database.Statement<[string], ItemRow>;

  constructor(database: Database.Database) {
    this.#one = database.prepare(`SELECT ${itemColumns} FROM items WHERE id = ?`);
    this.#some = database.prepare(
      `SELECT ${itemColumns} FROM items WHERE id IN (SELECT value FROM json_each(?))`,
    );
  }

  get(id: ItemId): Item | null {
    const row = this.#one.get(id);
    return row === undefined ? null : itemOf(row);
  }

  /** Returns the existing ones, in the order of `ids`. */
  getMany(ids: readonly ItemId[]): readonly Item[] {
    if (ids.length <= 1) return ids.flatMap((id) => this.get(id) ?? []);
    const rows = new Map(this.#some.all(JSON.stringify(ids)).map((row) => [row.id, row]));
    return ids.flatMap((id) => {
      const row = rows.get(id);
      return row === undefined ? [] : itemOf(row);
    });
  }
}
