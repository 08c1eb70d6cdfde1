import { normalizeText } from '../contract/unicode.ts';

/** The maximum length of a file name on common file systems, in bytes of UTF-8. */
const maxNameBytes = 255;

// Separators and the characters that Windows forbids.
const forbidden = /[/\\<>:"|?*]/g;
/** Control characters, and those that change the text direction and could make a name look like another one. */
export const invisible = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
/** Names that Windows reserves for devices, with any extension. */
const reserved = /^(con(?:in\$|out\$)?|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])( *(?:\.|$))/i;

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * Returns a file name that is valid on any system: `name`, cleaned and shortened to fit, followed by `suffix`. It
 * never leads out of its folder, and is never hidden or empty.
 */
export function cleanFileName(name: string, suffix: string): string {
  const cleaned = normalizeText(name.toWellFormed(), 'NFC')
    .replace(invisible, '')
    .replace(forbidden, '-')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+/, '');
  const maxBytes = maxNameBytes - Buffer.byteLength(suffix);
  // Cut first: what remains of a long name may be the name of a device.
  const safe = trimEnd(cutToBytes(cleaned, maxBytes)).replace(reserved, '$1_$2');
  const fitting = trimEnd(cutToBytes(safe, maxBytes));
  return `${fitting === '' ? 'transcript' : fitting}${suffix}`;
}

/** Removes the dots and spaces at the end of a name, as Windows does. */
function trimEnd(name: string): string {
  return name.replace(/(?<![. ])[. ]+$/, '');
}

/** Returns the longest prefix of a text within `maxBytes` of UTF-8 that ends between characters. */
function cutToBytes(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  let bytes = 0;
  let end = 0;
  for (const { segment, index } of graphemes.segment(text)) {
    bytes += Buffer.byteLength(segment);
    if (bytes > maxBytes) break;
    end = index + segment.length;
  }
  return text.slice(0, end);
}
