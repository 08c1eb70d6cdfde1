import type { ItemId, TranscriptId } from '../../contract/identifiers.ts';
import type {
  QueuePosition,
  QueueRow,
  QueueSort,
  QueueSum,
  QueueTarget,
  QueueView,
  RowDetails,
} from '../../contract/queue.ts';
import type { QueueFilter } from '../../contract/choices.ts';
import type { JobOptions } from '../../contract/options.ts';
import type { ServiceAddress } from '../../contract/service.ts';
import { kindsUnder } from '../store/items/tally.ts';
import { inspectInBatches, type Inspect } from '../media/inspect-files.ts';
import type { ProbeDuration } from '../media/duration-prober.ts';
import type { Clock, Random } from '../ports.ts';
import type { SavedSheet, SheetId } from '../store/sheet-store.ts';
import type { Store } from '../store/store.ts';
import { IntakeQueue, type Added, type Additions, type ChosenRecording } from './adding/intake-queue.ts';
import { QueueReorderer, type FindOrder } from './order/queue-reorderer.ts';
import { AddSheet, type SheetOptions } from './adding/add-sheet.ts';
import { findDuplicate } from './adding/duplicates.ts';
import type { Item, StateKind } from '../item/item.ts';
import { QueueViews, type QueueWatch, type Viewport } from './view/queue-views.ts';
import { RetryService } from './retry-service.ts';
import type { Scheduler } from './scheduling/scheduler.ts';
import type { Services } from './services/services.ts';
import { summarizeItems } from '../item/item-summary.ts';

const finishedStates = ['done', 'cancelled'] as const satisfies readonly StateKind[];
const endedStates: ReadonlySet<StateKind> = new Set([...finishedStates, 'failed']);

export interface QueueOptions {
  readonly store: Store;
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  readonly random: Random;
  readonly services: Services;
  readonly lengthOf: ProbeDuration;
  /** Absent: this thread examines recordings itself. */
  readonly inspect?: Inspect;
  /** Absent: this thread finds the new order of the queue itself, however long it is. */
  readonly findOrder?: FindOrder;
  /** Recordings were added whose lengths may not be known. */
  readonly onAdded?: () => void;
}

/** What people do with the queue, and what they see of it. */
export class Queue {
  readonly #options: QueueOptions & { readonly inspect: Inspect };
  readonly #intake: IntakeQueue;
  readonly #reorderer: QueueReorderer;
  readonly #retryService: RetryService;
  readonly #views: QueueViews;

  constructor(options: QueueOptions) {
    this.#options = { inspect: inspectInBatches, ...options };
    this.#views = new QueueViews(options);
    this.#retryService = new RetryService(options);
    this.#intake = new IntakeQueue({ ...this.#options, onStored: () => this.touch() });
    this.#reorderer = new QueueReorderer({
      ...this.#options,
      onReordered: () => {
        options.scheduler.pump();
        this.touch();
      },
    });
  }

  /**
   * Ends all watches, and resolves when what was found of the recordings that were being added is stored, and the order
   * that was asked for.
   */
  async close(): Promise<void> {
    this.#end();
    await this.#intake.close();
    await this.#reorderer.close();
  }

  /** Ends all watches, and stores nothing more. */
  abandon(): void {
    this.#end();
    this.#intake.abandon();
    this.#reorderer.abandon();
  }

  #end(): void {
    this.#retryService.end();
    this.#views.end();
  }

  /**
   * Takes in files, whole folders and links. What cannot be taken in is told with its reason; the rest is added all
   * the same, and is stored when this resolves.
   *
   * @throws the signal's reason when it is aborted, or an error when the queue is closed; what was found is kept.
   */
  async add(additions: Additions): Promise<Added> {
    try {
      return await this.#intake.add(additions);
    } finally {
      this.#options.scheduler.pump();
      this.#options.onAdded?.();
    }
  }

  /** A sheet of what somebody wants to add; nothing of it is in the queue before {@link addChosen}. */
  newAddSheet(options: SheetOptions): AddSheet {
    return this.#openAddSheet(options, null);
  }

  /** The sheet that was open when the program ended, with what was decided on it; `null` when there was none. */
  restoreAddSheet(options: SheetOptions): AddSheet | null {
    const kept = this.#options.store.sheets.load();
    return kept === null ? null : this.#openAddSheet(options, kept);
  }

  #openAddSheet(options: SheetOptions, kept: SavedSheet | null): AddSheet {
    const { store } = this.#options;
    return new AddSheet({
      ...this.#options,
      ...options,
      findDuplicate: (recording, signal) => findDuplicate(store, recording, signal),
      sheets: store.sheets,
      kept,
    });
  }

  /** Takes in what was chosen on a sheet, as it is; the sheet is kept until all of it is stored. */
  async addChosen(
    chosen: readonly ChosenRecording[],
    service: ServiceAddress,
    sheets: readonly SheetId[] = [],
  ): Promise<readonly ItemId[]> {
    try {
      return await this.#intake.addChosen(chosen, service, sheets);
    } finally {
      this.#options.scheduler.pump();
      this.#options.onAdded?.();
    }
  }

  pause(ids: readonly ItemId[]): void {
    this.#options.scheduler.dispatch(ids, { kind: 'pause' });
  }

  resume(ids: readonly ItemId[]): void {
    this.#options.scheduler.dispatch(ids, { kind: 'resume' });
  }

  /** Tries again what failed or waits for the user; a file that had changed is taken as it is now. */
  retry(ids: readonly ItemId[]): Promise<void> {
    return this.#retryService.retry(ids);
  }

  /** Tries again all that failed or waits for the user, but for what only a new request mends: that one is asked for. */
  retryAll(): Promise<void> {
    return this.#retryService.retryAll();
  }

  /** Gives an item the file at `path`. @throws ProblemError when it is no recording or another content. */
  locate(id: ItemId, path: string): Promise<void> {
    return this.#retryService.locate(id, path);
  }

  cancel(ids: readonly ItemId[]): void {
    this.#options.scheduler.dispatch(ids, { kind: 'cancel', forget: false });
  }

  /** Takes rows off the list; what the service may still work on is cancelled first and stays until that is known. */
  remove(ids: readonly ItemId[]): void {
    this.#options.store.removed.keep(ids);
    this.#options.scheduler.dispatch(ids, { kind: 'cancel', forget: true });
  }

  /** Puts back what was removed or cleared last; what is still being cancelled begins anew after that. */
  undoRemove(): number {
    const { store, scheduler } = this.#options;
    const { restored, stillThere } = store.transaction(() => store.removed.restore());
    scheduler.dispatch(stillThere, { kind: 'undo-cancel' });
    this.touch();
    return restored.length + stillThere.length;
  }

  /** Moves items to another place in the queue, once what was asked of its order before is done. */
  move(ids: readonly ItemId[], place: QueuePosition): Promise<void> {
    return this.#reorderer.move(ids, place);
  }

  /** Sorts what waits for its turn, once what was asked of the queue's order before is done. */
  sortWaiting(sort: QueueSort): Promise<void> {
    return this.#reorderer.sort(sort);
  }

  /** Changes options of those that hold no request yet, or none any more; the number of these. */
  setOptions(ids: readonly ItemId[], options: Partial<JobOptions>): number {
    let changed: readonly ItemId[] = [];
    this.#options.scheduler.changeItems(() => (changed = this.#options.store.items.setOptions(ids, options)));
    return changed.length;
  }

  /** Gives those that no service holds anything of to another one, where they begin anew; the number of these. */
  sendWith(ids: readonly ItemId[], service: ServiceAddress): number {
    let moved: readonly ItemId[] = [];
    this.#options.scheduler.changeItems(
      () => (moved = this.#options.store.items.moveToService(ids, service)),
    );
    this.touch();
    return moved.length;
  }

  /** Sends what has not begun to another service. */
  moveWaiting(from: ServiceAddress, to: ServiceAddress): void {
    const { store, scheduler } = this.#options;
    scheduler.changeItems(() => store.items.moveWaiting(from, to));
    this.touch();
  }

  setPaused(paused: boolean): void {
    this.#options.scheduler.setPaused(paused);
  }

  clearFinished(): void {
    const { items } = this.#options.store;
    const finished = items.orderIndex.ids(new Set(finishedStates));
    this.#options.store.removed.keep(finished);
    items.remove(finished);
    this.touch();
  }

  /** Number of items that a service has not brought to an end yet. */
  unfinishedOn(service: ServiceAddress): number {
    const kinds = kindsUnder('all').filter((kind) => !endedStates.has(kind));
    return this.#options.store.items.tally.count(kinds, service);
  }

  get(id: ItemId): Item | null {
    return this.#options.store.items.get(id);
  }

  row(id: ItemId): QueueRow | null {
    const item = this.get(id);
    return item === null ? null : this.#views.row(item);
  }

  /** What the details of a row show beyond the row. */
  facts(id: ItemId): RowDetails | null {
    const item = this.get(id);
    return item === null ? null : this.#views.facts(item);
  }

  /** The items of a target as they are now, in the order of the queue where it does not name them. */
  idsOf(target: QueueTarget): readonly ItemId[] {
    if ('ids' in target) return target.ids;
    const but = new Set(target.but);
    const all = this.ids(target.all, 0, this.#options.store.items.tally.counts().all);
    return but.size === 0 ? all : all.filter((id) => !but.has(id));
  }

  /** What items come to. */
  sum(ids: readonly ItemId[]): QueueSum {
    return summarizeItems(this.#options.store.items.summaryInputs(ids));
  }

  /** The transcripts of those items that are done. */
  transcripts(ids: readonly ItemId[]): readonly TranscriptId[] {
    return this.#options.store.items.transcriptsOf(ids);
  }

  ids(filter: QueueFilter, offset: number, limit: number): readonly ItemId[] {
    return this.#options.store.items.ids(filter, offset, limit);
  }

  view(viewport: Viewport): QueueView {
    return this.#views.view(viewport);
  }

  /** Lets somebody watch a part of the queue until they end the watch. */
  watch(tell: (view: QueueView) => void): QueueWatch {
    return this.#views.watch(tell);
  }

  /** Something in the queue is not as it was. */
  touch(): void {
    this.#views.touch();
  }

  /** An item's transcript was saved. */
  finished(id: ItemId): void {
    this.#views.finished(this.get(id)?.durationSeconds ?? 0);
  }
}
