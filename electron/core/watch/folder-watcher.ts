import type { FSWatcher, watch as watchFiles } from 'chokidar';
import type { ServiceAddress } from '../../contract/service.ts';
import type { WatchedFolder } from '../../contract/watched-folder-commands.ts';
import type { Problem, ProblemCode } from '../../contract/problem.ts';
import type { ProbeDuration } from '../media/duration-prober.ts';
import { hasMediaExtension } from '../media/detect-media.ts';
import { baseNameOf } from '../media/inspect-files.ts';
import { walk } from '../media/walk.ts';
import type { Clock, Logger } from '../ports.ts';
import type { AdditionResult, WatchedRecordings } from '../queue/adding/item-adder.ts';
import type { Item } from '../item/item.ts';
import { monthStart } from '../queue/services/spending-limits.ts';
import { steadyTime } from '../delay.ts';
import { Yielder } from '../yielder.ts';
import type { CountedCost, ExistingFiles, SeenFile, StoredFolder, WatchStore } from '../store/watch-store.ts';
import { hasState, isSameState, ModifiedFiles } from './modified-files.ts';
import { PendingFiles, type StableFile } from './pending-files.ts';
import { PostponedFiles } from './postponed-files.ts';
import {
  concernsOneEntry,
  FileComparison,
  fingerprintInside,
  folderProblem,
  isEmptyFolder,
  mayExist,
  isBelowUnreadable,
  isWatched,
  readExisting,
  sampleInside,
} from './watched-files.ts';
import { unsent } from '../queue/adding/duplicates.ts';
import { isStorageError, storageProblem } from '../storage-problem.ts';

/** The interval of checks of the folder and of files that are being written, in milliseconds. */
const tickMs = 1_000;
/** How long a file must stay unchanged, in milliseconds; longer on polled drives, which report late. */
const stableMs = { local: 3_000, polled: 10_000 } as const;
const pollMs = 5_000;
/** Complete files that are added, or recorded as seen, before the next ones: a restart continues after them. */
const filesPerCommit = 256;
/** Options of a walk: a link could lead out of the folder, to recordings that the user did not mean to send. */
const walkOptions = { followLinks: false };
/** The delay between the last new entry and a scan for missed ones, in milliseconds. */
const scanDelayMs = 10_000;
/** The interval of attempts to read what could not be read when the folder was added, in milliseconds. */
const retryUnreadableMs = 10_000;
/** The delay before adding files, or storing anything, is tried again after a failure, in milliseconds. */
const retryAddMs = 10_000;
/** The delay before watching is tried again after the system refused it, in milliseconds. */
const retryWatchMs = 30_000;

/** Problems that rule out the content of a file permanently; others, such as those of its drive, may go away. */
const contentProblems: ReadonlySet<ProblemCode> = new Set([
  'not_media',
  'already_queued',
  'already_transcribed',
]);

export interface FolderWatcherOptions {
  readonly folder: StoredFolder;
  readonly store: WatchStore;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Adds recordings to the queue, to be transcribed by a service; adds no more of them once `signal` is aborted. */
  readonly add: (
    recordings: WatchedRecordings,
    service: ServiceAddress,
    signal: AbortSignal,
  ) => Promise<AdditionResult>;
  readonly item: (id: number) => Item | null;
  readonly retry: (id: number) => Promise<void>;
  readonly probeDuration: ProbeDuration;
  readonly onChange: () => void;
  /** Called once when the folder is missing or cannot be watched, or when what arrives in it cannot be stored. */
  readonly onUnavailable: (name: string, problem: Problem) => void;
  /** Called when the first recording is not added because of the folder's limit; not for others until none is left. */
  readonly onLimitReached: (name: string) => void;
  /** Replaces chokidar's `watch` in tests. */
  readonly watch?: typeof watchFiles | undefined;
}

/** Watches one folder: adds each new recording once, when its file is complete. Never changes anything in the folder. */
export class FolderWatcher {
  readonly #options: FolderWatcherOptions;
  readonly #pending: PendingFiles;
  readonly #modified: ModifiedFiles;
  readonly #postponed: PostponedFiles;
  /** The time of all waits, in milliseconds; only the months have that of the calendar. */
  readonly #time: () => number;
  #watcher: FSWatcher | null = null;
  /** When watching is tried again; `null` while it works. */
  #retryWatchAt: number | null = null;
  /** When the next scan is due; `null` without new entries since the last one. */
  #scanAt: number | null = null;
  /** When the unreadable files are tried again. */
  #retryUnreadableAt = 0;
  /** When files may be added again after that failed. */
  #retryAddAt = 0;
  /** Why the last check could not store something, and when it is tried again; `null` once it was stored. */
  #storageProblem: { readonly problem: Problem; readonly retryAt: number } | null = null;
  #state: WatchedFolder['state'] = { kind: 'scanning' };
  #addedCount: number;
  #duplicateCount: number;
  #lastCheck: Promise<void> = Promise.resolve();
  #cancel: (() => void) | null = null;
  #closed = false;
  readonly #stop = new AbortController();

  constructor(options: FolderWatcherOptions) {
    this.#options = options;
    this.#time = steadyTime(options.clock);
    this.#pending = new PendingFiles(options.folder.path);
    this.#modified = new ModifiedFiles(options, (path) => this.#pending.recordChange(path));
    this.#postponed = new PostponedFiles(options, (path) => this.#pending.recordChange(path));
    this.#addedCount = options.folder.addedCount;
    this.#duplicateCount = options.folder.duplicateCount;
  }

  get view(): WatchedFolder {
    const { id, path, service, polled, creditLimit } = this.#options.folder;
    const name = baseNameOf(path);
    const counts = {
      addedCount: this.#addedCount,
      duplicateCount: this.#duplicateCount,
      incompleteCount: this.#pending.incompleteCount,
      postponedCount: this.#postponed.count,
      tooExpensiveCount: this.#postponed.tooExpensiveCount,
      unmeasuredCount: this.#postponed.unmeasuredCount,
    };
    return { id, path, name, service, polled, creditLimit, state: this.#visibleState, ...counts };
  }

  get #visibleState(): WatchedFolder['state'] {
    return this.#storageProblem === null || this.#state.kind === 'unavailable'
      ? this.#state
      : { kind: 'unavailable', problem: this.#storageProblem.problem };
  }

  start(): void {
    if (this.#options.folder.paused) this.#state = { kind: 'paused' };
    else this.#tick();
  }

  /** Resolves when nothing is read or added any more. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#stop.abort();
    this.#cancel?.();
    await this.#lastCheck;
    await this.#stopWatcher();
  }

  #tick(): void {
    this.#lastCheck = this.#checkAndSchedule();
  }

  async #checkAndSchedule(): Promise<void> {
    const { clock, logger } = this.#options;
    try {
      await this.#check();
    } catch (error) {
      if (!this.#closed) logger.warn('a watched folder could not be checked', { error: String(error) });
      if (isStorageError(error)) this.#recordStorageError(storageProblem(error));
    }
    if (!this.#closed) this.#cancel = clock.schedule(tickMs, () => this.#tick());
  }

  async #check(): Promise<void> {
    const { folder, clock } = this.#options;
    const problem = await folderProblem(folder.path);
    if (problem !== null) {
      await this.#stopWatcher();
      this.#setUnavailable(problem);
      return;
    }
    if (this.#storageProblem !== null && this.#time() < this.#storageProblem.retryAt) return;
    if (this.#retryWatchAt !== null && this.#time() >= this.#retryWatchAt) await this.#stopWatcher();
    if (this.#watcher === null) await this.#startWatcher();
    this.#postponed.resume(clock.now());
    if (this.#time() >= this.#retryUnreadableAt) await this.#retryUnreadable();
    const incompleteBefore = this.#pending.incompleteCount;
    const canAdd = this.#time() >= this.#retryAddAt;
    const stable = canAdd
      ? await this.#pending.takeStable(
          this.#time(),
          folder.polled ? stableMs.polled : stableMs.local,
          (file) => this.#modified.stableMsAfterGrowth(file),
        )
      : [];
    try {
      const comparison = new FileComparison(this.#stop.signal);
      for (let first = 0; first < stable.length && !this.#closed; first += filesPerCommit)
        await this.#addStable(stable.slice(first, first + filesPerCommit), comparison);
    } catch (error) {
      // Retries even those that were stored: their commit may have failed. Those that are recorded as seen are skipped later.
      for (const { path } of stable) this.#pending.recordRetry(path);
      throw error;
    }
    await this.#modified.update();
    // Everything that could not be stored is stored now.
    if (this.#storageProblem !== null && !this.#pending.hasRetries) {
      this.#storageProblem = null;
      this.#options.onChange();
    }
    if (this.#scanAt !== null && this.#time() >= this.#scanAt) await this.#scan();
    if (incompleteBefore !== this.#pending.incompleteCount) this.#options.onChange();
  }

  /** Starts or resumes watching; chokidar also reports the files that are there already. */
  async #startWatcher(): Promise<void> {
    const { folder, store, logger } = this.#options;
    // A folder that the system has refused to watch stays unavailable until watching works.
    if (this.#state.kind !== 'unavailable' || this.#state.problem.code !== 'watch_failed')
      this.#setState({ kind: 'scanning' });
    if (store.skipsExisting(folder.id)) {
      const existing = await this.#existingBelow(folder.path);
      // Retried when the folder is available again, or at the next start.
      if (existing === null) return;
      store.recordExisting(folder.id, existing);
    }
    // Loaded on demand: most users watch no folder.
    const watch = this.#options.watch ?? (await import('chokidar')).watch;
    if (this.#closed) return;
    const watcher = watch(folder.path, {
      followSymlinks: false,
      ignored: (path, stats) => !isWatched(folder.path, path, stats),
      usePolling: folder.polled,
      interval: pollMs,
      binaryInterval: pollMs,
      ignorePermissionErrors: true,
    });
    this.#watcher = watcher;
    const scheduleScan = (): void => {
      this.#scanAt = this.#time() + scanDelayMs;
    };
    watcher.on('add', (path) => {
      this.#pending.recordChange(path);
      scheduleScan();
    });
    watcher.on('addDir', scheduleScan);
    watcher.on('unlink', (path) => {
      this.#pending.recordRemoval(path);
      this.#postponed.delete(path);
    });
    watcher.on('change', (path) => {
      this.#postponed.delete(path);
      this.#pending.recordChange(path);
    });
    watcher.once('ready', () => {
      if (this.#watcher === watcher && this.#retryWatchAt === null) this.#setState({ kind: 'watching' });
    });
    watcher.on('error', (error) => {
      logger.warn('a folder cannot be watched', { error: String(error) });
      if (this.#watcher !== watcher || concernsOneEntry(error)) return;
      this.#retryWatchAt = this.#time() + retryWatchMs;
      this.#setUnavailable({ code: 'watch_failed', params: { path: folder.path }, detail: String(error) });
    });
  }

  /**
   * Returns the recordings that are at a path of the folder or below it; `null` if watching ended or the folder vanished
   * meanwhile.
   */
  async #existingBelow(start: string): Promise<ExistingFiles | null> {
    const root = this.#options.folder.path;
    const files: SeenFile[] = [];
    const unreadable: string[] = [];
    for await (const { kind, path } of walk(start, new AbortController().signal, walkOptions)) {
      if (this.#closed) return null;
      if (kind === 'file' && !hasMediaExtension(path)) continue;
      const file = await readExisting(root, path);
      if (file !== null) files.push(file);
      else if (await mayExist(path)) unreadable.push(path);
    }
    // A drive that was removed during the walk looks empty.
    return this.#closed || (await folderProblem(root)) !== null ? null : { files, unreadable };
  }

  /**
   * Reads the files that could not be read when the folder was added, and records them as seen: they were there before and
   * must not be added and paid for.
   */
  async #retryUnreadable(): Promise<void> {
    const { folder, store } = this.#options;
    this.#retryUnreadableAt = this.#time() + retryUnreadableMs;
    for (const path of store.unreadable(folder.id)) {
      const existing = (await mayExist(path))
        ? await this.#existingBelow(path)
        : { files: [], unreadable: [] };
      // The mount point of a drive that is not connected is an empty folder: nothing on the drive was deleted.
      if (existing === null || this.#closed || (await isEmptyFolder(folder.path))) return;
      if (!existing.unreadable.includes(path)) store.recordReadable(folder.id, path, existing);
    }
  }

  /**
   * Scans for unreported files: one that arrives while many others are being read may be missed, and the system drops
   * events when a great many arrive at once.
   */
  async #scan(): Promise<void> {
    const { folder, store, clock } = this.#options;
    this.#scanAt = null;
    const yielder = new Yielder(clock);
    const unreadable = new Set(store.unreadable(folder.id));
    for await (const found of walk(folder.path, new AbortController().signal, walkOptions)) {
      if (this.#closed) return;
      const isNew =
        found.kind === 'file' &&
        hasMediaExtension(found.path) &&
        !this.#postponed.has(found.path) &&
        !isBelowUnreadable(unreadable, folder.path, found.path) &&
        store.seen(folder.id, found.path) === null;
      if (isNew) this.#pending.recordChange(found.path);
      await yielder.yieldIfDue();
    }
  }

  /** Adds complete files to the queue, each content once, and records duplicates as seen. */
  async #addStable(files: readonly StableFile[], comparison: FileComparison): Promise<void> {
    const { folder, store, clock } = this.#options;
    const newFiles = new Map<string, SeenFile>();
    const newPaths = new Map<string, readonly string[]>();
    const duplicates: SeenFile[] = [];
    let duplicateCount = 0;
    await this.#retryUnreadable();
    const unreadable = new Set(store.unreadable(folder.id));
    for (const file of files) {
      if (this.#closed) return;
      if (isBelowUnreadable(unreadable, folder.path, file.path)) continue;
      const seenBefore = store.seen(folder.id, file.path);
      const item = this.#modified.unfinishedItem(seenBefore);
      if (seenBefore !== null && isSameState(seenBefore, file)) {
        // Its item may still have an earlier state, or an earlier watcher may have left it blocked.
        if (item !== null && !hasState(item, seenBefore)) this.#modified.add(seenBefore, item);
        continue;
      }
      const fingerprint = await fingerprintInside(folder.path, file);
      if (fingerprint === null) {
        // A file that is locked, or whose drive fails for a moment, is not reported again.
        if (await mayExist(file.path)) this.#pending.recordChange(file.path);
        continue;
      }
      const sample = await sampleInside(folder.path, file.path, file.sizeBytes);
      const seenNow = { ...file, fingerprint, itemId: seenBefore?.itemId ?? null, sample };
      // Not recorded as seen: the service may have the earlier content, or may receive the new one. Even if only its time
      // has changed, that looks like different content until it is sent.
      if (item !== null) {
        this.#modified.add(seenNow, item);
        continue;
      }
      const batchPaths = newPaths.get(fingerprint) ?? [];
      const knownFiles = [...store.filesWith(fingerprint), ...batchPaths.map(unsent)];
      if (await comparison.isKnown(file, fingerprint, knownFiles)) {
        duplicates.push(seenNow);
        // A file that was modified or touched is not counted again.
        if (seenBefore === null) duplicateCount += 1;
      } else {
        newPaths.set(fingerprint, [...batchPaths, file.path]);
        newFiles.set(file.path, { ...seenNow, itemId: null });
      }
    }
    if (duplicates.length > 0) {
      store.recordNotAdded(folder.id, duplicates, duplicateCount);
      this.#duplicateCount += duplicateCount;
      this.#options.onChange();
    }
    for (const { path, fingerprint } of newFiles.values()) {
      // The unfinished item of the modified file with this content will probably receive it.
      if (!this.#modified.hasContent(fingerprint)) continue;
      newFiles.delete(path);
      this.#pending.recordChange(path);
    }
    const month = monthStart(clock.now());
    const costs = await this.#postponed.postponeBeyondLimit(newFiles, month, this.#stop.signal);
    if (newFiles.size > 0 && !this.#closed) await this.#addNew(newFiles, costs, month);
  }

  /**
   * Adds new files to the queue. Those that are rejected as duplicates or because they are not recordings are recorded as
   * seen. All others that were not added, for example because their drive fails for a moment, are considered again.
   *
   * @param costs what is counted for them by path; empty without a limit
   */
  async #addNew(
    files: ReadonlyMap<string, SeenFile>,
    costs: ReadonlyMap<string, CountedCost>,
    month: number,
  ): Promise<void> {
    const { folder, store, add } = this.#options;
    const unhandledPaths = new Set(files.keys());
    let duplicateCount = 0;
    const rejected: SeenFile[] = [];
    try {
      const { added } = await add(
        {
          folder: folder.path,
          // A file that has been replaced with a symbolic link to another recording meanwhile is rejected.
          fingerprints: new Map(Array.from(files.values(), ({ path, fingerprint }) => [path, fingerprint])),
          onStored: (ids) => {
            const stored = [...ids].flatMap(([path, itemId]) => {
              const file = files.get(path);
              return file === undefined ? [] : [{ ...file, itemId }];
            });
            store.recordAdded(folder.id, stored, costs, month);
            for (const { path } of stored) unhandledPaths.delete(path);
          },
          onRejected: (path, { code }) => {
            const file = files.get(path);
            if (file === undefined || !contentProblems.has(code)) return;
            if (code !== 'not_media') duplicateCount += 1;
            rejected.push(file);
            unhandledPaths.delete(path);
          },
        },
        folder.service,
        this.#stop.signal,
      );
      this.#addedCount += added;
      if (rejected.length > 0) store.recordNotAdded(folder.id, rejected, duplicateCount);
      this.#duplicateCount += duplicateCount;
    } catch (error) {
      this.#retryAddAt = this.#time() + retryAddMs;
      throw error;
    } finally {
      for (const path of unhandledPaths) this.#pending.recordChange(path);
      this.#options.onChange();
    }
  }

  async #stopWatcher(): Promise<void> {
    const watcher = this.#watcher;
    this.#watcher = null;
    this.#retryWatchAt = null;
    this.#scanAt = null;
    this.#pending.clear();
    this.#postponed.clear();
    if (watcher === null) return;
    const closed = watcher.close();
    // `close` removes all listeners, but pending reads may still fail.
    watcher.on('error', () => undefined);
    await closed;
  }

  #setUnavailable(problem: Problem): void {
    if (this.#state.kind === 'unavailable' && this.#state.problem.code === problem.code) return;
    this.#setState({ kind: 'unavailable', problem });
    this.#options.onUnavailable(this.view.name, problem);
  }

  /** Reports a storage error once, until what failed was stored. */
  #recordStorageError(problem: Problem): void {
    if (this.#closed) return;
    const { onChange, onUnavailable } = this.#options;
    const reported = this.#storageProblem?.problem.code;
    this.#storageProblem = { problem, retryAt: this.#time() + retryAddMs };
    if (reported === problem.code) return;
    onChange();
    onUnavailable(this.view.name, problem);
  }

  #setState(state: WatchedFolder['state']): void {
    if (this.#closed) return;
    this.#state = state;
    this.#options.onChange();
  }
}
