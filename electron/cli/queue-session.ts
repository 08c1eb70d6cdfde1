import type { ItemId } from '../contract/identifiers.ts';
import type { ServiceAddress } from '../contract/service.ts';
import { ProblemError, type Problem, type ProblemCode } from '../contract/problem.ts';
import type { StateKind } from '../core/item/item.ts';
import type { Longhand } from '../core/longhand.ts';
import type { ExportOverrides } from './cli-command.ts';
import { missingKeyProblem } from '../core/service-directory.ts';
import { storageProblem } from '../core/storage-problem.ts';
import { EnvironmentKey, checkKey, defaultService, hasAccount } from './environment.ts';
import { type RunOutcome, isSettled, reportEnd, type Reporter } from './reporting/run-events.ts';
import { exitCode, type ExitCode } from './exit-code.ts';
import { FileReporter } from './reporting/file-reporter.ts';
import { LiveTextReporter } from './reporting/live-text-reporter.ts';
import { follow } from './follow.ts';
import { type CommandLineSystem, type OpenedCore, whenAborted } from './command-line-system.ts';

/** The problems of an account that the user has to solve first; the queue retries everything else automatically. */
const problemsForUser: ReadonlySet<ProblemCode> = new Set([
  'invalid_api_key',
  'offline',
  'wrong_address',
  'certificate_untrusted',
]);

export interface RunOptions {
  /** Whether text is reported while it is transcribed. */
  readonly partial: boolean;
  /** Given to each transcript. */
  readonly tags: readonly string[];
  /** Whether the user has named the items, and so also starts those that were paused individually. */
  readonly resumesPaused?: boolean;
  /** Leaves out files that had already failed before this run: an earlier command has reported them. */
  readonly skipsEarlierFailures?: boolean;
}

/** The data folder, opened by a command that works on the queue. */
export class QueueSession {
  readonly longhand: Longhand;
  readonly #core: OpenedCore;
  readonly #system: CommandLineSystem;
  readonly #key: EnvironmentKey;
  readonly #leaseLost = new AbortController();
  /** The service that this command was given. */
  #requestedService: ServiceAddress | null = null;

  /**
   * @param canStartNew whether waiting recordings of the queue may be sent as well.
   * @throws ProblemError when the data folder cannot be used.
   */
  constructor(system: CommandLineSystem, overrides: ExportOverrides, canStartNew = true) {
    this.#system = system;
    this.#key = new EnvironmentKey(system);
    this.#core = system.openCore(this.#key, overrides, () => this.#leaseLost.abort(), canStartNew);
    this.longhand = this.#core.longhand;
  }

  /** Aborted when another program has taken the data folder. */
  get leaseLost(): AbortSignal {
    return this.#leaseLost.signal;
  }

  /** Sets the address that the environment's key belongs to: the one that the command was given. */
  async useKeyForService(service: ServiceAddress): Promise<void> {
    this.#requestedService = service;
    await this.#useKeyFor(service);
  }

  async #useKeyFor(service: ServiceAddress): Promise<void> {
    if (service === 'on-device') return;
    this.#key.address = service;
    await this.longhand.services.readKey(service);
  }

  /**
   * Splits items into those that a run may start and those that the user has paused. Only `resume` with their names
   * starts these: anything else would upload them and spend credits on them against the user's will.
   */
  partitionByPaused(ids: readonly ItemId[]): {
    readonly startable: readonly ItemId[];
    readonly paused: readonly ItemId[];
  } {
    const isPaused = (id: ItemId): boolean => this.#stateOf(id) === 'paused';
    return { startable: ids.filter((id) => !isPaused(id)), paused: ids.filter(isPaused) };
  }

  /**
   * Starts the queue, follows the items that may start until they end, and reports the end and how many stay paused.
   * Blocked items are retried: running the command is the user's consent. A paused queue starts nothing.
   */
  async run(
    requestedIds: readonly ItemId[],
    reporter: Reporter,
    { partial, tags, resumesPaused = false, skipsEarlierFailures = false }: RunOptions,
  ): Promise<ExitCode> {
    const { longhand } = this;
    const { startable, paused } = this.partitionByPaused(requestedIds);
    const ids = resumesPaused ? requestedIds : startable;
    if (resumesPaused) longhand.queue.resume(paused);
    else if (paused.length > 0) reporter.report({ type: 'paused', count: paused.length });
    await longhand.queue.retry(ids.filter((id) => this.#stateOf(id) === 'blocked'));
    const files = new FileReporter(longhand, reporter, ids, skipsEarlierFailures);
    let otherFailures = 0;
    const text = partial ? new LiveTextReporter(longhand, reporter, ids) : null;
    const runIds = new Set(ids);
    const tag = (itemIds: readonly ItemId[]): void => {
      if (tags.length === 0) return;
      const transcribed = itemIds.filter((id) => longhand.queue.transcripts([id]).length > 0);
      if (transcribed.length === 0) return;
      try {
        longhand.library.tag(longhand.queue.transcripts(transcribed), tags, []);
      } catch (error) {
        // The transcripts are saved, and the run continues.
        otherFailures += transcribed.length;
        for (const item of transcribed) {
          const name = longhand.queue.row(item)?.name ?? '';
          reporter.report({ type: 'tags-failed', item, name, problem: storageProblem(error) });
        }
      }
    };
    tag(ids);
    const unsubscribe = longhand.listen({
      changed: (id) => {
        if (id !== null) text?.update(id);
      },
      saved: (id) => {
        if (runIds.has(id)) tag([id]);
        files.onSaved(id);
      },
      speakersEnded: ({ itemId, name, result }) => {
        if (itemId === null || !runIds.has(itemId)) return;
        if (result !== null && 'speakers' in result) {
          reporter.report({ type: 'speakers', item: itemId, name, speakers: result.speakers });
        } else if (result !== null) {
          otherFailures += 1;
          reporter.report({ type: 'speakers-failed', item: itemId, name, problem: result });
        }
        files.onSaved(itemId);
      },
    });
    const isPaused = longhand.queue.isPaused && this.#servicesOf(ids).size > 0;
    let outcome: RunOutcome = isPaused
      ? { kind: 'needs-user', problem: { code: 'queue_paused' } }
      : await this.#followItems(ids, reporter);
    if (outcome.kind === 'finished') outcome = await this.#awaitSpeakers();
    await files.reportWritten();
    const { postponedBy } = longhand.autoExportWriter;
    if (postponedBy !== null) files.reportPostponed(postponedBy);
    unsubscribe();

    const states = ids.flatMap((id) => longhand.queue.row(id)?.state.kind ?? []);
    return reportEnd(reporter, outcome, states, files.failed + otherFailures);
  }

  /** Cancels items, follows them until their services have deleted their jobs, and reports the end. */
  async cancel(ids: readonly ItemId[], reporter: Reporter): Promise<ExitCode> {
    const { queue } = this.longhand;
    queue.cancel(ids);
    const outcome = await this.#followItems(ids, reporter);
    const done = ids.filter((id) => (queue.row(id)?.state.kind ?? 'cancelled') === 'cancelled').length;
    reporter.report({ type: 'end', outcome, done, failed: 0, left: ids.length - done });
    if (outcome.kind === 'needs-user') return exitCode.needsUser;
    return outcome.kind === 'interrupted' ? exitCode.interrupted : exitCode.done;
  }

  /** Sets the address that the environment's key belongs to: the default one, or the only account of these items. */
  async useKeyForItems(ids: readonly ItemId[]): Promise<void> {
    const defaultAddress = defaultService(this.#system);
    const services = ids.map((id) => this.longhand.queue.get(id)?.service ?? 'on-device');
    const accounts = new Set(services.filter((service) => service !== 'on-device'));
    const [firstAccount] = accounts;
    await this.#useKeyFor(
      defaultAddress === 'on-device' && accounts.size === 1 && firstAccount !== undefined
        ? firstAccount
        : defaultAddress,
    );
  }

  async close(): Promise<void> {
    await this.#core.close();
  }

  async #followItems(ids: readonly ItemId[], reporter: Reporter): Promise<RunOutcome> {
    const { interrupted } = this.#system;
    const services = this.#servicesOf(ids);
    for (const service of services) {
      const problem = service === 'on-device' ? null : await this.#accountProblem(service);
      if (interrupted.aborted) return { kind: 'interrupted', inWindow: false };
      if (problem !== null) return { kind: 'needs-user', problem };
    }
    if (services.has('on-device')) this.#core.startOnDevice();
    this.longhand.start();
    return follow({ longhand: this.longhand, ids, reporter, interrupted, leaseLost: this.#leaseLost.signal });
  }

  /** Waits until the speakers of all saved transcripts are identified. */
  async #awaitSpeakers(): Promise<RunOutcome> {
    const stopped = AbortSignal.any([this.#system.interrupted, this.#leaseLost.signal]);
    const { promise, resolve } = Promise.withResolvers<void>();
    whenAborted(stopped, resolve);
    await Promise.race([promise, this.longhand.speakers.settled()]);
    if (this.#leaseLost.signal.aborted)
      return { kind: 'needs-user', problem: { code: 'data_folder_in_use' } };
    if (stopped.aborted) return { kind: 'interrupted', inWindow: false };
    const { postponedBy } = this.longhand.speakers;
    return postponedBy === null ? { kind: 'finished' } : { kind: 'needs-user', problem: postponedBy };
  }

  /** @throws ProblemError `speaker_models_missing`, or why the user's folder cannot be used */
  async assertSpeakerModels(): Promise<void> {
    await this.#core.createDiarizer(null);
  }

  #stateOf(id: ItemId): StateKind | undefined {
    return this.longhand.queue.get(id)?.state.kind;
  }

  #servicesOf(ids: readonly ItemId[]): Set<ServiceAddress> {
    const rows = ids.flatMap((id) => this.longhand.queue.row(id) ?? []);
    return new Set(rows.filter(({ state }) => !isSettled(state)).map(({ service }) => service));
  }

  /** Checks an account before anything is sent, so that a wrong address is reported immediately. */
  async #accountProblem(service: ServiceAddress): Promise<Problem | null> {
    const key = await this.#key.get(service);
    if (key === null)
      return missingKeyProblem(
        service,
        service === this.#requestedService || hasAccount(this.#system, service),
      );
    try {
      await checkKey(this.#system, service, key);
      return null;
    } catch (error) {
      if (error instanceof ProblemError && problemsForUser.has(error.problem.code)) return error.problem;
      return null;
    }
  }
}
