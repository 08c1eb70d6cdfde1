/** Names that are spelled almost alike in one transcript, and near misses of known terms. */
import type { Segment } from '../../../contract/segment-schema.ts';
import { withoutMarks } from '../../../contract/unicode.ts';
import { isUnspaced, type WordRange } from '../words-in-text.ts';
import { differInOneLetter, phoneticKey } from './phonetic-key.ts';

/** Shorter words, and words with shorter phonetic keys, are too often different words that sound alike. */
const minLetters = 4;
const minKeyLength = 4;
/** Longer words are not names. */
const maxLetters = 60;
/** The minimum length of phonetic keys that may differ in a letter: of two names, and of a name and a known term. */
const minKeyLengthToDiffer = 6;
const minKeyLengthForTerms = 5;
/** Names that differ in a letter are suspicious if one occurs this often, and the other at most a third as often. */
const minCountOfMain = 3;
/** Segments that are counted in one step, and candidates that are compared in one. */
const segmentsPerStep = 2_000;
const candidatesPerStep = 200;
/** The maximum number of spellings that are compared because their keys have a part in common. */
const maxComparedPerPart = 40;

/** A spelling and how often it occurs. */
export interface Spelling {
  readonly text: string;
  readonly count: number;
}

/** Different spellings that are probably of one name. */
export interface SpellingGroup {
  /** At least two, the most likely first: a known term, or else the most frequent one. */
  readonly spellings: readonly Spelling[];
  /** Where the first one of the others occurs: the index of its segment, and the range in its text. */
  readonly index: number;
  readonly range: WordRange;
}

/** A capitalized word of a segment. */
interface CapitalizedWord {
  readonly text: string;
  readonly range: WordRange;
  /** Whether it begins a sentence, where every word is capitalized. */
  readonly beginsSentence: boolean;
}

const word = /[\p{L}\p{M}]+/gu;
const capitalized = /^\p{Lu}\p{M}*\p{Ll}/u;
const inLowerCase = /^\p{Ll}/u;
/** What precedes the first word of a sentence or of a quotation within a text. */
const sentenceStart = /[^\p{L}\p{M}\p{N}\s,'’-]\s*$/u;

/** A spelling that may be one of several of a name. */
interface Candidate extends Spelling {
  count: number;
  readonly isTerm: boolean;
  /** Whether it occurs within a sentence. */
  isWithinSentence: boolean;
  /** Where it first occurs; `null` for a term that does not. */
  first: Position | null;
}

/**
 * Finds groups of spellings that are probably of one name. It caches the words of each segment, so that a search after an
 * edit is fast. It compares only capitalized words that occur nowhere in lower case.
 */
export class NameIndex {
  readonly #terms: ReadonlySet<string>;
  readonly #wordsRead = new WeakMap<Segment, readonly CapitalizedWord[]>();
  readonly #lowerCase = new Set<string>();
  readonly #phoneticKeys = new Map<string, string>();
  /** The spellings by the parts of their phonetic keys; see {@link partsOf}. */
  readonly #byPart = new Map<string, string[]>();
  readonly #similar = new Map<string, Set<string>>();

  /** @param terms known names and terms: a near miss of one of their words is found even if that word does not occur */
  constructor(terms: readonly string[] = []) {
    const words = terms.flatMap((term) => Array.from(term.matchAll(word), ([letters]) => letters));
    this.#terms = new Set(words.filter(mayBeName));
    for (const term of this.#terms) this.#add(term);
  }

  /** Reads the words of a segment, and returns the capitalized ones. Called ahead of {@link groups} to divide the work. */
  read(segment: Segment): readonly CapitalizedWord[] {
    const cached = this.#wordsRead.get(segment);
    if (cached !== undefined) return cached;
    const { text } = segment;
    const capitalizedWords: CapitalizedWord[] = [];
    let end = 0;
    for (const { 0: letters, index } of isUnspaced(text) ? [] : text.matchAll(word)) {
      const beginsSentence = end === 0 || sentenceStart.test(text.slice(end, index));
      end = index + letters.length;
      if (!mayBeName(letters)) continue;
      if (inLowerCase.test(letters)) this.#lowerCase.add(letters);
      if (!capitalized.test(letters)) continue;
      this.#add(letters);
      capitalizedWords.push({ text: letters, range: { from: index, to: end }, beginsSentence });
    }
    this.#wordsRead.set(segment, capitalizedWords);
    return capitalizedWords;
  }

  /** Returns the groups in the order of the text, in short steps. */
  *groups(segments: readonly Segment[]): Generator<undefined, readonly SpellingGroup[], undefined> {
    const candidates = yield* this.#candidates(segments);
    const grouped = new Set<Candidate>();
    const groups: SpellingGroup[] = [];
    for (const [index, main] of [...candidates.values()].toSorted(byLikelihood).entries()) {
      if (index % candidatesPerStep === 0) yield;
      if (grouped.has(main)) continue;
      const others = [...(this.#similar.get(main.text) ?? [])]
        .flatMap((text) => candidates.get(text) ?? [])
        .filter((other) => !grouped.has(other) && areLikelyTheSame(main, other))
        .toSorted(byLikelihood);
      const [first] = others.flatMap((other) => other.first ?? []).toSorted(byPosition);
      if (first === undefined) continue;
      for (const one of [main, ...others]) grouped.add(one);
      groups.push({ spellings: [main, ...others].map(({ text, count }) => ({ text, count })), ...first });
    }
    return groups.toSorted(byPosition);
  }

  /** Counts the words that are similar to others. */
  *#candidates(
    segments: readonly Segment[],
  ): Generator<undefined, ReadonlyMap<string, Candidate>, undefined> {
    const candidates = new Map<string, Candidate>();
    const candidateOf = (text: string): Candidate => {
      const existing = candidates.get(text);
      if (existing !== undefined) return existing;
      const isTerm = this.#terms.has(text);
      const added = { text, count: 0, isTerm, isWithinSentence: isTerm, first: null };
      candidates.set(text, added);
      return added;
    };
    // All segments are read first, to know which words also occur in lower case.
    for (const segment of segments) this.read(segment);
    for (const term of this.#terms) if (this.#similar.has(term)) candidateOf(term);
    for (const [index, segment] of segments.entries()) {
      if (index % segmentsPerStep === 0) yield;
      for (const { text, range, beginsSentence } of this.read(segment)) {
        const isName = this.#similar.has(text) && (this.#terms.has(text) || !this.#isOrdinary(text));
        if (!isName) continue;
        const candidate = candidateOf(text);
        candidate.count += 1;
        candidate.first ??= { index, range };
        if (!beginsSentence) candidate.isWithinSentence = true;
      }
    }
    return candidates;
  }

  /** Whether a word also occurs in lower case. */
  #isOrdinary(text: string): boolean {
    return this.#lowerCase.has(text.toLowerCase());
  }

  /** Adds a word, and finds those that sound similar. */
  #add(text: string): void {
    if (this.#phoneticKeys.has(text)) return;
    const key = phoneticKey(text);
    this.#phoneticKeys.set(text, key);
    if (key.length < minKeyLength) return;
    for (const part of partsOf(key)) {
      const others = this.#byPart.get(part);
      if (others === undefined) {
        this.#byPart.set(part, [text]);
        continue;
      }
      for (const other of others) if (this.#areSimilar(text, other)) this.#relate(text, other);
      if (others.length < maxComparedPerPart && others.at(-1) !== text) others.push(text);
    }
  }

  #areSimilar(one: string, other: string): boolean {
    if (one === other) return false;
    const [key = '', otherKey = ''] = [this.#phoneticKeys.get(one), this.#phoneticKeys.get(other)];
    return key === otherKey || (differInOneLetter(key, otherKey) && !differInMarks(one, other));
  }

  #relate(one: string, other: string): void {
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      const similar = this.#similar.get(from);
      if (similar === undefined) this.#similar.set(from, new Set([to]));
      else similar.add(to);
    }
  }
}

type Position = Pick<SpellingGroup, 'index' | 'range'>;

const byPosition = (one: Position, other: Position): number =>
  one.index - other.index || one.range.from - other.range.from;

const byLikelihood = (one: Candidate, other: Candidate): number =>
  Number(other.isTerm) - Number(one.isTerm) || other.count - one.count || (one.text < other.text ? -1 : 1);

const mayBeName = ({ length }: string): boolean => length >= minLetters && length <= maxLetters;

/**
 * Returns a phonetic key, and the key without each of its letters: keys that differ in one letter have one of these in
 * common.
 */
function partsOf(key: string): readonly string[] {
  if (key.length < minKeyLengthForTerms) return [key];
  return [key, ...Array.from(key, (_, at) => key.slice(0, at) + key.slice(at + 1))];
}

/** Whether one of two similar words is probably a misspelling of the other. */
function areLikelyTheSame(one: Candidate, other: Candidate): boolean {
  if ((one.isTerm && other.isTerm) || !(one.isWithinSentence || other.isWithinSentence)) return false;
  const [key, otherKey] = [phoneticKey(one.text), phoneticKey(other.text)];
  if (key === otherKey) return true;
  const length = Math.min(key.length, otherKey.length);
  if (one.isTerm || other.isTerm) return length >= minKeyLengthForTerms;
  const [most, least] = [Math.max(one.count, other.count), Math.min(one.count, other.count)];
  return length >= minKeyLengthToDiffer && most >= minCountOfMain && least * 3 <= most;
}

/** Whether two words differ in marks only: "Gärten" is the plural of "Garten". */
const differInMarks = (one: string, other: string): boolean => withoutMarks(one) === withoutMarks(other);
