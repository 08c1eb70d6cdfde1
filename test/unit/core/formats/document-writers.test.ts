import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'csv-parse/sync';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { presetRules } from '../../../../electron/contract/subtitle-rules.ts';
import { withoutGuards, writeCsv } from '../../../../electron/core/formats/write/csv.ts';
import { writeJson } from '../../../../electron/core/formats/write/json.ts';
import { writeLrc } from '../../../../electron/core/formats/write/lrc.ts';
import { writeMarkdown } from '../../../../electron/core/formats/write/markdown.ts';
import { oneLine } from '../../../../electron/core/transcript/plain-text.ts';
import { writeSbv } from '../../../../electron/core/formats/write/sbv.ts';
import { cuesOf } from '../../../../electron/core/formats/layout/subtitles.ts';
import { timeCode } from '../../../../electron/core/formats/time-code.ts';
import { writeTtml } from '../../../../electron/core/formats/write/ttml.ts';
import { withWords } from '../../../../electron/core/transcript/segment.ts';
import { spokenSegment } from '../transcript/spoken-segment.ts';
import { anySegments, transcriptOf } from './transcripts.ts';

const at = (start: number, end: number, text: string, speaker?: string) => ({ start, end, text, speaker });
const spoken = [
  at(0, 2, 'Good morning.', 'Anna'),
  at(2, 4, 'How are you?', 'Anna'),
  at(9, 11, 'Fine, thank you.', 'Ben & Co'),
];
const { broadcast } = presetRules;

describe('CSV, read by a strict parser', () => {
  it('has a row for each segment with times, speaker and text', () => {
    expect(parse(writeCsv(transcriptOf(spoken)), { bom: true, columns: true })).toEqual([
      { number: '1', start: '00:00:00.000', end: '00:00:02.000', speaker: 'Anna', text: 'Good morning.' },
      { number: '2', start: '00:00:02.000', end: '00:00:04.000', speaker: 'Anna', text: 'How are you?' },
      {
        number: '3',
        start: '00:00:09.000',
        end: '00:00:11.000',
        speaker: 'Ben & Co',
        text: 'Fine, thank you.',
      },
    ]);
  });

  it('contains any text, and nothing that a spreadsheet would run as a formula', () => {
    fc.assert(
      fc.property(anySegments, (segments) => {
        const rows: { text: string }[] = parse(writeCsv(transcriptOf(segments)), {
          bom: true,
          columns: true,
          record_delimiter: '\r\n',
        });
        expect(rows.map(({ text }) => withoutGuards(text))).toEqual(
          segments.map(({ text }) => oneLine(text)),
        );
        expect(rows.filter(({ text }) => /^[=+\-@\t\r]/.test(text))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '＝1'])('makes %j harmless', (text) => {
    const [row]: { text: string }[] = parse(writeCsv(transcriptOf([at(0, 1, text)])), {
      bom: true,
      columns: true,
    });
    expect(row?.text).toBe(`'${text.trim()}`);
  });

  it.each(['a;=1+1', 'a; @SUM(A1);b', 'a;"+1"', 'a;" -1";＝1', ';;=1', '";=1'])(
    'makes %j harmless where semicolons separate cells',
    (text) => {
      const cells = parse(writeCsv(transcriptOf([at(0, 1, text, text)])), {
        bom: true,
        delimiter: ';',
        relax_quotes: true,
        relax_column_count: true,
      }).flat();
      expect(cells.length).toBeGreaterThan(1);
      expect(cells.filter((cell) => /^["\s]*[=+\-@＝]/u.test(cell))).toEqual([]);
    },
  );
});

describe('JSON', () => {
  it('matches its schema, for any transcript', async () => {
    const schema: object = JSON.parse(await readFile('docs/transcript.schema.json', 'utf8'));
    const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(schema);
    const sound = anySegments.map((segments) =>
      segments.map(({ start, end, text }, index) =>
        at(start, Math.max(start, end), text, index % 2 === 0 ? 'Anna' : undefined),
      ),
    );
    const anyNotes = fc.array(
      fc.record({ atSeconds: fc.double({ min: 0, max: 90_000, noNaN: true }), text: fc.string() }),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(sound, fc.constantFrom('en', null), anyNotes, (segments, language, notes) => {
        const content: { notes?: unknown[] } = JSON.parse(
          writeJson(transcriptOf(segments, { language, notes })),
        );
        expect(validate(content) ? [] : validate.errors).toEqual([]);
        expect(content.notes?.length ?? 0).toBe(notes.length);
      }),
    );
    fc.assert(
      fc.property(spokenSegment({ maxSeconds: 60 }), ({ segment, words }) => {
        const content: { segments: { words?: unknown[] }[] } = JSON.parse(
          writeJson(transcriptOf([withWords(segment, words)])),
        );
        expect(validate(content) ? [] : validate.errors).toEqual([]);
        expect(content.segments[0]?.words?.length ?? 0).toBe(words.length);
      }),
    );
    const written = JSON.parse(writeJson(transcriptOf([at(0, 1, '')])));
    expect(validate({ ...written, segments: [{ start: -1, end: 0, text: '' }] })).toBe(false);
    expect(validate({ ...written, notes: [{ at: -1, text: 'Too early' }] })).toBe(false);
  });
});

describe('Markdown', () => {
  it('has the name as its heading, and paragraphs with times and speakers', () => {
    expect(writeMarkdown(transcriptOf(spoken, { name: 'Day 1 *final*.MP3' }), { times: true })).toBe(
      '# Day 1 \\*final\\*\n\n`0:00` **Anna:** Good morning. How are you?\n\n`0:09` **Ben & Co:** Fine, thank you.\n',
    );
    expect(writeMarkdown(transcriptOf([at(0, 1, 'Just so.')]), { times: false })).toBe(
      '# Interview\n\nJust so.\n',
    );
  });

  it('can have a line for each segment, with times', () => {
    const options = { times: false, text: 'times' } as const;
    expect(writeMarkdown(transcriptOf(spoken, { name: '' }), options)).toBe(
      '`0:00` **Anna:** Good morning.\n\n`0:02` How are you?\n\n`0:09` **Ben & Co:** Fine, thank you.\n',
    );
  });

  it.each([
    ['# no heading', String.raw`\# no heading`],
    ['- no list', String.raw`\- no list`],
    ['12. no list', String.raw`12\. no list`],
    ['a *b* _c_ `d` [e](f) <i>', String.raw`a \*b\* \_c\_ \`d\` \[e\](f) \<i\>`],
    ['&amp; & ![x]', String.raw`\&amp; & \!\[x\]`],
    ['> no quote', String.raw`\> no quote`],
    ['--- ', String.raw`\---`],
  ])('keeps %j text', (text, written) => {
    expect(writeMarkdown(transcriptOf([at(0, 1, text)], { name: '' }), { times: false })).toBe(
      `${written}\n`,
    );
  });
});

describe('TTML, read by an XML parser', () => {
  const parser = new XMLParser({
    ignoreAttributes: false,
    trimValues: false,
    parseTagValue: false,
    htmlEntities: false,
    isArray: (name) => name === 'p' || name === 'ttm:agent',
  });

  it('has cues with their times, lines and speakers', () => {
    const { tt } = parser.parse(writeTtml(transcriptOf(spoken), broadcast));
    expect(tt['@_xml:lang']).toBe('en');
    expect(tt.body.div.p[0]).toEqual({
      '@_begin': '00:00:00.000',
      '@_end': '00:00:01.917',
      '@_ttm:agent': 'speaker1',
      '#text': 'Good morning.',
    });
    expect(tt.head.metadata['ttm:agent'][1]['ttm:name']['#text']).toBe('Ben & Co');
  });

  it('is well-formed and contains every cue, for any transcript', () => {
    fc.assert(
      fc.property(anySegments, (segments) => {
        const transcript = transcriptOf(segments, { name: segments[0]?.text ?? '' });
        const content = writeTtml(transcript, broadcast);
        expect(XMLValidator.validate(content)).toBe(true);
        const cues = cuesOf(transcript, broadcast);
        const paragraphs = [...content.matchAll(/<p begin="([\d:.]+)" end="([\d:.]+)">(.*?)<\/p>/gs)];
        expect(paragraphs.map(([, begin, end]) => [begin, end])).toEqual(
          cues.map(({ startMs, endMs }) => [timeCode(startMs, '.'), timeCode(endMs, '.')]),
        );
        const shown = paragraphs.map(([, , , text]) =>
          text!
            .replaceAll('<br/>', '\n')
            .replaceAll('&lt;', '<')
            .replaceAll('&gt;', '>')
            .replaceAll('&quot;', '"')
            .replaceAll('&amp;', '&'),
        );
        expect(shown).toEqual(cues.map(({ lines }) => lines.join('\n').replace(/[\ufffe\uffff]/g, '\ufffd')));
      }),
      { numRuns: 200 },
    );
  });
});

describe('SBV', () => {
  it('has times without leading zeros, and labels for speakers', () => {
    expect(writeSbv(transcriptOf(spoken), broadcast)).toBe(
      '0:00:00.000,0:00:01.917\nAnna: Good morning.\n\n' +
        '0:00:02.000,0:00:04.000\nHow are you?\n\n' +
        '0:00:09.000,0:00:11.000\nBen & Co: Fine, thank you.\n\n',
    );
  });
});

describe('LRC', () => {
  it('has a line for each cue, and an empty one before a silence', () => {
    const transcript = transcriptOf([
      at(0, 2, 'One.'),
      at(2, 4, 'Two.'),
      at(61.256, 7000, '[ar: me] Three.'),
    ]);
    expect(writeLrc(transcript, 'raw').split('\n')).toEqual([
      '[ti:Interview]',
      '[re:Longhand]',
      '[00:00.00]One.',
      '[00:02.00]Two.',
      '[00:04.00]',
      '[01:01.26][\u2060ar: me] Three.',
      '[116:40.00]',
      '',
    ]);
  });
});
