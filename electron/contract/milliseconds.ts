/** Rounds seconds to the millisecond: finer than anybody hears, and short to store. */
export const roundToMilliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000;

/** Converts a time of a recording from seconds to whole milliseconds; one before the start is the start. */
export const toMilliseconds = (seconds: number): number => Math.max(0, Math.round(seconds * 1000));
