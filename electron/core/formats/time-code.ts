import { twoDigits } from '../transcript/clock-time.ts';

/** Formats milliseconds as hours, minutes, seconds and milliseconds, such as `01:02:03.004`. */
export function timeCode(timeMs: number, decimalMark: '.' | ','): string {
  const seconds = Math.floor(timeMs / 1000);
  const hours = twoDigits(Math.floor(seconds / 3600));
  const minutes = twoDigits(Math.floor(seconds / 60) % 60);
  const restMs = timeMs % 1000;
  const milliseconds = restMs < 100 ? `0${twoDigits(restMs)}` : restMs;
  return `${hours}:${minutes}:${twoDigits(seconds % 60)}${decimalMark}${milliseconds}`;
}
