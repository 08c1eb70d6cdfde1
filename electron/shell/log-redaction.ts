/** UTF-16 units of a text, and elements of a list, that are logged: errors may be about a whole file or page. */
const maxTextLength = 10_000;
const maxElements = 100;

/** What replaces private text. */
const redacted = '[…]';

/** The names of details whose values are private. */
const privateNames =
  /^(name|names|file|path|folder|key|token|authorization|secret|password|text|query|title)$/i;

const address = /\b(https?|wss?):\/\/(?:[^\s/@'"<>]*@)?([^\s/'"<>?#]+)[^\s'"<>]*/gi;
const credentials = /\b(bearer|basic)\s+\S+/gi;
/** What precedes the opening mark of a quotation. */
const quotation = /(?:^|[\s([{=:,])(?=['"`“‘«])/;
const closingMarks = [...`'"\`”’»`];
/** A path extends to the end of its line: it may contain anything. */
const path = /(^|[\s([{=:,]|\b(?=file:\/))(?:file:\/|[a-z]:[\\/]|\\\\|(?:~|\.{1,2})?\/(?!\/)).*$/gim;
/** A file name without its folder: where it begins is unknown, so it extends to the start of the line. */
const fileName =
  /^.*\.(?:mp[234]|m4[abv]|wav|flac|og[agv]|opus|aac|aiff?|wma|webm|mk[av]|mov|avi|wmv|mpe?g|3gp|amr|caf|mts|srt|vtt|txt|docx|md|csv|json)\b/gim;

/**
 * Redacts what is private in a text of the log: keys, quotations, paths and names of files, and everything in URLs
 * except the host. When in doubt it redacts. Shortens long texts.
 */
export function redactText(text: string): string {
  return shorten(text)
    .replaceAll(credentials, `$1 ${redacted}`)
    .replaceAll(/.+/g, redactQuotation)
    .replaceAll(address, '$1://$2')
    .replaceAll(path, `$1${redacted}`)
    .replaceAll(fileName, redacted);
}

/** Removes whole lines: what is private in half a line may not be recognized. */
function shorten(text: string): string {
  if (text.length <= maxTextLength) return text;
  return text.slice(0, text.lastIndexOf('\n', maxTextLength - 1) + 1) + redacted;
}

/** Redacts a line from its first quotation mark to its last: quoted text may contain such marks itself. */
function redactQuotation(line: string): string {
  const opening = quotation.exec(line);
  if (opening === null) return line;
  const first = opening.index + opening[0].length;
  const last = Math.max(...closingMarks.map((mark) => line.lastIndexOf(mark)));
  return last > first ? line.slice(0, first) + redacted + line.slice(last + 1) : line;
}

/** Redacts the details of a log entry; see {@link redactText}. */
export function redactDetails(details: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(details).map(([name, value]) => [name, redactValue(name, value)]));
}

function redactValue(name: string, value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  if (privateNames.test(name)) return redacted;
  if (Array.isArray(value)) return value.slice(0, maxElements).map((one) => redactValue('', one));
  if (value instanceof Error || typeof value !== 'object') return redactText(String(value));
  return redactDetails(value as Record<string, unknown>);
}
