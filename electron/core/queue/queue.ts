import { isDeepStrictEqual } from 'node:util';
import type { ItemId, TranscriptId } from '../../contract/model/identifiers.ts';
import type {
  QueueFilter,
  QueuePlace,
  QueueRow,
  QueueSort,
  QueueSum,
  QueueTarget,
  QueueView,
  RowFacts,
} from '../../contract/model/queue.ts';
import type { JobOptions } from '../../contract/options.ts';
import type { ServiceAddress } from '../../contract/model/service.ts';
import { ProblemError } from '../../contract/problem.ts';
import { kindsUnder } from '../store/items/tally.ts';
import { examineFile, examineTogether, type Examine } from '../media/intake.ts';
import type { LengthOf } from '../media/probe-thread.ts';
import type { Clock, Random } from '../ports.ts';
import type { KeptSheet, SheetId } from '../store/sheet-store.ts';
import type { Store } from '../store/store.ts';
import { Adding, fileSourceOf, type Added, type Additions, type ChosenRecording } from './adding/adding.ts';
import { Arranging, type FindOrder } from './order/arranging.ts';
import { Batch, type BatchOptions } from './adding/batch.ts';
import { findKnown, isSameRecording } from './adding/doubles.ts';
import type { FileSource, Item, StateKind } from './machine/item.ts';
import { ListWatch } from './view/list-watch.ts';
import type { QueueWatch, Viewport } from './view/queue-watch.ts';
import { QueueRows } from './view/queue-rows.ts';
import { factsOf } from './view/row.ts';
import type { Scheduler } from './scheduling/scheduler.ts';
import type { Services } from './services/services.ts';
import { Standing } from './view/standing.ts';
import { sumOfItems } from './adding/sum.ts';

const finishedStates = ['done', 'cancelled'] as const satisfies readonly StateKind[];
const endedStates: ReadonlySet<StateKind> = new Set([...finishedStates, 'failed']);

export interface QueueOptions {
  readonly store: Store;
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  readonly random: Random;
  readonly services: Services;
  readonly lengthOf: LengthOf;
  /** Absent: this thread examines recordings itself. */
  readonly examine?: Examine;
  /** Absent: this thread finds the new order of the queue itself, however long it is. */
  readonly findOrder?: FindOrder;
  /** Recordings were added whose lengths may not be known. */
  readonly onAdded?: () => void;
}

/** What people do with the queue, and what they see of it. */
export class Queue {
  readonly #options: QueueOptions & { readonly examine: Examine };
  readonly #adding: Adding;
  readonly #arranging: Arranging;
  readonly #rows: QueueRows;
  readonly #watches = new Set<QueueWatch>();
  readonly #standing: Standing;
  #revision = 0;
  #ended = false;

  constructor(options: QueueOptions) {
    this.#options = { examine: examineTogether, ...options };
    this.#rows = new QueueRows(options);
    this.#standing = new Standing({ ...options, onFade: () => this.touch() });
    this.#adding = new Adding({ ...this.#options, onStored: () => this.touch() });
    this.#arranging = new Arranging({
      ...this.#options,
      onArranged: () => {
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
    await this.#adding.close();
    await this.#arranging.close();
  }

  /** Ends all watches, and stores nothing more. */
  abandon(): void {
    this.#end();
    this.#adding.abandon();
    this.#arranging.abandon();
  }

  #end(): void {
    this.#ended = true;
    this.#standing.end();
    for (const watch of this.#watches) watch.end();
  }

  /**
   * Takes in files, whole folders and links. What cannot be taken in is told with its reason; the rest is added all
   * the same, and is stored when this resolves.
   *
   * @throws the signal's reason when it is aborted, or an error when the queue is closed; what was found is kept.
   */
  async add(additions: Additions): Promise<Added> {
    try {
      return await this.#adding.add(additions);
    } finally {
      this.#options.scheduler.pump();
      this.#options.onAdded?.();
    }
  }

  /** A sheet of what somebody wants to add; nothing of it is in the queue before {@link addChosen}. */
  newBatch(options: Pick<BatchOptions, 'service' | 'options' | 'tell'>): Batch {
    return this.#batch(options, null);
  }

  /** The sheet that was open when the program ended, with what was decided on it; `null` when there was none. */
  keptBatch(options: Pick<BatchOptions, 'service' | 'options' | 'tell'>): Batch | null {
    const kept = this.#options.store.sheets.kept();
    return kept === null ? null : this.#batch(options, kept);
  }

  #batch(options: Pick<BatchOptions, 'service' | 'options' | 'tell'>, kept: KeptSheet | null): Batch {
    const { store } = this.#options;
    const known: BatchOptions['known'] = (recording, signal) => findKnown(store, recording, signal);
    return new Batch({ ...this.#options, ...options, known, sheets: store.sheets, kept });
  }

  /** Takes in what was chosen on a sheet, as it is; the sheet is kept until all of it is stored. */
  async addChosen(
    chosen: readonly ChosenRecording[],
    service: ServiceAddress,
    sheets: readonly SheetId[] = [],
  ): Promise<readonly ItemId[]> {
    try {
      return await this.#adding.addChosen(chosen, service, sheets);
    } finally {
      this.#options.scheduler.pump();
      this.#options.onAdded?.();
    }
  }

  pause(ids: readonly ItemId[]): void {
    this.#options.scheduler.tell(ids, { kind: 'pause' });
  }

  resume(ids: readonly ItemId[]): void {
    this.#options.scheduler.tell(ids, { kind: 'resume' });
  }

  /** Tries again what failed or waits for the user; a file that had changed is taken as it is now. */
  async retry(ids: readonly ItemId[]): Promise<void> {
    const { store, scheduler } = this.#options;
    const changed = new Set(store.items.blockedBy('file_changed'));
    const away = new Set([
      ...store.items.blockedBy('file_missing'),
      ...store.items.blockedBy('file_unreadable'),
    ]);
    const others = ids.filter((id) => !changed.has(id) && !away.has(id));
    scheduler.tell(others, { kind: 'retry' });
    for (const id of ids) {
      if (changed.has(id)) await this.#takeAnew(id, () => true);
      // Put back as a copy it is another file to the system, but the same recording.
      else if (away.has(id)) await this.#takeAnew(id, isSameRecording);
    }
  }

  /** Tries again with the file as it is now if it `mayBe` that, and otherwise with the file that was added. */
  async #takeAnew(id: ItemId, mayBe: (found: FileSource, wanted: FileSource) => boolean): Promise<void> {
    const item = this.get(id);
    if (item?.source.kind !== 'file') return;
    const examined = await examineFile(item.source.path);
    if (!this.#isStill(item)) return;
    const { store, scheduler } = this.#options;
    if (examined.kind === 'file' && mayBe(fileSourceOf(examined), item.source))
      store.items.setSource(id, fileSourceOf(examined), examined.name, examined.place);
    scheduler.tell([id], { kind: 'retry' });
  }

  /** Whether nothing has happened to an item meanwhile that makes a wish from before void. */
  #isStill({ id, state, source }: Item): boolean {
    if (this.#ended) return false;
    const now = this.get(id);
    return now?.state.kind === state.kind && isDeepStrictEqual(now.source, source);
  }

  cancel(ids: readonly ItemId[]): void {
    this.#options.scheduler.tell(ids, { kind: 'cancel', forget: false });
  }

  /** Takes rows off the list; what the service may still work on is cancelled first and stays until that is known. */
  remove(ids: readonly ItemId[]): void {
    this.#options.store.removed.keep(ids);
    this.#options.scheduler.tell(ids, { kind: 'cancel', forget: true });
  }

  /** Puts back what was removed or cleared last; what is still being cancelled begins anew after that. */
  undoRemove(): number {
    const { store, scheduler } = this.#options;
    const { restored, stillThere } = store.transaction(() => {
      const back = store.removed.restore();
      store.items.takeIn(back.restored);
      return back;
    });
    scheduler.tell(stillThere, { kind: 'keep' });
    this.touch();
    return restored.length + stillThere.length;
  }

  /** Moves items to another place in the queue, once what was asked of its order before is done. */
  move(ids: readonly ItemId[], place: QueuePlace): Promise<void> {
    return this.#arranging.move(ids, place);
  }

  /** Sorts what waits for its turn, once what was asked of the queue's order before is done. */
  sortWaiting(sort: QueueSort): Promise<void> {
    return this.#arranging.sort(sort);
  }

  /** Changes options of those that hold no request yet, or none any more; the number of these. */
  setOptions(ids: readonly ItemId[], options: Partial<JobOptions>): number {
    let changed: readonly ItemId[] = [];
    this.#options.scheduler.revise(() => (changed = this.#options.store.items.setOptions(ids, options)));
    return changed.length;
  }

  /** Gives those that no service holds anything of to another one, where they begin anew; the number of these. */
  sendWith(ids: readonly ItemId[], service: ServiceAddress): number {
    let moved: readonly ItemId[] = [];
    this.#options.scheduler.revise(() => (moved = this.#options.store.items.sendWith(ids, service)));
    this.touch();
    return moved.length;
  }

  /** Gives an item the file at `path`. @throws ProblemError when it is no recording or another content. */
  async locate(id: ItemId, path: string): Promise<void> {
    const { store, scheduler } = this.#options;
    const item = store.items.get(id);
    if (item === null || item.source.kind !== 'file') return;
    const examined = await examineFile(path);
    if (!this.#isStill(item)) return;
    if (examined.kind === 'leftOut') throw new ProblemError(examined.problem);
    const source = fileSourceOf(examined);
    // Another content is another recording: it is never sent, nor paid for, in the place of this one.
    if (!isSameRecording(source, item.source))
      throw new ProblemError({ code: 'other_content', params: { path } });
    store.items.setSource(id, source, examined.name, examined.place);
    scheduler.tell([id], { kind: 'retry' });
  }

  /** Sends what has not begun to another service. */
  moveWaiting(from: ServiceAddress, to: ServiceAddress): void {
    const { store, scheduler } = this.#options;
    scheduler.revise(() => store.items.moveWaiting(from, to));
    this.touch();
  }

  setPaused(paused: boolean): void {
    this.#options.scheduler.setPaused(paused);
  }

  clearFinished(): void {
    const { items } = this.#options.store;
    const finished = items.line.ids(new Set(finishedStates));
    this.#options.store.removed.keep(finished);
    items.remove(finished);
    this.touch();
  }

  /** Tries again all that failed or waits for the user, but for what only a new request mends: that one is asked for. */
  async retryAll(): Promise<void> {
    const { items } = this.#options.store;
    const conflicts = new Set(items.blockedBy('idempotency_conflict'));
    await this.retry(items.line.ids(new Set(['failed', 'blocked'])).filter((id) => !conflicts.has(id)));
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
    return item === null ? null : this.#rows.one(item);
  }

  /** What the details of a row show beyond the row. */
  facts(id: ItemId): RowFacts | null {
    const item = this.get(id);
    if (item === null) return null;
    const { state } = item;
    const { times, transcripts, wantedFiles } = this.#options.store;
    const savedJobId = state.kind === 'done' ? transcripts.jobIdOf(state.transcriptId) : null;
    const files = wantedFiles.of(id).map(({ format, path, problem }) => ({ format, path, problem }));
    return factsOf(item, times.get(id), savedJobId, files);
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
    return sumOfItems(this.#options.store.items.lengthsOf(ids));
  }

  /** The transcripts of those items that are done. */
  transcripts(ids: readonly ItemId[]): readonly TranscriptId[] {
    return this.#options.store.items.transcriptsOf(ids);
  }

  ids(filter: QueueFilter, offset: number, limit: number): readonly ItemId[] {
    return this.#options.store.items.ids(filter, offset, limit);
  }

  view({ filter, offset, limit }: Viewport): QueueView {
    const { items } = this.#options.store;
    const summary = this.#standing.summary();
    return {
      revision: this.#revision,
      filter,
      total: summary.counts[filter],
      offset,
      rows: this.#rows.of(items.page(filter, offset, limit)),
      summary,
    };
  }

  /** Hears that an item's transcript was saved. */
  finished(id: ItemId): void {
    this.#standing.finish(this.get(id)?.durationSeconds ?? 0);
  }

  /** Lets somebody watch a part of the queue until they end the watch. */
  watch(tell: (view: QueueView) => void): QueueWatch {
    const watch: QueueWatch = new ListWatch({
      clock: this.#options.clock,
      part: { filter: 'all', offset: 0, limit: 0 } as Viewport,
      view: (viewport) => this.view(viewport),
      tell,
      onEnd: (ended) => this.#watches.delete(ended),
    });
    this.#watches.add(watch);
    return watch;
  }

  /** Something in the queue is not as it was. */
  touch(): void {
    this.#revision += 1;
    for (const watch of this.#watches) watch.touch();
  }
}
