import type { ImportedExtension } from '../../../contract/choices.ts';
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
  txt: readText,
  json: readJson,
};

const readersByExtension: ReadonlyMap<string, Read> = new Map(Object.entries(readers));

/**
 * Reads a transcript file by its extension.
 *
 * @param extension in lower case, without a dot; an unknown one is read as text
 * @returns `null` if nothing in it could be a transcript
 * @throws BrokenFileError where it cannot be read
 */
export async function readTranscript(extension: string, content: string): Promise<ReadContent | null> {
  return (readersByExtension.get(extension) ?? readText)(content);
}
