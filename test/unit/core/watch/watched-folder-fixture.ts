import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { watch as watchFiles } from 'chokidar';
import { onTestFinished, vi } from 'vitest';
import { defaultJobOptions } from '../../../../electron/contract/options.ts';
import type { ItemId } from '../../../../electron/contract/identifiers.ts';
import type { ServiceAddress } from '../../../../electron/contract/service.ts';
import type { Longhand } from '../../../../electron/core/longhand.ts';
import type { ItemState, Source } from '../../../../electron/core/item/item.ts';
import { inspectFile } from '../../../../electron/core/media/inspect-files.ts';
import { fileSourceOf } from '../../../../electron/core/queue/adding/item-adder.ts';
import { WatchedFolders } from '../../../../electron/core/watch/watched-folders.ts';
import { openCore, quietLogger, rowsOf } from '../../../support/core.ts';
import { FastClock } from '../../../support/clocks/fast-clock.ts';
import { silentWav } from '../../../support/speech/quick-speech.ts';
import { testFolder } from '../../../support/test-folder.ts';

/** For polling assertions: file events of the system arrive late. */
export const slowPoll = { timeout: 30_000 };

/** A folder called "Season 9", and a core that can watch it; both last as long as a test. */
export class WatchedFolderFixture {
  readonly folder: string;
  /** Folders that were reported as unavailable. */
  readonly unavailable: string[] = [];
  /** Simulated states of items: nothing is transcribed here. */
  readonly states = new Map<ItemId, ItemState>();
  readonly retried: ItemId[] = [];
  /** Simulated sources of items: those that a retry has given the current file, if {@link takesCurrentFile}. */
  readonly #sources = new Map<ItemId, Source>();
  /** Whether a retry gives an item the current file and lets it wait, as that of the queue does. */
  takesCurrentFile = false;
  /** Items whose duration the queue does not know. */
  readonly unknownDurations = new Set<ItemId>();
  /** Whether the system refuses to watch. */
  refusing = false;
  /** The service of new recordings and new folders. */
  defaultService: ServiceAddress = 'on-device';
  /** Folders whose limit was reported as reached. */
  readonly limited: string[] = [];
  /** A file that the system does not report. */
  unreportedFile: string | null = null;
  /** Makes the system refuse to watch, with the message of a system that has run out of watches. */
  refuse: () => void = () => undefined;
  /** Called when something about the folder has changed, such as at the start of a scan. */
  onChange: () => void = () => undefined;
  /** Called with files that are complete, before they are added. */
  beforeAdding: () => Promise<void> = async () => undefined;
  /** How far the clock of the system has been set, in milliseconds. */
  clockOffsetMs = 0;
  readonly #clock = new FastClock();
  readonly #data: string;
  #longhand: Longhand;
  #folders: WatchedFolders;

  private constructor(home: string) {
    this.folder = join(home, 'Season 9');
    this.#data = join(home, 'data');
    this.#longhand = openCore(this.#data);
    this.#folders = this.#openFolders();
  }

  static async open(): Promise<WatchedFolderFixture> {
    const fixture = new WatchedFolderFixture(await testFolder());
    onTestFinished(() => fixture.close());
    await mkdir(fixture.folder);
    fixture.#folders.start();
    return fixture;
  }

  get longhand(): Longhand {
    return this.#longhand;
  }

  get databasePath(): string {
    return join(this.#data, 'longhand.db');
  }

  get folders(): WatchedFolders {
    return this.#folders;
  }

  #openFolders(): WatchedFolders {
    const { queue, watch, probeDuration } = this.#longhand;
    return new WatchedFolders({
      store: watch,
      clock: {
        now: () => this.#clock.now() + this.clockOffsetMs,
        schedule: (...what) => this.#clock.schedule(...what),
      },
      logger: quietLogger,
      defaultService: () => this.defaultService,
      add: async (watched, service, signal) => {
        await this.beforeAdding();
        return queue.add({
          paths: [...watched.fingerprints.keys()],
          watched,
          links: [],
          service,
          options: defaultJobOptions,
          autoExports: null,
          signal,
        });
      },
      item: (id) => {
        const item = queue.get(id);
        const state = this.states.get(id);
        if (item === null) return null;
        const durationSeconds = this.unknownDurations.has(id) ? null : item.durationSeconds;
        const source = this.#sources.get(id) ?? item.source;
        return { ...item, durationSeconds, source, state: state ?? item.state };
      },
      retry: async (id) => {
        this.retried.push(id);
        if (this.takesCurrentFile) await this.#takeCurrentFile(id);
      },
      onChange: () => this.onChange(),
      onUnavailable: (name) => this.unavailable.push(name),
      probeDuration,
      onLimitReached: (name) => this.limited.push(name),
      watch: (...what) => {
        const watcher = watchFiles(...what);
        const emit = watcher.emit.bind(watcher);
        watcher.emit = (...args) => basename(String(args[1])) !== this.unreportedFile && emit(...args);
        this.refuse = () => {
          const message = 'ENOSPC: System limit for number of file watchers reached';
          watcher.emit('error', Object.assign(new Error(message), { code: 'ENOSPC' }));
        };
        if (this.refusing) watcher.once('ready', this.refuse);
        return watcher;
      },
    });
  }

  async #takeCurrentFile(id: ItemId): Promise<void> {
    const source = this.#longhand.queue.get(id)?.source;
    const inspected = source?.kind === 'file' ? await inspectFile(source.path) : null;
    if (inspected?.kind !== 'file') throw new Error('it has a file');
    this.#sources.set(id, fileSourceOf(inspected));
    this.states.set(id, { kind: 'waiting' });
  }

  /** Reopens everything after {@link close}. */
  reopen(): void {
    this.#longhand = openCore(this.#data);
    this.#folders = this.#openFolders();
    this.#folders.start();
  }

  async close(): Promise<void> {
    await this.#folders.close();
    await this.#longhand.close();
  }

  /** Resolves once the folder is watched. */
  async watch(addExisting = false): Promise<void> {
    await this.#folders.add(this.folder, addExisting);
    await vi.waitUntil(
      this.afterASecond(() => this.state() === 'watching'),
      slowPoll,
    );
  }

  write(name: string, seconds: number): Promise<void> {
    return writeFile(join(this.folder, name), silentWav(seconds));
  }

  readonly state = (): string | undefined => this.#folders.list()[0]?.state.kind;

  /** The sorted names of the items in the queue. */
  readonly names = (): readonly string[] =>
    rowsOf(this.#longhand)
      .map(({ name }) => name)
      .toSorted();

  readonly queued = (): number => this.#longhand.queue.view({ filter: 'all', offset: 0, limit: 0 }).total;

  /** Advances the clock and waits for the work that became due. */
  async pass(ms: number): Promise<void> {
    await this.#clock.advanceUntil(
      () => false,
      () => false,
      ms,
    );
  }

  /** Lets the computer sleep for a time, in milliseconds. */
  skip(ms: number): void {
    this.#clock.advance(ms);
  }

  /** Waits long enough for new files to be added, if they are going to be. */
  settle(): Promise<void> {
    return this.pass(60_000);
  }

  /** Advances the clock by a second before each check, for polling assertions. */
  afterASecond<T>(look: () => T): () => Promise<T> {
    return async () => {
      await this.pass(1_000);
      return look();
    };
  }
}
