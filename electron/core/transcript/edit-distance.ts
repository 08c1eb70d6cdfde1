interface EditDistanceOptions {
  /** Distances above it are not computed: the result is then only known to be larger. */
  readonly max?: number;
  /** Whether swapping two neighbours is one edit (optimal string alignment), not two. */
  readonly countsExchange?: boolean;
}

/**
 * Returns the minimum number of units, such as letters or words, to insert, delete or replace to turn one list into the
 * other (Levenshtein).
 */
export function editDistance(
  from: readonly string[],
  to: readonly string[],
  { max = Infinity, countsExchange = false }: EditDistanceOptions = {},
): number {
  if (Math.abs(from.length - to.length) > max) return max + 1;
  let beforePrevious: readonly number[] = [];
  let previous: readonly number[] = [0, ...to.map((_, index) => index + 1)];
  for (const [i, unit] of from.entries()) {
    const row = [i + 1];
    for (const [j, other] of to.entries()) {
      const replaced = (previous[j] ?? 0) + (unit === other ? 0 : 1);
      const inserted = Math.min(row[j] ?? 0, previous[j + 1] ?? 0) + 1;
      const isExchanged = countsExchange && i > 0 && j > 0 && unit === to[j - 1] && from[i - 1] === other;
      const exchanged = isExchanged ? (beforePrevious[j - 1] ?? 0) + 1 : Infinity;
      row.push(Math.min(replaced, inserted, exchanged));
    }
    if (row.every((distance) => distance > max)) return max + 1;
    beforePrevious = previous;
    previous = row;
  }
  return previous.at(-1) ?? 0;
}
