import { isNamed, nameAtChange, type TimedNote, type TranscriptContent } from '../content.ts';
import type { Segment } from '../../../contract/segment-schema.ts';
import { linesOf, needsSpace, oneLine } from '../../transcript/plain-text.ts';
import { highlightedRanges } from '../../transcript/highlights.ts';
import { endsSentence } from '../../transcript/sentences.ts';
import { isLabelled } from '../speaker-label.ts';
import type { FormatOptions } from './write-options.ts';

/** The words of one speaker without a pause. */
export interface SpokenParagraph {
  /** Seconds from the start of the recording; `null` if the transcript has no times. */
  readonly start: number | null;
  /** The name to write before it; `null` if the speaker is the same as in the previous paragraph. */
  readonly speaker: string | null;
  /** On one line. */
  readonly text: string;
  /** The text, divided where the user's highlight begins or ends. */
  readonly passages: readonly Passage[];
}

/** A piece of a text that is highlighted as a whole or not at all. */
export interface Passage {
  /** With the space that precedes it, if any. */
  readonly text: string;
  readonly isHighlighted: boolean;
}

/** A pause of this length starts a new paragraph. */
const minPauseSeconds = 2;
/** In a paragraph longer than this many characters, the end of a sentence does too, for speakers who never pause. */
const minSentenceBreakLength = 700;

/**
 * Divides the text into paragraphs, by speakers and pauses.
 *
 * @param notes in the order of their times; the segment of a note ends a paragraph, so that the note can follow it
 */
export function paragraphsOf(
  { segments, text }: TranscriptContent,
  notes: readonly TimedNote[] = [],
): readonly SpokenParagraph[] {
  if (segments.length === 0) return linesOf(text).map(untimedParagraph);
  const paragraphs: { start: number; speaker: string | null; passages: Passage[]; length: number }[] = [];
  let previousEnd = -Infinity;
  let previousLine = '';
  let lastSpeaker: string | null = null;
  let nextNote = 0;
  for (const segment of segments) {
    const { start, end, speaker } = segment;
    const line = oneLine(segment.text);
    if (line === '') continue;
    const who = isNamed(speaker) ? oneLine(speaker) : null;
    const last = paragraphs.at(-1);
    const firstNote = nextNote;
    if (last !== undefined) while ((notes[nextNote]?.atSeconds ?? Infinity) < start) nextNote += 1;
    const continuesParagraph =
      last !== undefined &&
      who === lastSpeaker &&
      nextNote === firstNote &&
      segment.startsPassage !== true &&
      start - previousEnd < minPauseSeconds &&
      (last.length < minSentenceBreakLength || !endsSentence(previousLine));
    if (continuesParagraph) {
      const [first, ...rest] = passagesOf(segment);
      if (first !== undefined) addPassage(last.passages, first, needsSpace(previousLine, line) ? ' ' : '');
      for (const passage of rest) addPassage(last.passages, passage, '');
      last.length += line.length;
    } else {
      paragraphs.push({
        start,
        speaker: nameAtChange(who, lastSpeaker, segment.startsPassage),
        passages: [...passagesOf(segment)],
        length: line.length,
      });
    }
    lastSpeaker = who;
    previousEnd = end;
    previousLine = line;
  }
  return paragraphs.map(({ start, speaker, passages }) => ({
    start,
    speaker,
    text: passages.map((passage) => passage.text).join(''),
    passages,
  }));
}

const space = /[\s\p{Cc}]/u;

/** Returns the passages of a segment's text on one line. */
function passagesOf(segment: Segment): readonly Passage[] {
  const { text } = segment;
  const passages: Passage[] = [];
  let position = 0;
  const addUntil = (end: number, isHighlighted: boolean): void => {
    const part = text.slice(position, end);
    const line = oneLine(part);
    const isSpaced = space.test(text.slice(Math.max(0, position - 1), position) + part.charAt(0));
    if (line !== '') addPassage(passages, { text: line, isHighlighted }, isSpaced ? ' ' : '');
    position = end;
  };
  for (const { from, to } of highlightedRanges(segment)) {
    addUntil(from, false);
    addUntil(to, true);
  }
  addUntil(text.length, false);
  return passages;
}

const untimedParagraph = (text: string): SpokenParagraph => ({
  start: null,
  speaker: null,
  text,
  passages: [{ text, isHighlighted: false }],
});

/** Appends a text; the space before it is highlighted only between two highlighted texts. */
function addPassage(passages: Passage[], { text, isHighlighted: highlighted }: Passage, space: string): void {
  const last = passages.pop();
  if (last === undefined) {
    passages.push({ text, isHighlighted: highlighted });
    return;
  }
  if (last.isHighlighted === highlighted) passages.push({ ...last, text: `${last.text}${space}${text}` });
  else if (highlighted) passages.push({ ...last, text: last.text + space }, { text, isHighlighted: true });
  else passages.push(last, { text: space + text, isHighlighted: false });
}

/** Returns a paragraph for each segment. */
export function linesBySegment({ segments, text }: TranscriptContent): readonly SpokenParagraph[] {
  if (segments.length === 0) return linesOf(text).map(untimedParagraph);
  let lastSpeaker: string | null = null;
  let isAnyoneNamed = false;
  return segments.flatMap((segment) => {
    const { start, speaker, startsPassage } = segment;
    const line = oneLine(segment.text);
    if (line === '') return [];
    const who = isNamed(speaker) ? oneLine(speaker) : null;
    isAnyoneNamed ||= who !== null;
    // A text that looks like a label needs the real one before it.
    const name = nameAtChange(
      who,
      isAnyoneNamed && isLabelled(line) ? undefined : lastSpeaker,
      startsPassage,
    );
    lastSpeaker = who;
    return [{ start, speaker: name, text: line, passages: passagesOf(segment) }];
  });
}

/** How a document is written; by default in paragraphs, and highlights stand out in it. */
export type DocumentOptions = Pick<FormatOptions, 'times'> &
  Partial<Pick<FormatOptions, 'text' | 'highlightsOnly'>>;

/** Whether a document shows times. */
export const showsTimes = ({ times, text }: DocumentOptions): boolean => times || text === 'times';

/** A paragraph of a document: spoken, or a note on one line. */
export type DocumentPart =
  | ({ readonly kind: 'spoken' } & SpokenParagraph)
  | { readonly kind: 'note'; readonly start: number; readonly text: string };

const notePart = ({ atSeconds, text }: TimedNote): DocumentPart => ({
  kind: 'note',
  start: atSeconds,
  text: oneLine(text),
});

/** Returns the paragraphs or lines of a document, with each note after its segment. Notes without text are left out. */
export function documentParts(
  transcript: TranscriptContent,
  { text: style = 'paragraphs' }: DocumentOptions,
): readonly DocumentPart[] {
  const notes = (transcript.notes ?? []).filter(({ text }) => text.trim() !== '');
  const spoken = style === 'paragraphs' ? paragraphsOf(transcript, notes) : linesBySegment(transcript);
  let nextNote = 0;
  const notesBefore = (seconds: number): readonly DocumentPart[] => {
    const first = nextNote;
    while ((notes[nextNote]?.atSeconds ?? Infinity) < seconds) nextNote += 1;
    return notes.slice(first, nextNote).map(notePart);
  };
  return [
    ...spoken.flatMap((paragraph, index): readonly DocumentPart[] => [
      ...(index === 0 ? [] : notesBefore(paragraph.start ?? -Infinity)),
      { kind: 'spoken', ...paragraph },
    ]),
    ...notesBefore(Infinity),
  ];
}
