import type { ExportFormat } from '../contract/choices.ts';
import type { ItemId, TranscriptId } from '../contract/identifiers.ts';
import type { JobSchedule, ServiceAddress, ServiceStatus } from '../contract/service.ts';
import { type Problem, ProblemError } from '../contract/problem.ts';
import { workerUrl } from '../workers/registry.ts';
import { Bandwidth } from './api/bandwidth.ts';
import { Library } from './library/library.ts';
import type { Diarize } from './library/speaker-identification.ts';
import { type DescribeVoices, RememberedVoices } from './library/remembered-voices.ts';
import { SpeakerQueue, type SpeakersOutcome } from './library/speaker-queue.ts';
import { AutoExportWriter, type AutoExportStyle } from './library/export/auto-export-writer.ts';
import { writeFiles, type Writer } from './library/export/write-files.ts';
import type { Clock, Logger, Random, SecretStore } from './ports.ts';
import { FileInspector } from './media/file-inspector.ts';
import { inspectInBatches } from './media/inspect-files.ts';
import { DurationProber, unknownDuration, type ProbeDuration } from './media/duration-prober.ts';
import { ContentHasher } from './queue/adding/content-hasher.ts';
import { DurationBackfill } from './queue/adding/duration-backfill.ts';
import { Queue } from './queue/queue.ts';
import { PublishedStatuses } from './queue/services/published-statuses.ts';
import { sortInThread } from './queue/order/queue-reorderer.ts';
import { Scheduler } from './queue/scheduling/scheduler.ts';
import { ServiceJobsByAddress } from './service-jobs/service-jobs-by-address.ts';
import { type HasAccount, ServiceDirectory } from './service-directory.ts';
import type { Program } from './store/database/lease.ts';
import { isStorageError } from './storage-problem.ts';
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
  /** The maximum number of uploads at once. */
  readonly parallelUploads: () => number;
  /** The limit for all uploads to cloud accounts together, in bytes per second; `null`: no limit. */
  readonly uploadLimit: () => number | null;
  /** Whether items that have not been sent to their service yet may start. */
  readonly canStartNew: () => boolean;
  /** The most credits that an account may cost in a calendar month; `null`: no limit. Absent: none has one. */
  readonly creditLimit?: (service: ServiceAddress) => number | null;
  /** Absent: every account. */
  readonly hasAccount?: HasAccount;
  /**
   * Returns the auto exports of a new transcript. `chosen`: the formats that were chosen on its add sheet; `null`: those of
   * the settings.
   */
  readonly defaultAutoExports: (chosen: readonly ExportFormat[] | null) => readonly AutoExport[];
  /**
   * Contains the built worker threads. If absent, where Node runs TypeScript, this thread inspects, probes and sorts
   * recordings.
   */
  readonly workersFolder?: URL;
  /** Returns how auto exports are written. */
  readonly autoExportStyle: () => AutoExportStyle;
  /** Writes auto exports in another thread; if absent, this thread does. */
  readonly fileWriter?: Writer;
  /**
   * Returns the diarizer; if absent, there are no models for it.
   *
   * @throws ProblemError `speaker_models_missing`
   */
  readonly createDiarizer?: () => Diarize;
  /**
   * Returns the function that describes voices, to remember them; if absent, there are no models for it.
   *
   * @throws ProblemError `speaker_models_missing`
   */
  readonly createVoiceDescriber?: () => DescribeVoices;
  /** Called with the order of the on-device service's jobs, and those it must not work on, when they may have changed. */
  readonly onJobSchedule?: (jobs: JobSchedule) => void;
  /** Called when another process has taken over the data folder. */
  readonly onLeaseLost: () => void;
}

/** Probes in this thread. The module is large and loaded only when needed. */
export const probeInThisThread: ProbeDuration = async (path) => {
  try {
    return await (await import('./media/probe.ts')).probeFileDuration(path);
  } catch {
    return unknownDuration;
  }
};

const throwModelsMissing = (): never => {
  throw new ProblemError({ code: 'speaker_models_missing' });
};

/** Events of the core. */
export interface LonghandListener {
  /** Called when an item, or with `null` the queue or a service, has changed. */
  changed?(id: ItemId | null): void;
  /** Called when a view of the queue may have changed, for example by a command, a new item or {@link changed}. */
  queueChanged?(): void;
  /** Called when the transcript of an item was saved. */
  saved?(id: ItemId): void;
  /** Called when the list of failed auto exports has changed. */
  failedAutoExportsChanged?(): void;
  /** Called when the view of the speakers' queue has changed. */
  speakersChanged?(): void;
  /** Called when the queue has identified the speakers of a transcript, or could not. */
  speakersEnded?(outcome: SpeakersOutcome): void;
  /** Called when what is known of a service's jobs has changed. */
  jobsChanged?(service: ServiceAddress): void;
  /** Called when texts were changed in any other way than by edits of the transcript. */
  textsChanged?(ids: readonly TranscriptId[]): void;
  /** Called when the contents of the library or their order have changed. */
  libraryChanged?(): void;
}

/** The whole core: a data folder with its queue and library, and the services that recordings are sent to. */
export class Longhand {
  readonly queue: Queue;
  readonly transcripts: TranscriptStore;
  /** The edits of the transcripts. */
  readonly edits: EditStore;
  readonly library: Library;
  /** Identifies the speakers of saved transcripts. */
  readonly speakers: SpeakerQueue;
  /** Voices that suggest names for speakers. */
  readonly voices: RememberedVoices;
  readonly autoExports: AutoExportStore;
  readonly autoExportWriter: AutoExportWriter;
  readonly watch: WatchStore;
  readonly services: ServiceDirectory;
  readonly probeDuration: ProbeDuration;
  /** The jobs of the services, including those that the queue has not created. */
  readonly jobs: ServiceJobsByAddress;
  /** Problems of the data folder that were found and repaired at the start, to be shown once. */
  readonly startProblems: readonly Problem[];
  readonly #logger: Logger;
  readonly #store: Store;
  readonly #scheduler: Scheduler;
  readonly #durationBackfill: DurationBackfill;
  readonly #contentHasher: ContentHasher;
  readonly #publishedStatuses: PublishedStatuses;
  readonly #durationProber: DurationProber | undefined;
  readonly #inspector: FileInspector | undefined;
  readonly #listeners = new Set<LonghandListener>();

  /** @throws ProblemError if the data folder cannot be used; see {@link Store}. */
  constructor(options: LonghandOptions) {
    const { clock, logger, workersFolder } = options;
    this.#logger = logger;
    this.#durationProber = workersFolder && new DurationProber(clock, workerUrl('probe', workersFolder));
    this.#inspector = workersFolder && new FileInspector(workerUrl('inspect', workersFolder));
    this.probeDuration = this.#durationProber?.probe ?? probeInThisThread;
    this.#store = new Store(options);
    this.startProblems = this.#store.openingProblem === null ? [] : [this.#store.openingProblem];
    this.#publishedStatuses = new PublishedStatuses({
      dataFolder: options.folder,
      clock,
      logger,
      statuses: () => this.serviceStatuses(),
    });
    this.services = new ServiceDirectory(
      clock,
      options.secrets,
      new Bandwidth(clock, options.uploadLimit),
      workersFolder === undefined ? null : workerUrl('response', workersFolder),
      options.hasAccount,
    );
    this.autoExportWriter = this.#openAutoExportWriter(options);
    this.#scheduler = this.#openScheduler(options);
    this.queue = this.#openQueue(options);
    this.jobs = this.#openJobs(options);
    this.#durationBackfill = new DurationBackfill({
      store: this.#store,
      logger,
      probeDuration: this.probeDuration,
      onStored: () => this.queue.notifyChanged(),
    });
    this.#contentHasher = new ContentHasher(this.#store, logger);
    this.transcripts = this.#store.transcripts;
    this.edits = this.#store.edits;
    this.library = this.#openLibrary(options);
    this.speakers = this.#openSpeakers(options);
    this.voices = this.#openVoices(options);
    this.autoExports = this.#store.autoExports;
    this.watch = this.#store.watch;
  }

  #openAutoExportWriter({
    folder,
    clock,
    logger,
    autoExportStyle,
    fileWriter,
  }: LonghandOptions): AutoExportWriter {
    const writeHere: Writer = (task) => writeFiles(this.#store.exportSources, task);
    return new AutoExportWriter({
      folder,
      store: this.#store,
      clock,
      logger,
      style: autoExportStyle,
      writer: fileWriter ?? writeHere,
      onFailures: () => this.#notify((listener) => listener.failedAutoExportsChanged?.()),
      onResult: () => this.queue.notifyChanged(),
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
      ...(options.creditLimit && { creditLimit: options.creditLimit }),
      ...(options.onJobSchedule && { onJobSchedule: options.onJobSchedule }),
      defaultAutoExports: options.defaultAutoExports,
      onChange: (id) => {
        this.queue.notifyChanged();
        this.#notify((listener) => listener.changed?.(id));
        if (id !== null) {
          this.#contentHasher.onItemChanged(id);
          return;
        }
        this.jobs.onConditionChanged();
        this.#publishedStatuses.update();
      },
      onSaved: (id) => {
        this.queue.recordFinished(id);
        this.speakers.start();
        void this.autoExportWriter.write(id);
        this.#notify((listener) => {
          listener.saved?.(id);
          listener.libraryChanged?.();
        });
      },
    });
  }

  #openQueue({ clock, random, workersFolder }: LonghandOptions): Queue {
    return new Queue({
      store: this.#store,
      scheduler: this.#scheduler,
      services: this.services,
      clock,
      random,
      probeDuration: this.probeDuration,
      inspect: (...sources) =>
        this.library.offerNewTranscripts(this.#inspector?.inspect ?? inspectInBatches)(...sources),
      ...(workersFolder && {
        findOrder: (sort) => sortInThread(workerUrl('sort', workersFolder), this.#store.path, sort),
      }),
      onDurationsMissing: (changed) => this.#durationBackfill.start(changed),
      onChange: () => this.#notify((listener) => listener.queueChanged?.()),
    });
  }

  #openJobs({ clock, logger }: LonghandOptions): ServiceJobsByAddress {
    return new ServiceJobsByAddress({
      store: this.#store,
      clock,
      logger,
      recoveredFromBackup: this.#store.openingProblem !== null,
      client: (service) => {
        const access = this.services.access(service);
        return access.kind === 'open' ? access.client : null;
      },
      condition: (service) => this.serviceStatus(service).condition,
      balance: (service) => this.serviceStatus(service).balanceCredits,
      onBalance: (service, credits) => this.#scheduler.setBalance(service, credits),
      onChange: (service) => this.#notify((listener) => listener.jobsChanged?.(service)),
      onImported: () => this.#onLibraryChange(),
      onPolled: (id, pollAfterMs) =>
        this.#scheduler.dispatch([id], { kind: 'polled-elsewhere', pollAfterMs }),
    });
  }

  #openLibrary({ clock, logger, workersFolder }: LonghandOptions): Library {
    return new Library({
      store: this.#store,
      clock,
      logger,
      workersFolder,
      onChange: () => this.#onLibraryChange(),
      onTextsChanged: (ids) => this.#notify((listener) => listener.textsChanged?.(ids)),
    });
  }

  #openSpeakers({ clock, logger, createDiarizer }: LonghandOptions): SpeakerQueue {
    return new SpeakerQueue({
      store: this.#store,
      clock,
      logger,
      createDiarizer: createDiarizer ?? throwModelsMissing,
      onChanged: (id) =>
        this.#notify((listener) => {
          listener.textsChanged?.([id]);
          listener.libraryChanged?.();
        }),
      onView: () => this.#notify((listener) => listener.speakersChanged?.()),
      onReleased: () => void this.autoExportWriter.write(),
      onEnd: (outcome) => this.#notify((listener) => listener.speakersEnded?.(outcome)),
    });
  }

  #openVoices({ folder, clock, logger, createVoiceDescriber }: LonghandOptions): RememberedVoices {
    const { edits, transcripts } = this.#store;
    return new RememberedVoices({
      folder,
      clock,
      logger,
      edits,
      transcripts,
      createVoiceDescriber: createVoiceDescriber ?? throwModelsMissing,
    });
  }

  /** Reports a change of the library, and updates the limits of the accounts and the queue, whose rows show transcripts. */
  #onLibraryChange(): void {
    this.#scheduler.onLibraryChange();
    this.queue.notifyChanged();
    this.#notify((listener) => listener.libraryChanged?.());
  }

  /**
   * Notifies every listener. What one throws concerns only itself, unless nothing can be read now: then the caller waits.
   *
   * @throws the storage error of a listener, after all were notified
   */
  #notify(call: (listener: LonghandListener) => void): void {
    const storageErrors: unknown[] = [];
    for (const listener of this.#listeners) {
      try {
        call(listener);
      } catch (error) {
        if (isStorageError(error)) storageErrors.push(error);
        else this.#logger.error('a listener failed', { error: String(error) });
      }
    }
    if (storageErrors.length > 0) throw storageErrors[0];
  }

  /** Resumes everything that an earlier run left unfinished. */
  start(): void {
    this.#scheduler.start();
    this.#store.startBackups(this.#logger);
    this.library.start();
    this.#durationBackfill.start();
    this.#contentHasher.start();
    void this.autoExportWriter.write();
    this.speakers.start();
  }

  /**
   * Returns the problem of a recovery of the database that neither the window nor a command has reported, once; the next
   * start of the window still reports it. Recordings that were added and transcribed since the backup are unknown then.
   */
  takeRecoveryNotice(): Problem | null {
    return this.#store.takeRecoveryNotice();
  }

  /** Identifies this run's lease on the data folder. */
  get leaseOwner(): string {
    return this.#store.leaseOwner;
  }

  listen(listener: LonghandListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  serviceStatus(service: ServiceAddress): ServiceStatus {
    return this.#scheduler.status(service);
  }

  /** Returns the status of each service that anything has used since the start. */
  serviceStatuses(): readonly ServiceStatus[] {
    return this.services.requestedServices().map((service) => this.serviceStatus(service));
  }

  /** See {@link Scheduler.setBlockingProblem}. */
  setBlockingProblem(service: ServiceAddress, problem: Problem | null): void {
    this.#scheduler.setBlockingProblem(service, problem);
  }

  /** Retries a service at once, after the user has fixed something or asked for it. */
  tryAgain(service: ServiceAddress): void {
    this.services.tryAgain(service);
    this.#scheduler.reopen(service);
  }

  /**
   * Checks soon whether accounts were topped up. Call it when the user returns to the window.
   *
   * @param shownServices those whose balance the window shows; of others, only those that lack credits are checked.
   */
  probeCredits(shownServices: Iterable<ServiceAddress>): void {
    this.#scheduler.probeCredits();
    this.jobs.refreshBalances(shownServices);
  }

  /** Resumes after the computer has slept: pending retries are made at once. */
  wake(): void {
    this.#store.renewLease();
    this.#scheduler.onSystemResume();
  }

  /** Resolves when every auto export that can be written now has been written. */
  async writeAutoExports(): Promise<void> {
    await this.autoExportWriter.write();
  }

  /** Stops all work; the next start resumes it. */
  async close(): Promise<void> {
    this.jobs.close();
    const speakers = Promise.all([this.speakers.close(), this.voices.close()]);
    const adding = this.queue.close();
    // Awaited last: a drive that hangs may block them, and everything else must be stored anyway.
    const threads = Promise.allSettled([
      this.#inspector?.close(),
      this.#durationProber?.close(),
      this.#contentHasher.stop(),
    ]);
    try {
      await adding;
      await this.#durationBackfill.stop();
      await this.#scheduler.stop();
      await speakers;
      await this.autoExportWriter.write();
    } finally {
      this.autoExportWriter.stop();
      try {
        await this.library.close();
        await this.services.close();
      } finally {
        this.#publishedStatuses.close();
        await this.#store.close();
      }
    }
    await threads;
  }

  /** Stops all work at once, because another process owns the data folder now. Stores and notifies nothing more. */
  abandon(): void {
    this.#listeners.clear();
    this.speakers.abandon();
    this.voices.abandon();
    this.jobs.close();
    this.queue.abandon();
    void this.#inspector?.close();
    void this.#durationProber?.close();
    void this.#durationBackfill.stop();
    void this.#contentHasher.stop();
    this.#scheduler.abandon();
    this.autoExportWriter.stop();
    this.#publishedStatuses.stop();
    void this.library.close();
    this.#store.abandon();
    void this.services.close();
  }
}
