import { ProblemError } from '../../../contract/problem.ts';
import { titleOf } from '../../media/media-type.ts';
import type { TranscriptContent } from '../content.ts';
import { directionOf, isRightToLeft, oneLine } from '../../transcript/plain-text.ts';
import { type DocumentOptions, type Passage, showsTimes, documentParts } from './paragraphs.ts';
import { clockTime } from '../../transcript/clock-time.ts';
import { xmlSafe } from './xml-text.ts';

/**
 * The maximum number of passages. With more, Word takes minutes to open a document, and writing it runs out of memory.
 */
const maxPassages = 100_000;

const grey = '595959';
const highlightYellow = 'FFF2A8';

/**
 * Writes a Word document: the name as the title, then paragraphs or lines in their own style, so that users can restyle
 * all of them at once. Times, speakers and highlights have character styles; times are in the margin, out of the way of
 * reading. A document that contains only highlights does not mark them.
 *
 * @throws ProblemError `too_long_for_word`
 */
export async function writeDocx(
  transcript: TranscriptContent,
  options: DocumentOptions,
): Promise<Uint8Array> {
  // Loaded on demand: it is large, and most exports use other formats.
  const { Document, HeadingLevel, Packer, Paragraph, ShadingType, Tab, TextRun } = await import('docx');
  const timeColumn = 1100;
  const { language } = transcript;

  const paragraphs = documentParts(transcript, options);
  const passageCount = paragraphs.reduce((sum, part) => sum + passagesOf(part, options).length, 0);
  if (passageCount > maxPassages)
    throw new ProblemError({ code: 'too_long_for_word', params: { name: transcript.name } });
  const isTimed = showsTimes(options) && paragraphs.some(({ start }) => start !== null);
  const body = paragraphs.map((part) => {
    const { kind, start, text } = part;
    const speaker = part.kind === 'note' ? null : part.speaker;
    const fromRightToLeft = isRightToLeft(text, language);
    return new Paragraph({
      style: kind === 'note' ? 'TranscriptNote' : 'Transcript',
      ...(fromRightToLeft && { bidirectional: true }),
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
        ...passagesOf(part, options).map(
          (passage) =>
            new TextRun({
              text: xmlSafe(passage.text),
              ...(passage.isHighlighted && { style: 'TranscriptHighlight' }),
              ...(fromRightToLeft && { rightToLeft: true }),
            }),
        ),
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
        {
          id: 'TranscriptHighlight',
          name: 'Transcript Highlight',
          // Word's own highlight cannot be part of a style.
          run: { shading: { type: ShadingType.CLEAR, color: 'auto', fill: highlightYellow } },
        },
      ],
    },
    sections: [
      { children: [new Paragraph({ heading: HeadingLevel.TITLE, children: [new TextRun(name)] }), ...body] },
    ],
  });
  return Packer.toBuffer(file);
}

/** Returns the passages of a paragraph, each of which is written in one style. */
const passagesOf = (
  part: ReturnType<typeof documentParts>[number],
  options: DocumentOptions,
): readonly Passage[] =>
  part.kind === 'note' || options.highlightsOnly === true
    ? [{ text: part.text, isHighlighted: false }]
    : part.passages;
