import { isNamed, nameAtChange, type TimedNote, type TranscriptContent } from '../content.ts';
import { joinTexts, linesOf, oneLine } from '../../transcript/plain-text.ts';
import { endsSentence } from '../../transcript/sentences.ts';
import { isLabelled } from '../speaker-label.ts';

/** The words of one speaker without a pause. */
export interface Paragraph {
  /** Seconds from the start of the recording; `null` if the transcript has no times. */
  readonly start: number | null;
  /** The name to write before it; `null` if the speaker is the same as in the previous paragraph. */
  readonly speaker: string | null;
  /** On one line. */
  readonly text: string;
}

/** A pause of this length starts a new paragraph. */
const minPauseSeconds = 2;
/** Beyond this many characters, so does the end of a sentence, for speakers who never pause. */
const minSentenceBreakLength = 700;

/** Divides the text into paragraphs, by speakers and pauses. */
export function paragraphsOf({ segments, text }: TranscriptContent): readonly Paragraph[] {
  if (segments.length === 0) return linesOf(text).map((line) => ({ start: null, speaker: null, text: line }));
  const paragraphs: { start: number; speaker: string | null; texts: string[]; length: number }[] = [];
  let previousEnd = -Infinity;
  let speaking: string | null = null;
  for (const { start, end, text: said, speaker } of segments) {
    const line = oneLine(said);
    if (line === '') continue;
    const who = isNamed(speaker) ? oneLine(speaker) : null;
    const last = paragraphs.at(-1);
    const continuesParagraph =
      last !== undefined &&
      who === speaking &&
      start - previousEnd < minPauseSeconds &&
      (last.length < minSentenceBreakLength || !endsSentence(last.texts.at(-1) ?? ''));
    if (continuesParagraph) {
      last.texts.push(line);
      last.length += line.length;
    } else {
      paragraphs.push({
        start,
        speaker: nameAtChange(who, speaking),
        texts: [line],
        length: line.length,
      });
    }
    speaking = who;
    previousEnd = end;
  }
  return paragraphs.map(({ start, speaker, texts }) => ({ start, speaker, text: joinTexts(texts) }));
}

/** Returns a paragraph for each segment. */
export function linesBySegment({ segments, text }: TranscriptContent): readonly Paragraph[] {
  if (segments.length === 0) return paragraphsOf({ segments, text } as TranscriptContent);
  let speaking: string | null = null;
  let isAnyoneNamed = false;
  return segments.flatMap(({ start, text: said, speaker }) => {
    const line = oneLine(said);
    if (line === '') return [];
    const who = isNamed(speaker) ? oneLine(speaker) : null;
    isAnyoneNamed ||= who !== null;
    // A text that looks like a label needs the real one before it.
    const shown = nameAtChange(who, isAnyoneNamed && isLabelled(line) ? undefined : speaking);
    speaking = who;
    return [{ start, speaker: shown, text: line }];
  });
}

/** How a document is written. */
export interface DocumentOptions {
  /** Whether it shows the time of each paragraph. */
  readonly times: boolean;
  /** Whether it contains the notes. */
  readonly notes: boolean;
}

/** A paragraph of a document: spoken, or a note on one line. */
export type DocumentPart =
  | ({ readonly kind: 'spoken' } & Paragraph)
  | { readonly kind: 'note'; readonly start: number; readonly text: string };

const notePart = ({ atSeconds, text }: TimedNote): DocumentPart => ({
  kind: 'note',
  start: atSeconds,
  text: oneLine(text),
});

/** Returns the paragraphs of a document, with each note after the paragraph that it is about. Notes without text are left out. */
export function withNotes(
  transcript: TranscriptContent,
  { notes: wanted }: DocumentOptions,
): readonly DocumentPart[] {
  const notes = wanted ? (transcript.notes ?? []).filter(({ text }) => text.trim() !== '') : [];
  const spoken = paragraphsOf(transcript);
  let next = 0;
  const before = (seconds: number): readonly DocumentPart[] => {
    const first = next;
    while ((notes[next]?.atSeconds ?? Infinity) < seconds) next += 1;
    return notes.slice(first, next).map(notePart);
  };
  return [
    ...spoken.flatMap((paragraph, index): readonly DocumentPart[] => [
      ...(index === 0 ? [] : before(paragraph.start ?? -Infinity)),
      { kind: 'spoken', ...paragraph },
    ]),
    ...before(Infinity),
  ];
}
