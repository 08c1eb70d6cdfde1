import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newSegment, withWords } from '../../../../../electron/core/transcript/segment.ts';
import { wordRanges } from '../../../../../electron/core/transcript/words-in-text.ts';
import { layOut } from '../../../../../electron/core/formats/layout/layout.ts';
import { assess } from '../../../../../electron/core/formats/layout/cue-quality.ts';
import { presetRules } from '../../../../../electron/contract/subtitle-rules.ts';
import { spokenSegments } from '../transcripts.ts';

const rules = presetRules.broadcast;

describe('segments cut anywhere', () => {
  // Cut like a service does: where the audio allows it, not where the sentence does.
  const cutAnywhere = fc
    .array(fc.tuple(spokenSegments, fc.integer({ min: 3, max: 14 })), { minLength: 1, maxLength: 3 })
    .map((parts) => {
      let time = 0;
      return parts.flatMap(([segments, size]) => {
        const words = segments.flatMap(({ text }) => text.split(' '));
        return Array.from({ length: Math.ceil(words.length / size) }, (_, index) => {
          const text = words.slice(index * size, (index + 1) * size).join(' ');
          const start = time;
          time += text.split(' ').length * 0.45;
          return { start, end: time, text };
        });
      });
    });

  it('never make a line or a cue end with an article', () => {
    fc.assert(
      fc.property(cutAnywhere, fc.constantFrom(...Object.values(presetRules)), (segments, limits) => {
        const lines = layOut(segments, 'en', limits).flatMap((cue) => cue.lines);
        expect(lines.slice(0, -1).filter((line) => / (a|an|the)$/i.test(` ${line}`))).toEqual([]);
        expect(lines.join(' ')).toBe(segments.map(({ text }) => text).join(' '));
      }),
      { numRuns: 300 },
    );
  });

  it('break no rule of any preset except reading speed', () => {
    fc.assert(
      fc.property(cutAnywhere, fc.constantFrom(...Object.values(presetRules)), (segments, limits) => {
        const { tooManyLines, tooWide, tooLong, tooClose } = assess(layOut(segments, 'en', limits), limits);
        expect([tooManyLines, tooWide, tooLong, tooClose]).toEqual([0, 0, 0, 0]);
      }),
      { numRuns: 300 },
    );
  });

  it('are two flows at a long pause between words, though not at a hesitation', () => {
    const text = 'I never, for a moment, thought of you.';
    const times = [
      [0, 0.2],
      [0.2, 0.5],
      // Less than twice a closed gap.
      [1.4, 1.5],
      [1.5, 1.6],
      [1.6, 2],
      [3, 3.3],
      [3.3, 3.5],
      [3.5, 4],
    ] as const;
    const segment = withWords(
      newSegment(0, 4, text),
      wordRanges(text).map((range, index) => {
        const [start, end] = times[index]!;
        return { ...range, start, end, probability: null };
      }),
    );
    expect(layOut([segment], 'en', rules)).toEqual([
      { startMs: 0, endMs: 2000, lines: ['I never, for a moment,'] },
      { startMs: 3000, endMs: expect.any(Number), lines: ['thought of you.'] },
    ]);
  });

  it('are one flow while a sentence continues: cues break at good points of it, at the times of their words', () => {
    const segments = [
      { start: 0, end: 4, text: 'In the evening, when it was cold, we all went to the' },
      { start: 4, end: 6, text: 'old house by the river, and' },
      { start: 6.2, end: 8, text: 'nobody came.' },
      { start: 8, end: 9.5, text: 'Nobody ever does.' },
    ];
    expect(layOut(segments, 'en', rules)).toEqual([
      { startMs: 0, endMs: expect.any(Number), lines: ['In the evening, when it was cold,'] },
      {
        startMs: 2615,
        endMs: expect.any(Number),
        lines: ['we all went to the old house', 'by the river, and nobody came.'],
      },
      { startMs: 8000, endMs: 9500, lines: ['Nobody ever does.'] },
    ]);
  });

  it('are cut so that each cue can be read in time', () => {
    const segments = [
      { start: 0, end: 1.5, text: 'Nobody who was there that night ever came back' },
      { start: 1.5, end: 5.5, text: 'to tell anybody what they had seen in the' },
    ];
    expect(assess(layOut(segments, 'en', rules), rules).tooFast).toBe(0);
  });

  it('return a stranded word to its sentence', () => {
    const segments = [
      { start: 0, end: 3, text: 'She had never been there' },
      { start: 3, end: 4.5, text: 'before.' },
      { start: 4.5, end: 6.5, text: 'Neither had I.' },
    ];
    expect(layOut(segments, 'en', rules).map(({ lines }) => lines)).toEqual([
      ['She had never been there before.'],
      ['Neither had I.'],
    ]);
  });
});

describe('segments with the times of their words', () => {
  const text =
    'In the evening, when it was cold, we all went to the old house by the river, and nobody came.';
  /** Each word takes 0.2 s, but nobody speaks for two seconds before "we". */
  const segment = withWords(
    newSegment(0, 6, text),
    wordRanges(text).map((range, index) => {
      const start = index * 0.2 + (range.from < text.indexOf('we all') ? 0.3 : 2.3);
      return { ...range, start, end: start + 0.2, probability: null };
    }),
  );
  const cuesOf = (more: object) =>
    layOut([{ ...segment, ...more }], 'en', rules).map(({ startMs, lines }) => [startMs, lines[0]]);

  it('become cues that start when their first word does', () => {
    expect(cuesOf({})).toEqual([
      [300, 'In the evening, when it was cold,'],
      [3700, 'we all went to the old house'],
    ]);
  });

  it('have a label that is read with the first word', () => {
    expect(cuesOf({ speaker: 'Anna', label: 'Anna:' })).toEqual([
      [300, 'Anna: In the evening, when it was cold,'],
      [3700, 'we all went to the old house'],
    ]);
  });

  it('are laid out without words that take other columns than the text', () => {
    const other = 'In the \u0001 evening.';
    const odd = withWords(
      newSegment(0, 2, other),
      wordRanges(other).map((range) => ({ ...range, start: 1, end: 2, probability: null })),
    );
    expect(layOut([odd], 'en', rules)).toMatchObject([{ startMs: 0, lines: ['In the evening.'] }]);
  });
});
