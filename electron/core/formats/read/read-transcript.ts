import { readJson } from './read-json.ts';
import { readLrc } from './read-lrc.ts';
import { readSbv } from './read-sbv.ts';
import { readSubtitles } from './read-subtitles.ts';
import { readText } from './read-text.ts';
import { readTtml } from './read-ttml.ts';
import type { ReadContent } from './read-content.ts';

type Read = (content: string) => ReadContent | null | Promise<ReadContent | null>;

const readers: Readonly<Record<string, Read>> = {
  srt: readSubtitles,
  vtt: readSubtitles,
  sbv: readSbv,
  lrc: readLrc,
  ttml: readTtml,
  dfxp: readTtml,
  json: readJson,
};

/**
 * Reads a transcript by the ending of its file, without a dot and in lower case; what has an unknown one is text.
 *
 * @returns `null` when there is nothing in it that could be a transcript.
 * @throws BrokenFileError where it breaks.
 */
export async function readTranscript(extension: string, content: string): Promise<ReadContent | null> {
  return (readers[extension] ?? readText)(content);
}
