import type { SegmentId } from '../../../contract/identifiers.ts';
import type { Change, Draft, DraftSegment, EditOperation } from '../../../contract/transcript.ts';
import { withText, withWords } from '../segment.ts';
import { wordsOf, type Word } from '../word-times.ts';
import { patternOf } from '../find.ts';
import { replaceOne, segmentAt } from './draft.ts';
import { textChange } from './text-diff.ts';

const controls = /\p{Cc}+/gu;

/** Normalizes text for a segment: well-formed, without line breaks and other control characters. */
export const plainText = (text: string): string => text.toWellFormed().replaceAll(controls, ' ');

export function setText(draft: Draft, id: SegmentId, text: string): Change {
  const found = segmentAt(draft, id);
  if (found === null) return [];
  const after = plainText(text);
  return after === found.segment.text ? [] : replaceOne(found, withText(found.segment, after));
}

type Replacing = Omit<Extract<EditOperation, { kind: 'replace' }>, 'kind'>;

/** Replaces all matches. The replacement is literal text. */
export function replaceAll(draft: Draft, { query, replacement, segments }: Replacing): Change {
  const pattern = patternOf(query);
  if (pattern === null) return [];
  const put = plainText(replacement);
  return changeTexts(draft, (text) => text.replaceAll(pattern, () => put), segments);
}

type ChangedTexts = Extract<EditOperation, { kind: 'set-texts' }>['texts'];

/** Changes the texts that are still equal to `before`. */
export function setTexts(draft: Draft, texts: ChangedTexts): Change {
  const wanted = new Map(texts.map((one) => [one.segment, one]));
  return changeSegments(draft, ({ id, text }) => {
    const one = wanted.get(id);
    return one?.before === text ? plainText(one.text) : text;
  });
}

/** Replaces other spellings of a name by one of them, as whole words in the same case. */
export function respell(draft: Draft, spellings: readonly string[], replacement: string): Change {
  const patterns = spellings
    .filter((spelling) => spelling !== replacement)
    .flatMap((spelling) => patternOf({ text: spelling, matchCase: true, wholeWords: true }) ?? []);
  const put = plainText(replacement);
  return changeTexts(draft, (text) =>
    patterns.reduce((changed, pattern) => changed.replaceAll(pattern, () => put), text),
  );
}

/** Changes the texts of all segments, or only of some, or the whole text of a transcript without times. */
function changeTexts(draft: Draft, changed: (text: string) => string, only?: readonly SegmentId[]): Change {
  if (draft.text !== null) return textChange(draft.text, changed(draft.text));
  const wanted = only === undefined ? null : new Set(only);
  return changeSegments(draft, ({ id, text }) => (wanted === null || wanted.has(id) ? changed(text) : text));
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
  const found = segmentAt(draft, id);
  const words = found === null ? null : wordsOf(found.segment);
  const to = from + text.length;
  if (found === null || words === null || found.segment.text.slice(from, to) !== text) return [];
  const isUnsure = (word: Word): boolean => (word.probability ?? 1) < 1 && word.from < to && word.to > from;
  if (!words.some(isUnsure)) return [];
  const accepted = words.map((word) => (isUnsure(word) ? { ...word, probability: 1 } : word));
  return replaceOne(found, withWords(found.segment, accepted));
}
