import type { ItemId } from '../../../contract/identifiers.ts';
import type { QueueRow, SavedFiles } from '../../../contract/queue-commands.ts';
import type { ServiceAddress } from '../../../contract/service.ts';
import type { Store } from '../../store/store.ts';
import type { Item } from '../../item/item.ts';
import { noFiles, rowOf, type RowContext } from './queue-row-view.ts';
import type { Scheduler } from '../scheduling/scheduler.ts';
import type { Services } from '../services/services.ts';

export interface QueueRowsOptions {
  readonly store: Store;
  readonly scheduler: Scheduler;
  readonly services: Services;
}

/** Builds rows with what only the running queue knows: upload progress, waiting positions and reasons for waiting. */
export class QueueRows {
  readonly #options: QueueRowsOptions;

  constructor(options: QueueRowsOptions) {
    this.#options = options;
  }

  one(item: Item): QueueRow {
    return rowOf(
      item,
      this.#contextOf(item, this.#position(item), this.#waitsFor(item.service), this.#filesOf([item])),
    );
  }

  /**
   * Returns the rows of consecutive items. What all items of a service share is determined once, and so is the waiting
   * position of the service's first item here.
   */
  of(items: readonly Item[]): readonly QueueRow[] {
    const positions = new Map<ServiceAddress, number>();
    const waitsFor = new Map<ServiceAddress, RowContext['waitsFor']>();
    const files = this.#filesOf(items);
    return items.map((item) => {
      const { service } = item;
      const reason = waitsFor.get(service) ?? this.#waitsFor(service);
      waitsFor.set(service, reason);
      if (item.state.kind !== 'waiting') return rowOf(item, this.#contextOf(item, null, reason, files));
      const before = positions.get(service);
      const position = before === undefined ? this.#position(item) : before + 1;
      if (position !== null) positions.set(service, position);
      return rowOf(item, this.#contextOf(item, position, reason, files));
    });
  }

  #position({ id, state }: Item): number | null {
    return state.kind === 'waiting' ? this.#options.store.items.orderIndex.waitingBefore(id) + 1 : null;
  }

  /** The auto exports of the items that are done. */
  #filesOf(items: readonly Item[]): ReadonlyMap<ItemId, SavedFiles> {
    const done = items.filter(({ state }) => state.kind === 'done').map(({ id }) => id);
    return done.length === 0 ? new Map() : this.#options.store.autoExports.savedOf(done);
  }

  #contextOf(
    { id }: Item,
    position: number | null,
    waitsFor: RowContext['waitsFor'],
    files: ReadonlyMap<ItemId, SavedFiles>,
  ): RowContext {
    const { meter, live } = this.#options.scheduler;
    return {
      bytesInPart: meter.bytesInPart(id),
      bytesPerSecond: meter.bytesPerSecond(id),
      latestText: live.latestText(id),
      files: files.get(id) ?? noFiles,
      waitsFor,
      position,
    };
  }

  #waitsFor(service: ServiceAddress): RowContext['waitsFor'] {
    const { store, scheduler, services } = this.#options;
    if (store.paused) return 'resume';
    const access = services.access(service);
    const { condition, activeJobs } = scheduler.status(service);
    if (condition.kind === 'no-credits') return 'credits';
    if (access.kind === 'closed' && access.problem.code === 'key_missing') return 'key';
    if (access.kind !== 'open' || condition.kind !== 'ready') return 'service';
    // The on-device service takes one item after the other.
    if (service === 'on-device') return 'turn';
    return activeJobs >= access.activeJobs ? 'slot' : 'turn';
  }
}
