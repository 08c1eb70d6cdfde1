import { roundToMilliseconds } from '../../contract/milliseconds.ts';
import type { Segment } from '../../contract/segment-schema.ts';
import { endsSentence } from './sentences.ts';
import { splitSegmentAt } from './segment.ts';
import { wordsOrEstimates } from './word-edits.ts';
import { type TimedTurn, TurnIndex } from './turn-index.ts';
import type { Word } from './word-times.ts';

/** A segment, or a part of one that was split, and its speaker; `null` if unknown. */
export interface AssignedSegment<S extends Segment> {
  readonly segment: S;
  readonly speaker: number | null;
}

/** The maximum number of words by which a change of speaker moves to the end of a sentence. */
const maxMovedWords = 2;
/** At a longer pause, a change of speaker stays where it is. */
const maxPauseSeconds = 0.4;

/** Interrupted speech ends with a dash. */
const dashAtEnd = /[—–][\p{Pe}\p{Pf}"'’]*$/u;

/** Whether a text ends a sentence, or its speaker was interrupted. */
const endsSpeech = (text: string): boolean => endsSentence(text) || dashAtEnd.test(text);

/**
 * Assigns segments to speakers by their words, and splits them where the speaker changes. A word belongs to the speaker
 * whose turns overlap it most; a single word of somebody else within a sentence does not split it. A change within two
 * words of the end of a sentence moves there.
 *
 * @param segments in order; those without words get estimated ones
 * @param turns in order of their start
 * @returns the parts of each segment, in order
 */
export function assignSpeakers<S extends Segment>(
  segments: readonly S[],
  turns: readonly TimedTurn[],
): readonly (readonly AssignedSegment<S>[])[] {
  const index = new TurnIndex(turns);
  return segments.map((segment, i) => {
    const words = wordsOrEstimates(segment);
    if (words.length === 0) return [{ segment, speaker: index.speakerOf(segment, null) }];
    const before = segments[i - 1];
    const beginsSentence = before === undefined || endsSpeech(before.text.trimEnd());
    const runs = new SpeakerRuns(segment.text, words, beginsSentence).find(index);
    // A part that starts after the next segment would be out of order.
    const latestSeconds = Math.min(segment.end, Math.max(segments[i + 1]?.start ?? Infinity, segment.start));
    return splitBetweenRuns(segment, words, runs, latestSeconds);
  });
}

/** Neighbouring words of one speaker. */
interface Run {
  readonly speaker: number | null;
  /** Index of the first word. */
  readonly from: number;
}

/** Finds who says which words of a segment. */
class SpeakerRuns {
  readonly #text: string;
  readonly #words: readonly Word[];
  /** Whether the segment begins a sentence. */
  readonly #beginsSentence: boolean;

  constructor(text: string, words: readonly Word[], beginsSentence: boolean) {
    this.#text = text;
    this.#words = words;
    this.#beginsSentence = beginsSentence;
  }

  find(index: TurnIndex): readonly Run[] {
    const runs = mergeRuns(this.#speakersOf(index).map((speaker, from) => ({ speaker, from })));
    return this.#moveToSentenceEnds(this.#removeIslands(runs));
  }

  /** Returns the speaker of each word; a word outside of all turns has the speaker of the word before it. */
  #speakersOf(index: TurnIndex): readonly (number | null)[] {
    const speakers: (number | null)[] = [];
    let last: number | null = null;
    for (const word of this.#words) {
      last = index.speakerOf(word, last) ?? last;
      speakers.push(last);
    }
    const first = speakers.find((speaker) => speaker !== null) ?? null;
    return speakers.map((speaker) => speaker ?? first);
  }

  /** Assigns a single word within the words of another speaker to that speaker, unless it is a sentence. */
  #removeIslands(runs: readonly Run[]): readonly Run[] {
    const remaining = runs.filter(({ from }, i) => {
      const [before, next] = [runs[i - 1], runs[i + 1]];
      const isIsland = before !== undefined && before.speaker === next?.speaker && next.from === from + 1;
      return !isIsland || (this.#endsSentence(from - 1) && this.#endsSentence(from));
    });
    return mergeRuns(remaining);
  }

  /** Moves the changes of speaker to ends of sentences close to them. */
  #moveToSentenceEnds(runs: readonly Run[]): readonly Run[] {
    const moved: Run[] = [];
    for (const [i, { speaker, from }] of runs.entries()) {
      const previousFrom = moved.at(-1)?.from;
      const nextFrom = runs[i + 1]?.from ?? this.#words.length;
      moved.push({
        speaker,
        from: previousFrom === undefined ? from : this.#changeAfterMove(from, previousFrom, nextFrom),
      });
    }
    // A run that has lost all of its words is dropped.
    return mergeRuns(moved.filter(({ from }, i) => from < (moved[i + 1]?.from ?? this.#words.length)));
  }

  /**
   * Returns the word to which a change of speaker moves: the start of a run.
   *
   * @param from the first word of the run
   * @param previousFrom the first word of the run before it
   * @param nextFrom the first word of the run after it
   */
  #changeAfterMove(from: number, previousFrom: number, nextFrom: number): number {
    const pause = (this.#words[from]?.start ?? 0) - (this.#words[from - 1]?.end ?? 0);
    if (pause > maxPauseSeconds) return from;
    for (let distance = 0; distance <= maxMovedWords; distance++) {
      for (const to of [from - distance, from + distance]) {
        if (to > previousFrom && to < nextFrom && this.#endsSentence(to - 1)) return to;
      }
      // At either end of the segment, a run of a single word may lose it: then the whole segment has one speaker.
      if (distance === 1 && from === 1 && previousFrom === 0 && this.#beginsSentence) return 0;
      const end = this.#words.length;
      if (distance === 1 && from === end - 1 && nextFrom === end && this.#endsSentence(end - 1)) return end;
    }
    return from;
  }

  /** Whether a word is the last of a sentence. */
  #endsSentence(word: number): boolean {
    const { from = 0, to = 0 } = this.#words[word] ?? {};
    return endsSpeech(this.#text.slice(from, to));
  }
}

/** Merges neighbouring runs of one speaker; the first one starts with the first word. */
function mergeRuns(runs: readonly Run[]): readonly Run[] {
  return runs
    .filter(({ speaker }, i) => i === 0 || runs[i - 1]?.speaker !== speaker)
    .map((run, i) => (i === 0 ? { ...run, from: 0 } : run));
}

/**
 * Splits a segment between runs of words.
 *
 * @param latestSeconds the latest time of a split
 */
function splitBetweenRuns<S extends Segment>(
  segment: S,
  words: readonly Word[],
  runs: readonly Run[],
  latestSeconds: number,
): readonly AssignedSegment<S>[] {
  const cuts = runs.slice(1).flatMap(({ from }) => {
    const word = words[from];
    if (word === undefined) return [];
    const atSeconds = Math.max(Math.min(roundToMilliseconds(word.start), latestSeconds), segment.start);
    return [{ offset: word.from, atSeconds }];
  });
  return splitSegmentAt(segment, cuts).map((part, i) => ({
    segment: part,
    speaker: runs[i]?.speaker ?? null,
  }));
}
