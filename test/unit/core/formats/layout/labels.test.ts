import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { presetRules, type SubtitleRules } from '../../../../../electron/contract/subtitle-rules.ts';
import type { SpokenSegment } from '../../../../../electron/core/formats/content.ts';
import type { Cue } from '../../../../../electron/core/formats/layout/cue.ts';
import { assess } from '../../../../../electron/core/formats/layout/cue-quality.ts';
import { labelledCuesOf } from '../../../../../electron/core/formats/layout/subtitles.ts';
import { anySegments, letters, spokenSegments, transcriptOf } from '../transcripts.ts';

const lay = (segments: readonly SpokenSegment[], rules: SubtitleRules): Cue[] =>
  labelledCuesOf(transcriptOf(segments), rules);

const names = [
  'Anna',
  'Professor Doktor Maria Schmidt',
  'The Interviewer',
  '田中',
  'Jean-Luc O’Neill',
  ' Bo\nLi ',
];
const someone = fc.constantFrom(...names, null, '');

/** Segments with speakers. */
const saidBy = <T extends SpokenSegment>(segments: fc.Arbitrary<T[]>): fc.Arbitrary<SpokenSegment[]> =>
  segments.chain((some) =>
    fc
      .array(someone, { minLength: some.length, maxLength: some.length })
      .map((speakers) => some.map((segment, index) => ({ ...segment, speaker: speakers[index] ?? null }))),
  );

/** For texts without colons, where only a label ends with one. */
const endsWithLabel = ({ lines }: Cue): boolean => lines.at(-1)?.endsWith(':') === true;

describe('a label', () => {
  it('always stays with a word', () => {
    fc.assert(
      fc.property(
        saidBy(spokenSegments),
        fc.constantFrom(...Object.values(presetRules)),
        (segments, rules) => {
          const said = segments.map((segment) => ({ ...segment, text: segment.text.replaceAll(':', '') }));
          expect(lay(said, rules).filter(endsWithLabel)).toEqual([]);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is alone only if no cue can hold it with the next word', () => {
    const rules = { ...presetRules.broadcast, columnsPerLine: 10, maxLines: 2 };
    const shown = (speaker: string, maxLines = 2) =>
      lay([{ start: 0, end: 6, text: 'Certainly, I say.', speaker }], { ...rules, maxLines }).map(
        ({ lines }) => lines,
      );
    expect(shown('Catherine')).toEqual([['Catherine:', 'Certainly,'], ['I say.']]);
    expect(shown('Ada Catherine')).toEqual([['Ada'], ['Catherine:', 'Certainly,'], ['I say.']]);
    expect(shown('Catherine', 1)).toEqual([['Catherine:'], ['Certainly,'], ['I say.']]);
  });

  it('is written at each change of speaker, in order of time, and does not change the text', () => {
    fc.assert(
      fc.property(saidBy(anySegments), (segments) => {
        let last: string | null = null;
        let wanted = '';
        for (const { text, speaker } of segments.toSorted((a, b) => a.start - b.start)) {
          if (letters(text) === '') continue;
          const name = speaker === '' ? null : (speaker ?? null);
          wanted += name === last ? text : `${name ?? 'Unknown speaker'}:${text}`;
          last = name;
        }
        for (const layout of [presetRules.vertical, 'raw'] as const) {
          const lines = labelledCuesOf(transcriptOf(segments), layout).flatMap((cue) => cue.lines);
          expect(letters(lines.join(''))).toBe(letters(wanted));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('counts for width and reading time', () => {
    const rules = presetRules.broadcast;
    fc.assert(
      fc.property(saidBy(anySegments), (segments) => {
        const { tooManyLines, tooWide, tooLong } = assess(lay(segments, rules), rules);
        expect({ tooManyLines, tooWide, tooLong }).toEqual({ tooManyLines: 0, tooWide: 0, tooLong: 0 });
      }),
      { numRuns: 300 },
    );
    const said = { start: 0, end: 1, text: 'It was never said.' };
    const after = { start: 1, end: 3, text: 'It was.', speaker: 'Bo' };
    const tooFast = (speaker: string | null): number =>
      assess(lay([{ ...said, speaker }, after], rules), rules).tooFast;
    expect(tooFast(null)).toBe(0);
    expect(tooFast('Bartholomew Banks')).toBe(1);
  });
});
