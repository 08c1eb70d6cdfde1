/** A text as pieces, those that match one of the words of `query` marked. */
export function highlightPieces(
  text: string,
  query: string,
): readonly { readonly text: string; readonly found: boolean }[] {
  const words = query
    .split(/[\s"*]+/)
    .filter(Boolean)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (words.length === 0) return [{ text, found: false }];
  return text
    .split(new RegExp(`(${words.join('|')})`, 'giu'))
    .map((piece, index) => ({ text: piece, found: index % 2 === 1 }))
    .filter((piece) => piece.text !== '');
}

/** A text with the words of a search marked. */
export function Highlight({ text, query }: { readonly text: string; readonly query: string }) {
  let position = 0;
  return highlightPieces(text, query).map((piece) => {
    const key = position;
    position += piece.text.length;
    return piece.found ? <mark key={key}>{piece.text}</mark> : piece.text;
  });
}
