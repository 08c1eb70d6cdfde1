import { z } from 'zod';
import { collisionPolicies, exportFormats, type ExportScope, textStyles } from './choices.ts';
import type { TranscriptId } from './identifiers.ts';
import { command, ids, noInput, result, task } from './command.ts';
import { maxTemplateLength } from './limits.ts';
import { journalNumberSchema } from './interrupted-task.ts';
import type { Rejection } from './rejection.ts';
import { ruleLimits, subtitlePresets, type SubtitleQuality, type SubtitleRules } from './subtitle-rules.ts';

/** A list of formats. */
export const exportFormatsSchema = z.array(z.enum(exportFormats)).max(exportFormats.length).readonly();

/** The user's last choices of how transcripts are exported. */
export const exportChoicesSchema = z.strictObject({
  formats: exportFormatsSchema,
  subtitles: z.enum(subtitlePresets),
  text: z.enum(textStyles),
  /** Whether documents (DOCX, Markdown) show the time of each paragraph or line; lines with times always do. */
  times: z.boolean(),
  /** Whether speakers are named. */
  speakers: z.boolean(),
  /** Whether the formats of `wordFormats` have the times of words. Settings of earlier versions lack it. */
  words: z.boolean().default(false),
  /** The name of each file without its extension; see `nameFields`. */
  template: z.string().max(maxTemplateLength),
  /** Next to each recording, or into the chosen folder. */
  where: z.enum(['beside', 'folder']),
  existing: z.enum(collisionPolicies).exclude(['replace']),
});
export type ExportChoices = Readonly<z.infer<typeof exportChoicesSchema>>;

export const defaultExportChoices: ExportChoices = {
  formats: ['srt', 'txt'],
  subtitles: 'broadcast',
  text: 'paragraphs',
  times: true,
  speakers: true,
  words: false,
  template: '{name}',
  where: 'beside',
  existing: 'number',
};

const exportScopeSchema = z.strictObject({
  highlightsOnly: z.boolean(),
  notes: z.boolean(),
}) satisfies z.ZodType<ExportScope>;

const numberWithin = ([min, max]: readonly [number, number]) => z.number().min(min).max(max);

/** The user's own subtitle rules. */
export const subtitleRulesSchema = z.strictObject({
  maxLines: numberWithin(ruleLimits.maxLines).int(),
  columnsPerLine: numberWithin(ruleLimits.columnsPerLine).int(),
  columnsPerWideCharacter: numberWithin(ruleLimits.columnsPerWideCharacter),
  minDurationMs: numberWithin(ruleLimits.minDurationMs).int(),
  maxDurationMs: numberWithin(ruleLimits.maxDurationMs).int(),
  minGapMs: numberWithin(ruleLimits.minGapMs).int(),
  closeGapsBelowMs: numberWithin(ruleLimits.closeGapsBelowMs).int(),
  targetSpeed: numberWithin(ruleLimits.targetSpeed),
  maxSpeed: numberWithin(ruleLimits.maxSpeed),
}) satisfies z.ZodType<SubtitleRules>;

/** What an export would do. */
export interface ExportPreview {
  /** The number of files it would write. */
  readonly files: number;
  /** The first few of them, as paths below their folder. */
  readonly examples: readonly string[];
  /** The name of the first one's folder, if any. */
  readonly folder: string | null;
  /** How many files with these names exist already. */
  readonly existing: number;
  /** How many transcripts have no recording on this computer whose folder could be used. */
  readonly withoutRecording: number;
  /** How many transcripts are left out because only highlights are exported and they have none. */
  readonly withoutHighlights: number;
  /** How many transcripts without times would get subtitles with estimated times. */
  readonly estimated: number;
}

export interface ExportProgress {
  readonly done: number;
  readonly total: number;
}

/** The outcome of an export. */
export interface ExportReport {
  /** Identifies it among the exports since the program started, which may run at the same time. */
  readonly run: number;
  /** The number of files written. */
  readonly count: number;
  /** The first of them, as paths below their folder. */
  readonly written: readonly string[];
  /** The number of files that existed already and were kept. */
  readonly skippedCount: number;
  /** The first of them. */
  readonly skipped: readonly string[];
  /** What could not be written, and why. */
  readonly failed: readonly Rejection[];
  /** How many transcripts were left out because only highlights were exported and they have none. */
  readonly withoutHighlights: number;
  /** How many transcripts without times got subtitles with estimated times. */
  readonly estimated: number;
  /** Whether the user cancelled it. */
  readonly cancelled: boolean;
}

/**
 * The quality of transcripts as subtitles, before and after layout by a preset. It counts what would be written,
 * including the names of speakers in the text; of several formats, the one with the most violations.
 */
export interface LayoutQuality {
  /** How many transcripts were assessed: the first {@link maxAssessedTranscripts} at most. */
  readonly transcripts: number;
  readonly before: SubtitleQuality;
  readonly after: SubtitleQuality;
  /** The first of the laid-out cues that violate a rule; none of transcripts without times. */
  readonly flaggedCues: readonly FlaggedCue[];
}

/** Where a cue violates a rule. */
export interface FlaggedCue {
  readonly transcript: TranscriptId;
  /** The name of the transcript. */
  readonly name: string;
  readonly startMs: number;
}

/** What to export and how. Unlike the stored choices, it may ask for existing files to be replaced. */
export const exportRequest = exportChoicesSchema.extend({
  ids,
  existing: z.enum(collisionPolicies),
  scope: exportScopeSchema,
});

/** An export since the program started; see {@link ExportReport.run}. */
const exportRun = z.strictObject({ run: z.int() });

export const exportCommands = {
  'export.preview': command({ input: exportRequest, result: result<ExportPreview>() }),
  'export.assess': command({
    input: exportChoicesSchema
      .pick({ formats: true, subtitles: true, speakers: true })
      .extend({ ids, rules: subtitleRulesSchema, highlightsOnly: z.boolean() }),
    result: result<LayoutQuality>(),
  }),
  /** Resolves when everything is written; `export.progress` reports the progress. */
  'export.run': command({ input: exportRequest, result: result<ExportReport>() }),
  /** Writes the files that an export could not write; the report is about all of them. */
  'export.retry': command({ input: exportRun, result: result<ExportReport>() }),
  /**
   * Writes what an interrupted export has not; `null` if it is resumed or dismissed already, or was cancelled before it
   * began. Declining to replace files dismisses it.
   */
  'export.resume': command({
    input: z.strictObject({ task, journalNumber: journalNumberSchema }),
    result: result<ExportReport | null>(),
  }),
  'export.cancel': command({ input: noInput }),
  /** Asks for a folder; returns the chosen one, which is also stored in the settings. */
  'export.chooseFolder': command({ input: noInput, result: result<{ readonly folder: string | null }>() }),
  /** Shows the first file of an export. */
  'export.showInFolder': command({ input: exportRun }),
} as const;
