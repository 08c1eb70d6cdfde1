import { resolve } from 'node:path';
import type { ServiceAddress } from '../../contract/service.ts';
import type { WatchedFolder, WatchedFolderId } from '../../contract/watched-folder-commands.ts';
import { ProblemError } from '../../contract/problem.ts';
import type { FolderPatch, WatchStore } from '../store/watch-store.ts';
import { FolderWatcher, type FolderWatcherOptions } from './folder-watcher.ts';

export type WatchedFoldersOptions = Omit<FolderWatcherOptions, 'folder' | 'onChange'> & {
  readonly store: WatchStore;
  /** The service of new folders. */
  readonly serviceInUse: () => ServiceAddress;
  readonly onChange: (folders: readonly WatchedFolder[]) => void;
};

/** The folders whose new recordings are added automatically. */
export class WatchedFolders {
  readonly #options: WatchedFoldersOptions;
  readonly #watchers = new Map<WatchedFolderId, FolderWatcher>();
  #closed = false;

  constructor(options: WatchedFoldersOptions) {
    this.#options = options;
  }

  /** Whether a folder may add recordings at any time. */
  get isWatching(): boolean {
    return this.list().some(({ state }) => state.kind !== 'paused');
  }

  start(): void {
    this.#options.store.setMissingServices(this.#options.serviceInUse());
    this.#startNew();
  }

  list(): readonly WatchedFolder[] {
    return [...this.#watchers.values()].map(({ view }) => view);
  }

  /**
   * Starts watching a folder. It keeps the service that is in use now.
   *
   * @param addExisting whether to add the recordings that are already there too.
   * @throws ProblemError `folder_watched`.
   */
  add(path: string, addExisting: boolean): readonly WatchedFolder[] {
    const full = resolve(path);
    const { store, serviceInUse } = this.#options;
    const folder = { path: full, service: serviceInUse(), paused: false };
    if (store.add(folder, { skipsExisting: !addExisting }) === null)
      throw new ProblemError({ code: 'folder_watched', params: { path: full } });
    this.#startNew();
    return this.#notify();
  }

  async change(id: WatchedFolderId, patch: FolderPatch): Promise<readonly WatchedFolder[]> {
    this.#options.store.change(id, patch);
    await this.#close(id);
    this.#startNew();
    return this.#notify();
  }

  /** Has all folders of a service transcribed by another one from now on. */
  async moveAll(from: ServiceAddress, to: ServiceAddress): Promise<void> {
    for (const { id, service } of this.list()) if (service === from) await this.change(id, { service: to });
  }

  /** Stops watching a folder; its recordings stay in the queue. */
  async remove(id: WatchedFolderId): Promise<readonly WatchedFolder[]> {
    await this.#close(id);
    this.#options.store.remove(id);
    return this.#notify();
  }

  /** Resolves when nothing is read or added any more. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#watchers.keys()].map((id) => this.#close(id)));
  }

  #startNew(): void {
    for (const folder of this.#options.store.folders()) {
      if (this.#closed || this.#watchers.has(folder.id)) continue;
      const watcher = new FolderWatcher({ ...this.#options, folder, onChange: () => void this.#notify() });
      this.#watchers.set(folder.id, watcher);
      watcher.start();
    }
  }

  async #close(id: WatchedFolderId): Promise<void> {
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
