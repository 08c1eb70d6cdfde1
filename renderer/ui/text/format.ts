import type { TFunction } from 'i18next';
import { languageTag } from '../../../electron/contract/languages.ts';
import { clockTime, twoDigits } from '../../../electron/core/transcript/clock-time.ts';

/** Formats numbers, times and sizes for people, in one language. */
export interface Format {
  number(value: number): string;
  /** A fraction from 0 to 1 as "52%". */
  percent(fraction: number): string;
  /** A speed factor: "24", or "1.4" while small. */
  factor(times: number): string;
  /** US dollars as "$1.76"; as "$0.004" below a cent. */
  dollars(amount: number): string;
  /** Bytes as "1.3 GB", in powers of 1000. */
  bytes(bytes: number): string;
  /** Seconds as "2 h 14 min", "41 min" or "12 s". */
  duration(seconds: number): string;
  /** Unix milliseconds as "18 November 2026". */
  date(at: number): string;
  /** Unix milliseconds as "18 Nov 2026". */
  shortDate(at: number): string;
  /** Unix milliseconds as "14:32". */
  time(at: number): string;
  /** Unix milliseconds as "14:32:07". */
  exactTime(at: number): string;
  /** An ISO 639 code as "German"; unchanged when it is unknown. */
  language(code: string): string;
  /** Words joined as "SRT and TXT". */
  list(words: readonly string[]): string;
}

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Languages that Chromium has no names for. */
const unnamedLanguages = ['ba', 'bo'] as const;

/**
 * Creates the formats of a language.
 *
 * @param locale a BCP 47 tag, for numbers and dates.
 * @param t the texts of the units.
 */
export function createFormat(locale: string, t: TFunction): Format {
  const number = once(() => new Intl.NumberFormat(locale));
  const percent = once(() => new Intl.NumberFormat(locale, { style: 'percent' }));
  const date = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'long' }));
  const shortDate = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }));
  const time = once(() => new Intl.DateTimeFormat(locale, { timeStyle: 'short' }));
  const exactTime = once(() => new Intl.DateTimeFormat(locale, { timeStyle: 'medium' }));
  const languages = once(() => new Intl.DisplayNames(locale, { type: 'language' }));
  const list = once(() => new Intl.ListFormat(locale, { type: 'conjunction' }));
  const sizes = byteUnits.map((unit, scale) => ({
    small: once(() => sizeFormat(locale, unit, scale > 0 ? 1 : 0)),
    large: once(() => sizeFormat(locale, unit, 0)),
  }));

  return {
    number: (value) => number().format(value),
    percent: (fraction) => percent().format(fraction),
    factor: (times) =>
      new Intl.NumberFormat(locale, { maximumFractionDigits: times < 10 ? 1 : 0 }).format(times),
    dollars: (amount) =>
      new Intl.NumberFormat(locale, {
        style: 'currency',
        currency: 'USD',
        currencyDisplay: 'narrowSymbol',
        maximumFractionDigits: amount > 0 && amount < 0.01 ? 4 : 2,
      }).format(amount),
    bytes(bytes) {
      const scale = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), byteUnits.length - 1);
      const value = bytes / 1000 ** scale;
      return sizes[scale]?.[value < 10 ? 'small' : 'large']().format(value) ?? '';
    },
    duration(seconds) {
      const wholeSeconds = Math.round(seconds);
      if (wholeSeconds < 60) return t('unit.seconds', { seconds: wholeSeconds });
      const minutes = Math.round(wholeSeconds / 60);
      if (minutes < 60) return t('unit.minutes', { minutes });
      const hours = Math.floor(minutes / 60);
      const rest = minutes % 60;
      return rest === 0 || hours >= 100
        ? t('unit.hours', { hours })
        : t('unit.hoursMinutes', { hours, minutes: rest });
    },
    date: (at) => date().format(at),
    shortDate: (at) => shortDate().format(at),
    time: (at) => time().format(at),
    exactTime: (at) => exactTime().format(at),
    language(code) {
      const unnamed = unnamedLanguages.find((other) => other === code);
      if (unnamed !== undefined) return t(`language.${unnamed}`);
      const tag = languageTag(code);
      return tag === null ? code : (languages().of(tag) ?? code);
    },
    list: (words) => list().format(words),
  };
}

/** Creates something on first use: creating all formats takes longer than the first frame. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

const sizeFormat = (
  locale: string,
  unit: (typeof byteUnits)[number],
  maximumFractionDigits: number,
): Intl.NumberFormat =>
  new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay: unit === 'byte' ? 'long' : 'short',
    maximumFractionDigits,
  });

/** Formats seconds as a time code, as wide as the longest one of its recording: "07:18", or "0:07:18" past an hour. */
export function formatTimeCode(seconds: number, maxSeconds: number): string {
  const wholeSeconds = Math.max(0, Math.floor(seconds));
  const hours = Math.floor(wholeSeconds / 3600);
  const rest = `${twoDigits(Math.floor((wholeSeconds % 3600) / 60))}:${twoDigits(wholeSeconds % 60)}`;
  return maxSeconds >= 3600 ? `${hours}:${rest}` : rest;
}

/**
 * Formats seconds like {@link clockTime}, with a tenth unless it is 0. The rest is cut off, so that the seconds are those
 * that a time code without tenths has.
 */
export function formatExactTime(seconds: number, format: Pick<Format, 'number'>): string {
  // By milliseconds, so that no error of a float is cut off to the tenth before.
  const tenths = Math.floor(Math.round(seconds * 1000) / 100);
  return clockTime(tenths / 10) + format.number((tenths % 10) / 10).slice(1);
}

/** Returns languages with their names, sorted by name in the alphabetical order of a locale. */
export function sortedByName(
  codes: readonly string[],
  nameOf: (code: string) => string,
  locale: string,
): readonly { readonly code: string; readonly name: string }[] {
  const { compare } = new Intl.Collator(locale);
  return codes.map((code) => ({ code, name: nameOf(code) })).sort((a, b) => compare(a.name, b.name));
}
