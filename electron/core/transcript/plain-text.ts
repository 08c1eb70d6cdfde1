import { unspacedScripts } from './words-in-text.ts';

// Line breaks and all other control characters, Unicode's own line and paragraph separators among them.
const lineBreak = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/u;
const controls = /\p{Cc}/gu;
// White space and control characters other than a single space.
const irregularSpace = /[\s\p{Cc}]{2,}|[^\S ]|\p{Cc}/gu;

/** A quick test: matches every text that needs normalizing, and a few that do not. */
const mayNeedNormalizing =
  /[^ -~\u00a1-\u167f\u1681-\u1fff\u200b-\u2027\u202a-\u202e\u2030-\u205e\u2060-\u2fff\u3001-\ud7ff\ue000-\ufefe\uff00-\uffff]|  /;

const unspaced = String.raw`${unspacedScripts}\u3000-\u303f\u30fc\uff01-\uff60`;
const endsUnspaced = new RegExp(`[${unspaced}]$`, 'u');
const startsUnspaced = new RegExp(`^[${unspaced}]`, 'u');

/** Puts a text on one line: each run of white space or control characters becomes a space. */
export function oneLine(text: string): string {
  if (!mayNeedNormalizing.test(text)) return text.trim();
  return text.toWellFormed().replace(irregularSpace, ' ').trim();
}

/** Makes a text well-formed, with a space for each run of line breaks and other control characters. */
export const replaceControls = (text: string): string => text.toWellFormed().replaceAll(/\p{Cc}+/gu, ' ');

/** Returns the lines of a text, without empty ones and without control characters. */
export function linesOf(text: string): string[] {
  return text
    .toWellFormed()
    .split(lineBreak)
    .map((line) => line.replace(controls, ' ').trim())
    .filter((line) => line !== '');
}

/** Whether two adjacent texts need a space between them; in scripts such as Chinese or Thai they do not. */
export function needsSpace(before: string, after: string): boolean {
  if (isSpaced(before.charCodeAt(before.length - 1)) && isSpaced(after.charCodeAt(0))) return true;
  return !(endsUnspaced.test(before) || startsUnspaced.test(after));
}

/** Whether a code unit certainly belongs to a script with spaces: a quick test for most texts. */
const isSpaced = (unit: number): boolean => unit < 0xe00 || (unit >= 0x2000 && unit < 0x2e80);

/** Removes all white space from a text. */
export const withoutSpace = (text: string): string => text.replaceAll(/\s/gu, '');

/** Counts the UTF-16 units of a text that are not white space. */
export const countNonSpace = (text: string): number => withoutSpace(text).length;

/** Joins adjacent texts, with a space where their scripts have one. */
export function joinTexts(texts: readonly string[]): string {
  let joined = '';
  let before = '';
  for (const text of texts) {
    if (text === '') continue;
    joined += before !== '' && needsSpace(before, text) ? ` ${text}` : text;
    before = text;
  }
  return joined;
}

/**
 * Returns the whole text of a transcript: `text`, which may have paragraphs, unless its segments say something else, as
 * those of a file that was edited elsewhere. The segments are what is shown and searched, so that they are right.
 */
export function textOfSegments(text: string, segments: readonly { readonly text: string }[]): string {
  const joined = joinTexts(segments.map((segment) => oneLine(segment.text)));
  return segments.length === 0 || hasSameCharacters(text, joined) ? text : joined;
}

/** Whether two texts differ at most in white space and control characters. */
const hasSameCharacters = (one: string, other: string): boolean =>
  one === other || withoutSpaceAndControls(one) === withoutSpaceAndControls(other);

const withoutSpaceAndControls = (text: string): string => text.toWellFormed().replaceAll(/[\s\p{Cc}]+/gu, '');

const firstLetter = /\p{L}/u;
const rightToLeft = /[\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}\p{sc=Adlm}]/u;
const leftToRight = /[^\P{L}\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}\p{sc=Adlm}]/u;
const rightToLeftScripts: ReadonlySet<string> = new Set(['Hebr', 'Arab', 'Syrc', 'Thaa', 'Nkoo', 'Adlm']);

export type Direction = 'ltr' | 'rtl';

const directions = new Map<string, Direction>();

/** Returns the direction of a language by its BCP 47 tag. */
function directionOfLanguage(tag: string): Direction {
  const cached = directions.get(tag);
  if (cached !== undefined) return cached;
  const script = new Intl.Locale(tag).maximize().script ?? '';
  const direction = rightToLeftScripts.has(script) ? 'rtl' : 'ltr';
  directions.set(tag, direction);
  return direction;
}

/**
 * Returns the direction of a text that is in a language, or contains some of it, such as a sentence that begins with a
 * foreign name; `null` when only its first letter can decide.
 *
 * @param language BCP 47 tag; `null` if it is unknown
 */
export function directionIn(text: string, language: string | null): Direction | null {
  if (language === null) return null;
  const direction = directionOfLanguage(language);
  return (direction === 'rtl' ? rightToLeft : leftToRight).test(text) ? direction : null;
}

/** Whether a text is read from right to left, which the language of its letters or its first letter decides. */
export function isRightToLeft(text: string, language: string | null): boolean {
  const direction = directionIn(text, language);
  return direction === null ? rightToLeft.test(firstLetter.exec(text)?.[0] ?? '') : direction === 'rtl';
}

/** The number of segments whose text decides the direction of a transcript. */
const maxExaminedSegments = 50;

/**
 * Returns the direction of a transcript: that of its language if its first segments are in it, else that of most of
 * them.
 */
export function directionOf(
  segments: readonly { readonly text: string }[],
  language: string | null,
): Direction {
  const beginning = segments.slice(0, maxExaminedSegments);
  const isInLanguage =
    beginning.length === 0 || beginning.some(({ text }) => directionIn(text, language) !== null);
  if (language !== null && isInLanguage) return directionOfLanguage(language);
  const isMostlyRightToLeft =
    beginning.filter(({ text }) => isRightToLeft(text, null)).length * 2 > beginning.length;
  return isMostlyRightToLeft ? 'rtl' : 'ltr';
}
