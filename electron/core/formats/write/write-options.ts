import type { ExportChoices } from '../../../contract/export.ts';
import { defaultExportScope, type ExportScope, type TextStyle } from '../../../contract/choices.ts';
import { presetRules, type SubtitleRules } from '../../../contract/subtitle-rules.ts';
import { layoutOf, type SubtitleLayout } from '../layout/subtitles.ts';

/** How the content of a file is written, and what it contains. */
export interface WriteOptions extends ExportScope {
  readonly layout: SubtitleLayout;
  readonly text: TextStyle;
  /** Whether documents show the time of each paragraph. */
  readonly times: boolean;
  /** Whether speakers are named. */
  readonly speakers: boolean;
  /** Whether formats for which it is an option have the times of words; see `wordFormats`. */
  readonly words: boolean;
}

/**
 * The options that are passed to a format, which uses those that apply to it. Names of speakers and notes are removed
 * from the transcript instead, so that no format can write them by mistake.
 */
export type FormatOptions = Omit<WriteOptions, 'speakers' | 'notes'>;

export const defaultWriteOptions: WriteOptions = {
  layout: presetRules.broadcast,
  text: 'paragraphs',
  times: true,
  speakers: true,
  words: false,
  ...defaultExportScope,
};

/** Derives the options for writing files from the user's choices. */
export function writeOptionsFor(
  {
    subtitles,
    text,
    times,
    speakers,
    words,
  }: Pick<ExportChoices, 'subtitles' | 'text' | 'times' | 'speakers' | 'words'>,
  ownRules: SubtitleRules,
  scope: ExportScope = defaultExportScope,
): WriteOptions {
  return { layout: layoutOf(subtitles, ownRules), text, times, speakers, words, ...scope };
}
