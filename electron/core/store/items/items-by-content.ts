import type Database from 'better-sqlite3';
import type { ItemId } from '../../../contract/identifiers.ts';
import type { Item } from '../../item/item.ts';
import { Statements } from '../../../sqlite/statements.ts';
import { itemColumns, itemOf, ItemReader, type ItemRow } from './item-row.ts';
import type { ItemStore } from './item-store.ts';

/** Finds items by the content of their recording: the fingerprint of a file, or the URL of a link. */
export class ItemsByContent {
  readonly #statements: Statements;
  readonly #reader: ItemReader;
  readonly #items: Pick<ItemStore, 'orderIndex'>;

  constructor(database: Database.Database, items: Pick<ItemStore, 'orderIndex'>) {
    this.#statements = new Statements(database);
    this.#reader = new ItemReader(database);
    this.#items = items;
  }

  /** Returns items on any service that most likely have the same content, the oldest first. */
  onAnyService(fingerprint: string): readonly Item[] {
    return this.#statements
      .prepare<[string], ItemRow>(`SELECT ${itemColumns} FROM items WHERE fingerprint = ? ORDER BY id`)
      .all(fingerprint)
      .map(itemOf);
  }

  /** As {@link onAnyService}, for one service and in the order of the queue. */
  onService(service: string, fingerprint: string): readonly Item[] {
    const ids = this.#statements
      .prepare<[string, string], ItemId>('SELECT id FROM items WHERE fingerprint = ? AND service = ?')
      .pluck()
      .all(fingerprint, service);
    return this.#reader.getMany(this.#items.orderIndex.inOrder(ids));
  }

  /** Returns which of `fingerprints` have items on a service, in one query: most files of a large folder have none. */
  knownOnService(service: string, fingerprints: readonly string[]): ReadonlySet<string> {
    return new Set(
      this.#statements
        .prepare<[string, string], string>(
          `SELECT fingerprint FROM items
           WHERE fingerprint IN (SELECT value FROM json_each(?)) AND service = ?`,
        )
        .pluck()
        .all(JSON.stringify(fingerprints), service),
    );
  }
}
