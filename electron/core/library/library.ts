import { dirname } from 'node:path';
import type { TranscriptId } from '../../contract/identifiers.ts';
import type {
  ImportReport,
  LibraryCounts,
  LibraryQuery,
  LibraryView,
  PurgeReport,
  Tag,
} from '../../contract/library.ts';
import { workerUrl } from '../../workers/registry.ts';
import type { Clock, Logger } from '../ports.ts';
import type { Store } from '../store/store.ts';
import { LibraryBackups } from './backup/library-backups.ts';
import { importFiles } from './import/import-files.ts';
import { TranscriptFileReader } from './import/transcript-file-reader.ts';
import { LibrarySearch } from './search/library-search.ts';
import type { PageRequest } from './search/library-searcher.ts';
import { ReplaceInAll } from './replace/replace-in-all.ts';
import { hasTerms, parseQuery } from './search/search-query.ts';
import { forEachYielding, runSteps } from './task/yielding.ts';
import { TimeSlices } from '../time-slices.ts';
import type { TaskOptions } from './task/run-task.ts';
import { Waveforms } from './waveforms.ts';

export interface LibraryOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Holds the built workers; absent where Node runs TypeScript. */
  readonly workersFolder?: URL | undefined;
  readonly onChange: () => void;
  /** Told of transcripts that were changed in the library, put in its trash or back, or deleted. */
  readonly onTexts: (ids: readonly TranscriptId[]) => void;
}

/** Transcripts between two tellings that there are more or fewer. */
const toldAtOnce = 50;

/** All saved transcripts: found, put in order, tagged, renamed, thrown away and brought back. */
export class Library {
  readonly backups: LibraryBackups;
  readonly replacing: ReplaceInAll;
  readonly waveforms: Waveforms;
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #search: LibrarySearch;
  readonly #importing: TranscriptFileReader;
  readonly #onChange: () => void;
  readonly #onTexts: LibraryOptions['onTexts'];
  readonly #closed = new AbortController();

  constructor(options: LibraryOptions) {
    const { store, clock, logger, workersFolder, onChange, onTexts } = options;
    this.#store = store;
    this.#clock = clock;
    this.#logger = logger;
    this.#search = new LibrarySearch({ path: store.path, url: workerUrl('search', workersFolder) });
    this.#importing = new TranscriptFileReader(workerUrl('import', workersFolder));
    this.#onChange = onChange;
    this.#onTexts = onTexts;
    this.waveforms = new Waveforms(dirname(store.path), clock);
    this.replacing = new ReplaceInAll({
      store,
      clock,
      worker: workerUrl('library-task', workersFolder),
      onChange: (ids) => {
        onTexts(ids);
        onChange();
      },
    });
    this.backups = new LibraryBackups({
      store,
      clock,
      worker: workerUrl('library-task', workersFolder),
      onRestored: () => {
        onChange();
        void this.#removeLeft();
      },
    });
  }

  /** Begins to take into the search what is not found yet, to keep its index compact, and to tidy up. */
  start(): void {
    this.removeLeftWaveforms();
    void this.#removeLeft();
    this.#store.searchIndex.startBackgroundIndexing(this.#clock, this.#onChange, (error) =>
      this.#logger.error('the search index could not be brought up to date', { error: String(error) }),
    );
  }

  counts(): LibraryCounts {
    return this.#store.library.counts();
  }

  /** A stretch of the transcripts that answer a question. @throws SupersededError when another one came meanwhile. */
  async list(question: LibraryQuery, stretch: PageRequest): Promise<LibraryView> {
    return isForSearch(question)
      ? this.#search.list(question, stretch)
      : this.#store.library.list(question, stretch.offset, stretch.limit);
  }

  /** All transcripts that answer a question, in its order. @throws SupersededError as above. */
  async ids(question: LibraryQuery): Promise<readonly TranscriptId[]> {
    return isForSearch(question) ? this.#search.ids(question) : this.#store.library.ids(question);
  }

  tags(): readonly Tag[] {
    return this.#store.library.tags();
  }

  /** All tags, each with how many of these transcripts have it. */
  tagsOf(ids: readonly TranscriptId[]): readonly Tag[] {
    return this.#store.library.tagsOf(ids);
  }

  tag(ids: readonly TranscriptId[], add: readonly string[], remove: readonly string[]): void {
    this.#store.library.tag(ids, add, remove);
    this.#onChange();
  }

  /** @returns the name that counts now, which another tag may have had before. */
  renameTag(from: string, to: string): string {
    const name = this.#store.library.renameTag(from, to);
    this.#onChange();
    return name;
  }

  removeTag(name: string): void {
    this.#store.library.removeTag(name);
    this.#onChange();
  }

  rename(id: TranscriptId, name: string): void {
    this.#store.library.rename(id, name);
    this.#onChange();
  }

  trash(ids: readonly TranscriptId[]): void {
    this.#store.library.trash(ids, this.#clock.now());
    this.#onTexts(ids);
    this.#onChange();
  }

  /** @returns how many came back. */
  restore(ids: readonly TranscriptId[]): number {
    const count = this.#store.library.restore(ids);
    this.#onTexts(ids);
    this.#onChange();
    return count;
  }

  /** Deletes transcripts of the trash for good; called off, the rest stays there. */
  async purge(
    ids: readonly TranscriptId[],
    options: TaskOptions,
  ): Promise<Omit<PurgeReport, 'leftAtService'>> {
    let deleted = 0;
    try {
      // To take a thousand hours out of the search at once would hold everything up for a minute, one for a blink.
      const ending = this.#ending(options);
      const cancelled = await forEachYielding(ids, this.#clock, ending, async (id, slices) => {
        if (!this.#store.staged.markForRemoval(id)) return;
        deleted += 1;
        await this.#remove(id, slices);
        this.#onTexts([id]);
        if (deleted % toldAtOnce === 0) this.#onChange();
      });
      return { deleted, cancelled };
    } finally {
      this.#onChange();
      this.removeLeftWaveforms();
    }
  }

  /** Brings subtitles, texts and Longhand's own JSON into the library; of folders, all that they hold. */
  async importFiles(paths: readonly string[], options: TaskOptions): Promise<ImportReport> {
    const { signal, onProgress } = this.#ending(options);
    let told = 0;
    try {
      return await importFiles(paths, {
        store: this.#store,
        clock: this.#clock,
        read: this.#importing.read,
        signal,
        onProgress: (progress) => {
          onProgress(progress);
          if (progress.done - told < toldAtOnce) return;
          told = progress.done;
          this.#onChange();
        },
      });
    } finally {
      this.#onChange();
      void this.#removeLeft();
    }
  }

  /** Removes what has come in part, or was to go when a run was killed. */
  async #removeLeft(): Promise<void> {
    try {
      const slices = new TimeSlices(this.#clock);
      for (const id of this.#store.staged.leftovers()) {
        if (this.#closed.signal.aborted) return;
        await this.#remove(id, slices);
      }
    } catch (error) {
      // Nobody sees it, and the next start tries again.
      this.#logger.warn('what is left of a transcript could not be removed', { error: String(error) });
    }
  }

  async #remove(id: TranscriptId, slices: TimeSlices): Promise<void> {
    await runSteps(this.#store.staged.remove(id), slices, this.#closed.signal);
  }

  /** Removes the waveforms of recordings that no transcript has any more, as after one was located elsewhere. */
  removeLeftWaveforms(): void {
    this.waveforms
      .removeOthers(() => this.#store.transcripts.recordingPaths())
      // What cannot be removed takes a few kilobytes, and is tried again at the next start.
      .catch((error: unknown) =>
        this.#logger.warn('waveforms that nobody needs could not be removed', { error: String(error) }),
      );
  }

  async close(): Promise<void> {
    this.#closed.abort();
    this.#store.searchIndex.stop();
    this.replacing.close();
    await this.backups.close();
    await this.#importing.close();
    await this.#search.close();
  }

  /** Work ends with the program as well. */
  #ending({ signal, onProgress }: TaskOptions): TaskOptions {
    return { signal: AbortSignal.any([signal, this.#closed.signal]), onProgress };
  }
}

/** Names are put in the order of the alphabet by the search's thread, as SQLite knows none. */
const isForSearch = ({ query, sort }: LibraryQuery): boolean =>
  sort === 'name' || hasTerms(parseQuery(query));
