// XML 1.0 allows no control characters, noncharacters and lone surrogates, not even as references.
const forbidden = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Replaces characters that XML does not allow by U+FFFD. */
export function xmlSafe(text: string): string {
  return text.toWellFormed().replace(forbidden, '\ufffd');
}

/** Escapes a text for use between tags or in double quotes. */
export function xmlText(text: string): string {
  return xmlSafe(text).replace(/[&<>"]/g, (character) => entities[character] ?? character);
}
