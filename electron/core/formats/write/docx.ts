import { titleOf } from '../../media/media-type.ts';
import type { TranscriptContent } from '../content.ts';
import { directionOf, isRightToLeft, oneLine } from '../../transcript/plain-text.ts';
import { type DocumentOptions, withNotes } from './paragraphs.ts';
import { clockTime } from '../time-code.ts';
import { xmlSafe } from './xml-text.ts';

const grey = '595959';

/**
 * Writes a Word document: the name as the title, then paragraphs in their own style, so that users can restyle all of
 * them at once. Times and speakers have character styles; times are in the margin, out of the way of reading.
 */
export async function writeDocx(
  transcript: TranscriptContent,
  options: DocumentOptions,
): Promise<Uint8Array> {
  // Loaded on demand: it is large, and most exports use other formats.
  const { Document, HeadingLevel, Packer, Paragraph, Tab, TextRun } = await import('docx');
  const timeColumn = 1100;
  const { language } = transcript;

  const paragraphs = withNotes(transcript, options);
  const isTimed = options.times && paragraphs.some(({ start }) => start !== null);
  const body = paragraphs.map((part) => {
    const { kind, start, text } = part;
    const speaker = part.kind === 'note' ? null : part.speaker;
    return new Paragraph({
      style: kind === 'note' ? 'TranscriptNote' : 'Transcript',
      ...(isRightToLeft(text, language) && { bidirectional: true }),
      children: [
        ...(isTimed
          ? [
              new TextRun({ style: 'TranscriptTime', text: start === null ? '' : clockTime(start) }),
              new TextRun({ children: [new Tab()] }),
            ]
          : []),
        ...(speaker === null
          ? []
          : [new TextRun({ style: 'TranscriptSpeaker', text: `${xmlSafe(speaker)}: ` })]),
        new TextRun({ text: xmlSafe(text), ...(isRightToLeft(text, language) && { rightToLeft: true }) }),
      ],
    });
  });
  const name = xmlSafe(oneLine(titleOf(transcript.name)));
  const file = new Document({
    title: name,
    creator: 'Longhand',
    styles: {
      default: {
        document: {
          run: {
            font: 'Calibri',
            size: 22,
            ...(language !== null && {
              language: {
                value: language,
                ...(directionOf([], language) === 'rtl' && { bidirectional: language }),
              },
            }),
          },
        },
        title: { run: { size: 40, bold: true }, paragraph: { spacing: { after: 320 } } },
      },
      paragraphStyles: [
        {
          id: 'Transcript',
          name: 'Transcript',
          basedOn: 'Normal',
          quickFormat: true,
          paragraph: {
            spacing: { after: 160, line: 312 },
            ...(isTimed && {
              indent: { left: timeColumn, hanging: timeColumn },
              tabStops: [{ type: 'left', position: timeColumn }],
            }),
          },
        },
        {
          id: 'TranscriptNote',
          name: 'Transcript Note',
          basedOn: 'Transcript',
          quickFormat: true,
          run: { italics: true, color: grey },
        },
      ],
      characterStyles: [
        { id: 'TranscriptTime', name: 'Transcript Time', run: { color: grey, size: 18 } },
        { id: 'TranscriptSpeaker', name: 'Transcript Speaker', run: { bold: true } },
      ],
    },
    sections: [
      { children: [new Paragraph({ heading: HeadingLevel.TITLE, children: [new TextRun(name)] }), ...body] },
    ],
  });
  return Packer.toBuffer(file);
}
