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
