import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ExportFormat } from '../../../../electron/contract/choices.ts';
import { presetRules } from '../../../../electron/contract/subtitle-rules.ts';
import type { SpokenSegment, TranscriptContent } from '../../../../electron/core/formats/content.ts';
import { writeTranscript } from '../../../../electron/core/formats/formats.ts';
import { writeCsv } from '../../../../electron/core/formats/write/csv.ts';
import { joinTexts, oneLine } from '../../../../electron/core/transcript/plain-text.ts';
import type { ReadContent } from '../../../../electron/core/formats/read/read-content.ts';
import { readTranscript } from '../../../../electron/core/formats/read/read-transcript.ts';
import { roundToMilliseconds } from '../../../../electron/contract/milliseconds.ts';
import { wordRanges } from '../../../../electron/core/transcript/words-in-text.ts';
import { withWords } from '../../../../electron/core/transcript/segment.ts';
import { wordsOf } from '../../../../electron/core/transcript/word-times.ts';
import { spokenSegment } from '../transcript/spoken-segment.ts';
import type { WriteOptions } from '../../../../electron/core/formats/write/write-options.ts';

/** Exports are imported back, as far as each format can represent them. */

const pieces =
  '<i> </i> <v_Bob> --> {\\an8} &amp; AT&T &lt; 12 [br] [00:01.00] [ti:x] שלום مرحبا، これは「日本」 长句子 สวัสดี 안녕 👨‍👩‍👧‍👦 🇩🇪 ' +
  "e\u0301\u0301 Zoë Note:_that -_Yes. “No,” =1+1 ;=1 ;_'=1 ;\"'\"-1 NOTE WEBVTT 00:00:01.000 0:00:01.000,0:00:02.000 '";
const words = fc.oneof(
  fc.constantFrom(...pieces.split(' ').map((piece) => piece.replaceAll('_', ' '))),
  fc.stringMatching(/^[\p{L}\p{N}\p{P}\p{S}]{1,8}$/u).filter((word) => !/[\u2060-\u2064\u00ad]/u.test(word)),
);
const line = fc.array(words, { minLength: 1, maxLength: 6 }).map((some) => some.join(' ').trim());
const name = fc.constantFrom(
  'Anna',
  'Anna Lee',
  'Dr. Ø',
  'O’Neil',
  'المذيع',
  '司会',
  'A & B <c>',
  'Speaker 2',
);

/** Segments of one or more lines, with gaps of some hundredths of a second. */
function spoken(options: { readonly lines: number; readonly speakers: fc.Arbitrary<string | null> }) {
  const segment = fc.record({
    pause: fc.integer({ min: 1, max: 300 }),
    length: fc.integer({ min: 1, max: 900 }),
    text: fc.array(line, { minLength: 1, maxLength: options.lines }).map((lines) => lines.join('\n')),
    speaker: options.speakers,
  });
  return fc.array(segment, { minLength: 1, maxLength: 12 }).map((some) => {
    let hundredths = 0;
    return some.map(({ pause, length, text, speaker }): SpokenSegment => {
      const start = hundredths + pause;
      hundredths = start + length;
      return { start: start / 100, end: hundredths / 100, text, ...(speaker !== null && { speaker }) };
    });
  });
}

const contentOf = (segments: readonly SpokenSegment[]): TranscriptContent => ({
  name: 'Talk',
  language: 'en',
  durationSeconds: 9000,
  createdAt: 1,
  text: segments.map(({ text }) => text).join(' '),
  segments,
});
const writing: WriteOptions = {
  layout: 'raw',
  text: 'times',
  times: true,
  speakers: true,
  words: true,
  notes: true,
  highlightsOnly: false,
};

async function back(content: TranscriptContent, format: ExportFormat): Promise<ReadContent | null> {
  const file = await writeTranscript(content, format, writing);
  return readTranscript(format, typeof file === 'string' ? file : new TextDecoder().decode(file));
}

const nobody = fc.constant(null);
const somebody = fc.option(name);
const everybody = fc.constantFrom('Anna', 'Anna Lee', 'المذيع', '司会', 'Speaker 2');

type Segments = readonly SpokenSegment[];

/** Checks that segments are read back as `expected`; `found` selects the properties to compare. */
function check(
  segments: fc.Arbitrary<Segments>,
  format: ExportFormat,
  expected: (segments: Segments) => readonly unknown[] = (some) => some,
  found: (segments: Segments) => readonly unknown[] = (some) => some,
): Promise<unknown> {
  const property = fc.asyncProperty(segments, async (given) => {
    const read = await back(contentOf(given), format);
    expect(found(read?.segments ?? [])).toEqual(expected(given));
  });
  return fc.check(property, { numRuns: 400 }) as Promise<unknown>;
}
const held = { failed: false, counterexample: null };

const startsAndTexts = (segments: Segments): readonly unknown[] =>
  segments.map(({ start, text, speaker }) => ({ start, text: text.replaceAll('\n', ' '), speaker }));
const wordStarts = (segments: Segments): readonly unknown[] =>
  segments.map((segment) => ({
    text: segment.text,
    words: wordsOf(segment)?.map(({ from, to, start }) => [segment.text.slice(from, to), start]),
  }));
/** The rows of a table of words without the numbers of their segments, whose order follows their times. */
const wordRows = (segments: Segments): readonly string[] =>
  writeCsv(contentOf(segments), true)
    .split('\r\n')
    .map((row) => row.replace(/^\d+/u, ''))
    .toSorted();
const letters = (text: string): string => text.replaceAll(/\s/gu, '');

describe('the segments of a transcript are the same after reading them back', () => {
  it('from JSON, with all other properties', async () => {
    const notes = fc.array(fc.record({ atSeconds: fc.nat(9000), text: line }));
    await fc.assert(
      fc.asyncProperty(spoken({ lines: 3, speakers: somebody }), notes, async (segments, remarks) => {
        const content = { ...contentOf(segments), notes: remarks };
        expect(await back(content, 'json')).toMatchObject(content);
      }),
      { numRuns: 300 },
    );
  });

  it('from JSON, with the times and probabilities of their words', async () => {
    const timed = spokenSegment({ maxSeconds: 200 }).map(({ segment, words: spokenWords }) =>
      withWords(segment, spokenWords),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(timed, { maxLength: 5 }), async (segments) => {
        const content = contentOf(segments);
        const json = String(await writeTranscript(content, 'json', writing));
        expect(json).not.toContain('"extras"');
        const read = await back(content, 'json');
        expect(read?.segments.map(wordsOf)).toEqual(
          // A segment without text has no words to write.
          segments.map((segment) => (segment.text.trim() === '' ? null : wordsOf(segment))),
        );
      }),
    );
  });

  it('from WebVTT and TTML, with their lines and speakers', async () => {
    expect(await check(spoken({ lines: 3, speakers: somebody }), 'vtt')).toMatchObject(held);
    expect(await check(spoken({ lines: 3, speakers: somebody }), 'ttml')).toMatchObject(held);
  });

  it('from WebVTT and TTML, with the starts of their words', async () => {
    /** Words that start at even distances, the first with its segment or later. */
    const timed = fc
      .tuple(spoken({ lines: 2, speakers: somebody }), fc.constantFrom(0, 0.5))
      .map(([segments, late]) =>
        segments.map((segment) => {
          const duration = segment.end - segment.start;
          const ranges = wordRanges(segment.text);
          const startOf = (index: number): number =>
            roundToMilliseconds(segment.start + (duration * (index + late)) / (ranges.length + 1));
          return withWords(
            segment,
            ranges.map((range, index) => ({
              ...range,
              start: startOf(index),
              end: startOf(index + 1),
              probability: 0.5,
            })),
          );
        }),
      )
      // A cue whose only word starts with it looks like one without words.
      .filter((segments) =>
        segments.every(({ start, end, text }) => end - start > 0.2 && wordRanges(text).length > 1),
      );
    expect(await check(timed, 'vtt', wordStarts, wordStarts)).toMatchObject(held);
    expect(await check(timed, 'ttml', wordStarts, wordStarts)).toMatchObject(held);
  });

  it('from tables, on one line, with their speakers', async () => {
    await fc.assert(
      fc.asyncProperty(spoken({ lines: 3, speakers: somebody }), async (segments) => {
        const read = await readTranscript('csv', writeCsv(contentOf(segments)));
        expect(read?.segments).toEqual(
          segments.map((segment) => ({ ...segment, text: oneLine(segment.text) })),
        );
      }),
      { numRuns: 400 },
    );
  });

  it.each([';', '\t'])(
    'from a table that a spreadsheet has saved again with another separator: %j',
    async (separator) => {
      const cells = ['number,start,end,speaker,text', '1,00:00:01.000,00:00:02.500,Ann,"Hello, you"'];
      const saved = cells.map((row) => row.replaceAll(/,(?! )/gu, separator)).join('\r\n');
      expect((await readTranscript('csv', saved))?.segments).toEqual([
        { start: 1, end: 2.5, speaker: 'Ann', text: 'Hello, you' },
      ]);
    },
  );

  it('from tables of words, with their times and probabilities', async () => {
    const timed = spokenSegment({ maxSeconds: 200 })
      .map(({ segment, words: spokenWords }) => withWords(segment, spokenWords))
      .filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
    await fc.assert(
      fc.asyncProperty(fc.array(timed, { minLength: 1, maxLength: 5 }), async (segments) => {
        const read = await readTranscript('csv', writeCsv(contentOf(segments), true));
        expect(wordRows(read?.segments ?? [])).toEqual(wordRows(segments));
      }),
    );
  });

  it('from tables of words, if their words have no times', async () => {
    await fc.assert(
      fc.asyncProperty(spoken({ lines: 1, speakers: somebody }), async (segments) => {
        const read = await readTranscript('csv', writeCsv(contentOf(segments), true));
        expect(read?.segments).toEqual(
          segments.map((segment) => ({ ...segment, text: oneLine(segment.text) })),
        );
      }),
    );
  });

  it('from SubRip and SubViewer, with their lines', async () => {
    expect(await check(spoken({ lines: 3, speakers: nobody }), 'srt')).toMatchObject(held);
    expect(await check(spoken({ lines: 3, speakers: nobody }), 'sbv')).toMatchObject(held);
  });

  it('from text with times, with their speakers if the first has one', async () => {
    const sometimesNamed = spoken({ lines: 3, speakers: fc.option(everybody) }).map((segments) =>
      segments.map((segment, index) => (index === 0 ? { ...segment, speaker: 'Anna' } : segment)),
    );
    expect(await check(sometimesNamed, 'txt', startsAndTexts, startsAndTexts)).toMatchObject(held);
  });

  it('from text with times, on one line, with their speakers if each has one', async () => {
    expect(
      await check(spoken({ lines: 3, speakers: everybody }), 'txt', startsAndTexts, startsAndTexts),
    ).toMatchObject(held);
    expect(
      await check(spoken({ lines: 3, speakers: nobody }), 'txt', startsAndTexts, startsAndTexts),
    ).toMatchObject(held);
  });

  it.each(['Note: that', 'Note:\u2060 that', 'Note:\u2060\u2060 that', 'Note: that: this'])(
    'from text with times that starts with “%s”, which is not a name',
    async (text) => {
      const given = [
        { start: 1, end: 2, text },
        { start: 2, end: 3, text: 'Anna: or is it?' },
      ];
      const read = await back(contentOf(given), 'txt');
      expect(startsAndTexts(read?.segments ?? [])).toEqual(startsAndTexts(given));
    },
  );

  it('from lyrics, on one line, with their ends before a silence', async () => {
    const silenceMs = 1000;
    const untilNext = (segments: Segments): readonly unknown[] =>
      segments.map(({ start, end, text }, index) => {
        const next = segments[index + 1]?.start ?? Infinity;
        return {
          start,
          end: Math.round((next - end) * 1000) >= silenceMs ? end : next,
          text: joinTexts(text.split('\n')),
        };
      });
    expect(await check(spoken({ lines: 3, speakers: nobody }), 'lrc', untilNext)).toMatchObject(held);
  });
});

it('subtitles are read back with all words', async () => {
  const formats = fc.constantFrom<ExportFormat>('srt', 'vtt', 'sbv', 'ttml', 'lrc');
  const layout = fc.constantFrom(...Object.values(presetRules));
  await fc.assert(
    fc.asyncProperty(
      spoken({ lines: 2, speakers: nobody }),
      formats,
      layout,
      async (given, format, rules) => {
        const file = await writeTranscript(contentOf(given), format, { ...writing, layout: rules });
        const read = await readTranscript(format, String(file));
        expect(letters(read?.segments.map(({ text }) => text).join('') ?? '')).toBe(
          letters(given.map(({ text }) => text).join('')),
        );
      },
    ),
    { numRuns: 400 },
  );
});
