import { diffArrays } from 'diff';
import type { Segment } from '../../../electron/contract/segment-schema.ts';
import { wordsOf } from '../../../electron/core/transcript/word-times.ts';
import { words } from '../../support/speech/speech-audio.ts';

/** A word of a transcript, compared with what was said. */
export interface JudgedWord {
  readonly word: string;
  readonly probability: number;
  /** Whether it was said there. */
  readonly isRight: boolean;
}

/** Compares the words of a transcript that have a probability with what was said. */
export function judgeWords(segments: readonly Segment[], said: string): readonly JudgedWord[] {
  const written = segments.flatMap((segment) =>
    (wordsOf(segment) ?? []).flatMap(({ from, to, probability }) => {
      const word = segment.text.slice(from, to);
      // A word with a hyphen can be two of those that are compared.
      return probability === null ? [] : [{ word, probability, parts: words(word) }];
    }),
  );
  const allParts = written.flatMap(({ parts }) => parts);
  const areRight: boolean[] = [];
  for (const { added, removed, count } of diffArrays([...words(said)], allParts)) {
    if (!removed) for (let part = 0; part < count; part += 1) areRight.push(!added);
  }
  let index = 0;
  return written.flatMap(({ word, probability, parts }) => {
    const isRight = parts.every((_, part) => areRight[index + part] === true);
    index += parts.length;
    return parts.length === 0 ? [] : [{ word, probability, isRight }];
  });
}

/** The words that a threshold flags: those with a smaller probability. */
export interface Flagged {
  readonly wrong: number;
  readonly right: number;
}

/** Counts the wrong and the right words below a probability; with `Infinity`, all. */
export function flaggedBelow(judged: readonly JudgedWord[], threshold: number): Flagged {
  const flagged = judged.filter(({ probability }) => probability < threshold);
  const right = flagged.filter(({ isRight }) => isRight).length;
  return { wrong: flagged.length - right, right };
}
