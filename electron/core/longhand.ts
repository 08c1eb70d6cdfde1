import type { ItemId, TranscriptId } from '../contract/identifiers.ts';
import type { ServiceAddress, ServiceStatus } from '../contract/service.ts';
import type { Problem } from '../contract/problem.ts';
import { workerUrl } from '../workers/registry.ts';
import { Bandwidth } from './api/bandwidth.ts';
import { Library } from './library/library.ts';
import { AutoExportWriter, type AutoExportStyle } from './library/export/auto-export-writer.ts';
import { writeFiles, type Writer } from './library/export/write-files.ts';
import type { Clock, Logger, Random, SecretStore } from './ports.ts';
import { FileInspector } from './media/file-inspector.ts';
import { DurationProber, type ProbeDuration } from './media/duration-prober.ts';
import { DurationBackfill } from './queue/adding/duration-backfill.ts';
import { Queue } from './queue/queue.ts';
import { sortInThread } from './queue/order/queue-reorderer.ts';
import { Scheduler } from './queue/scheduling/scheduler.ts';
import { ServiceJobsByAddress } from './service-jobs/service-jobs-by-address.ts';
import { ServiceDirectory } from './service-directory.ts';
import type { Program } from './store/database/lease.ts';
import type { EditStore } from './store/library/edit-store.ts';
import { Store } from './store/store.ts';
import type { TranscriptStore } from './store/library/transcript-store.ts';
import type { AutoExport, AutoExportStore } from './store/auto-export-store.ts';
import type { WatchStore } from './store/watch-store.ts';

export interface LonghandOptions {
  /** The data folder. */
  readonly folder: string;
  readonly program: Program;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly secrets: SecretStore;
  readonly parallelUploads: () => number;
  /** The most bytes per second that uploads to cloud accounts take together; `null`: no limit. */
  readonly uploadLimit: () => number | null;
  readonly canStartNew: () => boolean;
  readonly defaultAutoExports: () => readonly AutoExport[];
  /**
   * Holds the built worker threads. Absent, where Node runs TypeScript: this thread inspects, probes and sorts recordings.
   */
  readonly workersFolder?: URL;
  /** How the files are written that are wanted of transcripts. */
  readonly savingStyle: () => AutoExportStyle;
  /** Writes them, in another thread; absent: this thread does. */
  readonly fileWriter?: Writer;
  /** Another process has taken the data folder. */
  readonly onLost: () => void;
}

/** Loaded when needed: it knows many formats. */
const lengthHere: ProbeDuration = async (path) => {
  try {
    return await (await import('./media/probe.ts')).probeFileDuration(path);
  } catch {
    return null;
  }
};

/** What the core tells whoever shows it. */
export interface LonghandListener {
  /** An item, or with `null` the queue or a service as a whole, is not as it was. */
  changed?(id: ItemId | null): void;
  /** A transcript was saved. */
  saved?(id: ItemId): void;
  /** There are other files than before that could not be saved after their transcripts. */
  savesFailed?(): void;
  /** What is known of the jobs that a service holds is not as it was. */
  jobsChanged?(service: ServiceAddress): void;
  /** The texts of transcripts were changed by something else than their own editing. */
  textsChanged?(ids: readonly TranscriptId[]): void;
  /** The library holds other transcripts than before, or shows them in another way. */
  libraryChanged?(): void;
}

/** The whole core: one data folder, its queue, its library and the services that its recordings are sent to. */
export class Longhand {
  readonly queue: Queue;
  readonly transcripts: TranscriptStore;
  /** What the user makes of the transcripts. */
  readonly edits: EditStore;
  readonly library: Library;
  readonly autoExports: AutoExportStore;
  /** Writes them. */
  readonly autoExportWriter: AutoExportWriter;
  /** What is kept of the watched folders. */
  readonly watch: WatchStore;
  readonly services: ServiceDirectory;
  /** What the services hold, beside what is here. */
  readonly jobs: ServiceJobsByAddress;
  /** Told once to the user: what was found wrong with the data folder, and put right. */
  readonly startProblems: readonly Problem[];
  readonly #logger: Logger;
  readonly #store: Store;
  readonly #scheduler: Scheduler;
  readonly #durationBackfill: DurationBackfill;
  readonly #probe: DurationProber | undefined;
  readonly #inspector: FileInspector | undefined;
  readonly #listeners = new Set<LonghandListener>();

  /** @throws ProblemError when the data folder cannot be used; see {@link Store}. */
  constructor(options: LonghandOptions) {
    const { clock, logger, workersFolder } = options;
    this.#logger = logger;
    this.#probe = workersFolder && new DurationProber(clock, workerUrl('probe', workersFolder));
    this.#inspector = workersFolder && new FileInspector(workerUrl('inspect', workersFolder));
    const lengthOf = this.#probe?.probe ?? lengthHere;
    this.#store = new Store(options);
    this.startProblems = this.#store.openingProblem === null ? [] : [this.#store.openingProblem];
    this.services = new ServiceDirectory(clock, options.secrets, new Bandwidth(clock, options.uploadLimit));
    this.autoExportWriter = this.#openAutoExportWriter(options);
    this.#scheduler = this.#openScheduler(options);
    this.queue = this.#openQueue(options, lengthOf);
    this.jobs = this.#openJobs(options);
    this.#durationBackfill = new DurationBackfill({
      store: this.#store,
      logger,
      lengthOf,
      onStored: () => this.queue.touch(),
    });
    this.transcripts = this.#store.transcripts;
    this.edits = this.#store.edits;
    this.library = this.#openLibrary(options);
    this.autoExports = this.#store.autoExports;
    this.watch = this.#store.watch;
  }

  #openAutoExportWriter({ logger, savingStyle, fileWriter }: LonghandOptions): AutoExportWriter {
    const writeHere: Writer = (task) => writeFiles(this.#store.exportSources, task);
    return new AutoExportWriter({
      store: this.#store,
      logger,
      style: savingStyle,
      writer: fileWriter ?? writeHere,
      onFailures: () => this.#notify((listener) => listener.savesFailed?.()),
      onResult: () => this.queue.touch(),
    });
  }

  #openScheduler({ clock, random, logger, ...options }: LonghandOptions): Scheduler {
    return new Scheduler({
      store: this.#store,
      services: this.services,
      clock,
      random,
      logger,
      parallelUploads: options.parallelUploads,
      canStartNew: options.canStartNew,
      defaultAutoExports: options.defaultAutoExports,
      onChange: (id) => {
        this.queue.touch();
        this.#notify((listener) => listener.changed?.(id));
        if (id === null) this.jobs.onConditionChanged();
      },
      onSaved: (id) => {
        this.queue.finished(id);
        void this.autoExportWriter.write(id);
        this.#notify((listener) => {
          listener.saved?.(id);
          listener.libraryChanged?.();
        });
      },
    });
  }

  #openQueue({ clock, random, workersFolder }: LonghandOptions, lengthOf: ProbeDuration): Queue {
    return new Queue({
      store: this.#store,
      scheduler: this.#scheduler,
      services: this.services,
      clock,
      random,
      lengthOf,
      ...(this.#inspector === undefined ? {} : { inspect: this.#inspector.inspect }),
      ...(workersFolder && {
        findOrder: (sort) => sortInThread(workerUrl('sort', workersFolder), this.#store.path, sort),
      }),
      onAdded: () => this.#durationBackfill.start(),
    });
  }

  #openJobs({ clock, logger }: LonghandOptions): ServiceJobsByAddress {
    return new ServiceJobsByAddress({
      store: this.#store,
      clock,
      logger,
      recoveredFromBackup: this.#store.openingProblem !== null,
      requests: (service) => {
        const access = this.services.access(service);
        return access.kind === 'open' ? access.client : null;
      },
      condition: (service) => this.serviceStatus(service).condition,
      balance: (service) => this.serviceStatus(service).balanceCredits,
      onBalance: (service, credits) => this.#scheduler.setBalance(service, credits),
      onChange: (service) => this.#notify((listener) => listener.jobsChanged?.(service)),
      onImported: () => this.#notify((listener) => listener.libraryChanged?.()),
      onAsked: (id, pollAfterMs) => this.#scheduler.dispatch([id], { kind: 'polled-elsewhere', pollAfterMs }),
    });
  }

  #openLibrary({ clock, logger, workersFolder }: LonghandOptions): Library {
    return new Library({
      store: this.#store,
      clock,
      logger,
      workersFolder,
      onChange: () => this.#notify((listener) => listener.libraryChanged?.()),
      onTexts: (ids) => this.#notify((listener) => listener.textsChanged?.(ids)),
    });
  }

  /** Tells everybody who listens. */
  #notify(say: (listener: LonghandListener) => void): void {
    for (const listener of this.#listeners) say(listener);
  }

  /** Goes on with everything that an earlier run left unfinished. */
  start(): void {
    this.#scheduler.start();
    this.#store.startBackups(this.#logger);
    this.library.start();
    this.#durationBackfill.start();
    void this.autoExportWriter.write();
  }

  listen(listener: LonghandListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  serviceStatus(service: ServiceAddress): ServiceStatus {
    return this.#scheduler.status(service);
  }

  /** The user has mended something, or wants a service tried at once. */
  tryAgain(service: ServiceAddress): void {
    this.services.tryAgain(service);
    this.#scheduler.reopen(service);
  }

  /** The computer has slept: what waited meanwhile is tried at once. */
  wake(): void {
    this.#scheduler.wake();
  }

  /** Resolves when every file that can be written now has been. */
  async writeAutoExports(): Promise<void> {
    await this.autoExportWriter.write();
  }

  /** Ends all work where it is; the next start goes on from there. */
  async close(): Promise<void> {
    this.jobs.close();
    const adding = this.queue.close();
    // Awaited last: a drive that hangs holds them, and everything else is to be stored all the same.
    const threads = Promise.allSettled([this.#inspector?.close(), this.#probe?.close()]);
    try {
      await adding;
      await this.#durationBackfill.stop();
      await this.#scheduler.stop();
      await this.autoExportWriter.write();
    } finally {
      try {
        await this.library.close();
        await this.services.close();
      } finally {
        await this.#store.close();
      }
    }
    await threads;
  }

  /** Ends all work at once, because the data folder is another process's now: nothing more is stored or told. */
  abandon(): void {
    this.#listeners.clear();
    this.jobs.close();
    this.queue.abandon();
    void this.#inspector?.close();
    void this.#probe?.close();
    void this.#durationBackfill.stop();
    this.#scheduler.abandon();
    this.autoExportWriter.stop();
    void this.library.close();
    this.#store.abandon();
    void this.services.close();
  }
}
