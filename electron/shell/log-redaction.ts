/** What stands for something that nobody else has to know. */
const redacted = '[…]';

/** Details whose names say that they hold something private. */
const privateNames =
  /^(name|names|file|path|folder|key|token|authorization|secret|password|text|query|title|place)$/i;

const address = /\b(https?|wss?):\/\/(?:[^\s/@'"<>]*@)?([^\s/'"<>?#]+)[^\s'"<>]*/gi;
const credentials = /\b(bearer|basic)\s+\S+/gi;
/** From the first quotation mark of a line to its last: what is quoted may hold such marks itself. */
const quoted = /(^|[\s([{=:,])(['"`“‘«]).*['"`”’»]/gm;
/** A path goes on to the end of its line: it may hold anything. */
const path = /(^|[\s([{=:,])(?:[a-z]:[\\/]|\\\\|(?:~|\.{1,2})?\/(?!\/)).*$/gim;
/** A file's name without its folder; nobody can tell where it begins. */
const fileName =
  /^.*\.(?:mp[234]|m4[abv]|wav|flac|og[agv]|opus|aac|aiff?|wma|webm|mk[av]|mov|avi|wmv|mpe?g|3gp|amr|caf|mts|srt|vtt|txt|docx|md|csv|json)\b/gim;

/**
 * A text of the log without what is private: keys, quotations, paths and names of files, and of addresses everything
 * but the host. Rather too much is cut than too little.
 */
export function redactText(text: string): string {
  return text
    .replaceAll(credentials, `$1 ${redacted}`)
    .replaceAll(quoted, `$1${redacted}`)
    .replaceAll(address, '$1://$2')
    .replaceAll(path, `$1${redacted}`)
    .replaceAll(fileName, redacted);
}

/** Details of a log entry without what is private; see {@link redactText}. */
export function redactDetails(details: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(details).map(([name, value]) => [name, redactValue(name, value)]));
}

function redactValue(name: string, value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  if (privateNames.test(name)) return redacted;
  if (Array.isArray(value)) return value.map((one) => redactValue('', one));
  if (value instanceof Error || typeof value !== 'object') return redactText(String(value));
  return redactDetails(value as Record<string, unknown>);
}
