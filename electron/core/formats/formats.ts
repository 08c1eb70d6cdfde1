import type { ExportFormat } from '../../contract/choices.ts';
import { withoutNotes, withoutSpeakers, type TranscriptContent } from './content.ts';
import { cueMakerOf, type CueMaker, type SubtitleLayout } from './layout/subtitles.ts';
import { writeCsv } from './write/csv.ts';
import { writeDocx } from './write/docx.ts';
import { writeJson } from './write/json.ts';
import { writeLrc } from './write/lrc.ts';
import { writeMarkdown } from './write/markdown.ts';
import { writeSbv } from './write/sbv.ts';
import { writeSrt } from './write/srt.ts';
import { writeTtml } from './write/ttml.ts';
import { writeTxt } from './write/txt.ts';
import { writeVtt } from './write/vtt.ts';
import type { FormatOptions, WriteOptions } from './write/write-options.ts';

/** A file format for transcripts. */
interface TranscriptFormat {
  /** Without a dot. */
  readonly extension: string;
  /** Returns the content of the file; a string is encoded as UTF-8. */
  write(transcript: TranscriptContent, options: FormatOptions): string | Promise<Uint8Array>;
  /** Returns the cues that are written; for subtitles only. */
  readonly cues?: CueMaker;
}

/** All export formats of transcripts. */
export const transcriptFormats: Readonly<Record<ExportFormat, TranscriptFormat>> = {
  srt: subtitleFormat('srt', writeSrt),
  vtt: subtitleFormat('vtt', writeVtt),
  txt: { extension: 'txt', write: (transcript, { text }) => writeTxt(transcript, text) },
  md: {
    extension: 'md',
    write: writeMarkdown,
  },
  docx: {
    extension: 'docx',
    write: writeDocx,
  },
  csv: { extension: 'csv', write: (transcript, { words }) => writeCsv(transcript, words) },
  json: { extension: 'json', write: writeJson },
  ttml: subtitleFormat('ttml', writeTtml),
  sbv: subtitleFormat('sbv', writeSbv),
  lrc: subtitleFormat('lrc', writeLrc),
};

function subtitleFormat(
  format: ExportFormat,
  write: (transcript: TranscriptContent, layout: SubtitleLayout, words: boolean) => string,
): TranscriptFormat {
  return {
    extension: format,
    write: (transcript, { layout, words }) => write(transcript, layout, words),
    cues: cueMakerOf(format),
  };
}

/** Returns the content of a transcript's file. Its format does not see what the options leave out. */
export function writeTranscript(
  transcript: TranscriptContent,
  format: ExportFormat,
  options: WriteOptions,
): string | Promise<Uint8Array> {
  const { speakers, notes, ...formatOptions } = options;
  const named = speakers ? transcript : withoutSpeakers(transcript);
  return transcriptFormats[format].write(notes ? named : withoutNotes(named), formatOptions);
}
