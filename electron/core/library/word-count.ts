/** Counts words as a text's language has them: scripts without spaces are counted too. */
export function wordCounter(language: string | null): (text: string) => number {
  const segmenter = new Intl.Segmenter(language ?? undefined, { granularity: 'word' });
  return (text) => {
    let words = 0;
    for (const { isWordLike } of segmenter.segment(text)) if (isWordLike === true) words += 1;
    return words;
  };
}
