import * as fc from 'fast-check';
import type { Segment } from '../../../../electron/contract/segment-schema.ts';
import type { TranscriptContent } from '../../../../electron/core/formats/content.ts';

/** Returns a transcript with these segments, for the writers. */
export function transcriptOf(
  segments: readonly Segment[],
  more: Partial<TranscriptContent> = {},
): TranscriptContent {
  return {
    name: 'Interview',
    language: 'en',
    durationSeconds: null,
    createdAt: 0,
    text: segments.map(({ text }) => text).join(' '),
    segments,
    ...more,
  };
}

const nasty = [
  '-->',
  '00:00:01,000 --> 00:00:02,000',
  '<i>',
  '</i>',
  '<c.yellow>',
  '{\\an8}',
  '&amp;',
  '&',
  '<',
  '>',
  'WEBVTT',
  'NOTE',
  '1',
  '\n',
  '\r\n\r\n',
  '\u2028',
  '\u0000',
  '\u0085',
  '\ud800',
  'שלום עולם',
  'مرحبا بالعالم،',
  '\u200f',
  '👨‍👩‍👧‍👦',
  '👍🏽',
  '🇩🇪🇫🇷',
  'e\u0301\u0301',
  'これは「日本語」の文章です。',
  '长句子没有空格，也必须换行。',
  'สวัสดีชาวโลก',
  '안녕하세요 여러분,',
  'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen',
  'https://example.org/a/very/long/path/that/no/line/can/hold?really=true',
];
const common =
  'the a an and of in that it was said, we went home. Then? came No! with Anna (or "Bob"): so — yes';
// Articles precede a noun, as in speech.
const spoken = [
  ...common.split(' ').filter((word) => !/^(a|an|the)$/.test(word)),
  'the house,',
  'a dog',
  'an owl.',
];

const word = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...common.split(' ')) },
  { weight: 2, arbitrary: fc.constantFrom(...nasty) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 60 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
);

const text = fc.array(word, { maxLength: 60 }).map((words) => words.join(' '));

/** Any segments: out of order, overlapping, without duration, hours long, with any text. */
export const anySegments: fc.Arbitrary<Segment[]> = fc.array(
  fc
    .tuple(
      fc.double({ min: 0, max: 90_000, noNaN: true }),
      fc.double({ min: -1, max: 40, noNaN: true }),
      text,
    )
    .map(([start, length, text]) => ({ start, end: start + length, text })),
  { maxLength: 25 },
);

/** Segments as from a good service: in order, apart or adjacent, at a human speed. */
export const spokenSegments: fc.Arbitrary<Segment[]> = fc
  .array(
    fc.record({
      words: fc.array(fc.constantFrom(...spoken), { minLength: 4, maxLength: 60 }),
      pause: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 4, noNaN: true })),
      wordSeconds: fc.double({ min: 0.35, max: 0.7, noNaN: true }),
    }),
    { minLength: 1, maxLength: 20 },
  )
  .map((pieces) => {
    let time = 0;
    return pieces.map(({ words, pause, wordSeconds }) => {
      const start = time + pause;
      time = start + words.join(' ').split(' ').length * wordSeconds;
      return { start, end: time, text: words.join(' ') };
    });
  });

/** Returns a text without white space and control characters. */
export function letters(text: string): string {
  return text.toWellFormed().replace(/[\s\p{Cc}]/gu, '');
}
