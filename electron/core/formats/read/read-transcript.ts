import { analyse } from 'chardet';
import type { ImportedExtension } from '../../../contract/choices.ts';
import { clampContent } from './clamp-content.ts';
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
};

const readersByExtension: ReadonlyMap<string, Read> = new Map(Object.entries(readers));

/** How files of formats with times begin, by which they are recognized in a text file. */
const beginnings: readonly (readonly [RegExp, Read])[] = [
  [/^WEBVTT(?:\s|$)/u, readSubtitles],
  [/^(?:\d+[ \t]*\r?\n[ \t]*)?(?:\d+:)?\d{1,2}:\d{1,2}[.,:]\d{1,3}[ \t]*-+>/u, readSubtitles],
  [/^\d+:\d{2}:\d{2}\.\d{3},\d+:\d{2}:\d{2}\.\d{3}[ \t]*\r?\n/u, readSbv],
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
 * @throws TooLongError if it has more than a transcript can have
 */
export async function readTranscript(extension: string, content: string): Promise<ReadContent | null> {
  const read = await (readersByExtension.get(extension) ?? readAnyText)(content);
  return read === null ? null : clampContent(read);
}

/**
 * Decodes a file of unknown encoding: by its byte order mark, as UTF-16 if every other byte is zero, as UTF-8 if that
 * is valid, else by the frequency of its letters.
 */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  const zeros = zerosIn(bytes);
  if (zeros.odd > zeros.pairs * 0.4) return new TextDecoder('utf-16le').decode(bytes);
  if (zeros.even > zeros.pairs * 0.4) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder(legacyEncodingOf(bytes)).decode(bytes);
  }
}

/** How many bytes suffice to recognize an encoding. */
const encodingSampleBytes = 16_384;

/** Returns the likeliest encoding of a text that is not UTF-8, such as Windows-1251 or Shift JIS. */
function legacyEncodingOf(bytes: Uint8Array): string {
  // What comes before the first letter that is not ASCII is the same in all of them.
  const firstLetter = bytes.findIndex((byte) => byte > 0x7f);
  const start = Math.max(0, firstLetter - encodingSampleBytes / 2);
  const sample = bytes.subarray(start, start + encodingSampleBytes);
  const likeliest = analyse(sample).find(({ name }) => !isUnicode(name) && canDecode(name, sample));
  // Windows-1252 accepts every byte.
  return likeliest?.name ?? 'windows-1252';
}

/** UTF-8 was tried on the whole text, and UTF-32 is no encoding of `TextDecoder`. */
const isUnicode = (encoding: string): boolean => encoding.startsWith('UTF-');

function canDecode(encoding: string, bytes: Uint8Array): boolean {
  try {
    // As a stream, since the sample may end within a character.
    new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
    return true;
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
