import { z } from 'zod';
import {
  type ExistingFiles,
  type ExportFormat,
  type TextStyle,
  existingFiles,
  exportFormats,
  textStyles,
} from './choices.ts';
import { ids, nothing, command, result } from './command.ts';
import { maxTemplateLength } from './limits.ts';
import type { LeftOut } from './rejection.ts';
import { type SubtitlePreset, type SubtitleQuality, ruleLimits, subtitlePresets } from './subtitle-rules.ts';

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

export const choicesSchema = z.strictObject({
  formats: z.array(z.enum(exportFormats)).max(exportFormats.length),
  subtitles: z.enum(subtitlePresets),
  text: z.enum(textStyles),
  times: z.boolean(),
  speakers: z.boolean(),
  template: z.string().max(maxTemplateLength),
  where: z.enum(['beside', 'folder']),
  existing: z.enum(['number', 'skip']),
});

const within = ([least, most]: readonly [number, number]) => z.number().min(least).max(most);

export const rulesSchema = z.strictObject({
  maxLines: within(ruleLimits.maxLines).int(),
  lineColumns: within(ruleLimits.lineColumns).int(),
  wideColumns: within(ruleLimits.wideColumns),
  minDurationMs: within(ruleLimits.minDurationMs).int(),
  maxDurationMs: within(ruleLimits.maxDurationMs).int(),
  minGapMs: within(ruleLimits.minGapMs).int(),
  closedGapMs: within(ruleLimits.closedGapMs).int(),
  aimedSpeed: within(ruleLimits.aimedSpeed),
  maxSpeed: within(ruleLimits.maxSpeed),
});

/** What is exported and how; files may be replaced only when the user has said so for this one export. */
const wishSchema = choicesSchema.extend({ ids, existing: z.enum(existingFiles) });

export const exportCommands = {
  'export.preview': command({ input: wishSchema, result: result<ExportPreview>() }),
  'export.assess': command({
    input: choicesSchema
      .pick({ formats: true, subtitles: true, speakers: true })
      .extend({ ids, rules: rulesSchema }),
    result: result<LayoutQuality>(),
  }),
  /** Resolves when all is written; `export.progress` tells how far it has come. */
  'export.run': command({ input: wishSchema, result: result<ExportReport>() }),
  'export.cancel': command({ input: nothing }),
  /** The folder that is chosen now; it is in the settings too. */
  'export.chooseFolder': command({ input: nothing, result: result<{ readonly folder: string | null }>() }),
  /** Shows the first file of the last export. */
  'export.showInFolder': command({ input: nothing }),
} as const;
