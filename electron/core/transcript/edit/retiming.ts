import { roundToMilliseconds } from '../../../contract/milliseconds.ts';
import type { DraftSegment } from '../../../contract/transcript.ts';

/** Times count as equal up to this many seconds: those of a stretched transcript are rounded. */
const toleranceSeconds = 0.005;

export const isSameTime = (one: number, other: number): boolean => Math.abs(one - other) <= toleranceSeconds;

/** Maps a time of the original to the current transcript, in seconds. */
export type Retiming = (seconds: number) => number;

/** The start of a segment in the original, and its current start. */
interface MovedStart {
  readonly from: number;
  readonly to: number;
}

/**
 * Finds out how all times were changed since the original: not at all, shifted or stretched, for example by the
 * operation `retime`. `null` if fewer than half of the segments agree on it: then times cannot be compared.
 */
export function findRetiming(
  current: readonly DraftSegment[],
  original: readonly DraftSegment[],
  durationSeconds: number | null,
): Retiming | null {
  const originals = new Map(original.map(({ id, start }) => [id, start]));
  const starts: MovedStart[] = [];
  for (const { id, start } of current) {
    const from = originals.get(id);
    if (from !== undefined) starts.push({ from, to: start });
  }
  const latest = durationSeconds ?? Infinity;
  const retimings = candidatesFrom(starts).map(
    ({ factor, offset }): Retiming =>
      (seconds) =>
        Math.min(Math.max(roundToMilliseconds(seconds * factor + offset), 0), latest),
  );
  const isSupported = (retiming: Retiming): boolean =>
    starts.filter(({ from, to }) => isSameTime(retiming(from), to)).length * 2 >= starts.length;
  return retimings.find(isSupported) ?? null;
}

/** Pairs of segments, as shares of all, whose starts may show how all times were changed. */
const pairs = [
  [0, 1],
  [0, 0.5],
  [0.5, 1],
  [0.25, 0.75],
  [0.1, 0.6],
  [0.4, 0.9],
] as const;

function candidatesFrom(starts: readonly MovedStart[]): readonly { factor: number; offset: number }[] {
  const startAt = (share: number) => starts[Math.round(share * (starts.length - 1))];
  const candidates = [{ factor: 1, offset: 0 }];
  for (const [left, right] of pairs) {
    const [first, last] = [startAt(left), startAt(right)];
    if (first === undefined || last === undefined) break;
    candidates.push({ factor: 1, offset: first.to - first.from });
    const factor = (last.to - first.to) / (last.from - first.from);
    if (Number.isFinite(factor) && factor > 0)
      candidates.push({ factor, offset: first.to - first.from * factor });
  }
  return candidates;
}
