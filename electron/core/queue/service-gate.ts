import type { ServiceCondition } from '../../contract/model.ts';
import { backoffMs } from './backoff.ts';
import type { Moment } from './machine-steps.ts';
import type { ServiceNews } from './verdict.ts';

/** After so long without an answer a probe is taken for lost. */
const probeMs = 120_000;
const creditProbeMs = 15 * 60_000;
const usualLimitMs = 30_000;
const usualSlotMs = 15_000;
const cleanMinuteMs = 60_000;

/** What a request is for: new jobs are held back where old ones go on. */
export type Errand = 'begin' | 'go-on';

/**
 * What stands in the way of one service as a whole. Only what every item would meet is held here, so that no item
 * loses an attempt to it.
 */
export class ServiceGate {
  #condition: ServiceCondition = { kind: 'ready' };
  #probeAt = 0;
  #probes = 0;
  #slotsUntil = 0;
  #concurrency: number;
  #cleanSince = 0;
  readonly #fullConcurrency: number;

  /** @param fullConcurrency how many requests may run at once while nothing is wrong. */
  constructor(fullConcurrency: number) {
    this.#fullConcurrency = fullConcurrency;
    this.#concurrency = fullConcurrency;
  }

  get condition(): ServiceCondition {
    return this.#condition;
  }

  /** Hears what an answer said of the whole service. */
  hear(news: ServiceNews, { now, chance }: Moment): void {
    switch (news.kind) {
      case 'offline':
        this.#probes += 1;
        this.#probeAt = now + backoffMs(Math.min(this.#probes, 6), chance, 1_000);
        this.#condition = { kind: 'offline' };
        return;
      case 'stopped':
        this.#condition = { kind: 'stopped', problem: news.problem };
        return;
      case 'no-credits':
        this.#probeAt = now + creditProbeMs;
        if (this.#condition.kind !== 'stopped')
          this.#condition = { kind: 'no-credits', problem: news.problem };
        return;
      case 'slots-full':
        this.#slotsUntil = now + (news.retryAfterMs ?? usualSlotMs);
        return;
      case 'rate-limited':
        this.#concurrency = Math.max(1, Math.floor(this.#concurrency / 2));
        this.#condition = { kind: 'limited', until: now + (news.retryAfterMs ?? usualLimitMs) };
        this.#cleanSince = now;
    }
  }

  /** A request was answered as it should be. */
  succeeded(errand: Errand, now: number): void {
    const { kind } = this.#condition;
    this.#probes = 0;
    if (kind === 'offline' || kind === 'limited' || (kind === 'no-credits' && errand === 'begin'))
      this.#clear();
    if (this.#concurrency < this.#fullConcurrency && now - this.#cleanSince >= cleanMinuteMs) {
      this.#concurrency += 1;
      this.#cleanSince = now;
    }
  }

  /** The account has more credits than before: new jobs may be tried at once. */
  balanceRose(): void {
    if (this.#condition.kind === 'no-credits') this.#clear();
  }

  /** One of our jobs has ended. */
  slotFreed(): void {
    this.#slotsUntil = 0;
  }

  /** The user has mended something, or wants it tried at once. */
  reopen(): void {
    this.#clear();
    this.#slotsUntil = 0;
  }

  /** A request has been started; while something is wrong it is the one probe for some time. */
  started(errand: Errand, now: number): void {
    if (this.#condition.kind === 'offline') this.#probeAt = now + probeMs;
    if (this.#condition.kind === 'no-credits' && errand === 'begin') this.#probeAt = now + creditProbeMs;
  }

  /** How many requests for `errand` may run at once now, besides the `running` ones. */
  room(errand: Errand, running: number, now: number): number {
    const free = Math.max(0, this.#concurrency - running);
    if (errand === 'begin' && now < this.#slotsUntil) return 0;
    switch (this.#condition.kind) {
      case 'ready':
        return free;
      case 'starting':
      case 'stopped':
        return 0;
      case 'offline':
        return now >= this.#probeAt ? 1 : 0;
      case 'limited':
        return now >= this.#condition.until ? free : 0;
      case 'no-credits':
        return errand === 'go-on' || now >= this.#probeAt ? free : 0;
    }
  }

  /** When something will be allowed that is not now, Unix milliseconds; `null` when time alone changes nothing. */
  nextChangeAt(now: number): number | null {
    const times = [this.#slotsUntil];
    if (this.#condition.kind === 'limited') times.push(this.#condition.until);
    if (this.#condition.kind === 'offline' || this.#condition.kind === 'no-credits')
      times.push(this.#probeAt);
    const coming = times.filter((time) => time > now);
    return coming.length === 0 ? null : Math.min(...coming);
  }

  #clear(): void {
    this.#condition = { kind: 'ready' };
  }
}
