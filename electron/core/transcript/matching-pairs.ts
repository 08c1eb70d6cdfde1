/** With more differences between two lists, no pairs are found, because a full diff takes too long. */
const maxDifferences = 400;

/** The indexes of two equal values. */
type Pair = readonly [before: number, after: number];

/**
 * The farthest point that can be reached with some number of differences, for each diagonal: the index in the first
 * list after the last equal value. A diagonal is the index in the first list minus that in the second. With `n`
 * differences, the diagonals from `-n` to `n` can be reached, in steps of two; there is an unreached one on each side.
 */
type ReachedIndexes = Int32Array;

/** Marks a diagonal that was not reached; it stays negative after one more difference. */
const unreached = -2;

/**
 * Returns the indexes of equal values that two lists have in the same order; none if the lists differ too much.
 *
 * Uses Myers' algorithm. Of several shortest diffs, it finds the same one as the package `diff`, but creates no objects
 * in each step: with the package, a replacement in a whole transcript took seconds.
 */
export function matchingPairs(before: readonly string[], after: readonly string[]): readonly Pair[] {
  const reached: ReachedIndexes[] = [];
  // On the diagonals beyond these, one of the lists has ended.
  let [minDiagonal, maxDiagonal] = [-Infinity, Infinity];
  for (let count = 0; count <= Math.min(maxDifferences, before.length + after.length); count += 1) {
    const indexes = new Int32Array(count + 3).fill(unreached);
    reached.push(indexes);
    for (let at = 0; at <= count; at += 1) {
      const diagonal = 2 * at - count;
      if (diagonal < minDiagonal || diagonal > maxDiagonal) continue;
      let index = indexAfter(reached[count - 1], at);
      if (index < 0) continue;
      while (index < before.length && before[index] === after[index - diagonal]) index += 1;
      indexes[at + 1] = index;
      const isAtEnd = index === before.length;
      const isAtOtherEnd = index - diagonal === after.length;
      if (isAtEnd && isAtOtherEnd) return pairsOnPath(reached, at);
      if (isAtEnd) maxDiagonal = diagonal - 1;
      if (isAtOtherEnd) minDiagonal = diagonal + 1;
    }
  }
  return [];
}

/** Returns the index in the first list after one more difference; negative if there is no way there. */
const indexAfter = (fewer: ReachedIndexes | undefined, at: number): number =>
  fewer === undefined ? 0 : Math.max((fewer[at] ?? unreached) + 1, fewer[at + 1] ?? unreached);

/** Returns the equal values on the way to a diagonal with the highest number of differences. */
function pairsOnPath(reached: readonly ReachedIndexes[], last: number): readonly Pair[] {
  const pairs: Pair[] = [];
  let at = last;
  for (let count = reached.length - 1; count >= 0; count -= 1) {
    const fewer = reached[count - 1];
    const first = indexAfter(fewer, at);
    const diagonal = 2 * at - count;
    for (let index = (reached[count]?.[at + 1] ?? 0) - 1; index >= first; index -= 1)
      pairs.push([index, index - diagonal]);
    const isInsertion = fewer?.[at + 1] === first;
    if (!isInsertion) at -= 1;
  }
  return pairs.reverse();
}
