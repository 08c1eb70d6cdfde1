/** `Anna: text`: a name of a few words without the marks of a sentence. */
const label = /^([\p{Lu}\p{Lt}\p{Lo}\p{N}][^:.,;?!"“”„«»()[\]\n]{0,39}): (\S.*)$/su;

/** Whether a text begins like one whose speaker is named before it. */
export const isLabelled = (text: string): boolean => label.test(text);

/** Who is named before a text, and the text without that; `null` when nobody is. */
export function splitLabel(text: string): { readonly speaker: string; readonly text: string } | null {
  const match = label.exec(text);
  return match === null ? null : { speaker: match[1] ?? '', text: match[2] ?? '' };
}
