import type Database from 'better-sqlite3';
import type { ItemId } from '../../../contract/identifiers.ts';
import type { ItemOrder } from './item-order.ts';
import type { ItemStore } from './item-store.ts';
import type { OrderedItem } from './queue-order-index.ts';
import { Statements } from '../../../sqlite/statements.ts';

/**
 * Deletes rows, and keeps those of the last removal while the program runs, so that it can be undone: items get back
 * their position, options and transcript. A row is kept as it is when it is deleted, which may be long after the user
 * has removed it: its job may have ended meanwhile.
 */
export class RemovedItems {
  readonly #database: Database.Database;
  readonly #statements: Statements;
  readonly #items: ItemStore;
  readonly #order: ItemOrder;

  constructor(database: Database.Database, items: ItemStore, order: ItemOrder) {
    this.#database = database;
    this.#statements = new Statements(database);
    this.#items = items;
    this.#order = order;
    database.exec(`
      CREATE TEMP TABLE removed_items AS SELECT * FROM main.items WHERE false;
      CREATE TEMP TABLE removed_positions (item_id INTEGER PRIMARY KEY, position INTEGER NOT NULL);
      CREATE TEMP TABLE removed_exports AS SELECT * FROM main.wanted_files WHERE false;
      CREATE TEMP TABLE removed_links (transcript_id INTEGER, item_id INTEGER);`);
  }

  /** Begins a removal, whose rows are kept when they are deleted, and forgets those of the previous removal. */
  begin(ids: readonly ItemId[]): void {
    const keepPosition = this.#statements.prepare('INSERT INTO temp.removed_positions VALUES (?, ?)');
    this.#database.transaction(() => {
      this.#forget();
      for (const id of new Set(ids)) {
        const position = this.#items.orderIndex.indexOf(id);
        if (position !== null) keepPosition.run(id, position);
      }
    })();
  }

  /** Deletes rows, and keeps those of the last removal as they are now. Call it in a transaction. */
  delete(ids: readonly ItemId[]): void {
    const idList = JSON.stringify(ids);
    const condition =
      'IN (SELECT item_id FROM temp.removed_positions WHERE item_id IN (SELECT value FROM json_each(?)))';
    for (const sql of [
      `INSERT INTO temp.removed_items SELECT * FROM main.items WHERE id ${condition}`,
      `INSERT INTO temp.removed_exports SELECT * FROM main.wanted_files WHERE item_id ${condition}`,
      `INSERT INTO temp.removed_links SELECT id, item_id FROM main.transcripts WHERE item_id ${condition}`,
    ])
      this.#statements.prepare(sql).run(idList);
    this.#items.remove(ids);
  }

  /**
   * Ends the last removal and restores those of its rows that were deleted. Returns their IDs, and its rows that still
   * exist. Call it in a transaction.
   */
  restore(): { readonly restored: readonly ItemId[]; readonly remaining: readonly OrderedItem[] } {
    const ids = this.#statements
      .prepare<[], ItemId>('SELECT item_id FROM temp.removed_positions')
      .pluck()
      .all();
    const remaining = this.#items.orderIndex.existing(ids);
    const restored = this.#database
      .prepare<[], ItemId>('INSERT INTO main.items SELECT * FROM temp.removed_items RETURNING id')
      .pluck()
      .all();
    this.#database.exec(`
      INSERT OR IGNORE INTO main.wanted_files SELECT * FROM temp.removed_exports
        WHERE item_id IN (SELECT id FROM temp.removed_items);
      UPDATE main.transcripts SET item_id = link.item_id FROM temp.removed_links AS link
        WHERE main.transcripts.id = link.transcript_id AND main.transcripts.item_id IS NULL
          AND link.item_id IN (SELECT id FROM temp.removed_items);`);
    this.#items.addRestored(restored);
    this.#restorePositions(restored);
    this.#forget();
    return { restored, remaining };
  }

  #restorePositions(ids: readonly ItemId[]): void {
    const positions = this.#database
      .prepare<[string], [ItemId, number]>(
        `SELECT item_id, position FROM temp.removed_positions
         WHERE item_id IN (SELECT value FROM json_each(?)) ORDER BY position`,
      )
      .raw()
      .all(JSON.stringify(ids));
    const restored = new Set(ids);
    const others = this.#items.orderIndex.ids(null).filter((id) => !restored.has(id));
    // In ascending order, so that each item gets its earlier index back if nothing else has changed.
    const order: ItemId[] = [];
    let next = 0;
    for (const [id, position] of positions) {
      while (order.length < position && next < others.length) order.push(others[next++] ?? NaN);
      order.push(id);
    }
    this.#order.set([...order, ...others.slice(next)]);
  }

  #forget(): void {
    this.#database.exec(`
      DELETE FROM temp.removed_items; DELETE FROM temp.removed_positions;
      DELETE FROM temp.removed_exports; DELETE FROM temp.removed_links;`);
  }
}
