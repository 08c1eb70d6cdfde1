import type { SegmentId } from '../../../contract/identifiers.ts';
import type {
  Change,
  Draft,
  DraftSegment,
  EditOperation,
  ExpandedMatch,
  MatchPosition,
} from '../../../contract/transcript.ts';
import { maxSegmentTextLength, maxTextLength } from '../../../contract/limits.ts';
import { withText, withTypedWords, withWords } from '../segment.ts';
import { wordsOf, type Word } from '../word-times.ts';
import { patternOf } from '../find.ts';
import { replaceSegment, findSegment } from './draft.ts';
import { plainLines, textChange } from './text-diff.ts';
import { replaceControls } from '../plain-text.ts';

type NewText = Omit<Extract<EditOperation, { kind: 'set-text' }>, 'kind'>;

export function setText(draft: Draft, { segment: id, text, typed }: NewText): Change {
  const found = findSegment(draft, id);
  if (found === null) return [];
  const newText = replaceControls(text);
  if (newText === found.segment.text) return [];
  const after = withText(found.segment, newText);
  return replaceSegment(found, typed === undefined ? after : withTypedWords(after, [typed]));
}

/** An operation that replaces a text, in segments and in names of speakers. */
export type ReplaceOperation = Omit<Extract<EditOperation, { kind: 'replace' }>, 'kind'>;

/**
 * Replaces all matches with a literal text.
 *
 * @returns `null` if a segment or the transcript would become longer than it may be.
 */
export function replaceAll(
  draft: Draft,
  { query, replacement, matches }: Pick<ReplaceOperation, 'query' | 'replacement' | 'matches'>,
): Change | null {
  const pattern = patternOf(query);
  if (pattern === null) return [];
  const inserted = replaceControls(replacement);
  const chosenMatches = matches === undefined ? null : offsetsBySegment(matches);
  return changeTexts(draft, (text, max, segment) => {
    if (chosenMatches === null) return replaceMatches(text, pattern, inserted, max);
    const offsets = chosenMatches.get(segment);
    if (offsets === undefined) return text;
    return replaceMatches(text, pattern, inserted, max, (_match, offset) => offsets.has(offset));
  });
}

/**
 * Replaces matches with their own texts, in the texts that are still those that were searched.
 *
 * @returns `null` as {@link replaceAll}
 */
export function replaceExpanded(draft: Draft, matches: readonly ExpandedMatch[]): Change | null {
  const bySegment = Map.groupBy(matches, ({ segment }) => segment);
  return changeTexts(draft, (text, max, segment) => {
    const chosen = bySegment.get(segment);
    if (chosen === undefined) return text;
    const hash = textHash(text);
    const current = chosen.filter(({ searchedHash }) => searchedHash === hash);
    if (current.length === 0) return text;
    const replaced = replaceRanges(text, current, max);
    if (replaced === null) return null;
    // Only a text without times has several lines.
    return segment === null ? plainLines(replaced) : replaceControls(replaced);
  });
}

/** Replaces ranges of a text that do not overlap; `null` if it would have more than `max` UTF-16 units. */
function replaceRanges(text: string, matches: readonly ExpandedMatch[], max: number): string | null {
  const added = matches.reduce((sum, { length, replacement }) => sum + replacement.length - length, 0);
  if (text.length + added > max) return null;
  let result = '';
  let copiedTo = 0;
  for (const { offset, length, replacement } of matches.toSorted((a, b) => a.offset - b.offset)) {
    if (offset < copiedTo || offset + length > text.length) continue;
    result += text.slice(copiedTo, offset) + replacement;
    copiedTo = offset + length;
  }
  return result + text.slice(copiedTo);
}

/** Returns a 32-bit hash of a text (FNV-1a), by which an edit recognizes the text that was searched. */
export function textHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}

const offsetsBySegment = (
  matches: readonly MatchPosition[],
): ReadonlyMap<SegmentId | null, ReadonlySet<number>> =>
  new Map(
    [...Map.groupBy(matches, ({ segment }) => segment)].map(([segment, all]) => [
      segment,
      new Set(all.map(({ offset }) => offset)),
    ]),
  );

/**
 * Returns a text with other text in place of matches; `null` if it would have more than `max` UTF-16 units.
 *
 * @param pattern of `patternOf`
 * @param isChosen whether a match at an offset is replaced
 */
export function replaceMatches(
  text: string,
  pattern: RegExp,
  inserted: string,
  max: number,
  isChosen: (match: string, offset: number) => boolean = () => true,
): string | null {
  // The length is computed first: a long text in place of every letter would use up the memory.
  if (text.length * inserted.length > max) {
    let { length } = text;
    for (const { 0: match, index } of text.matchAll(pattern))
      if (isChosen(match, index)) length += inserted.length - match.length;
    if (length > max) return null;
  }
  return text.replaceAll(pattern, (match: string, offset: number) =>
    isChosen(match, offset) ? inserted : match,
  );
}

type ChangedTexts = Extract<EditOperation, { kind: 'set-texts' }>['texts'];

/** Changes the texts that are still equal to `before`. */
export function setTexts(draft: Draft, texts: ChangedTexts): Change {
  const bySegment = new Map(texts.map((one) => [one.segment, one]));
  return changeSegments(draft, ({ id, text }) => {
    const change = bySegment.get(id);
    return change?.before === text ? replaceControls(change.text) : text;
  });
}

/** Replaces other spellings of a name by one of them, as whole words in the same case; `null` as {@link replaceAll}. */
export function respell(draft: Draft, spellings: readonly string[], replacement: string): Change | null {
  const others = [...new Set(spellings)].filter((spelling) => spelling !== replacement);
  // All of these are searched for at once.
  const words = new Set(others.filter((spelling) => wholeWord.test(spelling)));
  const texts = others.filter((spelling) => !words.has(spelling) && spelling !== '');
  // Each of these is searched for in all of the text.
  if (texts.length * lengthOf(draft) > maxSearched) return null;
  const allText = draft.text ?? draft.segments.map(({ text }) => text).join('\n');
  const phrases = texts.flatMap((text) => {
    const pattern = patternOf({ text, matchCase: true, wholeWords: true });
    return pattern === null ? [] : [{ text, pattern, occurs: allText.includes(text) }];
  });
  const inserted = replaceControls(replacement);
  return changeTexts(draft, (text, max) => {
    let changed = replaceMatches(text, anyWord, inserted, max, (match) => words.has(match));
    for (const phrase of phrases) {
      if (changed === null) return null;
      // A replacement can create other phrases.
      const canOccur = phrase.occurs || changed !== text;
      if (canOccur && changed.includes(phrase.text))
        changed = replaceMatches(changed, phrase.pattern, inserted, max);
    }
    return changed;
  });
}

/** The whole words of {@link patternOf}. */
const anyWord = /[\p{L}\p{N}\p{M}]+/gu;
const wholeWord = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}]*$/u;

/** The maximum number of spellings that are not single words, times the UTF-16 units of text that one edit searches. */
const maxSearched = 1e8;

const lengthOf = ({ text, segments }: Draft): number =>
  text?.length ?? segments.reduce((sum, segment) => sum + segment.text.length, 0);

/**
 * Changes the texts of all segments, or the whole text of a transcript without times.
 *
 * @param change returns the new text; `null` if it would have more than `max` UTF-16 units. `segment` is `null` for the
 *   whole text.
 * @returns `null` if a segment or the transcript would become longer than it may be
 */
function changeTexts(
  draft: Draft,
  change: (text: string, max: number, segment: SegmentId | null) => string | null,
): Change | null {
  if (draft.text !== null) {
    const text = change(draft.text, maxTextLength, null);
    return text === null ? null : textChange(draft.text, text);
  }
  const texts = new Map<SegmentId, string>();
  let room = Math.max(0, 2 * maxTextLength - lengthOf(draft));
  for (const { id, text } of draft.segments) {
    const after = change(text, Math.max(text.length, maxSegmentTextLength), id);
    if (after === null) return null;
    room -= Math.max(0, after.length - text.length);
    if (room < 0) return null;
    if (after !== text) texts.set(id, after);
  }
  return changeSegments(draft, ({ id, text }) => texts.get(id) ?? text);
}

/** Changes the text of each segment to what a function returns for it. */
function changeSegments(draft: Draft, textOf: (segment: DraftSegment) => string): Change {
  const pairs = draft.segments.flatMap((before, at) => {
    const text = textOf(before);
    return text === before.text ? [] : [{ at, before, after: withText(before, text) }];
  });
  return pairs.length === 0 ? [] : [{ kind: 'replace', pairs }];
}

type AcceptedWords = Omit<Extract<EditOperation, { kind: 'accept-words' }>, 'kind'>;

/** Sets the probability of words to 1; words without one keep none. */
export function acceptWords(draft: Draft, { segment: id, from, text }: AcceptedWords): Change {
  const found = findSegment(draft, id);
  const words = found === null ? null : wordsOf(found.segment);
  const to = from + text.length;
  if (found === null || words === null || found.segment.text.slice(from, to) !== text) return [];
  const isUnsure = (word: Word): boolean => (word.probability ?? 1) < 1 && word.from < to && word.to > from;
  if (!words.some(isUnsure)) return [];
  const accepted = words.map((word) => (isUnsure(word) ? { ...word, probability: 1 } : word));
  return replaceSegment(found, withWords(found.segment, accepted));
}
