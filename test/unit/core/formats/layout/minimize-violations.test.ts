import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { presetRules, type SubtitleRules } from '../../../../../electron/contract/subtitle-rules.ts';
import { roundToMilliseconds } from '../../../../../electron/contract/milliseconds.ts';
import { newSegment, withWords } from '../../../../../electron/core/transcript/segment.ts';
import { wordRanges } from '../../../../../electron/core/transcript/words-in-text.ts';
import type { LabelledSegment } from '../../../../../electron/core/formats/content.ts';
import { layOut } from '../../../../../electron/core/formats/layout/layout.ts';
import { tooShortViolations } from '../../../../../electron/core/formats/layout/minimize-violations.ts';
import { assess } from '../../../../../electron/core/formats/layout/cue-quality.ts';
import { anyStart, minViolations, usefulStart } from './allowed-layouts.ts';

/** A language without known articles. */
const language = 'xx';
/** The number of violations, in the unit of {@link minViolations}. */
const violations = (segments: readonly LabelledSegment[], rules: SubtitleRules): number => {
  const { flagged, tooShort } = assess(layOut(segments, language, rules), rules);
  return flagged + tooShort * tooShortViolations;
};

/** Segments with pauses between them, or overlaps for negative pauses; all in milliseconds. */
const segmentsOf = (
  pieces: readonly {
    words: readonly string[];
    pauseMs: number;
    wordMs: number;
    speaker: string | null;
    shares: readonly number[] | null;
  }[],
): LabelledSegment[] => {
  let endMs = 0;
  let startMs = 0;
  return pieces.map(({ words, pauseMs, wordMs, speaker, shares }) => {
    startMs = Math.max(startMs, endMs + pauseMs);
    endMs = startMs + words.length * wordMs;
    const segment = newSegment(startMs / 1000, endMs / 1000, words.join(' '));
    return { ...(shares === null ? segment : withWordTimes(segment, shares)), speaker };
  });
};

/** The times of words, in ascending order, as shares of their segment in percent; `null`: unknown. */
const shares = fc.option(fc.array(fc.nat({ max: 100 }), { minLength: 8, maxLength: 20 }));

function withWordTimes(segment: LabelledSegment, percents: readonly number[]): LabelledSegment {
  const ranges = wordRanges(segment.text);
  const times = ranges
    .flatMap((_, index) => [index, index + ranges.length])
    .map((index) => percents[index % percents.length] ?? 0)
    .map((percent) => segment.start + ((segment.end - segment.start) * percent) / 100)
    .sort((a, b) => a - b)
    .map(roundToMilliseconds);
  return withWords(
    segment,
    ranges.map((range, index) => ({
      ...range,
      start: times[2 * index] ?? 0,
      end: times[2 * index + 1] ?? 0,
      probability: null,
    })),
  );
}

/** Labels each change of speaker, as in files that cannot name speakers otherwise. */
const withLabels = (segments: readonly LabelledSegment[], name: string): LabelledSegment[] =>
  segments.map((segment, index) => {
    const isNew = segment.speaker !== null && segment.speaker !== segments[index - 1]?.speaker;
    return isNew ? { ...segment, label: `${name}:` } : segment;
  });

describe('a few words', () => {
  // A thousandth of normal times, so that every millisecond can be tried.
  const rules: SubtitleRules = {
    maxLines: 2,
    columnsPerLine: 10,
    columnsPerWideCharacter: 2,
    minDurationMs: 8,
    maxDurationMs: 1000,
    minGapMs: 2,
    closeGapsBelowMs: 6,
    targetSpeed: 700,
    maxSpeed: 1000,
  };
  const fewWords = fc
    .array(
      fc.record({
        words: fc.array(fc.constantFrom('I', 'so.', 'we', 'saw', 'when', 'there.', 'nobody'), {
          minLength: 1,
          maxLength: 4,
        }),
        pauseMs: fc.constantFrom(0, 0, 0, 1, 3, 7, 20, -4),
        wordMs: fc.integer({ min: 0, max: 9 }),
        speaker: fc.constantFrom(null, null, null, 'Anna'),
        shares,
      }),
      { minLength: 1, maxLength: 4 },
    )
    .map(segmentsOf);

  it('have as few violations as the best of all layouts with starts at every millisecond', () => {
    fc.assert(
      fc.property(
        fewWords,
        fc.constantFrom(6, 0),
        fc.constantFrom(8, 3),
        (segments, closeGapsBelowMs, minDurationMs) => {
          const some = { ...rules, closeGapsBelowMs, minDurationMs };
          expect(violations(segments, some)).toBe(minViolations(segments, some, anyStart));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('have as few with speaker labels', () => {
    fc.assert(
      fc.property(
        fewWords,
        fc.constantFrom('Bo', 'Bo Li', 'Catherine', 'Ada Bo Cleo'),
        fc.constantFrom(1, 2),
        (segments, name, maxLines) => {
          const labelled = withLabels(segments, name);
          const some = { ...rules, maxLines };
          expect(violations(labelled, some)).toBe(minViolations(labelled, some, anyStart));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('have no more with cues of the maximum duration', () => {
    fc.assert(
      fc.property(fewWords, fc.integer({ min: 5, max: 30 }), (segments, maxDurationMs) => {
        const some = { ...rules, maxDurationMs };
        expect(violations(segments, some)).toBeLessThanOrEqual(minViolations(segments, some, anyStart));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('fast speech', () => {
  const fastSpeech = fc
    .array(
      fc.record({
        words: fc.array(
          fc.constantFrom(
            ...'it was what nobody there, ever said. yes. no! who? before we went home'.split(' '),
          ),
          { minLength: 1, maxLength: 10 },
        ),
        pauseMs: fc.oneof(fc.constant(0), fc.integer({ min: -100, max: 800 })),
        wordMs: fc.integer({ min: 120, max: 330 }),
        speaker: fc.constantFrom(null, null, null, 'Anna'),
        shares,
      }),
      { minLength: 1, maxLength: 5 },
    )
    .map(segmentsOf);

  it('of any preset has as few violations as the best of all layouts', () => {
    fc.assert(
      fc.property(fastSpeech, fc.constantFrom(...Object.values(presetRules)), (segments, rules) => {
        for (const some of [segments, withLabels(segments, 'Professor Anna Schmidt')]) {
          expect(violations(some, rules)).toBe(minViolations(some, rules, usefulStart));
        }
      }),
      { numRuns: 100 },
    );
  });
});
