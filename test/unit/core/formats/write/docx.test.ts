import { XMLParser, XMLValidator } from 'fast-xml-parser';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { TextStyle } from '../../../../../electron/contract/choices.ts';
import { withHighlight } from '../../../../../electron/core/transcript/segment.ts';
import { writeDocx } from '../../../../../electron/core/formats/write/docx.ts';
import { anySegments, letters, transcriptOf } from '../transcripts.ts';
import { unzip } from '../unzip.ts';

const at = (start: number, end: number, text: string, speaker?: string) => ({ start, end, text, speaker });
const spoken = [
  at(0, 2, 'Good morning.', 'Anna'),
  at(2, 4, 'How are you?', 'Anna'),
  at(9, 11, 'Fine, thank you.', 'Ben & Co'),
];

const parser = new XMLParser({
  ignoreAttributes: false,
  trimValues: false,
  parseTagValue: false,
  isArray: (name) => name === 'w:p' || name === 'w:r',
});

const styleSchema = z.object({ '@_w:val': z.string() });
const runSchema = z.object({
  'w:rPr': z.object({ 'w:rStyle': styleSchema.optional() }).optional(),
  'w:tab': z.unknown().optional(),
  'w:t': z.union([z.string(), z.object({ '#text': z.string().default('') })]).default(''),
});
const documentSchema = z.object({
  'w:document': z.object({
    'w:body': z.object({
      'w:p': z.array(
        z.object({
          'w:pPr': z.object({ 'w:pStyle': styleSchema, 'w:bidi': z.unknown().optional() }),
          'w:r': z.array(runSchema).default([]),
        }),
      ),
    }),
  }),
});

/** The paragraphs of a document with their styles and those of their runs. */
async function read(file: Uint8Array) {
  const content = unzip(file).get('word/document.xml')?.toString() ?? '';
  expect(XMLValidator.validate(content)).toBe(true);
  const paragraphs = documentSchema.parse(parser.parse(content))['w:document']['w:body']['w:p'];
  return paragraphs.map(({ 'w:pPr': properties, 'w:r': runs }) => ({
    style: properties['w:pStyle']['@_w:val'],
    text: runs.map(textOf).join(''),
    runs: runs.map((run) => ({ text: textOf(run), style: run['w:rPr']?.['w:rStyle']?.['@_w:val'] })),
    fromTheRight: properties['w:bidi'] !== undefined,
  }));
}

function textOf({ 'w:tab': tab, 'w:t': text }: z.infer<typeof runSchema>): string {
  if (tab !== undefined) return '\t';
  return typeof text === 'string' ? text : text['#text'];
}

/** The body of what is spoken, in a style without the times of paragraphs. */
async function lines(text: TextStyle): Promise<readonly string[]> {
  const options = { times: false, text };
  const [, ...body] = await read(await writeDocx(transcriptOf(spoken), options));
  return body.map((line) => line.text);
}

describe('DOCX, unzipped and read', () => {
  it('has the name as title and paragraphs with times and speakers, all with styles', async () => {
    const paragraphs = await read(await writeDocx(transcriptOf(spoken), { times: true }));
    const withRunStyles = paragraphs.map(({ runs, ...paragraph }) => ({
      ...paragraph,
      runStyles: runs.map(({ style }) => style),
    }));
    expect(withRunStyles).toEqual([
      { style: 'Title', text: 'Interview', runStyles: [undefined], fromTheRight: false },
      {
        style: 'Transcript',
        text: '0:00\tAnna: Good morning. How are you?',
        runStyles: ['TranscriptTime', undefined, 'TranscriptSpeaker', undefined],
        fromTheRight: false,
      },
      {
        style: 'Transcript',
        text: '0:09\tBen & Co: Fine, thank you.',
        runStyles: ['TranscriptTime', undefined, 'TranscriptSpeaker', undefined],
        fromTheRight: false,
      },
    ]);
  });

  it('refuses a transcript that it could not hold', async () => {
    const text = 'a\n'.repeat(100_001);
    const untimed = { ...transcriptOf([]), text };
    await expect(writeDocx(untimed, { times: false })).rejects.toMatchObject({
      problem: { code: 'too_long_for_word' },
    });
  });

  it('refuses a paragraph with more passages than it could hold', async () => {
    const segments = Array.from({ length: 100_001 }, (_, i) =>
      withHighlight(at(i / 10, (i + 1) / 10, 'a'), i % 2 === 0 ? true : undefined),
    );
    await expect(writeDocx(transcriptOf(segments), { times: false })).rejects.toMatchObject({
      problem: { code: 'too_long_for_word' },
    });
  });

  it('defines the styles that it uses, and its language', async () => {
    const styles = unzip(await writeDocx(transcriptOf(spoken, { language: 'de' }), { times: true }))
      .get('word/styles.xml')!
      .toString();
    for (const id of ['Title', 'Transcript', 'TranscriptTime', 'TranscriptSpeaker', 'TranscriptHighlight']) {
      expect(styles).toContain(`w:styleId="${id}"`);
    }
    expect(styles).toContain('<w:lang w:val="de"/>');
  });

  it('marks what is highlighted, unless that is all it contains', async () => {
    const highlighted = (start: number, text: string) => withHighlight(at(start, start + 1, text), true);
    const transcript = transcriptOf([
      at(0, 1, 'Good morning.'),
      highlighted(1, 'How'),
      highlighted(2, 'are you?'),
      at(3, 4, 'Fine.'),
    ]);
    const [, paragraph] = await read(await writeDocx(transcript, { times: false }));
    expect(paragraph?.runs).toEqual([
      { text: 'Good morning. ', style: undefined },
      { text: 'How are you?', style: 'TranscriptHighlight' },
      { text: ' Fine.', style: undefined },
    ]);
    const only = { times: false, highlightsOnly: true };
    const [, whole] = await read(await writeDocx(transcript, only));
    expect(whole?.runs).toEqual([{ text: 'Good morning. How are you? Fine.', style: undefined }]);
  });

  it('can have a line for each segment, with times even if paragraphs have none', async () => {
    expect(await lines('lines')).toEqual([
      'Anna: Good morning.',
      'How are you?',
      'Ben & Co: Fine, thank you.',
    ]);
    expect(await lines('times')).toEqual([
      '0:00\tAnna: Good morning.',
      '0:02\tHow are you?',
      '0:09\tBen & Co: Fine, thank you.',
    ]);
  });

  it('has a note right after its segment, and the paragraph continues after it', async () => {
    const notes = [
      { atSeconds: 1, text: 'Check' },
      { atSeconds: 2, text: 'Really?' },
      { atSeconds: 3, text: 'Sure?' },
      { atSeconds: 60, text: 'The end' },
    ];
    const [, ...body] = await read(await writeDocx(transcriptOf(spoken, { notes }), { times: true }));
    expect(body.map(({ text }) => text)).toEqual([
      '0:00\tAnna: Good morning.',
      '0:01\tCheck',
      '0:02\tHow are you?',
      '0:02\tReally?',
      '0:03\tSure?',
      '0:09\tBen & Co: Fine, thank you.',
      '1:00\tThe end',
    ]);
  });

  it('can omit times', async () => {
    const [, first] = await read(await writeDocx(transcriptOf([at(0, 1, 'Just so.')]), { times: false }));
    expect(first?.text).toBe('Just so.');
  });

  it('runs from right to left if the text does', async () => {
    const [, first] = await read(await writeDocx(transcriptOf([at(0, 1, '1. שלום עולם')]), { times: true }));
    expect(first?.fromTheRight).toBe(true);
  });

  it('runs from right to left in such a language, although a text begins with a foreign name', async () => {
    const file = await writeDocx(transcriptOf([at(0, 1, 'WhatsApp שלום')], { language: 'he' }), {
      times: true,
    });
    expect((await read(file))[1]?.fromTheRight).toBe(true);
    expect(unzip(file).get('word/styles.xml')?.toString()).toContain('<w:lang w:val="he" w:bidi="he"/>');
  });

  it('contains any text', async () => {
    await fc.assert(
      fc.asyncProperty(anySegments, async (segments) => {
        const paragraphs = await read(await writeDocx(transcriptOf(segments), { times: false }));
        const body = paragraphs.filter(({ style }) => style === 'Transcript').map(({ text }) => text);
        const said = segments.map(({ text }) => text).join('');
        expect(letters(body.join(''))).toBe(letters(said).replace(/[\ufffe\uffff]/g, '\ufffd'));
      }),
      { numRuns: 60 },
    );
  });
});
