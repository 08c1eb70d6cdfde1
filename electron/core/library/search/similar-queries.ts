import type Database from 'better-sqlite3';
import type { LibraryQuery, SimilarQuery } from '../../../contract/library-commands.ts';
import type { TranscriptId } from '../../../contract/identifiers.ts';
import { editDistance } from '../../transcript/edit-distance.ts';
import { phoneticKey } from '../../transcript/review/phonetic-key.ts';
import { tokensOf } from '../../transcript/search-text.ts';
import { isUnspaced } from '../../transcript/words-in-text.ts';
import { allMatching } from './matching-transcripts.ts';
import { otherSpellings } from '../../transcript/search/other-spellings.ts';
import {
  matchExpression,
  parseQuery,
  type SearchQuery,
  type Term,
} from '../../transcript/search/search-query.ts';

/** Similar queries that are offered. */
const maxSimilar = 3;
/** Replacements that are tried for a word, and unknown words of a query that are replaced. */
const maxWordsTried = 6;
const maxUnknownWords = 2;
/** Words of a query of which other spellings are looked up. */
const maxVariedWords = 3;
/** Shorter words are near to too many others. */
const minLetters = 4;
/** Words of this length may differ in two letters, shorter ones in one: as “fuzziness AUTO” of Lucene. */
const minLettersForTwoEdits = 6;
/** Words whose lengths differ by more, in letters, are not compared. */
const maxLengthDifference = 2;
/** Longer words are not compared: the effort is quadratic. */
const maxLetters = 40;
/** Occurrences of words that are read from the index for all words of a query, about a quarter of a second. */
const maxOccurrences = 500_000;
/** Words between two checks for cancellation. */
const wordsPerCheck = 500;
/** Passages in which the written form of a word is looked up, and characters of each. */
const maxFormPassages = 20;
const maxFormLength = 20_000;

/** Conditions on the words of the index, relative to a prefix. */
const termRanges = {
  within: 'term >= @prefix AND term < @after',
  before: 'term < @prefix',
  after: 'term >= @after',
} as const;

/** Whether a word is neither too short nor too long to be compared with others. */
const isComparable = (letters: readonly string[]): boolean =>
  letters.length >= minLetters && letters.length <= maxLetters;

/** Returns the same key for British and American spellings, and for others that sound the same. */
const spellingKey = (word: string): string =>
  phoneticKey(word.replaceAll(/(?<=\p{L}{2})our/gu, 'or').replace(/(?<=[bt])re(?=s?$)/u, 'er'));

/** The words of the search index, on a read-only connection. */
export class SearchVocabulary {
  readonly #database: Database.Database;

  constructor(database: Database.Database) {
    this.#database = database;
    // In the connection's own temporary schema: nothing is written to the library.
    database.pragma('temp_store = MEMORY');
    database.exec(
      `CREATE VIRTUAL TABLE IF NOT EXISTS temp.search_words USING fts5vocab('main', 'search', 'col')`,
    );
  }

  /**
   * Returns queries that find transcripts which the given one misses, those with the most first. If the given one finds
   * nothing, its words that occur nowhere are replaced; otherwise one of its words gets another spelling.
   *
   * @param found what the query finds
   * @param throwIfStale called regularly; what it throws ends the search
   */
  similarQueries(
    libraryQuery: LibraryQuery,
    query: SearchQuery,
    found: ReadonlySet<TranscriptId>,
    throwIfStale: () => void,
  ): readonly SimilarQuery[] {
    const typed =
      found.size === 0
        ? this.#withKnownWords(libraryQuery.query, query, throwIfStale)
        : this.#withVariants(libraryQuery.query, query, throwIfStale);
    return typed
      .map((text): SimilarQuery => {
        const similar = parseQuery(text);
        const others = allMatching(this.#database, libraryQuery, similar, { throwIfStale });
        return { query: text, count: [...others].filter((id) => !found.has(id)).length };
      })
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count)
      .slice(0, maxSimilar);
  }

  /** Returns a query with the words that occur nowhere replaced by similar ones. */
  #withKnownWords(typed: string, query: SearchQuery, throwIfStale: () => void): readonly string[] {
    const unknown = this.#unknownWords(query);
    if (unknown.length === 0 || unknown.length > maxUnknownWords) return [];
    let texts: readonly string[] = [typed];
    for (const word of unknown) {
      const near = this.#nearestWords(word, maxOccurrences / unknown.length, throwIfStale);
      texts = texts.flatMap((text) => near.map((one) => withWord(text, word, one))).slice(0, maxWordsTried);
    }
    return texts;
  }

  /** Returns a query with one of its words in another spelling that occurs, for example `harbor` for `harbour`. */
  #withVariants(typed: string, { required }: SearchQuery, throwIfStale: () => void): readonly string[] {
    const words = [...new Set(required.flatMap((term) => term.words.map(({ plain }) => plain)))]
      .filter((word) => isComparable([...word]) && spellingKey(word).length >= minLetters)
      .slice(0, maxVariedWords);
    return words.flatMap((word) =>
      this.#variants(word, maxOccurrences / words.length, throwIfStale).map((variant) =>
        withWord(typed, word, this.#asWritten(variant)),
      ),
    );
  }

  /**
   * Returns the other spellings of a word of the index, the most frequent first; none if the index does not have the
   * word itself, which may be incomplete.
   */
  #variants(word: string, occurrences: number, throwIfStale: () => void): readonly string[] {
    const key = spellingKey(word);
    const prefix = [...word].slice(0, 2).join('');
    const spellings = [...this.#words(prefix, ['within'], occurrences, throwIfStale)].filter(
      ({ term }) =>
        term.length >= minLetters &&
        Math.abs(term.length - word.length) <= maxLengthDifference &&
        spellingKey(term) === key,
    );
    if (!spellings.some(({ term }) => term === word)) return [];
    return spellings
      .filter(({ term }) => term !== word)
      .sort((a, b) => b.count - a.count)
      .slice(0, maxSimilar)
      .map(({ term }) => term);
  }

  /** Returns the required words that occur in no transcript, even without the other words of the query. */
  #unknownWords({ required }: SearchQuery): readonly string[] {
    const occurs = this.#database.prepare<[string | null]>(
      'SELECT 1 FROM search WHERE search MATCH ? LIMIT 1',
    );
    const unknown = required.flatMap(({ words, prefix }) =>
      words.filter((word, index) => {
        const isPrefix = prefix && index === words.length - 1;
        const term: Term = { words: [word], others: otherSpellings([word]), prefix: isPrefix };
        return occurs.get(matchExpression({ required: [term], excluded: [] })) === undefined;
      }),
    );
    return [...new Set(unknown.map(({ plain }) => plain))];
  }

  /** Returns the words of the index that are nearest to a word, as they are written, the most frequent first. */
  #nearestWords(word: string, occurrences: number, throwIfStale: () => void): readonly string[] {
    const letters = [...word];
    if (!isComparable(letters) || isUnspaced(word)) return [];
    const maxEdits = letters.length < minLettersForTwoEdits ? 1 : 2;
    const key = phoneticKey(word);
    let nearest: { readonly term: string; readonly count: number }[] = [];
    let minEdits = maxEdits;
    for (const { term, count } of this.#words(
      letters[0] ?? '',
      ['within', 'before', 'after'],
      occurrences,
      throwIfStale,
    )) {
      if (Math.abs(term.length - word.length) > maxLengthDifference) continue;
      const edits = editDistance(letters, [...term], { max: minEdits, countsExchange: true });
      // What sounds the same is as near as one letter.
      const nearness = edits > 1 && minEdits > 0 && phoneticKey(term) === key ? 1 : edits;
      if (nearness > minEdits) continue;
      if (nearness < minEdits) nearest = [];
      minEdits = nearness;
      nearest.push({ term, count });
    }
    return nearest
      .sort((a, b) => b.count - a.count)
      .slice(0, maxWordsTried)
      .map(({ term }) => this.#asWritten(term));
  }

  /**
   * Iterates over the words of the index with the number of passages of each, by how they compare to a prefix, until
   * words with `max` occurrences in all are read.
   */
  *#words(
    prefix: string,
    ranges: readonly (keyof typeof termRanges)[],
    max: number,
    throwIfStale: () => void,
  ): Generator<{ term: string; count: number }> {
    const letters = [...prefix];
    const last = letters.pop()?.codePointAt(0) ?? 0;
    const after = letters.join('') + String.fromCodePoint(last + 1);
    let occurrences = 0;
    let words = 0;
    for (const range of ranges) {
      const rows = this.#database
        .prepare<{ prefix: string; after: string }, { term: string; count: number; occurrences: number }>(
          `SELECT term, doc AS count, cnt AS occurrences FROM temp.search_words
           WHERE ${termRanges[range]} AND col = 'plain'`,
        )
        .iterate({ prefix, after });
      for (const row of rows) {
        yield row;
        occurrences += row.occurrences;
        words += 1;
        if (words % wordsPerCheck === 0) throwIfStale();
        if (occurrences > max) return;
      }
    }
  }

  /** Returns a word of the index with its accents and capitals; in lower case if it occurs so. */
  #asWritten(term: string): string {
    const texts = this.#database
      .prepare<{ match: string; length: number; limit: number }, string>(
        `SELECT substr(coalesce((SELECT text FROM segments WHERE id = f.rowid),
           (SELECT words FROM search_names WHERE id = -f.rowid)), 1, @length)
         FROM search f WHERE f.search MATCH @match ORDER BY f.rowid DESC LIMIT @limit`,
      )
      .pluck()
      .all({ match: `plain : "${term}"`, length: maxFormLength, limit: maxFormPassages });
    const forms = texts.flatMap((text) =>
      tokensOf(text)
        .filter(({ plain }) => plain === term)
        .map(({ start, end }) => text.slice(start, end)),
    );
    return forms.find((form) => form === form.toLowerCase()) ?? forms[0] ?? term;
  }
}

/** Replaces a word in a typed query. */
const withWord = (typed: string, word: string, other: string): string =>
  tokensOf(typed)
    .toReversed()
    .reduce(
      (text, { plain, start, end }) =>
        plain === word ? text.slice(0, start) + other + text.slice(end) : text,
      typed,
    );
