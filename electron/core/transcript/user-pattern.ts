import { maxTextLength } from '../../contract/limits.ts';
import type { Captures, PatternError, Query } from '../../contract/query.ts';

/** The kinds of errors in a pattern, each with the messages of V8 that report it. */
const errorMessages = {
  group: ['Unterminated group'],
  parenthesis: ["Unmatched ')'"],
  class: ['Unterminated character class'],
  repeat: ['Nothing to repeat', 'Invalid quantifier'],
  braces: ['Lone quantifier brackets', 'Incomplete quantifier'],
  range: ['Range out of order in character class', 'numbers out of order in {} quantifier'],
  escape: [String.raw`\ at end of pattern`, 'Invalid escape', 'Invalid Unicode escape'],
  property: ['Invalid property name', 'Invalid property name in character class'],
  name: ['Invalid capture group name', 'Invalid named capture referenced', 'Duplicate capture group name'],
} as const satisfies Record<Exclude<PatternError, 'other'>, readonly string[]>;

/** Milliseconds that matching may take in one transcript; a simple pattern needs much less for a day of speech. */
export const maxMatchingMs = 2000;

/** A match in one of several texts, in UTF-16 units. */
export interface PatternMatch {
  /** Index of the text. */
  readonly index: number;
  readonly start: number;
  readonly end: number;
}

/** The matches of a pattern in several texts, in order. */
export interface PatternMatches {
  /** Text, start and end of each match, one after the other. */
  readonly packed: Uint32Array;
  /** Whether there are more than {@link maxPatternMatches}. */
  readonly isCapped: boolean;
}

/** The outcome of replacing all matches. */
export interface PatternReplacement {
  /** How many matches were replaced; an empty match replaced by an empty text does not count. */
  readonly count: number;
  readonly changed: readonly { readonly index: number; readonly text: string }[];
}

/**
 * The maximum number of matches that are found: more cannot be stepped through one by one. A replacement has no such
 * limit.
 */
export const maxPatternMatches = 100_000;

/**
 * Compiles a pattern that the user typed. Nothing limits the time that it takes to match, so it may only run in a worker,
 * and only for {@link maxMatchingMs}.
 */
export function compilePattern({ text, matchCase, wholeWords }: Query): RegExp | PatternError {
  const flags = matchCase ? 'gmu' : 'gimu';
  try {
    const pattern = new RegExp(text, flags);
    // Compiled on its own first: `a)(b` would be valid within a group.
    return wholeWords
      ? new RegExp(String.raw`(?<![\p{L}\p{N}\p{M}])(?:${text})(?![\p{L}\p{N}\p{M}])`, flags)
      : pattern;
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const kinds = Object.entries(errorMessages) as readonly [PatternError, readonly string[]][];
    const kind = kinds.find(([, messages]) => messages.some((ending) => message.endsWith(`: ${ending}`)));
    return kind?.[0] ?? 'other';
  }
}

/**
 * Returns the matches of a pattern in a text. An empty match directly after another match is skipped: the pattern `.*`
 * would otherwise match each line and then its end.
 */
export function* matchesIn(text: string, pattern: RegExp): Generator<RegExpExecArray> {
  let lastEnd = -1;
  for (const match of text.matchAll(pattern)) {
    const end = match.index + match[0].length;
    if (end > lastEnd) yield match;
    lastEnd = end;
  }
}

/** Finds a pattern in texts; no match extends over two of them. */
export function findPattern(texts: readonly string[], pattern: RegExp): PatternMatches {
  const packed: number[] = [];
  for (const [index, text] of texts.entries()) {
    for (const { index: start, 0: match } of matchesIn(text, pattern)) {
      if (packed.length === maxPatternMatches * 3)
        return { packed: Uint32Array.from(packed), isCapped: true };
      packed.push(index, start, start + match.length);
    }
  }
  return { packed: Uint32Array.from(packed), isCapped: false };
}

/** Returns the matches that {@link findPattern} found, in order. */
export const unpackMatches = ({ packed }: PatternMatches): readonly PatternMatch[] =>
  Array.from({ length: packed.length / 3 }, (_, at) => ({
    index: packed[at * 3] ?? 0,
    start: packed[at * 3 + 1] ?? 0,
    end: packed[at * 3 + 2] ?? 0,
  }));

/**
 * Replaces all matches in texts.
 *
 * @param replacement See {@link expand}.
 * @returns `null` if the texts would become longer than a transcript may be.
 */
export function replacePattern(
  texts: readonly string[],
  pattern: RegExp,
  replacement: string,
): PatternReplacement | null {
  let count = 0;
  let added = 0;
  const changed: { readonly index: number; readonly text: string }[] = [];
  for (const [index, before] of texts.entries()) {
    let text = '';
    let copiedTo = 0;
    for (const match of matchesIn(before, pattern)) {
      const inserted = expand(capturesOf(match), replacement);
      if (match[0] !== '' || inserted !== '') count += 1;
      added += inserted.length;
      if (added > maxTextLength) return null;
      text += before.slice(copiedTo, match.index) + inserted;
      copiedTo = match.index + match[0].length;
    }
    text += before.slice(copiedTo);
    if (text !== before) changed.push({ index, text });
  }
  return { count, changed };
}

/** A match, and what replaces it. */
export interface ExpandedMatch {
  /** The end of the match, in UTF-16 units. */
  readonly end: number;
  readonly replacement: string;
}

/** Returns what {@link replacePattern} puts in place of the match at an offset; `null` if there is none. */
export function expandAt(
  text: string,
  pattern: RegExp,
  start: number,
  replacement: string,
): ExpandedMatch | null {
  const sticky = new RegExp(pattern, pattern.flags.replace('g', 'y'));
  sticky.lastIndex = start;
  const match = sticky.exec(text);
  return match === null
    ? null
    : { end: start + match[0].length, replacement: expand(capturesOf(match), replacement) };
}

const reference = /\$(?:\$|&|(\d\d?)|<([^>]{0,100})>)/gu;
/** Where no group has a name, `$<` is what it looks like. */
const unnamedReference = /\$(?:\$|&|(\d\d?))/gu;

/** Returns what a pattern matched. */
export const capturesOf = (match: RegExpExecArray): Captures => ({
  // A group that took no part is `undefined`, although TypeScript does not know.
  groups: Array.from(match, (group: string | undefined) => group ?? null),
  named: match.groups === undefined ? null : { ...match.groups },
});

/**
 * Returns the replacement of a match: `$1` to `$99` and `$<name>` are its groups, `$&` is the match and `$$` a dollar
 * sign, as in JavaScript. What refers to no group: a number stays as it was typed, and a name is replaced by nothing, or
 * stays too if no group has a name.
 */
export function expand({ groups, named }: Captures, replacement: string): string {
  const references = named === null ? unnamedReference : reference;
  return replacement.replaceAll(references, (typed: string, digits?: string, name?: string) => {
    if (typed === '$$') return '$';
    if (typed === '$&') return groups[0] ?? '';
    if (named !== null && name !== undefined) return Object.hasOwn(named, name) ? (named[name] ?? '') : '';
    // `$12` is the first group and a 2 if there are fewer than twelve.
    for (const number of [digits ?? '', digits?.slice(0, 1) ?? '']) {
      const group = Number(number);
      if (group > 0 && group < groups.length)
        return (groups[group] ?? '') + (digits ?? '').slice(number.length);
    }
    return typed;
  });
}
