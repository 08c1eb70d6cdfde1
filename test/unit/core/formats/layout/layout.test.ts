import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnsOf } from '../../../../../electron/core/formats/layout/columns.ts';
import type { Cue } from '../../../../../electron/core/formats/layout/cue.ts';
import { layOut } from '../../../../../electron/core/formats/layout/layout.ts';
import { assess } from '../../../../../electron/core/formats/layout/cue-quality.ts';
import { presetRules } from '../../../../../electron/contract/subtitle-rules.ts';
import { anySegments, letters, spokenSegments } from '../transcripts.ts';

const rules = presetRules.broadcast;
const width = (line: string): number => columnsOf(line, rules.columnsPerWideCharacter);
const lay = (text: string, start: number, end: number, language = 'en'): Cue[] =>
  layOut([{ start, end, text }], language, rules);

const said = (start: number, text: string, speaker: string) => ({ start, end: start + 0.5, text, speaker });

describe('any segments', () => {
  it('become cues in order that never overlap, with all of the text and no repetitions', () => {
    fc.assert(
      fc.property(anySegments, fc.constantFrom('en', 'de', 'ja', 'xx', null), (segments, language) => {
        const cues = layOut(segments, language, rules);
        cues.forEach(({ startMs, endMs, lines }, index) => {
          expect(startMs).toBeGreaterThanOrEqual(0);
          expect(endMs).toBeGreaterThan(startMs);
          expect(endMs).toBeLessThanOrEqual(cues[index + 1]?.startMs ?? Infinity);
          expect(lines.every((line) => line !== '' && line === line.trim() && !/[\n\r]/.test(line))).toBe(
            true,
          );
        });
        const inOrder = segments.toSorted((a, b) => a.start - b.start).map(({ text }) => text);
        expect(letters(cues.flatMap(({ lines }) => lines).join(''))).toBe(letters(inOrder.join('')));
      }),
      { numRuns: 500 },
    );
  });

  it('never exceed the limits of lines, width and duration', () => {
    fc.assert(
      fc.property(anySegments, (segments) => {
        const { tooManyLines, tooWide, tooLong } = assess(layOut(segments, 'en', rules), rules);
        expect({ tooManyLines, tooWide, tooLong }).toEqual({ tooManyLines: 0, tooWide: 0, tooLong: 0 });
      }),
      { numRuns: 500 },
    );
  });
});

describe('segments spoken at human speed', () => {
  it('break no rule except reading speed, which depends on the speaker', () => {
    fc.assert(
      fc.property(spokenSegments, (segments) => {
        const { tooFast: _, flagged: __, cues, ...broken } = assess(layOut(segments, 'en', rules), rules);
        expect(cues).toBeGreaterThan(0);
        expect(Object.values(broken).every((count) => count === 0)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('keep their text exactly', () => {
    fc.assert(
      fc.property(spokenSegments, (segments) => {
        const lines = layOut(segments, 'en', rules).flatMap((cue) => cue.lines);
        expect(lines.join(' ')).toBe(segments.map(({ text }) => text).join(' '));
      }),
    );
  });

  it('give cues that start inside a segment, and outlast it only for reading time', () => {
    fc.assert(
      fc.property(spokenSegments, (segments) => {
        for (const { startMs, endMs, lines } of layOut(segments, 'en', rules)) {
          const columns = lines.reduce((sum, line) => sum + width(line), lines.length - 1);
          const needed = Math.max(rules.minDurationMs, Math.ceil((columns / rules.targetSpeed) * 1000));
          expect(
            segments.some(({ start, end }) => startMs + 1 >= start * 1000 && startMs <= end * 1000),
          ).toBe(true);
          const lastStart = segments.findLast(({ start }) => start * 1000 <= endMs);
          const spokenUntil = (lastStart?.end ?? 0) * 1000 + rules.closeGapsBelowMs;
          expect(endMs).toBeLessThanOrEqual(Math.max(spokenUntil, startMs + needed));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('are laid out as if nothing were said before or after a long pause, even if they are too fast', () => {
    const atAnySpeed = fc.tuple(spokenSegments, fc.constantFrom(1, 0.5, 0.3)).map(([segments, factor]) =>
      segments.map((segment) => ({
        ...segment,
        start: segment.start * factor,
        end: segment.end * factor,
      })),
    );
    fc.assert(
      fc.property(fc.array(atAnySpeed, { minLength: 2, maxLength: 3 }), (parts) => {
        let offset = 0;
        const moved = parts.map((part) => {
          const by = offset;
          offset += Math.ceil(part.at(-1)?.end ?? 0) + 20;
          return part.map((segment) => ({
            ...segment,
            start: segment.start + by,
            end: segment.end + by,
          }));
        });
        expect(layOut(moved.flat(), 'en', rules)).toEqual(moved.flatMap((part) => layOut(part, 'en', rules)));
      }),
    );
  });

  it('leave no gap between the minimum and half a second, unless the cue has the maximum duration', () => {
    fc.assert(
      fc.property(spokenSegments, (segments) => {
        const cues = layOut(segments, 'en', rules);
        cues.slice(1).forEach(({ startMs }, index) => {
          const before = cues[index]!;
          const gap = startMs - before.endMs;
          const atLongest = before.endMs - before.startMs === rules.maxDurationMs;
          expect(gap === rules.minGapMs || gap >= rules.closeGapsBelowMs || atLongest).toBe(true);
        });
      }),
      { numRuns: 300 },
    );
  });

  it('never end a line or a cue with an article', () => {
    fc.assert(
      fc.property(spokenSegments, (segments) => {
        for (const { text, start, end } of segments) {
          const lines = layOut([{ text, start, end }], 'en', rules).flatMap((cue) => cue.lines);
          expect(lines.filter((line) => / (a|an|the)$/.test(` ${line}`))).toEqual([]);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('speakers', () => {
  it('are never joined in one cue', () => {
    const cues = layOut(
      [said(0, 'Yes.', 'Anna'), said(0.5, 'No.', 'Ben'), said(1, 'Why?', 'Ben')],
      'en',
      rules,
    );
    expect(cues.map(({ lines, speaker }) => [speaker, ...lines])).toEqual([
      ['Anna', 'Yes.'],
      ['Ben', 'No. Why?'],
    ]);
  });
});

describe('one segment', () => {
  it('that fits on a line stays on one line', () => {
    expect(lay('Good morning, and welcome.', 1, 4)).toEqual([
      { startMs: 1000, endMs: 4000, lines: ['Good morning, and welcome.'] },
    ]);
  });

  it('is split at punctuation, and the characters share its time', () => {
    const text =
      'And so, my fellow Americans, ask not what your country can do for you, ask what you can do for your country.';
    expect(lay(text, 0, 11)).toEqual([
      {
        startMs: 0,
        endMs: 7000,
        lines: ['And so, my fellow Americans,', 'ask not what your country can do for you,'],
      },
      { startMs: 7083, endMs: 11_000, lines: ['ask what you can do for your country.'] },
    ]);
  });

  it('never leaves the first noun of a sentence with its article at the end of a line', () => {
    const said =
      'This test is most useful when you have connected to this Asterisk server from a remote location. ' +
      'The sample configuration also has a single user with extension 1234 and password 4242.';
    const lines = lay(said, 0, 18).flatMap((cue) => cue.lines);
    expect(lines.join(' ')).toBe(said);
    expect(lines.filter((line) => line.endsWith(' The sample'))).toEqual([]);
  });

  it('is not split after an abbreviation or an initial', () => {
    const cues = lay(
      'Yesterday we were talking to Mr. J. Lindqvist. He told us all about the harbour.',
      0,
      5,
    );
    expect(cues.flatMap(({ lines }) => lines)).toEqual([
      'Yesterday we were talking',
      'to Mr. J. Lindqvist.',
      'He told us all about the harbour.',
    ]);
  });

  it('breaks its lines before a conjunction rather than after it', () => {
    const [cue] = lay('We walked by the river all afternoon and talked about nothing else', 0, 5);
    expect(cue?.lines).toEqual(['We walked by the river all afternoon', 'and talked about nothing else']);
  });

  it('knows the function words of other languages', () => {
    for (const language of ['de', 'de-AT']) {
      const [cue] = lay('Wir gingen am Abend noch einmal durch die alte Stadt nach Hause', 0, 5, language);
      expect(cue?.lines).toEqual(['Wir gingen am Abend noch einmal', 'durch die alte Stadt nach Hause']);
    }
  });

  it('of a language without known function words does not mistake a sign for one', () => {
    const text = 'Laulamme yhdessä ♪ koko pitkän illan';
    const [cue] = layOut([{ start: 0, end: 4, text }], 'fi', { ...rules, columnsPerLine: 21 });
    expect(cue?.lines).toEqual(['Laulamme yhdessä ♪', 'koko pitkän illan']);
  });

  it('in a full-width script has lines of at most 16 characters, none of which starts with a closing mark', () => {
    const cues = lay(
      '彼は「明日の会議には必ず出席します」と言った。しかし、電車が遅れてしまったそうです。',
      0,
      10,
      'ja',
    );
    const lines = cues.flatMap((cue) => cue.lines);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(16);
    expect(lines.filter((line) => /^[」、。]|「$/.test(line))).toEqual([]);
  });

  it('of mixed scripts gets no additional space', () => {
    const text = 'Er sagte „the日本語のテキスト“ und the 日本 war es';
    expect(lay(text, 0, 5).flatMap((cue) => cue.lines)).toEqual([
      'Er sagte „the日本語の',
      'テキスト“ und the 日本 war es',
    ]);
  });

  it('never splits a grapheme, even in a very long word', () => {
    const family = '👨‍👩‍👧‍👦';
    const lines = lay(family.repeat(40), 0, 6).flatMap((cue) => cue.lines);
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) expect(line.replaceAll(family, '')).toBe('');
  });

  it('is one cue up to the maximum duration, and is split if it takes much longer', () => {
    const text = 'They all stayed there, and we all went home.';
    expect(lay(text, 0, 7)).toHaveLength(1);
    expect(lay(text, 0, 14).map(({ lines }) => lines)).toEqual([
      ['They all stayed there,'],
      ['and we all went home.'],
    ]);
  });

  it('of a few words over a long silence is shortened to the maximum duration', () => {
    expect(lay('Okay.', 10, 30)).toEqual([{ startMs: 10_000, endMs: 17_000, lines: ['Okay.'] }]);
  });
});

describe('neighbours', () => {
  it('continue a sentence after an abbreviation', () => {
    const cues = layOut(
      [
        { start: 0, end: 1.5, text: 'Anna Lindqvist: Mr.' },
        { start: 1.6, end: 3, text: 'Berg, you have the floor.' },
      ],
      'en',
      rules,
    );
    expect(cues.map(({ lines }) => lines)).toEqual([['Anna Lindqvist: Mr. Berg,', 'you have the floor.']]);
  });

  it('too short to be read are joined', () => {
    const cues = layOut(
      [
        { start: 0, end: 0.3, text: 'Yes.' },
        { start: 0.3, end: 0.6, text: 'No.' },
        { start: 0.6, end: 3, text: 'Well, perhaps.' },
      ],
      'en',
      rules,
    );
    expect(cues).toEqual([{ startMs: 0, endMs: 3000, lines: ['Yes. No. Well, perhaps.'] }]);
  });

  it('of which one is too fast to be read are joined if there is time for both together', () => {
    const said = [
      { start: 0, end: 1, text: 'I never said that, not once.' },
      { start: 1, end: 4, text: 'It was somebody else.' },
      { start: 4.1, end: 6, text: 'You may ask them.' },
    ];
    expect(layOut(said, 'en', rules).map(({ lines }) => lines)).toEqual([
      ['I never said that, not once.', 'It was somebody else.'],
      ['You may ask them.'],
    ]);
    const slow = said.with(0, { start: 0, end: 1, text: 'I never said that.' });
    expect(layOut(slow, 'en', rules)).toHaveLength(3);
  });

  it('with a short gap get the minimum gap; a long gap stays', () => {
    const cues = layOut(
      [
        { start: 0, end: 2, text: 'One sentence.' },
        { start: 2.3, end: 4, text: 'Another sentence.' },
        { start: 5, end: 7, text: 'A third one.' },
      ],
      'en',
      rules,
    );
    expect(cues.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
      [0, 2217],
      [2300, 4000],
      [5000, 7000],
    ]);
  });
});
