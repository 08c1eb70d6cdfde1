import { partitionPoint } from './partition-point.ts';

/** When somebody speaks, in seconds from the start of the recording. Turns of several speakers can overlap. */
export interface TimedTurn {
  readonly start: number;
  readonly end: number;
  readonly speaker: number;
}

/** A span without speech is assigned to the closest turn within this distance. */
const maxGapSeconds = 1;
/** Overlaps that differ by less are equal. */
const toleranceSeconds = 0.001;

/** A part of the recording, in seconds. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** Finds turns by time. */
export class TurnIndex<T extends TimedTurn = TimedTurn> {
  readonly #turns: readonly T[];
  /** For each turn, the latest end of all turns up to it. */
  readonly #latestEnds: Float64Array;

  constructor(turns: readonly T[]) {
    this.#turns = turns;
    let latest = -Infinity;
    this.#latestEnds = Float64Array.from(turns, ({ end }) => (latest = Math.max(latest, end)));
  }

  /**
   * Returns who speaks most between two times, or else closest to them; `null` if nobody does.
   *
   * @param preferred the speaker who is chosen among those who speak equally long
   */
  speakerOf(span: Span, preferred: number | null): number | null {
    const seconds = new Map<number, number>();
    let closest: number | null = null;
    let gap = maxGapSeconds;
    for (const { turn, overlap } of this.turnsNear(span)) {
      if (overlap > 0) seconds.set(turn.speaker, (seconds.get(turn.speaker) ?? 0) + overlap);
      else if (-overlap < gap) {
        gap = -overlap;
        closest = turn.speaker;
      }
    }
    const most = Math.max(...seconds.values());
    const candidates = [...seconds].filter(([, overlap]) => overlap > most - toleranceSeconds);
    const [first] = candidates.find(([speaker]) => speaker === preferred) ?? candidates[0] ?? [];
    return first ?? closest;
  }

  /**
   * Yields the turns that overlap a part of the recording or are close to it, in order of their start, with their
   * overlap in seconds. For a turn that does not overlap, this is its distance as a negative number.
   */
  *turnsNear({ start, end }: Span): Generator<{ readonly turn: T; readonly overlap: number }> {
    for (let i = this.#firstEndingAfter(start - maxGapSeconds); i < this.#turns.length; i++) {
      const turn = this.#turns[i];
      if (turn === undefined || turn.start > end + maxGapSeconds) return;
      const overlap = Math.min(turn.end, end) - Math.max(turn.start, start);
      if (overlap > -maxGapSeconds) yield { turn, overlap };
    }
  }

  /** Returns the index of the first turn that ends after a time. */
  #firstEndingAfter(time: number): number {
    return partitionPoint(this.#latestEnds, (latestEnd) => latestEnd <= time);
  }
}
