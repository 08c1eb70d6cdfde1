const digits = (value: number, count: number): string => String(value).padStart(count, '0');

/**
 * Formats seconds to be edited, exact to the millisecond: "1:02.5", "1:02:40.125".
 *
 * @param decimalMark of the language
 */
export function editableTime(seconds: number, decimalMark: string): string {
  const milliseconds = Math.max(0, Math.round(seconds * 1000));
  const wholeSeconds = Math.floor(milliseconds / 1000);
  const [hours, minutes] = [Math.floor(wholeSeconds / 3600), Math.floor((wholeSeconds % 3600) / 60)];
  const fraction = digits(milliseconds % 1000, 3).replace(/0{1,2}$/u, '');
  const rest = `${digits(wholeSeconds % 60, 2)}${decimalMark}${fraction}`;
  return hours > 0 ? `${hours}:${digits(minutes, 2)}:${rest}` : `${minutes}:${rest}`;
}

const timePattern = /^(?:(?:(\d{1,4}):)?(\d{1,6}):)?(\d{1,7})(?:[.,](\d{0,3})\d*)?$/u;

/**
 * Parses a time that a person typed: seconds, minutes and seconds, or hours, minutes and seconds, with a decimal point or
 * comma.
 *
 * @returns seconds, cut to the millisecond; `null` if it is not a time
 */
export function parseTime(text: string): number | null {
  const match = timePattern.exec(text.replaceAll(/\s/gu, ''));
  if (match === null) return null;
  const [, hours, minutes, seconds, fraction = ''] = match;
  // Only the leading part may be 60 or more.
  if (minutes !== undefined && Number(seconds) >= 60) return null;
  if (hours !== undefined && Number(minutes) >= 60) return null;
  const wholeSeconds = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds);
  return (wholeSeconds * 1000 + Number(fraction.padEnd(3, '0'))) / 1000;
}
