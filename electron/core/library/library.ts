import { dirname } from 'node:path';
import type { TranscriptId } from '../../contract/identifiers.ts';
import type {
  ImportReport,
  LibraryCounts,
  LibraryQuery,
  LibraryView,
  PurgeReport,
  RenamedTag,
  Tag,
  TagChange,
  TrashReport,
} from '../../contract/library-commands.ts';
import { workerUrl } from '../../workers/registry.ts';
import type { Clock, Logger } from '../ports.ts';
import type { NamedTranscript } from '../store/library/library-store.ts';
import type { Store } from '../store/store.ts';
import { LibraryBackups } from './backup/library-backups.ts';
import type { Inspect } from '../media/inspect-files.ts';
import { importFiles } from './import/import-files.ts';
import { offerNewTranscripts } from './import/offer-transcripts.ts';
import { TranscriptFileReader } from './import/transcript-file-reader.ts';
import { LibrarySearch } from './search/library-search.ts';
import type { PageRequest } from './search/library-searcher.ts';
import { LibraryReplacer } from './replace/replace-in-all.ts';
import { hasTerms, isUnsearchable, parseQuery } from '../transcript/search/search-query.ts';
import { forEachYielding, runSteps } from './task/yielding.ts';
import { Yielder } from '../yielder.ts';
import { cancelledWith, type TaskOptions } from './task/run-task.ts';
import { RecordedTasks } from './task/recorded-tasks.ts';
import { Waveforms } from './waveforms.ts';

export interface LibraryOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Holds the built workers; absent where Node runs TypeScript. */
  readonly workersFolder?: URL | undefined;
  readonly onChange: () => void;
  /** Called with transcripts that were changed, moved to or from the trash, or deleted. */
  readonly onTextsChanged: (ids: readonly TranscriptId[]) => void;
}

/** Transcripts between two notifications of a change. */
const notifyEvery = 50;
/** Transcripts per commit of a change of many. */
const sliceSize = 50;

/** All saved transcripts: lists, searches, tags, renames, deletes and restores them. */
export class Library {
  readonly backups: LibraryBackups;
  readonly replacer: LibraryReplacer;
  readonly waveforms: Waveforms;
  readonly recordedTasks: RecordedTasks;
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #search: LibrarySearch;
  readonly #fileReader: TranscriptFileReader;
  readonly #onChange: () => void;
  readonly #onTextsChanged: LibraryOptions['onTextsChanged'];
  readonly #closed = new AbortController();

  constructor(options: LibraryOptions) {
    const { store, clock, logger, workersFolder, onChange, onTextsChanged } = options;
    this.#store = store;
    this.#clock = clock;
    this.#logger = logger;
    this.#search = new LibrarySearch({ path: store.path, url: workerUrl('search', workersFolder) });
    this.#fileReader = new TranscriptFileReader(workerUrl('import', workersFolder));
    this.#onChange = onChange;
    this.#onTextsChanged = onTextsChanged;
    this.waveforms = new Waveforms(dirname(store.path), clock);
    this.recordedTasks = new RecordedTasks({
      folder: dirname(store.path),
      store,
      logger,
      closed: this.#closed.signal,
    });
    this.replacer = new LibraryReplacer({
      store,
      clock,
      worker: workerUrl('library-task', workersFolder),
      onChange: (ids) => {
        onTextsChanged(ids);
        onChange();
      },
    });
    this.backups = new LibraryBackups({
      store,
      clock,
      worker: workerUrl('library-task', workersFolder),
      onRestored: () => {
        onChange();
        void this.#removeLeftovers();
      },
    });
  }

  /** Starts background indexing and merging, and removes leftovers. */
  start(): void {
    this.removeUnusedWaveforms();
    void this.#removeLeftovers();
    this.#store.searchIndex.startBackgroundIndexing(this.#clock, this.#onChange, (error) =>
      this.#logger.error('the search index could not be updated', { error: String(error) }),
    );
  }

  counts(): LibraryCounts {
    return this.#store.library.counts();
  }

  /** Returns a page of the matching transcripts. @throws SupersededSearchError if a newer query follows */
  async list(libraryQuery: LibraryQuery, page: PageRequest): Promise<LibraryView> {
    if (isUnsearchable(libraryQuery.query)) return { ...emptyView, offset: page.offset };
    return isForSearch(libraryQuery)
      ? this.#search.list(libraryQuery, page)
      : this.#store.library.list(libraryQuery, page.offset, page.limit);
  }

  /** Returns all matching transcripts in order. @throws SupersededSearchError as {@link list} */
  async ids(libraryQuery: LibraryQuery): Promise<readonly TranscriptId[]> {
    if (isUnsearchable(libraryQuery.query)) return [];
    return isForSearch(libraryQuery) ? this.#search.ids(libraryQuery) : this.#store.library.ids(libraryQuery);
  }

  tags(): readonly Tag[] {
    return this.#store.library.tags();
  }

  /** Returns the languages of the latest transcripts, the most frequent first. */
  recentLanguages(): readonly string[] {
    return this.#store.library.recentLanguages();
  }

  /** Returns all tags, each with its number among these transcripts. */
  tagsOf(ids: readonly TranscriptId[]): readonly Tag[] {
    return this.#store.library.tagsOf(ids);
  }

  /** @returns the inverse change */
  tag(ids: readonly TranscriptId[], add: readonly string[], remove: readonly string[]): TagChange {
    return this.#notifyOf(this.#store.library.tag(ids, add, remove));
  }

  /** Renames a tag, or merges it into the tag that has the name already. */
  renameTag(from: string, to: string): RenamedTag {
    return this.#notifyOf(this.#store.library.renameTag(from, to));
  }

  /** @returns the inverse change */
  removeTag(name: string): TagChange {
    return this.#notifyOf(this.#store.library.removeTag(name));
  }

  /** @returns the inverse change */
  changeTags(change: TagChange): TagChange {
    return this.#notifyOf(this.#store.library.changeTags(change));
  }

  rename(id: TranscriptId, name: string): void {
    this.#store.library.rename(id, name);
    this.#onChange();
  }

  /** Returns the names of the given transcripts, without those in the trash. */
  listNames(ids: readonly TranscriptId[]): readonly NamedTranscript[] {
    return this.#store.library.listNames(ids);
  }

  /**
   * Sets the language of a transcript; `null`: unknown.
   *
   * @throws ProblemError `transcript_gone`
   */
  setLanguage(id: TranscriptId, language: string | null): void {
    this.#store.library.setLanguage(id, language);
    this.#onChange();
  }

  /** Moves transcripts to the trash. If the program ends meanwhile, the rest stays in the library. */
  async trash(ids: readonly TranscriptId[]): Promise<TrashReport> {
    const [only] = ids.length === 1 ? this.listNames(ids) : [];
    const now = this.#clock.now();
    const count = await this.#changeEach(ids, (slice) => this.#store.library.trash(slice, now));
    return { count, name: only?.name ?? null };
  }

  /** Restores transcripts from the trash. If the program ends meanwhile, the rest stays in the trash. */
  async restore(ids: readonly TranscriptId[]): Promise<TrashReport> {
    const count = await this.#changeEach(ids, (slice) => this.#store.library.restore(slice));
    const [only] = ids.length === 1 && count === 1 ? this.listNames(ids) : [];
    return { count, name: only?.name ?? null };
  }

  /**
   * Changes transcripts in slices, each in one commit: a change of a row writes its whole text again.
   *
   * @param change returns how many it changed
   */
  async #changeEach(
    ids: readonly TranscriptId[],
    change: (slice: readonly TranscriptId[]) => number,
  ): Promise<number> {
    const yielder = new Yielder(this.#clock);
    let count = 0;
    try {
      for (let first = 0; first < ids.length && !this.#closed.signal.aborted; first += sliceSize) {
        const slice = ids.slice(first, first + sliceSize);
        count += change(slice);
        this.#onTextsChanged(slice);
        await yielder.yieldIfDue();
      }
    } finally {
      this.#onChange();
    }
    return count;
  }

  /** Permanently deletes transcripts in the trash; when cancelled, the rest stays there. */
  async purge(
    ids: readonly TranscriptId[],
    options: TaskOptions,
  ): Promise<Omit<PurgeReport, 'leftAtService'>> {
    let deleted = 0;
    try {
      // Removing a thousand hours from the index at once would block for a minute; one transcript does so briefly.
      const taskOptions = cancelledWith(options, this.#closed.signal);
      const cancelled = await forEachYielding(ids, this.#clock, taskOptions, async (id, yielder) => {
        if (!this.#store.staged.markForRemoval(id)) return;
        deleted += 1;
        await this.#remove(id, yielder);
        this.#onTextsChanged([id]);
        if (deleted % notifyEvery === 0) this.#onChange();
      });
      return { deleted, cancelled };
    } finally {
      this.#store.searchIndex.eraseDeleted();
      this.#onChange();
      this.removeUnusedWaveforms();
    }
  }

  /**
   * Imports subtitles, texts and Longhand's own JSON, including those in folders.
   *
   * @param onFound called with the number of files once all are found
   */
  async importFiles(
    paths: readonly string[],
    options: TaskOptions,
    onFound?: (total: number) => void,
  ): Promise<ImportReport> {
    const { signal, onProgress } = cancelledWith(options, this.#closed.signal);
    let notifiedAt = 0;
    try {
      return await importFiles(paths, {
        store: this.#store,
        clock: this.#clock,
        read: this.#fileReader.read,
        onFound,
        signal,
        onProgress: (progress) => {
          onProgress(progress);
          if (progress.done - notifiedAt < notifyEvery) return;
          notifiedAt = progress.done;
          this.#onChange();
        },
      });
    } finally {
      this.#onChange();
      void this.#removeLeftovers();
    }
  }

  /** Reports that the recordings of transcripts were changed, and thereby perhaps their names. */
  notifyRecordingsChanged(): void {
    this.removeUnusedWaveforms();
    this.#onChange();
  }

  /** See {@link offerNewTranscripts}. */
  offerNewTranscripts(inspect: Inspect): Inspect {
    return offerNewTranscripts(inspect, {
      store: this.#store,
      clock: this.#clock,
      read: this.#fileReader.read,
    });
  }

  /** Removes transcripts that a killed process left partly saved or partly deleted. */
  async #removeLeftovers(): Promise<void> {
    try {
      const yielder = new Yielder(this.#clock);
      for (const id of this.#store.staged.leftovers()) {
        if (this.#closed.signal.aborted) return;
        await this.#remove(id, yielder);
      }
    } catch (error) {
      // The leftovers are invisible, and the next start retries.
      this.#logger.warn('the leftovers of a transcript could not be removed', { error: String(error) });
    }
  }

  async #remove(id: TranscriptId, yielder: Yielder): Promise<void> {
    await runSteps(this.#store.staged.remove(id), yielder, this.#closed.signal);
  }

  /** Removes the waveforms of recordings that no longer belong to a transcript. */
  removeUnusedWaveforms(): void {
    this.waveforms
      .removeOthers(() => this.#store.transcripts.recordingPaths())
      // A leftover takes a few kilobytes; the next start retries.
      .catch((error: unknown) =>
        this.#logger.warn('unused waveforms could not be removed', { error: String(error) }),
      );
  }

  async close(): Promise<void> {
    this.#closed.abort();
    this.#store.searchIndex.stop();
    this.replacer.close();
    await this.backups.close();
    await this.#fileReader.close();
    await this.#search.close();
  }

  /** Notifies of a change that was made, and returns its outcome. */
  #notifyOf<T>(outcome: T): T {
    this.#onChange();
    return outcome;
  }
}

const emptyView = {
  isSearch: true,
  total: 0,
  rows: [],
  passageTotal: 0,
  isCapped: false,
  isComplete: true,
  isIndexing: false,
  similar: [],
} as const;

/** Whether the search thread answers a query. It also sorts names alphabetically: SQLite has no suitable collation. */
const isForSearch = ({ query, sort }: LibraryQuery): boolean =>
  sort === 'name' || hasTerms(parseQuery(query));
