import { diffArrays } from 'diff';
import type { Segment } from '../../../electron/contract/segment-schema.ts';
import { wordsOf } from '../../../electron/core/transcript/word-times.ts';
import { words } from '../../support/speech/speech-audio.ts';
import type { SpokenWord } from './espeak.ts';

/** The distances of the starts of words from when they were said. */
export interface WordStartErrors {
  /** Words with a known time. */
  readonly said: number;
  /** Seconds, of the words that were recognized; negative: too early. */
  readonly errors: readonly number[];
}

/** Compares the words of a transcript with what was said; a word that was not recognized has no time to compare. */
export function wordStartErrors(segments: readonly Segment[], said: readonly SpokenWord[]): WordStartErrors {
  const heard = segments.flatMap((segment) =>
    (wordsOf(segment) ?? []).flatMap(({ from, to, start }) => {
      const [word, ...more] = words(segment.text.slice(from, to));
      return word === undefined || more.length > 0 ? [] : [{ word, start }];
    }),
  );
  const errors: number[] = [];
  let [saidIndex, heardIndex] = [0, 0];
  const changes = diffArrays(
    said.map(({ word }) => word),
    heard.map(({ word }) => word),
  );
  for (const { added, removed, count } of changes) {
    if (!added && !removed) {
      for (let i = 0; i < count; i++) {
        errors.push((heard[heardIndex + i]?.start ?? NaN) - (said[saidIndex + i]?.start ?? NaN));
      }
    }
    if (!added) saidIndex += count;
    if (!removed) heardIndex += count;
  }
  return { said: said.length, errors };
}
