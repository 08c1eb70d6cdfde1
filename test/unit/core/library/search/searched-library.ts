import Database from 'better-sqlite3';
import { beforeEach } from 'vitest';
import type { LibraryQuery, LibraryView } from '../../../../../electron/contract/library-commands.ts';
import type { TranscriptId } from '../../../../../electron/contract/identifiers.ts';
import {
  LibrarySearcher,
  type PageRequest,
} from '../../../../../electron/core/library/search/library-searcher.ts';
import type { Store } from '../../../../../electron/core/store/store.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';
import { openStore } from '../../store/store-kit.ts';
import { queryFor, firstPage } from '../library-kit.ts';

/** A library in its own folder, empty at the start of each test, and a searcher that reads it. */
export class SearchedLibrary {
  #open: { readonly store: Store; readonly searcher: LibrarySearcher } | null = null;

  get store(): Store {
    return this.#now.store;
  }

  get searcher(): LibrarySearcher {
    return this.#now.searcher;
  }

  /** Returns the result of a search. */
  list(query: string, more?: Partial<LibraryQuery>, part?: Partial<PageRequest>): LibraryView {
    return this.searcher.list(queryFor(query, more), firstPage(part), () => undefined);
  }

  /** Returns all matching transcripts. */
  ids(query: string): readonly TranscriptId[] {
    return this.searcher.ids(queryFor(query), () => undefined);
  }

  get #now() {
    if (this.#open === null) throw new Error('The library is not open yet.');
    return this.#open;
  }

  /** @returns a function that closes and removes it */
  async setUp(): Promise<() => Promise<void>> {
    const folder = await temporaryFolder();
    const store = openStore(folder.path);
    const reader = new Database(store.path, { readonly: true });
    this.#open = { store, searcher: new LibrarySearcher(reader) };
    return async () => {
      this.#open = null;
      reader.close();
      await store.close();
      await folder.remove();
    };
  }
}

/** Opens the library before each test of the file. Call it outside tests, before hooks that use it. */
export function useSearchedLibrary(): SearchedLibrary {
  const library = new SearchedLibrary();
  beforeEach(() => library.setUp());
  return library;
}
