import type Database from 'better-sqlite3';
import type { ItemId } from '../../../contract/identifiers.ts';
import { withoutMarks } from '../../../contract/unicode.ts';

interface NamedRow {
  readonly id: ItemId;
  readonly name: string;
  readonly folderLabel: string;
}

/** The words of a search that are compared: more than anyone types. Each is compared with every name. */
const maxWords = 16;

/** The items found for the latest search. */
interface SearchResult {
  readonly search: string;
  readonly ids: Set<ItemId>;
  /** The last item that was compared. */
  lastId: ItemId;
}

/**
 * Finds items by their name and folder. Caches the latest result: the list is shown again up to ten times per second
 * while recordings are transcribed, and a queue may have 100,000 items.
 */
export class NameSearch {
  readonly #rowsAfter: Database.Statement<[ItemId], NamedRow>;
  #latest: SearchResult | null = null;

  constructor(database: Database.Database) {
    this.#rowsAfter = database.prepare(
      'SELECT id, name, folder_label AS folderLabel FROM items WHERE id > ? ORDER BY id',
    );
  }

  /**
   * Returns the items whose name and folder contain every word of a search (the first {@link maxWords}), regardless of case
   * and accents, perhaps including items that have been removed.
   */
  matches(search: string): ReadonlySet<ItemId> {
    const words = [...new Set(foldText(search).split(/\s+/u).filter(Boolean))].slice(0, maxWords);
    const result =
      this.#latest?.search === search ? this.#latest : { search, ids: new Set<ItemId>(), lastId: 0 };
    for (const { id, name, folderLabel } of this.#rowsAfter.iterate(result.lastId)) {
      const text = foldText(`${name} ${folderLabel}`);
      if (words.every((word) => text.includes(word))) result.ids.add(id);
      result.lastId = id;
    }
    this.#latest = result;
    return result.ids;
  }

  /** Must be called when names have changed, or items were put back. */
  invalidate(): void {
    this.#latest = null;
  }
}

/** Folds a text for comparison: files from a Mac have decomposed letters, which users do not type. */
const foldText = (text: string): string => withoutMarks(text, 'NFKD').toLowerCase();
