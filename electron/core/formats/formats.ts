import type { ExportFormat } from '../../contract/model/export.ts';
import { writeJson } from './json.ts';
import { writeSrt } from './srt.ts';
import type { TranscriptContent } from './subtitles.ts';
import { writeTxt } from './txt.ts';
import { writeVtt } from './vtt.ts';

/** A kind of file that a transcript can be written as. */
export interface TranscriptFormat {
  /** Without a dot. */
  readonly extension: string;
  readonly mimeType: string;
  /** The content of the file, to be encoded as UTF-8. */
  write(transcript: TranscriptContent): string;
}

/** Every format that a transcript can be exported in. */
export const transcriptFormats: Readonly<Record<ExportFormat, TranscriptFormat>> = {
  srt: { extension: 'srt', mimeType: 'application/x-subrip', write: writeSrt },
  vtt: { extension: 'vtt', mimeType: 'text/vtt', write: writeVtt },
  txt: { extension: 'txt', mimeType: 'text/plain', write: writeTxt },
  json: { extension: 'json', mimeType: 'application/json', write: writeJson },
};
