import { roundToMilliseconds } from '../../contract/milliseconds.ts';
import type { Segment } from '../../contract/segment-schema.ts';
import { splitSegmentAt } from './segment.ts';
import { wordsOrEstimates } from './word-edits.ts';
import { type TimedTurn, TurnIndex } from './turn-index.ts';
import type { Word } from './word-times.ts';

/** A segment, or a part of one that was split, and who speaks in it; `null`: nobody knows. */
export interface SpokenSegment<S extends Segment> {
  readonly segment: S;
  readonly speaker: number | null;
}

/** By how many words a change of speaker moves to the end of a sentence. */
const maxMovedWords = 2;
/** At a longer pause, a change of speaker stays where it is. */
const maxPauseSeconds = 0.4;

// Dashes: interrupted speech ends with them.
const sentenceEnd = /[.!?…。！？؟।—–][\p{Pe}\p{Pf}"'’]*$/u;

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
): readonly (readonly SpokenSegment<S>[])[] {
  const index = new TurnIndex(turns);
  return segments.map((segment, i) => {
    const words = wordsOrEstimates(segment);
    if (words.length === 0) return [{ segment, speaker: index.speakerOf(segment, null) }];
    const before = segments[i - 1];
    const isStart = before === undefined || sentenceEnd.test(before.text.trimEnd());
    const runs = new SpeakerRuns(segment.text, words, isStart).find(index);
    // A part that starts after the next segment would be out of order.
    const latest = Math.min(segment.end, Math.max(segments[i + 1]?.start ?? Infinity, segment.start));
    return splitAt(segment, words, runs, latest);
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
  /** Whether a sentence starts with the segment. */
  readonly #isStart: boolean;

  constructor(text: string, words: readonly Word[], isStart: boolean) {
    this.#text = text;
    this.#words = words;
    this.#isStart = isStart;
  }

  find(index: TurnIndex): readonly Run[] {
    return this.#atSentences(this.#withoutIslands(runsOf(this.#speakersOf(index))));
  }

  /** Returns the speaker of each word; a word that nobody says belongs to the word before it. */
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

  /** Joins single words within the words of somebody else, unless they are a sentence. */
  #withoutIslands(runs: readonly Run[]): readonly Run[] {
    const kept = runs.filter(({ from }, i) => {
      const [before, next] = [runs[i - 1], runs[i + 1]];
      const isIsland = before !== undefined && before.speaker === next?.speaker && next.from === from + 1;
      return !isIsland || (this.#endsSentence(from - 1) && this.#endsSentence(from));
    });
    return joined(kept);
  }

  /** Moves the changes of speaker to ends of sentences close to them. */
  #atSentences(runs: readonly Run[]): readonly Run[] {
    const moved: Run[] = [];
    for (const [i, { speaker, from }] of runs.entries()) {
      const first = moved.at(-1)?.from;
      const next = runs[i + 1]?.from ?? this.#words.length;
      moved.push({ speaker, from: first === undefined ? from : this.#moveChange(from, first, next) });
    }
    // A run that lost all its words ends where the next one starts.
    return joined(moved.filter(({ from }, i) => from < (moved[i + 1]?.from ?? this.#words.length)));
  }

  /**
   * Returns where a change of speaker moves.
   *
   * @param first the first word of the speaker before
   * @param next the first word after the speaker after it
   */
  #moveChange(from: number, first: number, next: number): number {
    const pause = (this.#words[from]?.start ?? 0) - (this.#words[from - 1]?.end ?? 0);
    if (pause > maxPauseSeconds) return from;
    for (let distance = 0; distance <= maxMovedWords; distance++) {
      for (const to of [from - distance, from + distance]) {
        if (to > first && to < next && this.#endsSentence(to - 1)) return to;
      }
      // A speaker's only word in the segment may be reassigned.
      if (distance === 1 && from === 1 && first === 0 && this.#isStart) return 0;
      const end = this.#words.length;
      if (distance === 1 && from === end - 1 && next === end && this.#endsSentence(end - 1)) return end;
    }
    return from;
  }

  /** Whether a word is the last of a sentence. */
  #endsSentence(word: number): boolean {
    const { from = 0, to = 0 } = this.#words[word] ?? {};
    return sentenceEnd.test(this.#text.slice(from, to));
  }
}

function runsOf(speakers: readonly (number | null)[]): readonly Run[] {
  return joined(speakers.map((speaker, from) => ({ speaker, from })));
}

/** Joins neighbouring runs of one speaker; the first one starts with the first word. */
function joined(runs: readonly Run[]): readonly Run[] {
  return runs
    .filter(({ speaker }, i) => i === 0 || runs[i - 1]?.speaker !== speaker)
    .map((run, i) => (i === 0 ? { ...run, from: 0 } : run));
}

/**
 * Splits a segment between runs of words.
 *
 * @param latest the latest time of a split, in seconds
 */
function splitAt<S extends Segment>(
  segment: S,
  words: readonly Word[],
  runs: readonly Run[],
  latest: number,
): readonly SpokenSegment<S>[] {
  const cuts = runs.slice(1).flatMap(({ from }) => {
    const word = words[from];
    if (word === undefined) return [];
    const atSeconds = Math.max(Math.min(roundToMilliseconds(word.start), latest), segment.start);
    return [{ offset: word.from, atSeconds }];
  });
  return splitSegmentAt(segment, cuts).map((part, i) => ({
    segment: part,
    speaker: runs[i]?.speaker ?? null,
  }));
}
