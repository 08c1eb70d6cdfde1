/** Turns the times of tokens into those of words. */
import type { Segment } from '../../../contract/segment-schema.ts';
import { wordRanges } from '../../../core/transcript/words-in-text.ts';
import type { Word } from '../../../core/transcript/word-times.ts';
import type { WindowSegment } from '../text/window-segments.ts';
import type { TokenText } from '../whisper/tokenizer.ts';
import { attentionFrameSeconds, type VoicedAudio } from './voiced-audio.ts';

/** A character of a window's text: its position in the voiced audio, and the tokens that it comes from. */
interface Character {
  readonly start: number;
  readonly end: number;
  readonly tokens: TokenText;
}

/** The tokens of a window. */
export interface TimedTokens {
  /** Their text, in order. */
  readonly texts: readonly TokenText[];
  /** Where each token begins in the voiced audio and, last, where the last one ends; ascending. */
  readonly positions: ArrayLike<number>;
  readonly probabilities: readonly number[];
}

/** A word of a segment, with positions in the voiced audio instead of times. */
interface PositionedWord {
  readonly segmentIndex: number;
  readonly from: number;
  readonly to: number;
  readonly probability: number;
  start: number;
  end: number;
}

/**
 * Returns the word that begins nearest to a position: where it begins in the text of all tokens, in UTF-16 units, and how
 * far from the position it is said, in frames of the voiced audio. `null` when there is no word.
 *
 * @param position in the voiced audio
 */
export function nearestWordStart(
  tokens: TimedTokens,
  position: number,
): { readonly offset: number; readonly distance: number } | null {
  const characters = charactersOf(tokens);
  return wordRanges(tokens.texts.map(({ text }) => text).join(''))
    .map(({ from }) => ({
      offset: from,
      distance: Math.abs((characters[from]?.start ?? 0) - position),
    }))
    .reduce<ReturnType<typeof nearestWordStart>>(
      (nearest, word) => (nearest === null || word.distance < nearest.distance ? word : nearest),
      null,
    );
}

/**
 * Returns the words of each segment of a window. Within a segment, they cover the text, are in order and do not overlap.
 *
 * @param segments whose texts are parts of the tokens' text
 */
export function wordsOfSegments(
  segments: readonly WindowSegment[],
  tokens: TimedTokens,
  audio: VoicedAudio,
): readonly (readonly Word[])[] {
  const characters = charactersOf(tokens);
  const words = segments.flatMap(({ segment, offset }, index) =>
    wordRanges(segment.text).map(({ from, to }): PositionedWord => {
      const word = characters.slice(offset + from, offset + to);
      return {
        segmentIndex: index,
        from,
        to,
        probability: probabilityOf(word, tokens.probabilities),
        start: word[0]?.start ?? 0,
        end: word.at(-1)?.end ?? 0,
      };
    }),
  );
  endAtPauses(words, audio.pauses);
  return segments.map(({ segment }, index) => {
    const segmentWords = words.filter((word) => word.segmentIndex === index);
    return fitInto(
      segment,
      segmentWords.map(({ from, to, probability, start, end }) => ({
        from,
        to,
        start: audio.startAt(start),
        end: audio.endAt(end),
        probability,
      })),
    );
  });
}

/** The characters of a token share its time evenly; white space takes none. */
function charactersOf({ texts, positions }: TimedTokens): readonly Character[] {
  return texts.flatMap((tokens) => {
    const start = positions[tokens.first] ?? 0;
    const duration = (positions[tokens.last + 1] ?? start) - start;
    const units = tokens.text.split('');
    const unitDuration = duration / Math.max(units.filter(isSpoken).length, 1);
    let end = start;
    return units.map((unit): Character => {
      const from = end;
      if (isSpoken(unit)) end += unitDuration;
      return { start: from, end, tokens };
    });
  });
}

const isSpoken = (unit: string): boolean => unit.trim() !== '';

/** The probability that all tokens of a word are right; punctuation says nothing about the word that it follows. */
function probabilityOf(characters: readonly Character[], probabilities: readonly number[]): number {
  const wordTokens = [...new Set(characters.map(({ tokens }) => tokens))];
  const withLetters = wordTokens.filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
  return (withLetters.length > 0 ? withLetters : wordTokens)
    .flatMap(({ first, last }) => probabilities.slice(first, last + 1))
    .reduce((product, probability) => product * probability, 1);
}

/**
 * Ends each word at a pause that it reaches across, or begins it after the pause, whichever leaves more of it. The rest
 * belongs to its neighbour.
 */
function endAtPauses(words: readonly PositionedWord[], pauses: readonly number[]): void {
  for (const [i, word] of words.entries()) {
    for (const pause of pauses) {
      if (pause <= word.start || pause >= word.end) continue;
      const [previous, next] = [words[i - 1], words[i + 1]];
      if (pause - word.start >= word.end - pause) {
        if (next !== undefined && areAdjacent(word, next)) next.start = pause;
        word.end = pause;
      } else {
        if (previous !== undefined && areAdjacent(previous, word)) previous.end = pause;
        word.start = pause;
      }
    }
  }
}

/** Whether one word begins where the other ends. Between them may be the voice of a text that was dropped. */
const areAdjacent = (word: PositionedWord, next: PositionedWord): boolean =>
  Math.abs(next.start - word.end) < 1e-6;

/** Puts words in order within the times of their segment, each with a duration. */
function fitInto({ start, end }: Segment, words: readonly Word[]): readonly Word[] {
  const minDuration = Math.min(attentionFrameSeconds, (end - start) / words.length);
  let earliest = start;
  return words.map((word, i) => {
    const latest = end - (words.length - i) * minDuration;
    const from = Math.min(Math.max(word.start, earliest), latest);
    earliest = Math.min(Math.max(word.end, from + minDuration), latest + minDuration);
    return { ...word, start: from, end: earliest };
  });
}
