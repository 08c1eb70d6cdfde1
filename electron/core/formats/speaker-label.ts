import { withText } from '../transcript/segment.ts';
import { isNamed, unknownSpeaker, type SpokenSegment } from './content.ts';

/** `Anna: text`, where the name is short and has no sentence punctuation. */
const label = /^([\p{Lu}\p{Lt}\p{Lo}\p{N}][^:.,;?!"“”„«»()[\]\n]{0,39}): (\S.*)$/su;

/** A label that may have word joiners between its colon and the space, which keep the text from being read as a label. */
const guarded = /^([\p{Lu}\p{Lt}\p{Lo}\p{N}][^:.,;?!"“”„«»()[\]\n]{0,39}:)(\u2060*)(?= \S)/su;

/** Whether a text starts with what looks like a label. */
export const isLabelled = (text: string): boolean => label.test(text);

/** Splits a text into the name in its label and the rest; `null` if it has no label. */
export function splitLabel(text: string): { readonly speaker: string; readonly text: string } | null {
  const match = label.exec(text);
  return match === null ? null : { speaker: match[1] ?? '', text: match[2] ?? '' };
}

/** Inserts an invisible word joiner into what only looks like a label at the start of a text. */
export const escapeLabelLookalike = (text: string): string => text.replace(guarded, '$1$2\u2060');

/** Reverses {@link escapeLabelLookalike}. */
export const unescapeLabelLookalike = (text: string): string =>
  text.replace(guarded, (_whole, name: string, joiners: string) => name + joiners.slice(1));

/** How often a label must occur to be the name of a speaker: `Note:` or `Remember:` may begin a sentence or two. */
const minOccurrences = 3;
/** More labels than this are hardly the names of speakers. */
const maxNames = 20;

/**
 * Takes the speakers of subtitles from the labels in their text, if it begins with one and at least two occur again and
 * again. Each speaks until the next label, as subtitles name a speaker at the change. A rare label stays in the text, and
 * what follows has no speaker until the next one: it may be the name of somebody who speaks only once.
 */
export function speakersFromLabels(segments: readonly SpokenSegment[]): readonly SpokenSegment[] {
  const labels = segments.map(({ text }) => splitLabel(text));
  const counts = new Map<string, number>();
  for (const found of labels)
    if (found !== null) counts.set(found.speaker, (counts.get(found.speaker) ?? 0) + 1);
  const names = new Set([...counts].flatMap(([name, count]) => (count >= minOccurrences ? [name] : [])));
  const [first] = labels;
  const isDialogue = names.size >= 2 && names.size <= maxNames && names.has(first?.speaker ?? '');
  if (!isDialogue || segments.some(({ speaker }) => isNamed(speaker))) return segments;
  // Exports label text without a speaker, however rare it is.
  names.add(unknownSpeaker);
  let speaker = unknownSpeaker;
  return segments.map((segment, index) => {
    const found = labels[index] ?? null;
    const isName = found !== null && names.has(found.speaker);
    if (found !== null) speaker = isName ? found.speaker : unknownSpeaker;
    const spoken = isName ? withText(segment, found.text) : segment;
    return speaker === unknownSpeaker ? spoken : { ...spoken, speaker };
  });
}
