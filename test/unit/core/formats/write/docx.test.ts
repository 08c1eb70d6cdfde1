import { XMLParser, XMLValidator } from 'fast-xml-parser';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
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
    runStyles: runs.map((run) => run['w:rPr']?.['w:rStyle']?.['@_w:val']),
    fromTheRight: properties['w:bidi'] !== undefined,
  }));
}

function textOf({ 'w:tab': tab, 'w:t': text }: z.infer<typeof runSchema>): string {
  if (tab !== undefined) return '\t';
  return typeof text === 'string' ? text : text['#text'];
}

describe('DOCX, unzipped and read', () => {
  it('has the name as title and paragraphs with times and speakers, all with styles', async () => {
    expect(await read(await writeDocx(transcriptOf(spoken), { times: true, notes: false }))).toEqual([
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

  it('defines the styles that it uses, and its language', async () => {
    const styles = unzip(
      await writeDocx(transcriptOf(spoken, { language: 'de' }), { times: true, notes: false }),
    )
      .get('word/styles.xml')!
      .toString();
    for (const id of ['Title', 'Transcript', 'TranscriptTime', 'TranscriptSpeaker']) {
      expect(styles).toContain(`w:styleId="${id}"`);
    }
    expect(styles).toContain('<w:lang w:val="de"/>');
  });

  it('can omit times', async () => {
    const [, first] = await read(
      await writeDocx(transcriptOf([at(0, 1, 'Just so.')]), { times: false, notes: false }),
    );
    expect(first?.text).toBe('Just so.');
  });

  it('runs from right to left if the text does', async () => {
    const [, first] = await read(
      await writeDocx(transcriptOf([at(0, 1, '1. שלום עולם')]), { times: true, notes: false }),
    );
    expect(first?.fromTheRight).toBe(true);
  });

  it('runs from right to left in such a language, although a text begins with a foreign name', async () => {
    const file = await writeDocx(transcriptOf([at(0, 1, 'WhatsApp שלום')], { language: 'he' }), {
      times: true,
      notes: false,
    });
    expect((await read(file))[1]?.fromTheRight).toBe(true);
    expect(unzip(file).get('word/styles.xml')?.toString()).toContain('<w:lang w:val="he" w:bidi="he"/>');
  });

  it('contains any text', async () => {
    await fc.assert(
      fc.asyncProperty(anySegments, async (segments) => {
        const paragraphs = await read(
          await writeDocx(transcriptOf(segments), { times: false, notes: false }),
        );
        const body = paragraphs.filter(({ style }) => style === 'Transcript').map(({ text }) => text);
        const said = segments.map(({ text }) => text).join('');
        expect(letters(body.join(''))).toBe(letters(said).replace(/[\ufffe\uffff]/g, '\ufffd'));
      }),
      { numRuns: 60 },
    );
  });
});
