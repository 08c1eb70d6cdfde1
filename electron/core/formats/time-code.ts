import { toMilliseconds } from '../../contract/milliseconds.ts';

/** Formats milliseconds as hours, minutes, seconds and milliseconds, such as `01:02:03.004`. */
export function timeCode(timeMs: number, decimalMark: '.' | ','): string {
  const seconds = Math.floor(timeMs / 1000);
  const hours = twoDigits(Math.floor(seconds / 3600));
  const minutes = twoDigits(Math.floor(seconds / 60) % 60);
  const restMs = timeMs % 1000;
  const milliseconds = restMs < 100 ? `0${twoDigits(restMs)}` : restMs;
  return `${hours}:${minutes}:${twoDigits(seconds % 60)}${decimalMark}${milliseconds}`;
}

/** Formats seconds for readers: `1:02:03`, or `2:03` in the first hour. */
export function clockTime(seconds: number): string {
  const [hours = '', minutes = '', rest = ''] = timeCode(toMilliseconds(seconds), '.').split(':');
  const wholeSeconds = rest.slice(0, 2);
  return Number(hours) > 0
    ? `${Number(hours)}:${minutes}:${wholeSeconds}`
    : `${Number(minutes)}:${wholeSeconds}`;
}

/** Formats the duration of a recording like {@link clockTime}, rounded to the nearest second as in the window. */
export const durationTime = (seconds: number): string => clockTime(Math.round(seconds));

/** Formats a number with at least two digits. */
export function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}
