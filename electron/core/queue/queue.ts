import type {
  AddReport,
  ItemId,
  LeftOut,
  QueueFilter,
  QueueRow,
  QueueView,
  ServiceAddress,
} from '../../contract/model.ts';
import type { JobOptions } from '../../contract/options.ts';
import { ProblemError } from '../../contract/problem.ts';
import { hashOfContent } from '../media/fingerprint.ts';
import {
  examine,
  examineFile,
  type Examined,
  type ExaminedFile,
  type ExaminedLink,
} from '../media/intake.ts';
import type { Clock, Random } from '../ports.ts';
import type { NewItem } from '../store/item-store.ts';
import type { Store } from '../store/store.ts';
import type { WantedFile } from '../store/wanted-file-store.ts';
import type { FileSource, Item, Source, StateKind } from './item.ts';
import { QueueWatch, type Viewport } from './queue-watch.ts';
import { rowOf, type RowContext } from './row.ts';
import type { Scheduler } from './scheduler.ts';
import type { Services } from './services.ts';

/** So many items are stored in one commit while a large folder is being read. */
const addedAtOnce = 500;
const finishedStates = ['done', 'cancelled'] as const satisfies readonly StateKind[];

export interface Additions {
  readonly paths: readonly string[];
  readonly links: readonly string[];
  readonly service: ServiceAddress;
  readonly options: JobOptions;
  /** Files to be written once the transcripts are there. */
  readonly wanted: readonly WantedFile[];
  readonly signal: AbortSignal;
}

/** Where a recording is: a path or a link, and the item that has it already. */
interface Place {
  readonly id: ItemId | null;
  readonly at: string;
}

export interface QueueOptions {
  readonly store: Store;
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  readonly random: Random;
  readonly services: Services;
}

/** What people do with the queue, and what they see of it. */
export class Queue {
  readonly #options: QueueOptions;
  readonly #watches = new Set<QueueWatch>();
  #revision = 0;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  /**
   * Takes in files, whole folders and links. What cannot be taken in is told with its reason; the rest is added all
   * the same, and is stored when this resolves.
   */
  async add(additions: Additions): Promise<AddReport & { readonly ids: readonly ItemId[] }> {
    const { store, scheduler } = this.#options;
    const ids: ItemId[] = [];
    const leftOut: LeftOut[] = [];
    const batch: NewItem[] = [];
    const batchContents = new Map<string, readonly Place[]>();
    const flush = (): void => {
      if (batch.length === 0) return;
      store.transaction(() => {
        const added = store.items.add(batch);
        added.forEach((id) => store.wantedFiles.want(id, additions.wanted));
        ids.push(...added);
      });
      batch.length = 0;
      this.touch();
    };
    try {
      for await (const examined of examine(additions.paths, additions.links, additions.signal)) {
        const item = await this.#newItem(examined, additions, batchContents);
        if ('problem' in item) leftOut.push(item);
        else if (batch.push(item) === addedAtOnce) flush();
      }
    } finally {
      // What was found before a stop is kept: it was asked for.
      flush();
      scheduler.pump();
    }
    return { added: ids.length, ids, leftOut };
  }

  async #newItem(
    examined: Examined,
    { service, options, signal }: Additions,
    batchContents: Map<string, readonly Place[]>,
  ): Promise<NewItem | LeftOut> {
    if (examined.kind === 'leftOut') return { name: examined.name, problem: examined.problem };
    const source = sourceOf(examined);
    const { name, place } = examined;
    const content = contentOf(source);
    const inBatch = batchContents.get(content) ?? [];
    for (const { id, at } of [...this.#underWay(service, content), ...inBatch]) {
      if (!(await isSameContent(source, at, signal))) continue;
      const params = { name, ...(id === null ? {} : { item: id }) };
      return { name, problem: { code: 'already_queued', params } };
    }
    batchContents.set(content, [{ id: null, at: source.kind === 'file' ? source.path : source.url }]);
    const durationSeconds = examined.kind === 'file' ? examined.durationSeconds : null;
    const { clock, random } = this.#options;
    const seed = random.uuid();
    return { service, source, name, place, durationSeconds, options, addedAt: clock.now(), seed };
  }

  /** Unfinished items that are likely to have the same content. */
  #underWay(service: ServiceAddress, content: string): readonly Place[] {
    return this.#options.store.items
      .withFingerprint(service, content)
      .filter(({ state }) => !['done', 'cancelled', 'failed'].includes(state.kind))
      .map(({ id, source }) => ({ id, at: source.kind === 'file' ? source.path : source.url }));
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
    for (const id of ids) {
      const item = store.items.get(id);
      const changed = item?.state.kind === 'blocked' && item.state.problem.code === 'file_changed';
      if (!changed || item.source.kind !== 'file') continue;
      const examined = await examineFile(item.source.path);
      if (examined.kind === 'file')
        store.items.setSource(id, fileSourceOf(examined), examined.name, examined.place);
    }
    scheduler.tell(ids, { kind: 'retry' });
  }

  cancel(ids: readonly ItemId[]): void {
    this.#options.scheduler.tell(ids, { kind: 'cancel', forget: false });
  }

  /** Takes rows off the list; what the service may still work on is cancelled first and stays until that is known. */
  remove(ids: readonly ItemId[]): void {
    this.#options.scheduler.tell(ids, { kind: 'cancel', forget: true });
  }

  /** Gives an item the file at `path`. @throws ProblemError when it is no recording or another content. */
  async locate(id: ItemId, path: string): Promise<void> {
    const { store, scheduler } = this.#options;
    const item = store.items.get(id);
    if (item === null || item.source.kind !== 'file') return;
    const examined = await examineFile(path);
    if (examined.kind === 'leftOut') throw new ProblemError(examined.problem);
    const source = fileSourceOf(examined);
    // Another content needs a new request with a new key; only an item that holds none may take it.
    const same = source.fingerprint === item.source.fingerprint && source.sizeBytes === item.source.sizeBytes;
    if (!same) throw new ProblemError({ code: 'file_changed', params: { path } });
    store.items.setSource(id, source, examined.name, examined.place);
    scheduler.tell([id], { kind: 'retry' });
  }

  /** Sends what has not begun to another service. */
  moveWaiting(from: ServiceAddress, to: ServiceAddress): void {
    this.#options.store.items.moveWaiting(from, to);
    this.#options.scheduler.pump();
    this.touch();
  }

  setPaused(paused: boolean): void {
    this.#options.scheduler.setPaused(paused);
  }

  clearFinished(): void {
    const { items } = this.#options.store;
    items.remove(items.idsIn(finishedStates));
    this.touch();
  }

  async retryFailed(): Promise<void> {
    await this.retry(this.#options.store.items.idsIn(['failed']));
  }

  get(id: ItemId): Item | null {
    return this.#options.store.items.get(id);
  }

  row(id: ItemId): QueueRow | null {
    const item = this.get(id);
    return item === null ? null : rowOf(item, this.#contextOf(item));
  }

  ids(filter: QueueFilter, offset: number, limit: number): readonly ItemId[] {
    return this.#options.store.items.ids(filter, offset, limit);
  }

  view({ filter, offset, limit }: Viewport): QueueView {
    const { store, scheduler } = this.#options;
    const counts = store.items.tally.counts();
    return {
      revision: this.#revision,
      filter,
      total: counts[filter],
      offset,
      rows: store.items.page(filter, offset, limit).map((item) => rowOf(item, this.#contextOf(item))),
      summary: {
        counts,
        ...store.items.tally.sums(),
        bytesPerSecond: scheduler.meter.bytesPerSecond(),
        paused: store.paused,
      },
    };
  }

  /** Lets somebody watch a part of the queue until they end the watch. */
  watch(tell: (view: QueueView) => void): QueueWatch {
    const watch = new QueueWatch({
      clock: this.#options.clock,
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

  #contextOf(item: Item): RowContext {
    return {
      bytesInPart: this.#options.scheduler.meter.bytesInPart(item.id),
      waitsFor: this.#waitsFor(item.service),
    };
  }

  #waitsFor(service: ServiceAddress): RowContext['waitsFor'] {
    const { scheduler, services } = this.#options;
    const access = services.access(service);
    const { condition, activeJobs } = scheduler.status(service);
    if (access.kind !== 'open' || condition.kind !== 'ready') return 'service';
    return activeJobs >= access.activeJobs ? 'slot' : 'turn';
  }
}

/** A fingerprint makes two files likely doubles; only their whole contents prove it, and nothing is left out on a guess. */
async function isSameContent(source: Source, other: string, signal: AbortSignal): Promise<boolean> {
  if (source.kind === 'link' || source.path === other) return true;
  try {
    const [one, two] = await Promise.all([hashOfContent(source.path, signal), hashOfContent(other, signal)]);
    return one === two;
  } catch {
    signal.throwIfAborted();
    return false;
  }
}

const contentOf = (source: Source): string => (source.kind === 'file' ? source.fingerprint : source.url);

const sourceOf = (examined: ExaminedFile | ExaminedLink): Source =>
  examined.kind === 'file' ? fileSourceOf(examined) : { kind: 'link', url: examined.url };

const fileSourceOf = (file: ExaminedFile): FileSource => ({
  kind: 'file',
  path: file.path,
  sizeBytes: file.sizeBytes,
  mtimeMs: file.mtimeMs,
  inode: file.inode,
  mimeType: file.mimeType,
  fingerprint: file.fingerprint,
});
