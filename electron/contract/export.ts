import type { ExistingFiles, ExportFormat, TextStyle } from './choices.ts';
import type { LeftOut } from './rejection.ts';
import type { SubtitlePreset, SubtitleQuality } from './subtitle-rules.ts';

/** How transcripts are written to files, as the user chose it last. */
export interface ExportChoices {
  readonly formats: readonly ExportFormat[];
  readonly subtitles: SubtitlePreset;
  readonly text: TextStyle;
  /** Whether documents (DOCX, Markdown) tell the time of each paragraph. */
  readonly times: boolean;
  /** Whether speakers are named where somebody has named them. */
  readonly speakers: boolean;
  /** The name of each file without its ending; see `nameFields`. */
  readonly template: string;
  /** Next to each recording, or into the chosen folder. */
  readonly where: 'beside' | 'folder';
  readonly existing: Exclude<ExistingFiles, 'replace'>;
}

export const defaultExportChoices: ExportChoices = {
  formats: ['srt', 'txt'],
  subtitles: 'broadcast',
  text: 'paragraphs',
  times: true,
  speakers: true,
  template: '{name}',
  where: 'beside',
  existing: 'number',
};

/** What an export would do, before it does it. */
export interface ExportPreview {
  /** How many files it would write. */
  readonly files: number;
  /** The first few of them, as paths below their folder. */
  readonly examples: readonly string[];
  /** The folder of the first one by its name; `null` when there is none. */
  readonly folder: string | null;
  /** How many files of these names are there already. */
  readonly existing: number;
  /** How many transcripts have no recording on this computer to be next to. */
  readonly placeless: number;
}

/** How far an export has come. */
export interface ExportProgress {
  readonly done: number;
  readonly total: number;
}

/** What came of an export. */
export interface ExportReport {
  /** How many files were written. */
  readonly count: number;
  /** The first of them, as paths below their folder. */
  readonly written: readonly string[];
  /** How many files were there already and were left as they are. */
  readonly skippedCount: number;
  /** The first of them. */
  readonly skipped: readonly string[];
  /** What could not be written, with the reason. */
  readonly failed: readonly LeftOut[];
  /** `true` when the user ended it before all was written. */
  readonly cancelled: boolean;
}

/**
 * What a preset makes of transcripts: their segments as they are, and laid out. Counted is what would be written, names
 * of speakers included where they stand in the text; of several formats, the one that keeps to the rules least.
 */
export interface LayoutQuality {
  /** How many transcripts were looked at: not more than the first few hundred. */
  readonly transcripts: number;
  readonly before: SubtitleQuality;
  readonly after: SubtitleQuality;
}
