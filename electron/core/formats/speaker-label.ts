/** `Anna: text`: a name of a few words without the marks of a sentence. */
const label = /^([\p{Lu}\p{Lt}\p{Lo}\p{N}][^:.,;?!"“”„«»()[\]\n]{0,39}): (\S.*)$/su;

/** A label with no word joiner or more between its colon and the space: no name, when there is one. */
const guarded = /^([\p{Lu}\p{Lt}\p{Lo}\p{N}][^:.,;?!"“”„«»()[\]\n]{0,39}:)(\u2060*)(?= \S)/su;

/** Whether a text begins like one whose speaker is named before it. */
export const isLabelled = (text: string): boolean => label.test(text);

/** Who is named before a text, and the text without that; `null` when nobody is. */
export function splitLabel(text: string): { readonly speaker: string; readonly text: string } | null {
  const match = label.exec(text);
  return match === null ? null : { speaker: match[1] ?? '', text: match[2] ?? '' };
}

/** A text that begins like one whose speaker is named, marked with an invisible word joiner as one that is not. */
export const guardLabel = (text: string): string => text.replace(guarded, '$1$2\u2060');

/** The text that {@link guardLabel} was given. */
export const unguardLabel = (text: string): string =>
  text.replace(guarded, (_whole, name: string, joiners: string) => name + joiners.slice(1));
