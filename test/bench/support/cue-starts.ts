import { diffArrays } from 'diff';
import type { Segment } from '../../../electron/contract/segment-schema.ts';
import type { SubtitleRules } from '../../../electron/contract/subtitle-rules.ts';
import { layOut } from '../../../electron/core/formats/layout/layout.ts';
import { words } from '../../support/speech/speech-audio.ts';
import type { SpokenWord } from './espeak.ts';

/**
 * Returns the seconds from the time at which its first word was said to the start of each cue; negative: too early. Only
 * cues that start within a segment count, whose first word was recognized and has a known time.
 */
export function cueStartErrors(
  segments: readonly Segment[],
  said: readonly SpokenWord[],
  rules: SubtitleRules,
): readonly number[] {
  let position = 0;
  const segmentStarts = new Set(
    segments.map(({ text }) => {
      position += words(text).length;
      return position;
    }),
  );
  const shown: { readonly word: string; readonly start: number | null }[] = [];
  for (const { startMs, lines } of layOut(segments, 'en', rules)) {
    const isWithin = shown.length > 0 && !segmentStarts.has(shown.length);
    words(lines.join(' ')).forEach((word, index) =>
      shown.push({ word, start: isWithin && index === 0 ? startMs / 1000 : null }),
    );
  }
  const errors: number[] = [];
  let [saidIndex, shownIndex] = [0, 0];
  for (const { added, removed, count } of diffArrays(
    said.map(({ word }) => word),
    shown.map(({ word }) => word),
  )) {
    for (let index = 0; index < count; index += 1) {
      const [saidWord, shownWord] = [said[saidIndex + index], shown[shownIndex + index]];
      const isMatched = !added && !removed && saidWord !== undefined;
      if (isMatched && shownWord !== undefined && shownWord.start !== null)
        errors.push(shownWord.start - saidWord.start);
    }
    if (!added) saidIndex += count;
    if (!removed) shownIndex += count;
  }
  return errors;
}
