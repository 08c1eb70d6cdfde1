import type { ExportFormat } from '../../contract/choices.ts';
import type { ItemId, TranscriptId } from '../../contract/identifiers.ts';
import type {
  CancelledItems,
  MovedItems,
  LiveTranscriptView,
  QueuePosition,
  QueueRow,
  QueueSort,
  SelectionSummary,
  QueueListing,
  QueueTarget,
  QueueView,
  QueueRowDetails,
} from '../../contract/queue-commands.ts';
import type { JobOptions } from '../../contract/options.ts';
import type { JobSchedule, ServiceAddress } from '../../contract/service.ts';
import { allStates, movableStates } from '../item/item-filter.ts';
import { inspectInBatches, type Inspect } from '../media/inspect-files.ts';
import type { ProbeDuration } from '../media/duration-prober.ts';
import type { Clock, Random } from '../ports.ts';
import type { SavedSheet, SheetId } from '../store/sheet-store.ts';
import type { Store } from '../store/store.ts';
import { ItemAdder, type AdditionResult, type Additions, type ChosenRecording } from './adding/item-adder.ts';
import { QueueReorderer, type FindOrder } from './order/queue-reorderer.ts';
import { AddSheet, type SheetOptions } from './adding/add-sheet.ts';
import { currentDuplicate, findDuplicate, isPreferredCopy } from './adding/duplicates.ts';
import { isFinished, type Item, type StateKind } from '../item/item.ts';
import { QueueViews, type QueueSubscription, type Viewport } from './view/queue-views.ts';
import { ItemRetrier } from './item-retrier.ts';
import { jobScheduleOf } from './scheduling/due-requests.ts';
import type { Scheduler } from './scheduling/scheduler.ts';
import type { Services } from './services/services.ts';
import { summarizeItems } from '../item/item-summary.ts';

const clearableStates = ['done', 'cancelled'] as const satisfies readonly StateKind[];

export interface QueueOptions {
  readonly store: Store;
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  readonly random: Random;
  readonly services: Services;
  readonly probeDuration: ProbeDuration;
  /** Inspects recordings in another thread; absent: this thread does it. */
  readonly inspect?: Inspect;
  /** Sorts a long queue in another thread; absent: this thread does it. */
  readonly findOrder?: FindOrder;
  /** Called when recordings whose durations may be unknown were added, or when an item's recording has changed. */
  readonly onDurationsMissing?: (changed: ItemId | null) => void;
  /** Called when a view of the queue may have changed. */
  readonly onChange?: () => void;
}

/** The queue as its users see it: their commands and their views. */
export class Queue {
  readonly #options: QueueOptions & { readonly inspect: Inspect };
  readonly #itemAdder: ItemAdder;
  readonly #reorderer: QueueReorderer;
  readonly #itemRetrier: ItemRetrier;
  readonly #views: QueueViews;

  constructor(options: QueueOptions) {
    this.#options = { inspect: inspectInBatches, ...options };
    this.#views = new QueueViews(options);
    this.#itemRetrier = new ItemRetrier({
      ...options,
      onSourceChanged: (id) => options.onDurationsMissing?.(id),
    });
    this.#itemAdder = new ItemAdder({ ...this.#options, onStored: () => this.notifyChanged() });
    this.#reorderer = new QueueReorderer({
      ...this.#options,
      onReordered: () => {
        options.scheduler.reportJobSchedule();
        options.scheduler.pump();
        this.notifyChanged();
      },
    });
  }

  /**
   * Closes all subscriptions. Resolves when the recordings found so far and all requested order changes are stored.
   */
  async close(): Promise<void> {
    this.#end();
    await this.#itemAdder.close();
    await this.#reorderer.close();
  }

  /** Closes all subscriptions, and stores nothing more. */
  abandon(): void {
    this.#end();
    this.#itemAdder.abandon();
    this.#reorderer.abandon();
  }

  #end(): void {
    this.#itemRetrier.stop();
    this.#views.close();
  }

  /**
   * Adds files, whole folders and links. Reports what cannot be added with a reason; the rest is added anyway and is
   * stored when this resolves.
   *
   * @throws the signal's reason when it is aborted, or an error when the queue is closed; what was found is kept.
   */
  async add(additions: Additions): Promise<AdditionResult> {
    try {
      return await this.#itemAdder.add(additions);
    } finally {
      this.#options.scheduler.pump();
      this.#options.onDurationsMissing?.(null);
    }
  }

  /** Opens an add sheet; nothing on it is in the queue before {@link addChosen}. */
  newAddSheet(options: SheetOptions): AddSheet {
    return this.#openAddSheet(options, null);
  }

  /** Reopens the sheet that was open when the program ended, with the choices made on it; `null` without one. */
  restoreAddSheet(options: SheetOptions): AddSheet | null {
    const saved = this.#options.store.sheets.load();
    return saved === null ? null : this.#openAddSheet(options, saved);
  }

  #openAddSheet(options: SheetOptions, saved: SavedSheet | null): AddSheet {
    const { store } = this.#options;
    return new AddSheet({
      ...this.#options,
      ...options,
      findDuplicate: (recording, hashes) => findDuplicate(store, recording, hashes),
      currentDuplicate: (duplicate) => currentDuplicate(store, duplicate),
      isPreferredCopy: (recording, other) => isPreferredCopy(store, recording, other),
      sheets: store.sheets,
      saved,
    });
  }

  /**
   * Adds what was chosen on a sheet, including duplicates that it has shown; the sheet is kept until all of it is
   * stored.
   *
   * @param formats the formats in which their transcripts are saved; `null`: those of the settings
   */
  async addChosen(
    chosen: readonly ChosenRecording[],
    service: ServiceAddress,
    sheets: readonly SheetId[] = [],
    formats: readonly ExportFormat[] | null = null,
  ): Promise<AdditionResult> {
    try {
      return await this.#itemAdder.addChosen(chosen, service, sheets, formats);
    } finally {
      this.#options.scheduler.pump();
      this.#options.onDurationsMissing?.(null);
    }
  }

  pause(ids: readonly ItemId[]): void {
    this.#options.scheduler.dispatch(ids, { kind: 'pause' });
  }

  resume(ids: readonly ItemId[]): void {
    this.#options.scheduler.dispatch(ids, { kind: 'resume' });
  }

  /** Retries failed and blocked items; a file that has changed is accepted in its current form. */
  retry(ids: readonly ItemId[]): Promise<void> {
    return this.#itemRetrier.retry(ids);
  }

  /**
   * Retries all failed and blocked items except those with an idempotency conflict: {@link retry} gives these a new key,
   * so the service may charge for the recording twice.
   */
  retryAll(): Promise<void> {
    return this.#itemRetrier.retryAll();
  }

  /** Retries the items whose files were missing and are back; call it regularly, and when the user returns to the window. */
  retryReturnedFiles(): Promise<void> {
    return this.#itemRetrier.retryReturnedFiles();
  }

  /** Returns the services with recordings that wait until the user has done something about the service. */
  servicesThatNeedUser(): readonly ServiceAddress[] {
    return this.#views.servicesThatNeedUser();
  }

  /**
   * Replaces the link of an item that has no job, and retries it.
   *
   * @throws ProblemError when it is not a link to a file.
   */
  setLink(id: ItemId, link: string): void {
    this.#itemRetrier.setLink(id, link);
  }

  /** Makes the file at `path` the source of an item. @throws ProblemError when it is not the same recording. */
  locate(id: ItemId, path: string): Promise<void> {
    return this.#itemRetrier.locate(id, path);
  }

  /**
   * Transcribes items again that are done and have no transcript any more. Their auto exports are written again too.
   *
   * @param service the service to use; `null`: the current one of each item.
   */
  transcribeAgain(ids: readonly ItemId[], service: ServiceAddress | null = null): void {
    this.#options.scheduler.dispatch(ids, { kind: 'transcribe-again', service });
  }

  cancel(ids: readonly ItemId[]): CancelledItems {
    return this.#cancel(ids, false);
  }

  /** Removes rows; one that may have a job at the service is cancelled first and stays until the job is gone. */
  remove(ids: readonly ItemId[]): CancelledItems {
    // In the commit of the command: if it cannot be stored, the previous removal can still be undone.
    return this.#cancel(ids, true, () => this.#options.store.removed.begin(ids));
  }

  #cancel(ids: readonly ItemId[], forget: boolean, begin?: () => void): CancelledItems {
    const { store, scheduler } = this.#options;
    const stillCancelling = store.items.servicesWithJobs(ids).filter(this.#isStopped).length;
    scheduler.dispatch(ids, { kind: 'cancel', forget }, begin);
    return { stillCancelling };
  }

  readonly #isStopped = (service: ServiceAddress): boolean => this.#views.activity(service) === 'stopped';

  /** Restores what was removed or cleared last; an item that is being cancelled starts over once its job is gone. */
  undoRemove(): number {
    const count = this.#options.scheduler.undoRemoval();
    this.notifyChanged();
    return count;
  }

  /** Moves items to another position in the queue, after all earlier order changes. */
  move(ids: readonly ItemId[], position: QueuePosition): Promise<void> {
    return this.#reorderer.move(ids, position);
  }

  /** Sorts the waiting items, after all earlier order changes. */
  sortWaiting(sort: QueueSort): Promise<void> {
    return this.#reorderer.sort(sort);
  }

  /** Changes the options of items without a pending request; returns how many were changed. */
  async setOptions(ids: readonly ItemId[], options: Partial<JobOptions>): Promise<number> {
    const { scheduler, store } = this.#options;
    let count = 0;
    await scheduler.changeEach(ids, (slice) => {
      const changed = store.items.setOptions(slice, options);
      count += changed.length;
      return changed;
    });
    return count;
  }

  /**
   * Moves items to another service, where they start over. Those that may have a job at their current service stay there.
   *
   * @param leavesJobs Whether to move those too if their service is stopped, so that the job can neither be found nor
   *   deleted now: the user accepts that it stays there and may be charged. The on-device service charges nothing, so a
   *   stopped one never keeps its items.
   */
  async moveToService(
    ids: readonly ItemId[],
    service: ServiceAddress,
    leavesJobs = false,
  ): Promise<MovedItems> {
    const { items } = this.#options.store;
    let count = 0;
    await this.#options.scheduler.changeEach(ids, (slice) => {
      const servicesToLeave = items.totals
        .services(allStates)
        .filter((from) => this.#isStopped(from) && (leavesJobs || from === 'on-device'));
      const moved = items.moveToService(slice, service, this.#options.clock.now(), servicesToLeave);
      count += moved.length;
      return moved;
    });
    this.notifyChanged();
    return { changed: count, notMoved: items.servicesOf(ids, service).filter(this.#isStopped).length };
  }

  /** Moves the items in {@link movableStates} to another service, where they start over; see {@link moveToService}. */
  async moveStalled(from: ServiceAddress, to: ServiceAddress, leavesJobs: boolean): Promise<MovedItems> {
    const { items } = this.#options.store;
    // Reading the activity of a service creates its state, which stays in memory: only do so for services of the queue.
    if (!items.totals.services(allStates).includes(from)) return { changed: 0, notMoved: 0 };
    const kinds = movableStates(this.#views.activity(from));
    const stalled = items.orderIndex.ids((kind, owner) => owner === from && kinds.includes(kind));
    return this.moveToService(stalled, to, leavesJobs);
  }

  /**
   * Moves the items that have not started from one service to another.
   *
   * @throws ProblemError synchronously when the first of them cannot be stored
   */
  moveWaiting(from: ServiceAddress, to: ServiceAddress): Promise<void> {
    const { items } = this.#options.store;
    const waiting = items.orderIndex.ids((kind, owner) => kind === 'waiting' && owner === from);
    return this.#options.scheduler
      .changeEach(waiting, (slice) => items.moveWaiting(slice, from, to))
      .then(() => this.notifyChanged());
  }

  /** See {@link jobScheduleOf}. */
  jobSchedule(): JobSchedule {
    return jobScheduleOf(this.#options.store);
  }

  /** Whether the whole queue is paused. */
  get isPaused(): boolean {
    return this.#options.store.paused;
  }

  /** See {@link Scheduler.setPaused}. */
  setPaused(paused: boolean): void {
    this.#options.scheduler.setPaused(paused);
  }

  /**
   * Removes the rows that are done or cancelled, in slices as {@link remove} does: if the program is killed meanwhile, the
   * rest stays. @throws ProblemError when it cannot be stored.
   */
  clearDoneAndCancelled(): void {
    const { store, scheduler } = this.#options;
    const ids = store.items.orderIndex.ids((kind) => clearableStates.some((one) => one === kind));
    scheduler.dispatch(ids, { kind: 'cancel', forget: true }, () => store.removed.begin(ids));
    this.notifyChanged();
  }

  /** Counts the items of a service that are not finished. */
  unfinishedOn(service: ServiceAddress): number {
    const kinds = allStates.filter((kind) => !isFinished(kind));
    return this.#options.store.items.totals.count(kinds, service);
  }

  get(id: ItemId): Item | null {
    return this.#options.store.items.get(id);
  }

  row(id: ItemId): QueueRow | null {
    const item = this.get(id);
    return item === null ? null : this.#views.row(item);
  }

  /** Returns the transcript of an item in progress, starting with the segment `requestedFrom`. */
  live(id: ItemId, requestedFrom: number): LiveTranscriptView {
    const item = this.get(id);
    const state = item?.state;
    if (item === null || state === undefined) return { kind: 'stopped' };
    if (state.kind === 'done') {
      const transcript = this.#options.store.transcripts.ofItem(item);
      return transcript === null ? { kind: 'stopped' } : { kind: 'done', transcriptId: transcript.id };
    }
    if (state.kind !== 'transcribing' && state.kind !== 'saving') return { kind: 'stopped' };
    const live = this.#options.scheduler.live.get(id);
    const segments = live?.segments ?? [];
    const from = requestedFrom > segments.length ? 0 : requestedFrom;
    return {
      kind: 'transcribing',
      name: item.name,
      durationSeconds: item.durationSeconds,
      progress: state.kind === 'saving' ? 100 : state.progress,
      language: live?.language ?? null,
      from,
      segments: segments.slice(from),
    };
  }

  /** Returns what the details pane shows of an item in addition to its row. */
  details(id: ItemId): QueueRowDetails | null {
    const item = this.get(id);
    return item === null ? null : this.#views.details(item);
  }

  /** Returns the items that a target selects now: in its own order if it lists IDs, otherwise in that of the queue. */
  idsOf(target: QueueTarget): readonly ItemId[] {
    if ('ids' in target) return target.ids;
    const except = new Set(target.except);
    const listedIds = this.ids({ ...target.all, offset: 0, limit: Infinity });
    return except.size === 0 ? listedIds : listedIds.filter((id) => !except.has(id));
  }

  /** Sums up items: their number, durations, sizes and credits. */
  summarize(ids: readonly ItemId[]): SelectionSummary {
    return summarizeItems(this.#options.store.items.summaryInputs(ids));
  }

  /** Returns the transcripts of those items that are done. */
  transcripts(ids: readonly ItemId[]): readonly TranscriptId[] {
    return this.#options.store.items.transcriptsOf(ids);
  }

  /** Returns the items of a part of the queue, in order. */
  ids(viewport: Viewport): readonly ItemId[] {
    return this.#views.ids(viewport);
  }

  /** Returns those of `ids` that a listing shows. */
  listed(listing: QueueListing, ids: readonly ItemId[]): readonly ItemId[] {
    return this.#views.listed(listing, ids);
  }

  view(viewport: Viewport): QueueView {
    return this.#views.view(viewport);
  }

  /** Sends views of a part of the queue until the subscription is closed. */
  subscribe(send: (view: QueueView) => void): QueueSubscription {
    return this.#views.subscribe(send);
  }

  /** Reports that something in the queue has changed. */
  notifyChanged(): void {
    this.#views.notifyChanged();
    this.#options.onChange?.();
  }

  /** Reports that an item's transcript was saved. */
  recordFinished(id: ItemId): void {
    this.#views.recordFinished(this.get(id)?.durationSeconds ?? 0);
  }
}
