import type { QueueListing, QueueRow, QueueView, QueueRowDetails } from '../../../contract/queue-commands.ts';
import type { ItemId } from '../../../contract/identifiers.ts';
import type { ServiceAddress } from '../../../contract/service.ts';
import { allStates, needsUser, type ServiceActivity } from '../../item/item-filter.ts';
import type { Services } from '../services/services.ts';
import type { Scheduler } from '../scheduling/scheduler.ts';
import { ServiceWaitReasons } from './service-wait-reasons.ts';
import type { Clock } from '../../ports.ts';
import type { Item } from '../../item/item.ts';
import { ListSubscription } from './list-subscription.ts';
import { QueueRows, type QueueRowsOptions } from './queue-rows.ts';
import { detailsOf } from './queue-row-view.ts';
import { QueueSummarizer } from './queue-summarizer.ts';
import type { QueueFilter } from '../../../contract/choices.ts';

export interface QueueViewsOptions extends Omit<QueueRowsOptions, 'waitReasons'> {
  readonly scheduler: Scheduler;
  readonly services: Services;
  readonly clock: Clock;
}

/** The views of the queue: parts of its list with a summary of the whole, sent again when something changes. */
export class QueueViews {
  readonly #options: QueueViewsOptions;
  readonly #waitReasons: ServiceWaitReasons;
  readonly #rows: QueueRows;
  readonly #summarizer: QueueSummarizer;
  readonly #subscriptions = new Set<QueueSubscription>();
  #revision = 0;

  constructor(options: QueueViewsOptions) {
    this.#options = options;
    const waitReasons = new ServiceWaitReasons(options);
    this.#waitReasons = waitReasons;
    this.#rows = new QueueRows({ ...options, waitReasons });
    this.#summarizer = new QueueSummarizer({
      ...options,
      waitReasons,
      onRateChange: () => this.notifyChanged(),
    });
  }

  /** Closes all subscriptions. */
  close(): void {
    this.#summarizer.stop();
    for (const subscription of this.#subscriptions) subscription.close();
  }

  row(item: Item): QueueRow {
    return this.#rows.row(item);
  }

  /** Returns what the details pane shows of an item in addition to its row. */
  details(item: Item): QueueRowDetails {
    const { times, autoExports } = this.#options.store;
    const files = autoExports.of(item.id).map(({ format, path, problem }) => ({ format, path, problem }));
    return detailsOf(item, times.get(item.id), files);
  }

  /** Returns the items of a part of the queue. */
  ids(viewport: Viewport): readonly ItemId[] {
    return this.#options.store.items.ids({ ...viewport, activityOf: this.activity });
  }

  /** Returns those of `ids` that a listing shows. */
  listed({ filter, search }: QueueListing, ids: readonly ItemId[]): readonly ItemId[] {
    return this.#options.store.items.listed(ids, { filter, search, activityOf: this.activity });
  }

  view({ filter, search = '', offset, limit }: Viewport): QueueView {
    const { items } = this.#options.store;
    const summary = this.#summarizer.summary();
    const listing = { filter, search, activityOf: this.activity };
    const counts = search === '' ? summary.counts : items.foundCounts(search, this.activity);
    return {
      revision: this.#revision,
      filter,
      search,
      counts,
      total: counts[filter],
      offset,
      limit,
      rows: this.#rows.rows(items.page({ ...listing, offset, limit })),
      summary,
    };
  }

  /** Returns what a service's recordings can do now. */
  readonly activity = (service: ServiceAddress): ServiceActivity => this.#waitReasons.activity(service);

  servicesThatNeedUser(): readonly ServiceAddress[] {
    const { totals } = this.#options.store.items;
    return totals.services(allStates).filter((service) => needsUser(this.#waitReasons.activity(service)));
  }

  /** Sends views of a part of the queue until the subscription is closed. */
  subscribe(send: (view: QueueView) => void): QueueSubscription {
    const subscription: QueueSubscription = new ListSubscription({
      clock: this.#options.clock,
      viewport: { filter: 'all', offset: 0, limit: 0 } as Viewport,
      view: (viewport) => this.view(viewport),
      send,
      onClose: (closed) => this.#subscriptions.delete(closed),
    });
    this.#subscriptions.add(subscription);
    return subscription;
  }

  /** Reports that something in the queue has changed. */
  notifyChanged(): void {
    this.#revision += 1;
    for (const subscription of this.#subscriptions) subscription.notifyChanged();
  }

  /** Records that a recording of this duration was transcribed. */
  recordFinished(seconds: number): void {
    this.#summarizer.recordFinished(seconds);
  }
}

/** The part of the queue that is visible. */
export interface Viewport {
  readonly filter: QueueFilter;
  /** As in a `QueueListing`. */
  readonly search?: string;
  readonly offset: number;
  readonly limit: number;
}

/** A subscription of one listener to the queue. */
export type QueueSubscription = ListSubscription<Viewport, QueueView>;
