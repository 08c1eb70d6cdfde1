import type { ItemId } from '../../../contract/identifiers.ts';
import type {
  JobSchedule,
  ServiceAddress,
  ServiceCondition,
  ServiceStatus,
} from '../../../contract/service.ts';
import { jobSlots } from '../../../contract/limits.ts';
import { problemAt, ProblemError, type Problem } from '../../../contract/problem.ts';
import { unexpectedFault } from '../../api/service-results.ts';
import type { Logger } from '../../ports.ts';
import { BalanceProber } from './balance-prober.ts';
import { CommandQueue } from './command-queue.ts';
import { GroupCommit } from './group-commit.ts';
import { outcomeOf, requestNext, requestKindOf, startItem } from './item-request.ts';
import type { Item } from '../../item/item.ts';
import type { Effect } from '../machine/transitions.ts';
import type { ItemEvent } from '../machine/machine.ts';
import { type EventOutcome, ProgressWriter, type ProgressWriterOptions } from './progress-writer.ts';
import { InFlightRequests, type InFlightRequest } from './in-flight-requests.ts';
import { LiveTranscripts } from './live-transcripts.ts';
import { type RequestPurpose, ServiceStates } from '../services/service-gate.ts';
import { AffordableItems } from '../services/affordable-items.ts';
import type { OpenAccess, Services } from '../services/services.ts';
import { overLimitCondition, SpendingLimits } from '../services/spending-limits.ts';
import { diskFiles, type SourceFiles } from './source-file.ts';
import { isStorageError, storageProblem } from '../../storage-problem.ts';
import { StoragePause } from './storage-pause.ts';
import { TransferMeter } from './transfer-meter.ts';
import { countsAsUpload, jobScheduleOf, schedulableStates, DueRequests } from './due-requests.ts';
import { faultLogFields } from '../../api/fault-problem.ts';

/** The maximum time between checks for due requests: the clock may be set and the computer may sleep. */
const maxSleepMs = 10 * 60_000;

export interface SchedulerOptions extends ProgressWriterOptions {
  readonly services: Services;
  readonly logger: Logger;
  /** Where recordings are read from; the disk by default. */
  readonly files?: SourceFiles;
  /** How many files are sent at once, 1 to 4; read again whenever an upload may start. */
  readonly parallelUploads: () => number;
  /** Whether new items may start; started items continue. */
  readonly canStartNew: () => boolean;
  /** See {@link SpendingLimits}. */
  readonly creditLimit?: (service: ServiceAddress) => number | null;
  /** Called with the result of {@link jobScheduleOf} when it may have changed. */
  readonly onJobSchedule?: (jobs: JobSchedule) => void;
  /** Called when a transcript was saved. */
  readonly onSaved: (id: ItemId) => void;
  /** Called when an item has changed, or with `null` the queue as a whole. */
  readonly onChange: (id: ItemId | null) => void;
}

/**
 * Runs the queue: makes the request that each item's state calls for, within the limits of its service, and stores the
 * outcome before anything else happens. It has no state that a restart would need.
 */
export class Scheduler {
  readonly meter: TransferMeter;
  readonly live = new LiveTranscripts();
  readonly #options: SchedulerOptions;
  readonly #writer: ProgressWriter;
  readonly #commits: GroupCommit;
  readonly #states = new ServiceStates();
  readonly #spending: SpendingLimits;
  readonly #affordable: AffordableItems;
  readonly #storagePause: StoragePause;
  readonly #commands: CommandQueue;
  readonly #inFlight = new InFlightRequests();
  readonly #dueRequests: DueRequests;
  readonly #balances: BalanceProber;
  /** The item requests that have not ended. */
  readonly #pendingWork = new Set<Promise<void>>();
  #cancelCheck: (() => void) | null = null;
  #unsubscribe: (() => void) | null = null;
  #isRunning = false;
  #pumpedAt = 0;
  #cancelPump: (() => void) | null = null;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#writer = new ProgressWriter(options);
    this.#spending = new SpendingLimits(options);
    this.#affordable = new AffordableItems({ store: options.store, states: this.#states });
    this.#dueRequests = new DueRequests({
      ...options,
      affordable: this.#affordable,
      states: this.#states,
      spending: this.#spending,
      inFlight: this.#inFlight,
      start: (item, kind, purpose, access) => this.#startRequest(item, kind, purpose, access),
      onLimitReached: (id) => this.#applyCommand([id], { kind: 'limit-reached' }),
    });
    this.#balances = new BalanceProber({
      ...options,
      states: this.#states,
      onChange: () => options.onChange(null),
      onEnd: () => this.#schedulePump(),
    });
    this.#commits = new GroupCommit({
      clock: options.clock,
      transaction: (work) => options.store.transaction(work),
      onError: (error) => this.#pauseForStorageError(error),
    });
    this.meter = new TransferMeter(options.clock, (id) => {
      this.#inFlight.recordProgress(id, options.clock.now());
      options.onChange(id);
    });
    this.#storagePause = new StoragePause({
      clock: options.clock,
      assertWritableSpace: () => options.store.assertWritableSpace(),
      onRetry: () => this.pump(),
    });
    this.#commands = new CommandQueue({
      clock: options.clock,
      apply: (...command) => this.#applyCommand(...command),
      onError: (error) => this.#pauseForStorageError(error),
      onDone: () => {
        this.reportJobSchedule();
        // A recording that an account cannot pay for may have left the queue.
        options.onChange(null);
        this.pump();
      },
    });
  }

  /** Starts the queue, or continues where the last run ended. */
  start(): void {
    this.#isRunning = true;
    this.#unsubscribe = this.#options.services.onChange((service) => this.#onAccessChanged(service));
    this.pump();
  }

  /** Aborts all requests and waits for them; the next start makes them again. */
  async stop(): Promise<void> {
    this.#commits.flush();
    this.#end();
    await Promise.all([this.#balances.settled(), ...this.#pendingWork]);
    this.#commands.finish();
  }

  /** Aborts all requests at once and stores nothing more. */
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
    this.#cancelCheck?.();
    this.#storagePause.clearDelay();
    this.#inFlight.abortAll('the queue stops');
    this.#balances.abort();
  }

  /**
   * Applies a user's command to items: the first slice at once, further ones soon after. Aborts their requests in
   * flight. No new request starts before all of it is stored.
   *
   * @param alsoStore see {@link CommandQueue.dispatch}
   * @throws ProblemError `disk_full` when it cannot be stored; nothing is done then.
   */
  dispatch(ids: readonly ItemId[], event: ItemEvent, alsoStore?: () => void): void {
    this.#runUserCommand(() => this.#commands.dispatch(ids, event, alsoStore));
  }

  /**
   * Undoes the last removal, even if it has not been applied to all items yet. Returns how many items it concerned.
   *
   * @throws ProblemError when it cannot be stored.
   */
  undoRemoval(): number {
    const ids = this.#runUserCommand(() => this.#writer.undoRemoval());
    this.#commands.withdraw(ids, (event) => event.kind === 'cancel' && event.forget);
    this.#options.onChange(null);
    this.pump();
    return ids.size;
  }

  /**
   * Changes items other than by an event, and restarts those whose first request was being prepared.
   *
   * @param change returns the items whose requests start again. @throws ProblemError when it cannot be stored.
   */
  changeItems(change: () => readonly ItemId[]): void {
    this.#runUserCommand(() => this.#abortRequests(this.#options.store.transaction(change)));
    this.#options.onChange(null);
    this.pump();
  }

  /**
   * Like {@link changeItems}, in slices like {@link dispatch}; resolves once all are changed.
   *
   * @param change changes one slice in one commit.
   */
  changeEach(ids: readonly ItemId[], change: (ids: readonly ItemId[]) => readonly ItemId[]): Promise<void> {
    return this.#runUserCommand(() =>
      this.#commands.change(ids, (slice) =>
        this.#abortRequests(this.#options.store.transaction(() => change(slice))),
      ),
    );
  }

  /** Commits earlier responses first: an item that has started keeps its options and its service. */
  #runUserCommand<T>(command: () => T): T {
    this.#commits.flush();
    try {
      return command();
    } catch (error) {
      if (isStorageError(error)) this.#pauseForStorageError(error);
      throw new ProblemError(storageProblem(error), { cause: error });
    }
  }

  #applyCommand(ids: readonly ItemId[], event: ItemEvent, alsoStore?: () => void): void {
    this.#options.store.transaction(() => {
      alsoStore?.();
      for (const id of ids) this.#writer.apply(id, event);
    });
    this.#abortRequests(ids);
  }

  #abortRequests(ids: readonly ItemId[]): void {
    for (const id of ids) {
      this.#inFlight.abort(id, 'superseded by a user command');
      this.#options.onChange(id);
    }
  }

  /** Call it when the order of the queue has changed. */
  reportJobSchedule(): void {
    this.#options.onJobSchedule?.(jobScheduleOf(this.#options.store));
  }

  /**
   * Pauses or resumes the whole queue. A paused queue sends nothing more and stops the work on this computer; jobs of
   * other services continue and are still polled.
   *
   * @throws ProblemError when it cannot be stored; nothing changes then.
   */
  setPaused(paused: boolean): void {
    this.#runUserCommand(() => {
      this.#options.store.paused = paused;
    });
    if (paused) this.#inFlight.abortAll('the queue is paused', { kind: 'upload' });
    this.reportJobSchedule();
    this.#options.onChange(null);
    this.pump();
  }

  /**
   * Repeats the requests in flight to a service with its new access: their outcome with the old access means nothing.
   * Responses that have arrived are committed.
   */
  #onAccessChanged(service: ServiceAddress): void {
    this.#commits.flush();
    this.#inFlight.abortAll('the access to the service has changed', { service });
    this.reopen(service);
  }

  /** Retries a service at once: its access has changed, or the user has fixed something. */
  reopen(service: ServiceAddress): void {
    this.#states.gate(service).reopen();
    this.#storagePause.clearDelay();
    this.#options.onChange(null);
    this.pump();
  }

  /** Sets the problem for which all jobs of a service wait although it responds; `null`: they continue. */
  setBlockingProblem(service: ServiceAddress, problem: Problem | null): void {
    this.#states.gate(service).setBlockingProblem(problem);
    this.#options.onChange(null);
  }

  /** Updates an account's remaining credits from a response to a request outside the queue. */
  setBalance(service: ServiceAddress, credits: number): void {
    if (credits === this.#states.balance(service)) return;
    this.#states.setBalance(service, credits);
    this.#options.onChange(null);
    this.pump();
  }

  /** Recounts what was spent on each account. Call it when transcripts were saved or deleted outside the queue. */
  onLibraryChange(): void {
    this.#spending.invalidate();
    this.pump();
  }

  /** Checks soon whether accounts without credits were topped up. Call it when the user returns to the window. */
  probeCredits(): void {
    this.#states.probeCredits(this.#options.clock.now());
    this.pump();
  }

  /** Retries at once everything that waits. Call it when the computer wakes up. */
  onSystemResume(): void {
    this.#states.clearWaits();
    this.#storagePause.clearDelay();
    this.pump();
  }

  status(service: ServiceAddress): ServiceStatus {
    const isFull = this.#states.gate(service).isFull(this.#options.clock.now());
    const condition = this.#conditionOf(service);
    return {
      service,
      condition:
        'problem' in condition ? { ...condition, problem: problemAt(service, condition.problem) } : condition,
      balanceCredits: this.#states.balance(service),
      activeJobs: isFull ? jobSlots : this.#options.store.items.totals.possibleJobs(service),
    };
  }

  #conditionOf(service: ServiceAddress): ServiceCondition {
    const { problem } = this.#storagePause;
    if (problem !== null) return { kind: 'stopped', problem };
    const lastCondition = this.#states.condition(service, this.#options.services.access(service));
    const canStartSome = lastCondition.kind === 'no-credits' && !this.#affordable.isHeldByShortage(service);
    const condition: ServiceCondition = canStartSome ? { kind: 'ready' } : lastCondition;
    if (condition.kind !== 'ready') return condition;
    const exceeded = this.#spending.exceeded(service);
    return exceeded === null ? condition : overLimitCondition(exceeded);
  }

  /** Starts all requests that may start now, and schedules the next check. */
  pump(): void {
    if (!this.#isRunning || this.#commands.isBusy) return;
    const { store, clock } = this.#options;
    // The clock is read once for both steps: a request that is not due in the first must be in the future in the second.
    const now = clock.now();
    if (now < this.#pumpedAt) this.#states.clearWaits();
    this.#pumpedAt = now;
    try {
      if (!this.#storagePause.tryResume()) return;
      for (const service of store.items.totals.services(schedulableStates)) {
        this.#balances.startDue(service, now);
        this.#dueRequests.startDue(service, now);
      }
      this.#scheduleCheck(now);
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
    const request: InFlightRequest = { service, kind, purpose, controller: new AbortController() };
    this.#inFlight.add(id, request, this.#options.clock.now());
    const done = this.#advanceItem(id, request, access)
      .catch((error: unknown) => {
        if (!request.controller.signal.aborted) this.#pauseForStorageError(error);
      })
      .finally(() => {
        this.#inFlight.delete(id);
        this.#writer.discardStaged(id);
        this.#pendingWork.delete(done);
        this.#schedulePump();
        this.#options.onChange(id);
      })
      // `onChange` threw: a listener could not read the current state.
      .catch((error: unknown) => this.#pauseForStorageError(error));
    this.#pendingWork.add(done);
  }

  /** Pumps once for all requests that end together. */
  #schedulePump(): void {
    this.#cancelPump ??= this.#options.clock.schedule(0, () => {
      this.#cancelPump = null;
      this.pump();
    });
  }

  /** Makes requests for an item, one after the other, as long as the next one may start at once. */
  async #advanceItem(id: ItemId, request: InFlightRequest, access: OpenAccess): Promise<void> {
    const { store, clock, onSaved } = this.#options;
    let cannotHaveJobYet = false;
    for (;;) {
      const item = store.items.get(id);
      if (item === null) return;
      this.#inFlight.recordProgress(id, clock.now());
      const event: ItemEvent | null =
        item.state.kind === 'waiting'
          ? await startItem(item, this.#options.files ?? diskFiles)
          : await this.#makeRequest(item, request, access, cannotHaveJobYet);
      if (event === null || request.controller.signal.aborted) return;
      if (this.#writer.needsStaging(event)) await this.#writer.stage(item, event, request.controller.signal);
      const applied = await this.#commits.run(
        () => this.#applyResult(item, event),
        request.controller.signal,
      );
      if (applied === null) return;
      const { effects, saved } = applied;
      cannotHaveJobYet = event.kind === 'start' || event.kind === 'retry-create';
      if (saved) {
        this.#spending.invalidate();
        onSaved(id);
      }
      this.#handleOutcome(request, item, event, effects);
      this.#options.onChange(id);
      const updated = store.items.get(id);
      if (updated?.state.kind !== 'transcribing' && updated?.state.kind !== 'saving') this.live.end(id);
      if (
        updated === null ||
        !countsAsUpload(updated) ||
        request.kind !== 'upload' ||
        updated.nextAttemptAt > clock.now() ||
        store.paused
      )
        return;
      if (effects.length > 0 || this.#storagePause.problem !== null) return;
    }
  }

  #makeRequest(
    item: Item,
    request: InFlightRequest,
    { client }: OpenAccess,
    cannotHaveJobYet: boolean,
  ): Promise<ItemEvent | null> {
    const onBalance = (credits: number): void => this.#states.setBalance(request.service, credits);
    const files = this.#options.files ?? diskFiles;
    const { signal } = request.controller;
    const { meter, live } = this;
    const context = { client, files, meter, live, signal, cannotHaveJobYet, onBalance };
    return requestNext(item, context).catch((error: unknown) => {
      signal.throwIfAborted();
      return this.#eventForError(item, error);
    });
  }

  /** Applies the result of a request; an error while applying it affects only this item. */
  #applyResult(item: Item, event: ItemEvent): EventOutcome {
    try {
      return this.#writer.apply(item.id, event);
    } catch (error) {
      return this.#writer.apply(item.id, this.#eventForError(item, error));
    }
  }

  /**
   * Returns the event for an unexpected error. It counts as an unexpected response to the item's request, so that neither
   * the service nor other items wait for it. @throws `error` when nothing can be stored.
   */
  #eventForError({ state }: Item, error: unknown): ItemEvent {
    const request = requestKindOf(state);
    if (request === null || isStorageError(error)) throw error;
    this.#options.logger.error('a response could not be handled', { request, error: String(error) });
    return { kind: 'request-failed', request, fault: unexpectedFault(String(error)) };
  }

  /** Passes on to the service's gate what a response means for the service as a whole. */
  #handleOutcome(
    { service, purpose }: InFlightRequest,
    item: Item,
    event: ItemEvent,
    effects: readonly Effect[],
  ): void {
    const { clock, random, logger, onChange } = this.#options;
    // Before the upload, so that the service knows the job's turn when it has the recording.
    if (event.kind === 'created' && service === 'on-device') this.reportJobSchedule();
    if (event.kind === 'request-failed') {
      logger.info('a request failed', { service, request: event.request, ...faultLogFields(event.fault) });
    } else logger.debug('an item advanced', { service, item: item.id, event: event.kind });
    this.#states.handle(service, outcomeOf(item, event, effects, purpose), {
      now: clock.now(),
      random: random.next(),
    });
    onChange(null);
  }

  #scheduleCheck(now: number): void {
    this.#cancelCheck?.();
    const { clock, store } = this.#options;
    const times = [
      this.#states.nextChangeAt(now),
      this.#dueRequests.nextDueAt(now),
      this.#spending.nextMonthAt(store.items.totals.services(['waiting']), now),
    ].filter((time) => time !== null);
    if (times.length === 0) this.#cancelCheck = null;
    else
      this.#cancelCheck = clock.schedule(Math.min(maxSleepMs, Math.min(...times) - now), () => this.pump());
  }

  /** Stops sending until the disk has free space again: nothing can be stored. */
  #pauseForStorageError(error: unknown): void {
    if (!this.#isRunning) return;
    const { logger, onChange } = this.#options;
    logger.error('the queue is paused by a storage error', {
      problem: storageProblem(error).code,
      error: String(error),
    });
    this.#cancelCheck?.();
    this.#storagePause.start(error);
    onChange(null);
  }
}
