import type { QueueSummary } from '../../../contract/queue-commands.ts';
import { allStates, movableStates } from '../../item/item-filter.ts';
import type { Clock } from '../../ports.ts';
import type { Store } from '../../store/store.ts';
import type { Scheduler } from '../scheduling/scheduler.ts';
import { Throttle } from '../../throttle.ts';
import type { ServiceWaitReasons } from './service-wait-reasons.ts';
import { schedulableStates } from '../scheduling/due-requests.ts';
import { QueueSpeedMeter } from './speed-meter.ts';

/** The interval of updates while the upload rate decays: no other event reports that bytes stopped flowing. */
const rateUpdateMs = 1000;

export interface QueueSummarizerOptions {
  readonly store: Store;
  readonly scheduler: Pick<Scheduler, 'meter' | 'status'>;
  readonly waitReasons: Pick<ServiceWaitReasons, 'activity' | 'isAccountRemoved'>;
  readonly clock: Clock;
  /** Called when the rate may have changed without any other event. */
  readonly onRateChange: () => void;
}

/** Summarizes the whole queue: what is done and left, the speed, the time left and the cost. */
export class QueueSummarizer {
  readonly #options: QueueSummarizerOptions;
  readonly #speed: QueueSpeedMeter;
  readonly #rateUpdates: Throttle;

  constructor(options: QueueSummarizerOptions) {
    this.#options = options;
    this.#speed = new QueueSpeedMeter(options.clock);
    this.#rateUpdates = new Throttle(options.clock, rateUpdateMs, options.onRateChange);
  }

  /** Runs in constant time, however long the queue is. */
  summary(): QueueSummary {
    const { store, scheduler, waitReasons } = this.#options;
    const { totals } = store.items;
    const { activeSeconds, ...sums } = totals.sums();
    const counts = totals.counts((service) => waitReasons.activity(service));
    const transcribing = totals.count(['transcribing']);
    const transcribingInCloud = transcribing - totals.count(['transcribing'], 'on-device');
    this.#speed.observe(store.paused ? transcribingInCloud > 0 : counts.working > 0);
    const speed = this.#speed.timesRealTime;
    // What waits for an account that was removed is not going to be sent.
    const bytesToSend = totals
      .services(allStates)
      .filter((service) => !waitReasons.isAccountRemoved(service))
      .reduce((sum, service) => sum + totals.bytesLeft(service), 0);
    const bytesLeft = Math.max(0, bytesToSend - scheduler.meter.bytesInFlight());
    const bytesPerSecond = scheduler.meter.bytesPerSecond();
    if (bytesPerSecond > 0) this.#rateUpdates.schedule();
    const sendingSeconds = bytesPerSecond > 0 ? bytesLeft / bytesPerSecond : 0;
    const canEstimate = !store.paused && speed !== null && activeSeconds > 0;
    return {
      counts,
      ...sums,
      bytesLeft,
      bytesPerSecond,
      speed,
      // The maximum of both: uploads continue while other items are transcribed.
      timeLeftSeconds: canEstimate ? Math.max(activeSeconds / speed, sendingSeconds) : null,
      pendingCosts: totals.pendingCosts(),
      stalled: totals
        .services(allStates)
        .filter((service) => service !== 'on-device')
        .map((service) => totals.costOf(movableStates(waitReasons.activity(service)), service))
        .filter(({ recordings }) => recordings > 0),
      services: totals.services(schedulableStates).map((service) => scheduler.status(service)),
      paused: store.paused,
      pausedItems: totals.count(['paused']),
      transcribingInCloud,
      autoExportChoice: store.autoExports.formatsOfUnfinished(),
    };
  }

  /** Records that a recording of this duration was transcribed. */
  recordFinished(seconds: number): void {
    this.#speed.recordFinished(seconds);
  }

  /** Stops the updates. */
  stop(): void {
    this.#rateUpdates.stop();
  }
}
