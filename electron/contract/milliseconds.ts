/** Rounds seconds to the millisecond: finer than audible, and short to store. */
export const roundToMilliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000;

/**
 * Converts a time of a recording from seconds to whole milliseconds. The result can always be written as a time: a
 * negative one and what is not a number become 0, and one beyond all bounds the largest exact integer.
 */
export const toMilliseconds = (seconds: number): number =>
  Math.max(0, Math.round(Math.min(seconds * 1000, Number.MAX_SAFE_INTEGER)) || 0);
