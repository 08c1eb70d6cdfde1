import type { ItemId } from '../../../contract/identifiers.ts';
import type { ServiceAddress, ServiceStatus } from '../../../contract/service.ts';
import { jobSlots } from '../../../contract/limits.ts';
import { ProblemError } from '../../../contract/problem.ts';
import type { Logger } from '../../ports.ts';
import { CommandQueue } from './command-queue.ts';
import { GroupCommit } from './group-commit.ts';
import { startItem, requestFor } from './item-request.ts';
import type { Item } from '../../item/item.ts';
import type { Effect } from '../machine/transitions.ts';
import type { ItemEvent } from '../machine/machine.ts';
import { ProgressWriter, type ProgressWriterOptions } from './progress-writer.ts';
import { InFlightRequests, type InFlightRequest } from './in-flight-requests.ts';
import { type RequestPurpose, ServiceStates } from '../services/service-gate.ts';
import type { OpenAccess, Services } from '../services/services.ts';
import { diskFiles, type SourceFiles } from './source-file.ts';
import { storageProblem } from '../../storage-problem.ts';
import { StorageBackoff } from './storage-backoff.ts';
import { TransferMeter } from './transfer-meter.ts';
import { isUploading, schedulableStates, DueRequests } from './due-requests.ts';
import { faultLogFields } from '../machine/fault-reactions.ts';

/** The longest time without a look at what is due: a clock may be set, and a computer sleeps. */
const maxSleepMs = 10 * 60_000;

export interface SchedulerOptions extends ProgressWriterOptions {
  readonly services: Services;
  readonly logger: Logger;
  /** Where recordings are read from; the disk unless told otherwise. */
  readonly files?: SourceFiles;
  /** How many files are sent at once, 1 to 4; read anew whenever one may start. */
  readonly parallelUploads: () => number;
  /** Whether new items may begin; what has begun goes on. */
  readonly canStartNew: () => boolean;
  /** A transcript was saved. */
  readonly onSaved: (id: ItemId) => void;
  /** An item, or with `null` the queue as a whole, is not as it was. */
  readonly onChange: (id: ItemId | null) => void;
}

/**
 * Carries the queue on: gives each item the request that its state calls for, within the limits of its service, and
 * stores what came of it before anything else happens. Holds no state of its own that a restart would miss.
 */
export class Scheduler {
  readonly meter: TransferMeter;
  readonly #options: SchedulerOptions;
  readonly #writer: ProgressWriter;
  readonly #commits: GroupCommit;
  readonly #states = new ServiceStates();
  readonly #storageBackoff: StorageBackoff;
  readonly #commands: CommandQueue;
  readonly #inFlight = new InFlightRequests();
  readonly #dueRequests: DueRequests;
  readonly #pendingEnds = new Set<Promise<void>>();
  #cancelWake: (() => void) | null = null;
  #unsubscribe: (() => void) | null = null;
  #isRunning = false;
  #pumpedAt = 0;
  #cancelPump: (() => void) | null = null;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#writer = new ProgressWriter(options);
    this.#dueRequests = new DueRequests({
      ...options,
      states: this.#states,
      inFlight: this.#inFlight,
      start: (item, kind, purpose, access) => this.#startRequest(item, kind, purpose, access),
    });
    this.#commits = new GroupCommit({
      clock: options.clock,
      transaction: (work) => options.store.transaction(work),
      onError: (error) => this.#pauseForStorageError(error),
    });
    this.meter = new TransferMeter(options.clock, options.onChange);
    this.#storageBackoff = new StorageBackoff({
      clock: options.clock,
      assertWritableSpace: () => options.store.assertWritableSpace(),
      onRetry: () => this.pump(),
    });
    this.#commands = new CommandQueue({
      clock: options.clock,
      apply: (ids, event) => this.#apply(ids, event),
      onError: (error) => this.#pauseForStorageError(error),
      onDone: () => this.pump(),
    });
  }

  /** Begins, or goes on where the last run ended. */
  start(): void {
    this.#isRunning = true;
    this.#unsubscribe = this.#options.services.onChange((service) => this.#onAccessChanged(service));
    this.pump();
  }

  /** Ends all requests and waits for them; what they would have brought is asked again at the next start. */
  async stop(): Promise<void> {
    this.#commits.flush();
    this.#end();
    await Promise.all(this.#pendingEnds);
    this.#commands.finish();
  }

  /** Ends all requests at once, and stores nothing more. */
  abandon(): void {
    this.#end();
    this.#commits.drop();
    this.#commands.drop();
  }

  #end(): void {
    this.#isRunning = false;
    this.#cancelPump?.();
    this.#cancelPump = null;
    this.#unsubscribe?.();
    this.#cancelWake?.();
    this.#storageBackoff.retryNow();
    this.#inFlight.abortAll('the queue stops');
  }

  /**
   * Applies something that the user wants of items; of a great many the first at once and the rest soon. Their running
   * requests end. Nothing new begins before all of it is stored.
   *
   * @throws ProblemError `disk_full` when it cannot be stored; nothing is done then.
   */
  dispatch(ids: readonly ItemId[], event: ItemEvent): void {
    this.#runUserCommand(() => this.#commands.dispatch(ids, event));
  }

  /**
   * Changes what items are sent with, or where to, and begins those anew that were about to begin.
   *
   * @param change answers which items it has changed. @throws ProblemError when it cannot be stored.
   */
  changeItems(change: () => readonly ItemId[]): void {
    this.#runUserCommand(() => this.#abort(this.#options.store.transaction(change)));
    this.pump();
  }

  /** What was answered before the user spoke counts: an item that has begun keeps what it began with. */
  #runUserCommand(command: () => void): void {
    this.#commits.flush();
    try {
      command();
    } catch (error) {
      this.#pauseForStorageError(error);
      throw new ProblemError(storageProblem(error), { cause: error });
    }
  }

  #apply(ids: readonly ItemId[], event: ItemEvent): void {
    this.#options.store.transaction(() => ids.forEach((id) => this.#writer.apply(id, event)));
    this.#abort(ids);
  }

  #abort(ids: readonly ItemId[]): void {
    for (const id of ids) {
      this.#inFlight.abort(id, 'the user wants something else');
      this.#options.onChange(id);
    }
  }

  /** Pauses or resumes the whole queue: nothing more is sent, but what the service works on is followed. */
  setPaused(paused: boolean): void {
    this.#commits.flush();
    this.#options.store.paused = paused;
    if (paused) this.#inFlight.abortAll('the queue is paused', { kind: 'upload' });
    this.#options.onChange(null);
    this.pump();
  }

  /**
   * Its access has changed: requests under the old one say nothing of the new, and are made again under it. What was
   * answered before counts.
   */
  #onAccessChanged(service: ServiceAddress): void {
    this.#commits.flush();
    this.#inFlight.abortAll('the access to the service has changed', { service });
    this.reopen(service);
  }

  /** Tries a service again at once: its access changed, or the user has mended something. */
  reopen(service: ServiceAddress): void {
    this.#states.gate(service).reopen();
    this.#storageBackoff.retryNow();
    this.#options.onChange(null);
    this.pump();
  }

  /** An answer beside the queue told the account's remaining credits. */
  setBalance(service: ServiceAddress, credits: number): void {
    if (credits === this.#states.balance(service)) return;
    this.#states.setBalance(service, credits);
    this.#options.onChange(null);
    this.pump();
  }

  /** Time has gone by unseen: what waited is tried at once. */
  wake(): void {
    this.#states.clearWaits();
    this.#storageBackoff.retryNow();
    this.pump();
  }

  status(service: ServiceAddress): ServiceStatus {
    const access = this.#options.services.access(service);
    const { problem } = this.#storageBackoff;
    const isFull = this.#states.gate(service).isFull(this.#options.clock.now());
    return {
      service,
      condition: problem === null ? this.#states.condition(service, access) : { kind: 'stopped', problem },
      balanceCredits: this.#states.balance(service),
      activeJobs: isFull ? jobSlots : this.#options.store.items.tally.tickets(service),
    };
  }

  /** Starts all requests that may start now, and sets the clock for the next. */
  pump(): void {
    if (!this.#isRunning || this.#commands.isBusy) return;
    const { store, clock } = this.#options;
    // One moment for all of it: what is not due yet when it is looked for has to be later when the clock is set.
    const now = clock.now();
    if (now < this.#pumpedAt) this.#states.clearWaits();
    this.#pumpedAt = now;
    try {
      if (!this.#storageBackoff.canResume()) return;
      for (const service of store.items.tally.services(schedulableStates))
        this.#dueRequests.startDue(service, now);
      this.#scheduleWake(now);
    } catch (error) {
      this.#pauseForStorageError(error);
    }
  }

  #startRequest(
    { id, service }: Item,
    kind: InFlightRequest['kind'],
    purpose: RequestPurpose,
    access: OpenAccess,
  ): void {
    this.#states.gate(service).onRequestStarted(purpose, this.#options.clock.now());
    const request: InFlightRequest = { service, kind, abort: new AbortController() };
    this.#inFlight.add(id, request);
    const done = this.#makeRequests(id, request, access)
      .catch((error: unknown) => {
        if (!request.abort.signal.aborted) this.#pauseForStorageError(error);
      })
      .finally(() => {
        this.#inFlight.delete(id);
        this.#writer.discardStaged(id);
        this.#pendingEnds.delete(done);
        this.#schedulePump();
        this.#options.onChange(id);
      })
      // Who was told could not read what there is now.
      .catch((error: unknown) => this.#pauseForStorageError(error));
    this.#pendingEnds.add(done);
  }

  /** Once for all requests that end together. */
  #schedulePump(): void {
    this.#cancelPump ??= this.#options.clock.schedule(0, () => {
      this.#cancelPump = null;
      this.pump();
    });
  }

  /** Makes an item's requests one after the other, as long as the next may be made at once. */
  async #makeRequests(id: ItemId, request: InFlightRequest, access: OpenAccess): Promise<void> {
    const { store, clock, onSaved } = this.#options;
    let noEarlierAttempt = false;
    for (;;) {
      const item = store.items.get(id);
      if (item === null) return;
      const event: ItemEvent | null =
        item.state.kind === 'waiting'
          ? await startItem(item, this.#options.files ?? diskFiles)
          : await this.#makeRequest(item, request, access, noEarlierAttempt);
      if (event === null || request.abort.signal.aborted) return;
      if (this.#writer.needsStaging(event)) await this.#writer.stage(item, event, request.abort.signal);
      const applied = await this.#commits.run(() => this.#writer.apply(id, event), request.abort.signal);
      if (applied === null) return;
      const { effects, saved } = applied;
      noEarlierAttempt = event.kind === 'start' || event.kind === 'create-retried';
      if (saved) onSaved(id);
      this.#handleOutcome(request.service, item, event, effects);
      this.#options.onChange(id);
      const next = store.items.get(id);
      if (
        next === null ||
        !isUploading(next) ||
        request.kind !== 'upload' ||
        next.nextAttemptAt > clock.now() ||
        store.paused
      )
        return;
      if (effects.length > 0 || this.#storageBackoff.problem !== null) return;
    }
  }

  #makeRequest(
    item: Item,
    request: InFlightRequest,
    { client }: OpenAccess,
    noEarlierAttempt: boolean,
  ): Promise<ItemEvent | null> {
    const onBalance = (credits: number): void => this.#states.setBalance(request.service, credits);
    const files = this.#options.files ?? diskFiles;
    const { signal } = request.abort;
    return requestFor(item, { client, files, meter: this.meter, signal, noEarlierAttempt, onBalance });
  }

  /** Lets the service's gate hear what the answer said of the service as a whole. */
  #handleOutcome(
    service: ServiceAddress,
    { state }: Item,
    event: ItemEvent,
    effects: readonly Effect[],
  ): void {
    const { clock, random, logger, onChange } = this.#options;
    if (event.kind === 'request-failed') {
      logger.info('a request failed', { service, request: event.request, ...faultLogFields(event.fault) });
    }
    const nobodyAnswered =
      event.kind === 'create-retried' || (event.kind === 'request-failed' && event.fault.kind !== 'refused');
    const outcome = {
      effects,
      isAnswered: state.kind !== 'waiting' && !nobodyAnswered,
      purpose: event.kind === 'created' ? ('start' as const) : ('continue' as const),
      freesSlot: event.kind === 'deleted' || effects.some((effect) => effect.kind === 'save'),
    };
    this.#states.handle(service, outcome, { now: clock.now(), random: random.next() });
    onChange(null);
  }

  #scheduleWake(now: number): void {
    this.#cancelWake?.();
    const { clock } = this.#options;
    const times = [this.#states.nextChangeAt(now), this.#dueRequests.nextDueAt(now)].filter(
      (time) => time !== null,
    );
    if (times.length === 0) this.#cancelWake = null;
    else this.#cancelWake = clock.schedule(Math.min(maxSleepMs, Math.min(...times) - now), () => this.pump());
  }

  /** Nothing can be stored: nothing is sent either, until there is room again. */
  #pauseForStorageError(error: unknown): void {
    if (!this.#isRunning) return;
    const { logger, onChange } = this.#options;
    logger.error('the queue rests', { problem: storageProblem(error).code, error: String(error) });
    this.#cancelWake?.();
    this.#storageBackoff.start(error);
    onChange(null);
  }
}
