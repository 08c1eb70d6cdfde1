import type { ItemId } from '../../contract/identifiers.ts';
import type { QueueRow, RowState } from '../../contract/queue-commands.ts';
import type { Clock } from '../../core/ports.ts';
import { isSettled } from './run-events.ts';

/** Milliseconds before the first estimate of the time left: earlier ones would jump. */
const minElapsedMs = 3_000;
/** The assumed duration of a recording while no duration is known, in milliseconds. */
const assumedMs = 60_000;

/** An amount of audio, in integers, so that sums are exact. */
interface Amount {
  /** The duration of recordings for which it is known. */
  readonly knownMs: number;
  /** The other recordings, in percent of one. */
  readonly unknownPercent: number;
}

/** How much of one recording is transcribed. */
interface RecordingProgress {
  readonly isSettled: boolean;
  readonly total: Amount;
  readonly done: Amount;
}

const zero: Amount = { knownMs: 0, unknownPercent: 0 };

const add = (one: Amount, other: Amount, sign = 1): Amount => ({
  knownMs: one.knownMs + sign * other.knownMs,
  unknownPercent: one.unknownPercent + sign * other.unknownPercent,
});

/** The progress of a run, measured in audio that is transcribed: its percentage, and the time left at its own speed. */
export class RunProgress {
  readonly #clock: Clock;
  readonly #recordings = new Map<ItemId, RecordingProgress>();
  #settled = 0;
  #total = zero;
  #done = zero;
  /** What was done before this run. */
  #doneBefore = zero;
  #startedAt: number | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The number of recordings. */
  get count(): number {
    return this.#recordings.size;
  }

  /** How many of them are settled. */
  get settled(): number {
    return this.#settled;
  }

  /** 0 to 100, rounded down. */
  get percent(): number {
    const total = this.#toMilliseconds(this.#total);
    if (total === 0) return this.#settled < this.count ? 0 : 100;
    return Math.floor((100 * this.#toMilliseconds(this.#done)) / total);
  }

  /** `null` while it cannot be estimated, and once everything is done. */
  get secondsLeft(): number | null {
    if (this.#startedAt === null) return null;
    const elapsedMs = this.#clock.now() - this.#startedAt;
    const done = this.#toMilliseconds(add(this.#done, this.#doneBefore, -1));
    if (elapsedMs < minElapsedMs || done <= 0) return null;
    const left = this.#toMilliseconds(add(this.#total, this.#done, -1));
    return left === 0 ? null : (left * elapsedMs) / 1000 / done;
  }

  /** Updates the progress with the state of one recording. */
  update({ id, state, durationSeconds }: QueueRow): void {
    const recording: RecordingProgress = {
      isSettled: isSettled(state),
      total: amountOf(durationSeconds, 100),
      done: amountOf(durationSeconds, percentDone(state)),
    };
    const previous = this.#recordings.get(id);
    if (previous === undefined) this.#doneBefore = add(this.#doneBefore, recording.done);
    else this.#addToSums(previous, -1);
    this.#addToSums(recording, 1);
    this.#recordings.set(id, recording);
    if (!recording.isSettled && state.kind !== 'waiting') this.#startedAt ??= this.#clock.now();
  }

  #addToSums(recording: RecordingProgress, sign: 1 | -1): void {
    if (recording.isSettled) this.#settled += sign;
    this.#total = add(this.#total, recording.total, sign);
    this.#done = add(this.#done, recording.done, sign);
  }

  /** Returns milliseconds of audio. A recording of unknown duration counts as long as the mean of the others. */
  #toMilliseconds({ knownMs, unknownPercent }: Amount): number {
    const recordings = this.#recordings.size - this.#total.unknownPercent / 100;
    const mean = this.#total.knownMs / recordings;
    return knownMs + (unknownPercent / 100) * (mean > 0 ? mean : assumedMs);
  }
}

/** Returns how much of a recording is transcribed, in percent. */
function percentDone(state: RowState): number {
  if (state.kind === 'transcribing') return Math.min(Math.max(Math.floor(state.progress), 0), 100);
  return isSettled(state) || state.kind === 'saving' ? 100 : 0;
}

const amountOf = (durationSeconds: number | null, percent: number): Amount =>
  durationSeconds === null
    ? { knownMs: 0, unknownPercent: percent }
    : { knownMs: Math.round(durationSeconds * 10 * percent), unknownPercent: 0 };
