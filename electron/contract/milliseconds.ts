/** Rounds seconds to the millisecond: finer than audible, and short to store. */
export const roundToMilliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000;

/**
 * Converts a time of a recording from seconds to whole milliseconds. Negative values and NaN become 0; larger values than
 * `Number.MAX_SAFE_INTEGER` become that.
 */
export const toMilliseconds = (seconds: number): number =>
  Math.max(0, Math.round(Math.min(seconds * 1000, Number.MAX_SAFE_INTEGER)) || 0);
