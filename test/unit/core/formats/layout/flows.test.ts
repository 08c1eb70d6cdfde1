import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newSegment, withWords } from '../../../../../electron/core/transcript/segment.ts';
import { wordRanges } from '../../../../../electron/core/transcript/words-in-text.ts';
import type { LabelledSegment } from '../../../../../electron/core/formats/content.ts';
import { flowsOf, followsWithoutPause } from '../../../../../electron/core/formats/layout/flows.ts';
import { layOut } from '../../../../../electron/core/formats/layout/layout.ts';
import { assess } from '../../../../../electron/core/formats/layout/cue-quality.ts';
import { speechOf } from '../../../../../electron/core/formats/layout/speech.ts';
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

const flows = (...segments: readonly LabelledSegment[]) => flowsOf(segments, rules);

const textsOf = (...segments: readonly LabelledSegment[]) => flows(...segments).map(({ text }) => text);

const said = (start: number, end: number, text: string, more: Partial<LabelledSegment> = {}) => ({
  start,
  end,
  text,
  ...more,
});

const follows = (start: number, more: Partial<LabelledSegment> = {}) => {
  const [one, next] = flows(said(0, 1, 'We.'), said(start, start + 1, 'They.', more));
  return followsWithoutPause(one!, next!, rules);
};

const spoken = (pauseMs: number) => {
  const text = 'When we went';
  const starts = [0, 0.5, 1 + pauseMs / 1000];
  return withWords(
    newSegment(0, 4, text),
    wordRanges(text).map((range, index) => ({
      ...range,
      start: starts[index] ?? 0,
      end: (starts[index] ?? 0) + 0.5,
      probability: null,
    })),
  );
};

describe('a flow', () => {
  const wide = rules.columnsPerWideCharacter;

  it('joins segments of a sentence while nobody pauses', () => {
    const first = said(0, 1, 'When we');
    expect(textsOf(first, said(1, 2, 'went'))).toEqual(['When we went']);
    expect(textsOf(first, said(1.499, 2, 'went'))).toEqual(['When we went']);
    expect(textsOf(first, said(1.5, 2, 'went'))).toEqual(['When we', 'went']);
    expect(textsOf(first, said(0.9, 2, 'went'))).toEqual(['When we', 'went']);
    expect(textsOf(said(0, 1, 'We went.'), said(1, 2, 'They stayed'))).toEqual(['We went.', 'They stayed']);
    expect(textsOf(first, said(1, 2, 'went home.'), said(2, 3, 'They'))).toEqual([
      'When we went home.',
      'They',
    ]);
    expect(textsOf(said(0, 1, '港の'), said(1, 2, '網'))).toEqual(['港の網']);
  });

  it('is of one speaker and begins with the label', () => {
    const anna = { speaker: 'Anna' };
    expect(textsOf(said(0, 1, 'When', anna), said(1, 2, 'we', anna), said(2, 3, 'why'))).toEqual([
      'When we',
      'why',
    ]);
    const labelled = flows(said(0, 1, 'When'), said(1, 2, 'we', { ...anna, label: ' Anna\n:' }));
    expect(labelled.map(({ text, label, speaker }) => [text, label, speaker])).toEqual([
      ['When', null, null],
      ['Anna : we', 'Anna :', 'Anna'],
    ]);
    expect(textsOf(said(0, 1, 'When', anna), said(1, 2, 'we', { ...anna, label: 'Anna:' }))).toHaveLength(2);
    expect(textsOf(said(0, 1, 'When'), said(1, 2, 'we', { speaker: '' }))).toEqual(['When we']);
  });

  it('has the segments in order of their start, without empty ones', () => {
    expect(textsOf(said(1, 2, 'we'), said(2, 2, ' \n'), said(0, 1, 'When'))).toEqual(['When we']);
    expect(flows(said(0, 1, ' '))).toEqual([]);
  });

  it('knows where each segment is in its text, and when it is spoken', () => {
    const [flow] = flows(said(0, 1, 'When we'), said(1.2, 1.1, 'went'), said(1.2, 3, 'home'));
    expect(flow?.spans).toEqual([
      { startColumn: 0, endColumn: 7, startMs: 0, endMs: 1000, words: [] },
      { startColumn: 8, endColumn: 12, startMs: 1200, endMs: 1200, words: [] },
      { startColumn: 13, endColumn: 17, startMs: 1200, endMs: 3000, words: [] },
    ]);
    const [joined] = flows(said(0, 1, '港の'), said(1, 2, '網'));
    const width = rules.columnsPerWideCharacter;
    expect(joined?.spans).toMatchObject([
      { endColumn: 2 * width },
      { startColumn: 2 * width, endColumn: 3 * width },
    ]);
  });

  it.each([
    [
      'two nets',
      undefined,
      [
        [0, 3],
        [4, 8],
      ],
    ],
    [
      'two  nets',
      undefined,
      [
        [0, 3],
        [4, 8],
      ],
    ],
    [
      ' two nets ',
      undefined,
      [
        [0, 3],
        [4, 8],
      ],
    ],
    [
      'two nets',
      'Bo:',
      [
        [4, 7],
        [8, 12],
      ],
    ],
    [
      'two\nnets',
      'Bo:',
      [
        [4, 7],
        [8, 12],
      ],
    ],
    [
      'né\u0301t nets',
      undefined,
      [
        [0, 3],
        [4, 8],
      ],
    ],
    ['港の網', undefined, [0, 1, 2].map((at) => [at * wide, (at + 1) * wide])],
    ['a \u0001 b', undefined, []],
  ] as const)('knows where the words of %j with the label %j are', (text, label, columns) => {
    const ranges = wordRanges(text);
    const segment = withWords(
      newSegment(0, 2, text),
      ranges.map((range, index) => ({
        ...range,
        start: index * 0.6,
        end: index * 0.6 + 0.5,
        probability: null,
      })),
    );
    const [flow] = flows(label === undefined ? segment : { ...segment, label });
    expect(flow?.spans[0]?.words).toEqual(
      columns.map(([startColumn, endColumn], index) => ({
        startColumn,
        endColumn,
        startMs: index * 600,
        endMs: index * 600 + 500,
      })),
    );
  });

  it('ends at a pause between words from twice a gap that would be closed, with the times of its words', () => {
    expect(textsOf(spoken(999))).toEqual(['When we went']);
    const split = flows({ ...spoken(1000), label: 'Bo:', speaker: 'Bo' });
    expect(split.map(({ text, label, speaker }) => [text, label, speaker])).toEqual([
      ['Bo: When we', 'Bo:', 'Bo'],
      ['went', null, 'Bo'],
    ]);
    expect(split.map(({ spans }) => [spans[0]?.startMs, spans[0]?.endMs])).toEqual([
      [0, 1000],
      [2000, 4000],
    ]);
    // Even if gaps are not closed, words without a pause stay together.
    expect(flowsOf([spoken(0)], { ...rules, closeGapsBelowMs: 0 })).toHaveLength(1);
  });

  it('follows another one without a pause', () => {
    expect([1, 0.5, 1.499, 1.5].map((start) => follows(start))).toEqual([true, true, true, false]);
    expect(follows(1, { speaker: 'Anna' })).toBe(false);
  });
});

const timesOf = (segments: readonly LabelledSegment[]) => {
  const { text, times } = speechOf(segments, 'en', rules);
  return text.atoms.map((atom, index) => [atom.text, times.startMs(index), times.endBeforeMs(index + 1)]);
};

describe('the times of a text', () => {
  it('pass evenly within each segment whose words have none', () => {
    expect(timesOf([{ start: 0, end: 10, text: 'aaaa bbbbb' }])).toEqual([
      ['aaaa', 0, 4000],
      ['bbbbb', 5000, 10_000],
    ]);
    expect(
      timesOf([
        { start: 0, end: 1, text: 'aaaa bbbbb' },
        { start: 1.2, end: 2.2, text: 'cccc ddddd' },
      ]),
    ).toEqual([
      ['aaaa', 0, 400],
      ['bbbbb', 500, 1000],
      ['cccc', 1200, 1600],
      ['ddddd', 1700, 2200],
    ]);
  });

  it('of an article and its noun in the next segment are those of both', () => {
    expect(
      timesOf([
        { start: 0, end: 1, text: 'We saw the' },
        { start: 1.2, end: 2, text: 'net' },
        { start: 2, end: 3, text: 'there' },
      ]),
    ).toEqual([
      ['We', 0, 200],
      ['saw', 300, 600],
      ['the net', 700, 2000],
      ['there', 2000, 3000],
    ]);
  });

  it('are those of the words, as far as they are known', () => {
    const text = 'We saw nets';
    const segment = withWords(
      newSegment(0, 4, text),
      wordRanges(text).map((range, index) => ({
        ...range,
        start: index + 0.25,
        end: index + 0.75,
        probability: null,
      })),
    );
    const known = [
      ['We', 250, 750],
      ['saw', 1250, 1750],
      ['nets', 2250, 2750],
    ];
    expect(timesOf([segment])).toEqual(known);
    expect(timesOf([segment, { start: 4, end: 5, text: 'there' }])).toEqual([
      ...known,
      ['there', 4000, 5000],
    ]);
    // A label is read with the first word.
    expect(timesOf([{ ...segment, label: 'Bo Li:' }])).toEqual([
      ['Bo', 250, 250],
      ['Li:', 250, 250],
      ...known,
    ]);
  });
});
