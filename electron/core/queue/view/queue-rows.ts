import type { ItemId } from '../../../contract/identifiers.ts';
import type { QueueRow, SavedFiles } from '../../../contract/queue-commands.ts';
import type { ServiceAddress } from '../../../contract/service.ts';
import type { Store } from '../../store/store.ts';
import type { Item } from '../../item/item.ts';
import { noFiles, rowOf, type RowContext, type ServiceWaits } from './queue-row-view.ts';
import type { Scheduler } from '../scheduling/scheduler.ts';
import type { ServiceWaitReasons } from './service-wait-reasons.ts';

/** States in which the on-device service transcribes an item or prepares it. */
const activeStates = ['creating', 'uploading', 'completing', 'transcribing'] as const;

export interface QueueRowsOptions {
  readonly store: Store;
  readonly scheduler: Pick<Scheduler, 'meter' | 'live'>;
  readonly waitReasons: Pick<ServiceWaitReasons, 'of'>;
}

/** Builds rows with what only the running queue knows: upload progress, waiting positions and reasons for waiting. */
export class QueueRows {
  readonly #options: QueueRowsOptions;

  constructor(options: QueueRowsOptions) {
    this.#options = options;
  }

  row(item: Item): QueueRow {
    const { waitReasons } = this.#options;
    const position = this.#positionsOf([item]).get(item.id) ?? null;
    return rowOf(item, this.#contextOf(item, position, waitReasons.of(item.service), this.#filesOf([item])));
  }

  /** Returns the rows of several items. Computes what the items of a service have in common once. */
  rows(items: readonly Item[]): readonly QueueRow[] {
    const positions = this.#positionsOf(items);
    const waitsByService = new Map<ServiceAddress, ServiceWaits>();
    const files = this.#filesOf(items);
    return items.map((item) => {
      const { service } = item;
      const waits = waitsByService.get(service) ?? this.#options.waitReasons.of(service);
      waitsByService.set(service, waits);
      return rowOf(item, this.#contextOf(item, positions.get(item.id) ?? null, waits, files));
    });
  }

  /** Returns the positions of those items that wait. */
  #positionsOf(items: readonly Item[]): ReadonlyMap<ItemId, number> {
    const { items: itemStore } = this.#options.store;
    const waiting = items.filter(({ state }) => state.kind === 'waiting');
    // The on-device service transcribes one recording at a time: all but one of those that it already has wait there, and
    // come before later items.
    const preparedBefore = (id: ItemId): number =>
      Math.max(0, itemStore.countBefore(id, 'on-device', activeStates) - 1);
    const before = itemStore.orderIndex.waitingBefore(waiting.map(({ id }) => id));
    return new Map(
      waiting.map(({ id, service }) => [
        id,
        (service === 'on-device' ? preparedBefore(id) : 0) + (before.get(id) ?? 0) + 1,
      ]),
    );
  }

  /** Returns the auto exports of those items that are done. */
  #filesOf(items: readonly Item[]): ReadonlyMap<ItemId, SavedFiles> {
    const done = items.filter(({ state }) => state.kind === 'done').map(({ id }) => id);
    return done.length === 0 ? new Map() : this.#options.store.autoExports.outcomesOf(done);
  }

  #contextOf(
    item: Item,
    position: number | null,
    waits: ServiceWaits,
    files: ReadonlyMap<ItemId, SavedFiles>,
  ): RowContext {
    const { id } = item;
    const { meter, live } = this.#options.scheduler;
    const transcript = this.#options.store.transcripts.ofItem(item);
    return {
      bytesInPart: meter.bytesInPart(id),
      bytesPerSecond: meter.bytesPerSecond(id),
      latestText: live.latestText(id),
      files: files.get(id) ?? noFiles,
      transcript:
        transcript === null
          ? { kind: 'deleted' }
          : { kind: transcript.isTrashed ? 'trash' : 'library', id: transcript.id },
      waits,
      position,
    };
  }
}
