import { toMilliseconds } from '../../contract/milliseconds.ts';
import type { Shortfall } from '../../contract/queue-commands.ts';

/** Formats seconds for readers, `1:02:03`, or `2:03` in the first hour; fractions of a second are cut off. */
export function clockTime(seconds: number): string {
  const wholeSeconds = Math.max(0, Math.floor(toMilliseconds(seconds) / 1000));
  const hours = Math.floor(wholeSeconds / 3600);
  const minutes = Math.floor(wholeSeconds / 60) % 60;
  const rest = twoDigits(wholeSeconds % 60);
  return hours > 0 ? `${hours}:${twoDigits(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** Formats the duration of a recording like {@link clockTime}, but rounded to the nearest second. */
export const durationTime = (seconds: number): string => clockTime(Math.round(seconds));

/** Returns the times of a text about a shortfall. */
export const shortfallTimes = ({
  readSeconds,
  statedSeconds,
}: Shortfall): { readonly read: string; readonly stated: string } => ({
  read: durationTime(readSeconds),
  stated: durationTime(statedSeconds),
});

/** Formats a number with at least two digits. */
export function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}
