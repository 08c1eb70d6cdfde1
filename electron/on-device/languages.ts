/** Languages that are written without spaces between words. */
const unspaced: ReadonlySet<string> = new Set(['bo', 'ja', 'km', 'lo', 'my', 'th', 'zh']);

/** Puts the texts of segments together as the language is written. */
export function joinTexts(texts: readonly string[], language: string | null): string {
  const glue = language !== null && unspaced.has(language) ? '' : ' ';
  return texts
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join(glue);
}
