import type { ExportChoices } from '../../../contract/export.ts';
import type { TextStyle } from '../../../contract/choices.ts';
import { presetRules, type SubtitleRules } from '../../../contract/subtitle-rules.ts';
import { layoutOf, type SubtitleLayout } from '../layout/subtitles.ts';

/** How the content of a file is written, as far as its format has a say in it. */
export interface WriteOptions {
  readonly layout: SubtitleLayout;
  readonly text: TextStyle;
  /** Whether documents tell the time of each paragraph. */
  readonly times: boolean;
  /** Whether speakers are named. */
  readonly speakers: boolean;
}

export const defaultWriteOptions: WriteOptions = {
  layout: presetRules.broadcast,
  text: 'paragraphs',
  times: true,
  speakers: true,
};

/** What the user's choices mean for the content of files. */
export function writeOptionsFor(
  { subtitles, text, times, speakers }: Pick<ExportChoices, 'subtitles' | 'text' | 'times' | 'speakers'>,
  own: SubtitleRules,
): WriteOptions {
  return { layout: layoutOf(subtitles, own), text, times, speakers };
}
