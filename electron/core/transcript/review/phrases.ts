/** Phrases that speech models invent in silence, having learned them from video subtitles. Match whole segments. */
const subtitleCredits: readonly RegExp[] = [
  /^subtitles (?:by|created by) .{1,60}$/,
  /^untertitel(?:ung)? (?:von|der|im auftrag|aufgrund) .{1,80}$/,
  /^sous[- ]titr(?:es|age) .{1,80}$/,
  /^(?:subtítulos|subtitulos) .{1,80}$/,
  /^legendas? .{1,80}$/,
  /^sottotitoli .{1,80}$/,
  /^продолжение следует$/,
  /^субтитры .{1,80}$/,
  /^字幕.{1,40}$/,
];

/** Phrases of the same kind that people also say. */
const farewells: readonly RegExp[] = [
  /^(?:thank you|thanks)(?: (?:very|so) much)?(?: for (?:watching|listening|your attention))?$/,
  /^(?:please )?(?:like and )?subscribe(?: to (?:my|our|the) channel)?$/,
  /^(?:i'?ll )?see you (?:in the )?next (?:time|video|week|one)$/,
  /^vielen dank(?: (?:fürs zuschauen|für ihre aufmerksamkeit|fürs zuhören))?$/,
  /^merci d'avoir regardé(?: cette vidéo)?$/,
  /^gracias por (?:ver|escuchar)(?: el video| el vídeo)?$/,
  /^ご視聴ありがとうございました$/,
  /^(?:感谢观看|谢谢观看)$/,
];

// The lookbehind keeps the search linear: a long run within the text is tried once, not again at each of its characters.
const edges = /^[\s\p{P}\p{S}]+|(?<![\s\p{P}\p{S}])[\s\p{P}\p{S}]+$/gu;

/** Returns a text in lower case, without punctuation around it. */
export const normalizePhrase = (text: string): string =>
  text.toLowerCase().replaceAll('’', "'").replaceAll(/\s+/gu, ' ').replaceAll(edges, '');

/** Returns the kind of a text that models hallucinate. Nobody speaks `credits`, but people do say a `farewell`. */
export function hallucinationIn(text: string): 'credits' | 'farewell' | null {
  const phrase = normalizePhrase(text);
  if (phrase === '') return null;
  if (subtitleCredits.some((credit) => credit.test(phrase))) return 'credits';
  return farewells.some((farewell) => farewell.test(phrase)) ? 'farewell' : null;
}

/**
 * Returns how many repetitions make a phrase suspicious; fewer for a long phrase. People say `no` five times and start
 * a sentence twice; models stuck in a loop go further.
 */
const minRepeats = (words: number): number => (words >= 8 ? 2 : words >= 4 ? 3 : words >= 2 ? 5 : 7);
/** Words of a phrase that may repeat. */
const maxPhraseWords = 12;

/** The words that the shortest suspicious repetition of any phrase has at most. */
const maxShortestRun = Math.max(
  ...Array.from({ length: maxPhraseWords }, (_, index) => (index + 1) * minRepeats(index + 1)),
);

/**
 * Removes the repetitions of a phrase that models write when they are stuck in a loop; returns `null` if there are
 * none. Takes time in proportion to the length of the text, whatever it is.
 */
export function withoutRepeats(text: string): string | null {
  const words = text.trim().split(/\s+/u);
  const reader = new WordReader(words.map(normalizePhrase));
  let at = 0;
  while (at < reader.length) {
    const run = reader.runAt(at);
    if (run === null) {
      at += 1;
      continue;
    }
    reader.remove(at + run.length, at + run.times * run.length);
    // What now follows each other may repeat what is before it.
    at = Math.max(0, at + run.length - maxShortestRun + 1);
  }
  return reader.length === words.length
    ? null
    : reader
        .kept()
        .map((index) => words[index])
        .join(' ');
}

/** A phrase of `length` words that occurs `times` times in a row. */
interface Run {
  readonly length: number;
  readonly times: number;
}

/** The normalized words of a text, of which some are removed; near the last removal, the next one takes no longer in a long text. */
class WordReader {
  readonly #words: readonly string[];
  /** The indexes of the remaining words before the last removal. */
  readonly #before: number[] = [];
  /** The index of the word after them. */
  #next = 0;

  constructor(words: readonly string[]) {
    this.#words = words;
  }

  /** The number of words that were not removed. */
  get length(): number {
    return this.#before.length + this.#words.length - this.#next;
  }

  /** Returns the indexes of the words that were not removed. */
  kept(): readonly number[] {
    return Array.from({ length: this.length }, (_, at) => this.#indexOf(at));
  }

  /** Removes the words from `from` up to `to`. */
  remove(from: number, to: number): void {
    while (this.#before.length < from) {
      this.#before.push(this.#next);
      this.#next += 1;
    }
    const removedBefore = this.#before.splice(from, to - from).length;
    this.#next += to - from - removedBefore;
  }

  /** Returns the shortest phrase at a word that is repeated suspiciously often; `null` if none is. */
  runAt(at: number): Run | null {
    const maxLength = Math.min(maxPhraseWords, Math.floor((this.length - at) / 2));
    // Words without letters make no phrase, and long runs of them would be counted again at each of their words.
    let length = 1;
    while (length <= maxLength && this.#word(at + length - 1) === '') length += 1;
    for (; length <= maxLength; length += 1) {
      let times = 1;
      while (this.#isRepeated(at, at + times * length, length)) times += 1;
      if (times >= minRepeats(length)) return { length, times };
    }
    return null;
  }

  #indexOf(at: number): number {
    return this.#before[at] ?? at - this.#before.length + this.#next;
  }

  #word(at: number): string | undefined {
    return this.#words[this.#indexOf(at)];
  }

  #isRepeated(first: number, second: number, length: number): boolean {
    if (second + length > this.length) return false;
    for (let at = 0; at < length; at += 1)
      if (this.#word(first + at) !== this.#word(second + at)) return false;
    return true;
  }
}
