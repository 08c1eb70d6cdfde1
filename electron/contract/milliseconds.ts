/** Rounds seconds to the millisecond: finer than audible, and short to store. */
export const roundToMilliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000;

/** Converts a time of a recording from seconds to whole milliseconds; a negative one becomes 0. */
export const toMilliseconds = (seconds: number): number => Math.max(0, Math.round(seconds * 1000));
