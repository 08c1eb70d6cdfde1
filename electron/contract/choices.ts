/**
 * Lists of choices in menu order, from which schemas, menus and the command line are derived. They are separate from
 * the domains so that the window and the worker threads can load them without zod.
 */

/** How much time the service spends on accuracy (API part 4.1). */
export const accuracies = ['fast', 'balanced', 'accurate'] as const;
export type Accuracy = (typeof accuracies)[number];

/** The published speech models of the on-device service; see `model-catalog.ts`. */
export const modelIds = ['tiny', 'base', 'small', 'large-v3-turbo', 'parakeet-v3', 'parakeet-v2'] as const;
export type ModelId = (typeof modelIds)[number];

/** The groups of the add sheet: new recordings, duplicates and rejections. */
export const addSheetGroups = ['ready', 'duplicates', 'rejected'] as const;
export type AddSheetGroup = (typeof addSheetGroups)[number];

/** The filters of the queue. */
export const queueFilters = ['all', 'working', 'waiting', 'attention', 'done', 'cancelled'] as const;
export type QueueFilter = (typeof queueFilters)[number];

/** The sort keys of waiting items. */
export const queueSortKeys = ['name', 'duration', 'size', 'added'] as const;
export type QueueSortKey = (typeof queueSortKeys)[number];

/** The orders of the library. `relevance` is for searches; without one it is `newest`. */
export const librarySorts = ['relevance', 'newest', 'oldest', 'name', 'longest'] as const;
export type LibrarySort = (typeof librarySorts)[number];

/** The export formats of transcripts, the most common first. */
export const exportFormats = [
  'srt',
  'vtt',
  'txt',
  'md',
  'docx',
  'csv',
  'json',
  'ttml',
  'sbv',
  'lrc',
] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** Formats that the subtitle preset lays out. */
export const subtitleFormats: readonly ExportFormat[] = ['srt', 'vtt', 'ttml', 'sbv', 'lrc'];

/** Subtitle formats with a field for the speaker; the others have labels in the text, as in `Anna: Good morning.` */
export const formatsWithSpeakerField: readonly ExportFormat[] = ['vtt', 'ttml'];

/** Formats that can have the times of words; JSON always has them. */
export const wordFormats: readonly ExportFormat[] = ['vtt', 'csv', 'ttml', 'lrc'];

/** How TXT, Markdown and DOCX are written: paragraphs by pauses, one line per segment, or such lines with their times. */
export const textStyles = ['paragraphs', 'lines', 'times'] as const;
export type TextStyle = (typeof textStyles)[number];

/** What to do if a file exists already; `replace` is never remembered. */
export const collisionPolicies = ['number', 'skip', 'replace'] as const;
export type CollisionPolicy = (typeof collisionPolicies)[number];

/** The fields that a name template may contain in braces. */
export const nameFields = ['name', 'date', 'time', 'language', 'format', 'number', 'folder'] as const;
export type NameField = (typeof nameFields)[number];

/** Returns the first field of a name template that does not exist, with its braces; `null` if all do. */
export function unknownField(template: string): string | null {
  const knownFields = new Set<string>(nameFields.map((name) => `{${name}}`));
  return template.match(/\{[^{}]*\}/g)?.find((field) => !knownFields.has(field)) ?? null;
}

/** The extensions of transcript files that can be imported, without a dot. */
export const importedExtensions = ['srt', 'vtt', 'sbv', 'lrc', 'ttml', 'dfxp', 'txt', 'json', 'csv'] as const;
export type ImportedExtension = (typeof importedExtensions)[number];

/** Whether a path names a transcript, which goes into the library, and not a recording. */
export const isTranscriptName = (path: string): boolean =>
  importedExtensions.some((extension) => path.toLowerCase().endsWith(`.${extension}`));

/** Whether a file in a folder is a transcript by its name. Tables in folders are rarely exports of Longhand. */
export const isTranscriptInFolder = (path: string): boolean =>
  isTranscriptName(path) && !path.toLowerCase().endsWith('.csv');

/** Whether a path names a transcript by an extension that other files rarely have. */
export const isSubtitleName = (path: string): boolean =>
  isTranscriptInFolder(path) && !/\.(?:txt|json)$/iu.test(path);

/** The default extension of backups of the library, without a dot. */
export const backupExtension = 'longhand';

/** Whether a path names a backup of the library. */
export const isBackupName = (path: string): boolean => path.toLowerCase().endsWith(`.${backupExtension}`);

export const themes = ['system', 'light', 'dark'] as const;

/** Actions in a transcript that its footer explains until they have been used. */
export const hintedActions = ['play', 'split', 'merge'] as const;

/**
 * What of a transcript an export contains. It is chosen for each export and never stored: notes that were meant for one
 * file must not get into the next one.
 */
export interface ExportScope {
  /** Whether only what is highlighted is exported. */
  readonly highlightsOnly: boolean;
  /** Whether formats that can hold notes (Markdown, DOCX, JSON) contain them. */
  readonly notes: boolean;
}

/** The whole text without the notes. */
export const defaultExportScope: ExportScope = { highlightsOnly: false, notes: false };
