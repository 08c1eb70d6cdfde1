import { analyse } from 'chardet';
import type { ImportedExtension } from '../../../contract/choices.ts';
import { clampContent } from './clamp-content.ts';
import { longhandCsvHeader, readCsv } from './read-csv.ts';
import { readJson } from './read-json.ts';
import { readLrc } from './read-lrc.ts';
import { readSbv } from './read-sbv.ts';
import { readSubtitles } from './read-subtitles.ts';
import { readText } from './read-text.ts';
import { readTtml } from './read-ttml.ts';
import type { ReadContent } from './read-content.ts';

type Read = (content: string) => ReadContent | null | Promise<ReadContent | null>;

const readers: Readonly<Record<ImportedExtension, Read>> = {
  srt: readSubtitles,
  vtt: readSubtitles,
  sbv: readSbv,
  lrc: readLrc,
  ttml: readTtml,
  dfxp: readTtml,
  txt: readAnyText,
  json: readJson,
  // Any other table is read as text.
  csv: readAnyText,
};

const readersByExtension: ReadonlyMap<string, Read> = new Map(Object.entries(readers));

/** How files of formats with times begin, to recognize them in a text file. */
const beginnings: readonly (readonly [RegExp, Read])[] = [
  [/^WEBVTT(?:\s|$)/u, readSubtitles],
  [/^(?:\d+[ \t]*\r?\n[ \t]*)?\d+(?::\d{1,2})+[.,:]\d{1,3}[ \t]*-+>/u, readSubtitles],
  [/^\d+:\d{2}:\d{2}\.\d{3},\d+:\d{2}:\d{2}\.\d{3}[ \t]*\r?\n/u, readSbv],
  [longhandCsvHeader, readCsv],
  [/^(?:<\?xml[^>]*>\s*)?<(?:\w+:)?tt[\s>]/u, readTtml],
];

/** Reads a file whose extension says only that it is text: subtitles are recognized by how they begin. */
async function readAnyText(content: string): Promise<ReadContent | null> {
  const start = content.trimStart();
  const read = beginnings.find(([beginning]) => beginning.test(start))?.[1];
  return (await read?.(content)) ?? readText(content);
}

/**
 * Reads a transcript file by its extension.
 *
 * @param extension in lower case, without a dot; an unknown one is read as text
 * @returns `null` if nothing in it could be a transcript
 * @throws BrokenFileError at an unreadable line
 * @throws BrokenValueError at a value that a transcript cannot have
 * @throws TooLongError if it has more than a transcript can have
 */
export async function readTranscript(extension: string, content: string): Promise<ReadContent | null> {
  const read = await (readersByExtension.get(extension) ?? readAnyText)(content);
  return read === null ? null : clampContent(read);
}

/** A text, and whether its encoding was guessed: accented letters may be wrong. */
export interface DecodedText {
  readonly text: string;
  readonly isGuessed: boolean;
}

/**
 * Decodes a file of unknown encoding: by its byte order mark, as UTF-16 if every other byte is zero, as UTF-8 if that
 * is valid, else by the frequency of its letters.
 *
 * @param isCut whether the file continues after `bytes`, which may then end within a character; it is left out
 */
export function decodeText(bytes: Uint8Array, isCut = false): DecodedText {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return decodeAs('utf-16le', bytes, isCut);
  if (first === 0xfe && second === 0xff) return decodeAs('utf-16be', bytes, isCut);
  const zeros = zerosIn(bytes);
  if (zeros.odd > zeros.pairs * 0.4) return decodeAs('utf-16le', bytes, isCut);
  if (zeros.even > zeros.pairs * 0.4) return decodeAs('utf-16be', bytes, isCut);
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    return { text: decoder.decode(bytes, { stream: isCut }), isGuessed: false };
  } catch {
    return { ...decodeAs(legacyEncodingOf(bytes), bytes, isCut), isGuessed: true };
  }
}

const decodeAs = (encoding: string, bytes: Uint8Array, isCut: boolean): DecodedText => ({
  text: new TextDecoder(encoding).decode(bytes, { stream: isCut }),
  isGuessed: false,
});

/** How many bytes suffice to recognize an encoding. */
const encodingSampleBytes = 16_384;

/** Returns the most likely encoding of a text that is not UTF-8, such as Windows-1251 or Shift JIS. */
function legacyEncodingOf(bytes: Uint8Array): string {
  // All of them encode ASCII alike, so only what follows the first other byte tells them apart.
  const firstLetter = bytes.findIndex((byte) => byte > 0x7f);
  const start = Math.max(0, firstLetter - encodingSampleBytes / 2);
  const sample = bytes.subarray(start, start + encodingSampleBytes);
  const candidates = analyse(sample).filter(({ name }) => !isUnicode(name) && canDecode(name, sample));
  const [best] = candidates;
  const western = candidates.find(({ name }) => westernEncodings.has(name));
  // Windows-1252 accepts every byte.
  if (best === undefined) return 'windows-1252';
  if (western === undefined || !(best === western || latinEncodings.has(best.name))) return best.name;
  const other = candidates.find(
    ({ name, lang = '', confidence }) =>
      latinEncodings.has(name) &&
      confidence >= western.confidence + (distinctLanguages.has(lang) ? 0 : minLeadOverWestern),
  );
  return (other ?? western).name;
}

const westernEncodings: ReadonlySet<string> = new Set(['ISO-8859-1', 'windows-1252']);
/** Latin alphabets of other languages, which share most of their letters with the western ones. */
const latinEncodings: ReadonlySet<string> = new Set([
  'ISO-8859-2',
  'ISO-8859-9',
  'windows-1250',
  'windows-1254',
  'windows-1257',
  'windows-1258',
]);
/** Languages that western text is hardly ever mistaken for, unlike Romanian or Estonian. */
const distinctLanguages: ReadonlySet<string> = new Set(['cs', 'pl']);
/** By how many points of confidence another alphabet must lead; enough even for short texts. */
const minLeadOverWestern = 15;

/** UTF-8 was tried on the whole text, and UTF-32 is not an encoding of `TextDecoder`. */
const isUnicode = (encoding: string): boolean => encoding.startsWith('UTF-');

function canDecode(encoding: string, bytes: Uint8Array): boolean {
  try {
    // As a stream, since the sample may end within a character.
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
    // Chinese in GBK is also valid in this encoding, but no Japanese is written without these letters.
    return encoding !== 'EUC-JP' || /\p{Script=Hiragana}/u.test(text);
  } catch {
    return false;
  }
}

/** Counts the zeros at even and odd positions of the first bytes. */
function zerosIn(bytes: Uint8Array): {
  readonly pairs: number;
  readonly even: number;
  readonly odd: number;
} {
  const pairs = Math.min(500, Math.floor(bytes.length / 2));
  let even = 0;
  let odd = 0;
  for (let pair = 0; pair < pairs; pair += 1) {
    if (bytes[pair * 2] === 0) even += 1;
    if (bytes[pair * 2 + 1] === 0) odd += 1;
  }
  return { pairs, even, odd };
}
