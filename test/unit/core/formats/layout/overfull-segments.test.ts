import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { presetRules } from '../../../../../electron/contract/subtitle-rules.ts';
import type { LabelledSegment } from '../../../../../electron/core/formats/content.ts';
import { assess } from '../../../../../electron/core/formats/layout/cue-quality.ts';
import { minVisibleMs } from '../../../../../electron/core/formats/layout/cue-times.ts';
import { layOut } from '../../../../../electron/core/formats/layout/layout.ts';
import { fitOverfullSegments } from '../../../../../electron/core/formats/layout/overfull-segments.ts';
import { newSegment, withText, withWords } from '../../../../../electron/core/transcript/segment.ts';
import { wordRanges } from '../../../../../electron/core/transcript/words-in-text.ts';
import { anySegments, spokenSegments } from '../transcripts.ts';

// Reads at most 25 columns per second; closes gaps below 0.3 s.
const rules = presetRules.vertical;
const timesOf = (...segments: readonly LabelledSegment[]) =>
  fitOverfullSegments(segments, rules).map(({ start, end, isOverfull }) => ({ start, end, isOverfull }));

/** Text that takes two seconds to read. */
const twoSeconds = 'x'.repeat(50);

describe('a segment with more text than time', () => {
  const before = { start: 0, end: 4, text: 'Before.' };
  const fitted = (start: number, end: number, afterStart: number) =>
    timesOf(before, { start, end, text: twoSeconds }, { start: afterStart, end: 20, text: 'After.' })[1];

  it('gets the time of the pause after it, then of the one before it, and leaves both a pause', () => {
    expect(fitted(6, 6.5, 10)).toEqual({ start: 6, end: 8, isOverfull: true });
    expect(fitted(6, 6.5, 7.5)).toEqual({ start: 5.2, end: 7.2, isOverfull: true });
    expect(fitted(4.5, 5, 6)).toEqual({ start: 4.3, end: 5.7, isOverfull: true });
    expect(fitted(4.1, 4.6, 4.7)).toEqual({ start: 4.1, end: 4.6, isOverfull: true });
  });

  it('keeps its time if somebody could speak it', () => {
    expect(fitted(6, 7, 10)).toEqual({ start: 6, end: 7, isOverfull: false });
    expect(fitted(6, 6.999, 10)?.isOverfull).toBe(true);
    expect(timesOf({ start: 6, end: 6, text: 'x'.repeat(15) })[0]?.isOverfull).toBe(false);
  });

  it('gets no time while somebody else speaks, and none after the last segment', () => {
    const long = { start: 0, end: 8, text: 'Long.' };
    expect(timesOf(long, { start: 3, end: 3, text: twoSeconds })[1]).toEqual({
      start: 3,
      end: 3,
      isOverfull: true,
    });
  });

  it('shares a pause with the next one that has too much text', () => {
    const [one, two] = timesOf(
      { start: 0, end: 0.5, text: twoSeconds },
      { start: 3, end: 3.5, text: twoSeconds },
    );
    expect([one?.end, two?.start]).toEqual([2, 2.3]);
  });
});

/** A segment with the times of its words, and what a person then appended to it. */
function appendedTo(start: number, end: number, text: string, appended: string): LabelledSegment {
  const ranges = wordRanges(text);
  const wordSeconds = (end - start) / ranges.length;
  const words = ranges.map((range, index) => ({
    ...range,
    start: start + index * wordSeconds,
    end: start + (index + 1) * wordSeconds,
    probability: 0.9,
  }));
  return withText(withWords(newSegment(start, end, text), words), text + appended);
}

describe('subtitles of a segment with more text than time', () => {
  it('have the minimum duration, and do not continue in the next segment', () => {
    const appended =
      ' It was nowhere in the house and it may be that somebody threw it out and nothing may be lost';
    for (const nextStart of [12, 12.2, 13]) {
      const cues = layOut(
        [
          newSegment(6.5, 10, 'He looked at the sea for a while and said nothing.'),
          appendedTo(10.3, 12, 'We never found it again.', appended),
          newSegment(nextStart, nextStart + 3.5, 'Let a la main found be what it is for now.'),
          newSegment(17, 20, 'Later we went home.'),
        ],
        'en',
        rules,
      );
      expect(assess(cues, rules)).toMatchObject({ tooShort: 0, tooClose: 0 });
      const texts = cues.map(({ lines }) => lines.join(' '));
      expect(texts.some((text) => text.endsWith('nothing may be lost'))).toBe(true);
      expect(texts.some((text) => text.startsWith('Let a la main'))).toBe(true);
    }
  });

  it('have the minimum duration if there is a pause before or after it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 300, max: 1700 }),
        fc.integer({ min: 1, max: 30 }),
        fc.boolean(),
        fc.constantFrom(...Object.values(presetRules)),
        (durationMs, words, isPauseBefore, some) => {
          const appended = ' and nothing may be lost'
            .repeat(words)
            .split(' ')
            .slice(0, words + 1)
            .join(' ');
          const start = isPauseBefore ? 40 : 10;
          const end = start + durationMs / 1000;
          const next = isPauseBefore ? end : end + 30;
          const cues = layOut(
            [
              newSegment(6, 10, 'He looked at the sea for a while and said nothing.'),
              appendedTo(start, end, 'We never found it.', appended),
              newSegment(next, next + 4, 'Let us see what it is for now, and go home.'),
            ],
            'en',
            some,
          );
          expect(assess(cues, some)).toMatchObject({ tooShort: 0, tooClose: 0 });
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('every cue', () => {
  it('is visible for half of the minimum duration, of whatever segments it is made', () => {
    fc.assert(
      fc.property(
        fc.oneof(anySegments, spokenSegments),
        fc.constantFrom(...Object.values(presetRules)),
        (segments, some) => {
          const shown = layOut(segments, 'en', some).map(({ startMs, endMs }) => endMs - startMs);
          expect(Math.min(Infinity, ...shown)).toBeGreaterThanOrEqual(minVisibleMs(some));
        },
      ),
      { numRuns: 300 },
    );
  });
});
