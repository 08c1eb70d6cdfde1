import type { ItemId } from '../../contract/identifiers.ts';
import type { QueueRow, RowState } from '../../contract/queue-commands.ts';
import type { Clock } from '../../core/ports.ts';
import { isSettled } from './run-events.ts';

/** An estimate from a shorter time would jump, in milliseconds. */
const minElapsedMs = 3_000;
/** The duration of a recording while none is known, in milliseconds. */
const assumedMs = 60_000;

/** An amount of audio, in integers, so that sums are exact. */
interface Amount {
  /** Of recordings whose duration is known, in milliseconds. */
  readonly known: number;
  /** Of the others, in percent of a recording. */
  readonly unknown: number;
}

/** How far one recording is. */
interface Share {
  readonly isSettled: boolean;
  readonly whole: Amount;
  readonly done: Amount;
}

const nothing: Amount = { known: 0, unknown: 0 };

const add = (one: Amount, other: Amount, sign = 1): Amount => ({
  known: one.known + sign * other.known,
  unknown: one.unknown + sign * other.unknown,
});

/** How far a run is, measured in audio that is transcribed: its percentage, and the time left at its own speed. */
export class RunProgress {
  readonly #clock: Clock;
  readonly #shares = new Map<ItemId, Share>();
  #settled = 0;
  #whole = nothing;
  #done = nothing;
  /** What was done before this run. */
  #doneBefore = nothing;
  #startedAt: number | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The number of recordings. */
  get all(): number {
    return this.#shares.size;
  }

  /** How many of them are settled. */
  get settled(): number {
    return this.#settled;
  }

  /** 0 to 100, rounded down. */
  get percent(): number {
    const whole = this.#lengthOf(this.#whole);
    if (whole === 0) return this.#settled < this.all ? 0 : 100;
    return Math.floor((100 * this.#lengthOf(this.#done)) / whole);
  }

  /** `null` while it cannot be estimated, and once everything is done. */
  get secondsLeft(): number | null {
    if (this.#startedAt === null) return null;
    const elapsedMs = this.#clock.now() - this.#startedAt;
    const done = this.#lengthOf(add(this.#done, this.#doneBefore, -1));
    if (elapsedMs < minElapsedMs || done <= 0) return null;
    const left = this.#lengthOf(add(this.#whole, this.#done, -1));
    return left === 0 ? null : (left * elapsedMs) / 1000 / done;
  }

  /** Takes the state of a recording of the run. */
  update({ id, state, durationSeconds }: QueueRow): void {
    const share: Share = {
      isSettled: isSettled(state),
      whole: amountOf(durationSeconds, 100),
      done: amountOf(durationSeconds, percentDone(state)),
    };
    const before = this.#shares.get(id);
    if (before === undefined) this.#doneBefore = add(this.#doneBefore, share.done);
    else this.#count(before, -1);
    this.#count(share, 1);
    this.#shares.set(id, share);
    if (!share.isSettled && state.kind !== 'waiting') this.#startedAt ??= this.#clock.now();
  }

  #count(share: Share, sign: 1 | -1): void {
    if (share.isSettled) this.#settled += sign;
    this.#whole = add(this.#whole, share.whole, sign);
    this.#done = add(this.#done, share.done, sign);
  }

  /** Returns milliseconds of audio. A recording of unknown duration counts as long as the mean of the others. */
  #lengthOf({ known, unknown }: Amount): number {
    const recordings = this.#shares.size - this.#whole.unknown / 100;
    const mean = this.#whole.known / recordings;
    return known + (unknown / 100) * (mean > 0 ? mean : assumedMs);
  }
}

/** Returns how much of a recording is transcribed, in percent. */
function percentDone(state: RowState): number {
  if (state.kind === 'transcribing') return Math.min(Math.max(Math.floor(state.progress), 0), 100);
  return isSettled(state) || state.kind === 'saving' ? 100 : 0;
}

const amountOf = (durationSeconds: number | null, percent: number): Amount =>
  durationSeconds === null
    ? { known: 0, unknown: percent }
    : { known: Math.round(durationSeconds * 10 * percent), unknown: 0 };
