import type { ItemId } from '../../../contract/identifiers.ts';
import type { ServiceAddress, ServiceStatus } from '../../../contract/service.ts';
import { jobSlots } from '../../../contract/limits.ts';
import { ProblemError } from '../../../contract/problem.ts';
import type { Logger } from '../../ports.ts';
import { CommandQueue } from './command-queue.ts';
import { GroupCommit } from './group-commit.ts';
import { begin, requestFor } from './item-request.ts';
import type { Item } from '../../item/item.ts';
import type { Effect } from '../machine/steps.ts';
import type { ItemEvent } from '../machine/machine.ts';
import { ProgressWriter, type ProgressWriterOptions } from './progress-writer.ts';
import { Runs, type Run } from './runs.ts';
import type { Errand } from '../services/service-gate.ts';
import { ServiceStates } from '../services/service-states.ts';
import type { OpenAccess, Services } from '../services/services.ts';
import { diskFiles, type SourceFiles } from './source-file.ts';
import { storageProblem } from '../../storage-problem.ts';
import { StorageRest } from './storage-rest.ts';
import { TransferMeter } from './transfer-meter.ts';
import { sends, stirringStates, Turns } from './turns.ts';
import { brief } from '../machine/verdict.ts';

/** The longest time without a look at what is due: a clock may be set, and a computer sleeps. */
const longestSleepMs = 10 * 60_000;

export interface SchedulerOptions extends ProgressWriterOptions {
  readonly services: Services;
  readonly logger: Logger;
  /** Where recordings are read from; the disk unless told otherwise. */
  readonly files?: SourceFiles;
  /** How many files are sent at once, 1 to 4; read anew whenever one may start. */
  readonly parallelUploads: () => number;
  /** Whether new items may begin; what has begun goes on. */
  readonly mayBegin: () => boolean;
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
  readonly #rest: StorageRest;
  readonly #commands: CommandQueue;
  readonly #running = new Runs();
  readonly #turns: Turns;
  readonly #ends = new Set<Promise<void>>();
  #wake: (() => void) | null = null;
  #stopListening: (() => void) | null = null;
  #open = false;
  #pumpedAt = 0;
  #soon: (() => void) | null = null;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#writer = new ProgressWriter(options);
    this.#turns = new Turns({
      ...options,
      states: this.#states,
      running: this.#running,
      run: (item, errand, purpose, access) => this.#run(item, errand, purpose, access),
    });
    this.#commits = new GroupCommit({
      clock: options.clock,
      transaction: (work) => options.store.transaction(work),
      onTrouble: (error) => this.#lieDown(error),
    });
    this.meter = new TransferMeter(options.clock, options.onChange);
    this.#rest = new StorageRest({
      clock: options.clock,
      proveRoom: () => options.store.proveRoom(),
      onOver: () => this.pump(),
    });
    this.#commands = new CommandQueue({
      clock: options.clock,
      apply: (ids, event) => this.#apply(ids, event),
      onTrouble: (error) => this.#lieDown(error),
      onDone: () => this.pump(),
    });
  }

  /** Begins, or goes on where the last run ended. */
  start(): void {
    this.#open = true;
    this.#stopListening = this.#options.services.onChange((service) => this.#meetAnew(service));
    this.pump();
  }

  /** Ends all requests and waits for them; what they would have brought is asked again at the next start. */
  async stop(): Promise<void> {
    this.#commits.flush();
    this.#end();
    await Promise.all(this.#ends);
    this.#commands.finish();
  }

  /** Ends all requests at once, and stores nothing more. */
  abandon(): void {
    this.#end();
    this.#commits.drop();
    this.#commands.drop();
  }

  #end(): void {
    this.#open = false;
    this.#soon?.();
    this.#soon = null;
    this.#stopListening?.();
    this.#wake?.();
    this.#rest.hurry();
    this.#running.abortAll('the queue stops');
  }

  /**
   * Applies something that the user wants of items; of a great many the first at once and the rest soon. Their running
   * requests end. Nothing new begins before all of it is stored.
   *
   * @throws ProblemError `disk_full` when it cannot be stored; nothing is done then.
   */
  tell(ids: readonly ItemId[], event: ItemEvent): void {
    this.#obey(() => this.#commands.tell(ids, event));
  }

  /**
   * Changes what items are sent with, or where to, and begins those anew that were about to begin.
   *
   * @param change answers which items it has changed. @throws ProblemError when it cannot be stored.
   */
  revise(change: () => readonly ItemId[]): void {
    this.#obey(() => this.#abort(this.#options.store.transaction(change)));
    this.pump();
  }

  /** What was answered before the user spoke counts: an item that has begun keeps what it began with. */
  #obey(wish: () => void): void {
    this.#commits.flush();
    try {
      wish();
    } catch (error) {
      this.#lieDown(error);
      throw new ProblemError(storageProblem(error), { cause: error });
    }
  }

  #apply(ids: readonly ItemId[], event: ItemEvent): void {
    this.#options.store.transaction(() => ids.forEach((id) => this.#writer.apply(id, event)));
    this.#abort(ids);
  }

  #abort(ids: readonly ItemId[]): void {
    for (const id of ids) {
      this.#running.abort(id, 'the user wants something else');
      this.#options.onChange(id);
    }
  }

  /** Pauses or resumes the whole queue: nothing more is sent, but what the service works on is followed. */
  setPaused(paused: boolean): void {
    this.#commits.flush();
    this.#options.store.paused = paused;
    if (paused) this.#running.abortAll('the queue is paused', { errand: 'send' });
    this.#options.onChange(null);
    this.pump();
  }

  /**
   * Its access has changed: requests under the old one say nothing of the new, and are made again under it. What was
   * answered before counts.
   */
  #meetAnew(service: ServiceAddress): void {
    this.#commits.flush();
    this.#running.abortAll('the access to the service has changed', { service });
    this.reopen(service);
  }

  /** Tries a service again at once: its access changed, or the user has mended something. */
  reopen(service: ServiceAddress): void {
    this.#states.gate(service).reopen();
    this.#rest.hurry();
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
    this.#states.forgetWaits();
    this.#rest.hurry();
    this.pump();
  }

  status(service: ServiceAddress): ServiceStatus {
    const access = this.#options.services.access(service);
    const { problem } = this.#rest;
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
    if (!this.#open || this.#commands.busy) return;
    const { store, clock } = this.#options;
    // One moment for all of it: what is not due yet when it is looked for has to be later when the clock is set.
    const now = clock.now();
    if (now < this.#pumpedAt) this.#states.forgetWaits();
    this.#pumpedAt = now;
    try {
      if (!this.#rest.isOver()) return;
      for (const service of store.items.tally.services(stirringStates)) this.#turns.startAll(service, now);
      this.#setClock(now);
    } catch (error) {
      this.#lieDown(error);
    }
  }

  #run({ id, service }: Item, errand: Run['errand'], purpose: Errand, access: OpenAccess): void {
    this.#states.gate(service).started(purpose, this.#options.clock.now());
    const run: Run = { service, errand, abort: new AbortController() };
    this.#running.add(id, run);
    const done = this.#goOn(id, run, access)
      .catch((error: unknown) => {
        if (!run.abort.signal.aborted) this.#lieDown(error);
      })
      .finally(() => {
        this.#running.delete(id);
        this.#writer.release(id);
        this.#ends.delete(done);
        this.#pumpSoon();
        this.#options.onChange(id);
      })
      // Who was told could not read what there is now.
      .catch((error: unknown) => this.#lieDown(error));
    this.#ends.add(done);
  }

  /** Once for all requests that end together. */
  #pumpSoon(): void {
    this.#soon ??= this.#options.clock.schedule(0, () => {
      this.#soon = null;
      this.pump();
    });
  }

  /** Makes an item's requests one after the other, as long as the next may be made at once. */
  async #goOn(id: ItemId, run: Run, access: OpenAccess): Promise<void> {
    const { store, clock, onSaved } = this.#options;
    let isFirst = false;
    for (;;) {
      const item = store.items.get(id);
      if (item === null) return;
      const event: ItemEvent | null =
        item.state.kind === 'waiting'
          ? await begin(item, this.#options.files ?? diskFiles)
          : await this.#request(item, run, access, isFirst);
      if (event === null || run.abort.signal.aborted) return;
      if (this.#writer.isLong(event)) await this.#writer.bring(item, event, run.abort.signal);
      const applied = await this.#commits.run(() => this.#writer.apply(id, event), run.abort.signal);
      if (applied === null) return;
      const { effects, saved } = applied;
      isFirst = event.kind === 'begin' || event.kind === 'asked-again';
      if (saved) onSaved(id);
      this.#hear(run.service, item, event, effects);
      this.#options.onChange(id);
      const next = store.items.get(id);
      if (
        next === null ||
        !sends(next) ||
        run.errand !== 'send' ||
        next.nextAttemptAt > clock.now() ||
        store.paused
      )
        return;
      if (effects.length > 0 || this.#rest.problem !== null) return;
    }
  }

  #request(item: Item, run: Run, { client }: OpenAccess, isFirst: boolean): Promise<ItemEvent | null> {
    const onBalance = (credits: number): void => this.#states.setBalance(run.service, credits);
    const files = this.#options.files ?? diskFiles;
    const { signal } = run.abort;
    return requestFor(item, { client, files, meter: this.meter, signal, isFirst, onBalance });
  }

  /** Lets the service's gate hear what the answer said of the service as a whole. */
  #hear(service: ServiceAddress, { state }: Item, event: ItemEvent, effects: readonly Effect[]): void {
    const { clock, random, logger, onChange } = this.#options;
    if (event.kind === 'faulted') {
      logger.info('a request failed', { service, request: event.request, ...brief(event.fault) });
    }
    const nobodyAnswered =
      event.kind === 'asked-again' || (event.kind === 'faulted' && event.fault.kind !== 'refused');
    const heard = {
      effects,
      answered: state.kind !== 'waiting' && !nobodyAnswered,
      errand: event.kind === 'created' ? ('begin' as const) : ('go-on' as const),
      slotFreed: event.kind === 'deleted' || effects.some((effect) => effect.kind === 'save'),
    };
    this.#states.hear(service, heard, { now: clock.now(), chance: random.next() });
    onChange(null);
  }

  #setClock(now: number): void {
    this.#wake?.();
    const { clock } = this.#options;
    const times = [this.#states.nextChangeAt(now), this.#turns.nextAt(now)].filter((time) => time !== null);
    if (times.length === 0) this.#wake = null;
    else this.#wake = clock.schedule(Math.min(longestSleepMs, Math.min(...times) - now), () => this.pump());
  }

  /** Nothing can be stored: nothing is sent either, until there is room again. */
  #lieDown(error: unknown): void {
    if (!this.#open) return;
    const { logger, onChange } = this.#options;
    logger.error('the queue rests', { problem: storageProblem(error).code, error: String(error) });
    this.#wake?.();
    this.#rest.begin(error);
    onChange(null);
  }
}
