import type { ServiceAddress } from '../../contract/service.ts';
import type { WatchedFolder, WatchedFolderId } from '../../contract/watched-folder-commands.ts';
import { ProblemError } from '../../contract/problem.ts';
import type { FolderPatch, WatchStore } from '../store/watch-store.ts';
import { FolderWatcher, type FolderWatcherOptions } from './folder-watcher.ts';
import { realFolder } from './watched-files.ts';

export type WatchedFoldersOptions = Omit<FolderWatcherOptions, 'folder' | 'onChange'> & {
  readonly store: WatchStore;
  /** The service of new folders. */
  readonly defaultService: () => ServiceAddress;
  readonly onChange: (folders: readonly WatchedFolder[]) => void;
};

/** The folders whose new recordings are added automatically. */
export class WatchedFolders {
  readonly #options: WatchedFoldersOptions;
  readonly #watchers = new Map<WatchedFolderId, FolderWatcher>();
  /** Changes are made one after the other: a folder that is being removed must not be watched again meanwhile. */
  #lastChange: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(options: WatchedFoldersOptions) {
    this.#options = options;
  }

  /** Whether a folder may add recordings at any time. */
  get isWatching(): boolean {
    return this.list().some(({ state }) => state.kind !== 'paused');
  }

  start(): void {
    const { store, defaultService } = this.#options;
    store.setMissingServices(defaultService());
    for (const { id } of store.folders()) this.#watch(id);
  }

  list(): readonly WatchedFolder[] {
    return [...this.#watchers.values()].map(({ view }) => view);
  }

  /**
   * Starts watching a folder. It keeps the service that is the default now.
   *
   * @param addExisting whether to add the recordings that are already there too.
   * @throws ProblemError `folder_watched`, or why the folder cannot be read.
   */
  async add(path: string, addExisting: boolean): Promise<readonly WatchedFolder[]> {
    const { store, defaultService } = this.#options;
    const folder = { path: await realFolder(path), service: defaultService(), paused: false };
    const id = store.add(folder, { skipsExisting: !addExisting });
    if (id === null) throw new ProblemError({ code: 'folder_watched', params: { path: folder.path } });
    this.#watch(id);
    return this.#notify();
  }

  change(id: WatchedFolderId, patch: FolderPatch): Promise<readonly WatchedFolder[]> {
    return this.#inTurn(async () => {
      this.#options.store.change(id, patch);
      await this.#stop(id);
      this.#watch(id);
      return this.#notify();
    });
  }

  /** Changes the service of all folders that use `from` to `to`. */
  async moveAll(from: ServiceAddress, to: ServiceAddress): Promise<void> {
    for (const { id, service } of this.#options.store.folders())
      if (service === from) await this.change(id, { service: to });
  }

  /** Stops watching a folder; its recordings stay in the queue. */
  remove(id: WatchedFolderId): Promise<readonly WatchedFolder[]> {
    return this.#inTurn(async () => {
      await this.#stop(id);
      this.#options.store.remove(id);
      return this.#notify();
    });
  }

  /** Resolves when nothing is read or added any more. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([this.#lastChange, ...[...this.#watchers.keys()].map((id) => this.#stop(id))]);
  }

  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const changed = this.#lastChange.then(change);
    this.#lastChange = changed.catch(() => undefined);
    return changed;
  }

  #watch(id: WatchedFolderId): void {
    const folder = this.#options.store.folders().find((one) => one.id === id);
    if (this.#closed || folder === undefined) return;
    const watcher = new FolderWatcher({ ...this.#options, folder, onChange: () => void this.#notify() });
    this.#watchers.set(id, watcher);
    watcher.start();
  }

  async #stop(id: WatchedFolderId): Promise<void> {
    const watcher = this.#watchers.get(id);
    this.#watchers.delete(id);
    await watcher?.close();
  }

  #notify(): readonly WatchedFolder[] {
    const list = this.list();
    if (!this.#closed) this.#options.onChange(list);
    return list;
  }
}
