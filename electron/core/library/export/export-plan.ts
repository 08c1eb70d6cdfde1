import { basename, dirname, join, sep } from 'node:path';
import type { ExportChoices } from '../../../contract/export.ts';
import { type ExportFormat, type NameField, nameFields } from '../../../contract/choices.ts';
import type { TranscriptId } from '../../../contract/identifiers.ts';
import { transcriptFormats } from '../../formats/formats.ts';
import { titleOf } from '../../media/media-type.ts';
import type { ExportMetadata } from '../../store/library/export-sources.ts';
import { cleanFileName } from '../../file-name.ts';

/** Where to write a file, and its name. */
export interface ExportTarget {
  readonly format: ExportFormat;
  /** The folder that the user chose, or that of the recording; absolute. Nothing is written outside it. */
  readonly root: string;
  /** Folders below `root`. */
  readonly folders: readonly string[];
  /** The name before it is cleaned, numbered and given its extension. */
  readonly title: string;
  /** Part of the name from 2 on: other files of this export have the name with lower numbers. */
  readonly number: number;
}

/** A planned file of a transcript. */
export interface PlannedFile extends ExportTarget {
  readonly id: TranscriptId;
  /**
   * Whether no file of its name existed when the user allowed existing files to be replaced; one that has appeared since
   * is kept.
   */
  readonly isNew?: boolean;
}

/** The choices that a plan depends on. */
export interface PlanOptions extends Pick<ExportChoices, 'formats' | 'template' | 'where'> {
  /** The absolute target folder, unless files are written next to their recordings. */
  readonly folder: string | null;
  /** The absolute folder for transcripts without a known recording. If absent, these are not exported. */
  readonly fallbackFolder?: string;
  /** Whether only highlights are exported; absent: no. Their names tell them from files with the whole text. */
  readonly highlightsOnly?: boolean;
}

/** Follows the name of a file with nothing but highlights; in English, as everything that files add to a text. */
const highlightsSuffix = ' highlights';

export interface ExportPlan {
  readonly files: readonly PlannedFile[];
  /** Transcripts that should be exported next to their recording but have none. */
  readonly withoutRecording: readonly ExportMetadata[];
}

/**
 * Plans the names of all files of an export, so that no two are equal on any file system. Of several transcripts with one
 * name, the oldest has the plain one: that of a recording that was transcribed again keeps the corrections.
 */
export function planExport(transcripts: readonly ExportMetadata[], options: PlanOptions): ExportPlan {
  const filesByIndex: (readonly PlannedFile[])[] = transcripts.map(() => []);
  const takenKeys = new Set<string>();
  const lastNumbers = new Map<string, number>();
  const digits = String(transcripts.length).length;
  const fileCount = transcripts.length * options.formats.length;
  /** Numbers a file. Titles are cut for the longest suffix: those that become equal share one counter. */
  const withNumber = (file: PlannedFile): PlannedFile => {
    const stem = { ...file, title: cutTitle(file.title, suffixOf(file.format, fileCount)) };
    const key = keyOf(stem);
    let number = lastNumbers.get(key) ?? 1;
    do number += 1;
    while (takenKeys.has(keyOf({ ...stem, number })));
    lastNumbers.set(key, number);
    return { ...stem, number };
  };
  const oldestFirst = transcripts
    .map((metadata, index) => ({ metadata, index }))
    .sort((a, b) => a.metadata.createdAt - b.metadata.createdAt || a.metadata.id - b.metadata.id);
  for (const { metadata, index } of oldestFirst) {
    const root = rootOf(metadata, options);
    if (root === null) continue;
    filesByIndex[index] = options.formats.map((format) => {
      const { folders, title } = fillTemplate(options.template, {
        name: titleOf(metadata.name),
        ...dateOf(metadata.createdAt),
        language: metadata.language ?? '',
        format,
        number: String(index + 1).padStart(digits, '0'),
        folder: metadata.recordingPath === null ? '' : basename(dirname(metadata.recordingPath)),
      });
      const ending = options.highlightsOnly === true ? highlightsSuffix : '';
      const fullTitle =
        ending === '' ? title : cutTitle(title, `${ending}${suffixOf(format, fileCount)}`) + ending;
      const file = { id: metadata.id, format, root, folders, title: fullTitle, number: 1 };
      const planned = takenKeys.has(keyOf(file)) ? withNumber(file) : file;
      takenKeys.add(keyOf(planned));
      return planned;
    });
  }
  return {
    files: filesByIndex.flat(),
    withoutRecording: transcripts.filter((metadata) => rootOf(metadata, options) === null),
  };
}

/** Returns example names: those of a recording in English that is transcribed now. */
export function exampleNames(
  { formats, template }: Pick<PlanOptions, 'formats' | 'template'>,
  name: string,
  folder: string,
  now: number,
): readonly string[] {
  const recordingPath = join(sep, folder, name);
  const metadata = {
    id: 1,
    name,
    language: 'en',
    createdAt: now,
    recordingPath,
    recordingFingerprint: null,
    isUntimed: false,
  };
  const { files } = planExport([metadata], { formats, template, where: 'folder', folder: sep });
  return files.map((file) => pathBelowRoot(file));
}

/** Returns a file's path below its root, with the given number. */
export function pathBelowRoot(file: ExportTarget, number = file.number): string {
  return join(...file.folders, cleanFileName(file.title, suffixOf(file.format, number)));
}

const suffixOf = (format: ExportFormat, number: number): string =>
  `${number === 1 ? '' : ` ${number}`}.${transcriptFormats[format].extension}`;

/** Returns a title cleaned, and short enough for a suffix. */
const cutTitle = (title: string, suffix: string): string =>
  cleanFileName(title, suffix).slice(0, -suffix.length);

function rootOf(
  { recordingPath }: ExportMetadata,
  { where, folder, fallbackFolder }: PlanOptions,
): string | null {
  if (where === 'folder') return folder;
  return recordingPath === null ? (fallbackFolder ?? null) : dirname(recordingPath);
}

/** Returns the same key for names that some file system considers equal. */
const keyOf = (file: PlannedFile): string =>
  `${file.root}\n${pathBelowRoot(file)}`.toUpperCase().toLowerCase();

/** Values for the fields of a name template. */
export type NameValues = Readonly<Record<NameField, string>>;

/** A file name from a template. */
export interface TemplatedName {
  /** Clean names of folders below the chosen one. */
  readonly folders: readonly string[];
  /** The name without extension, not cleaned: how much of it fits depends on the suffix. */
  readonly title: string;
}

const field = new RegExp(`\\{(${nameFields.join('|')})\\}`, 'g');
const separators = /[/\\]/;

/**
 * Fills in a name template. A slash in the template creates a folder; one in a value does not, and no result leads out
 * of its folder. Unknown fields stay as they are.
 */
function fillTemplate(template: string, values: NameValues): TemplatedName {
  const parts = template
    .split(separators)
    .map((part) => part.replace(field, (_, name: NameField) => values[name]))
    .filter((part) => part.trim() !== '');
  const title = parts.at(-1) ?? values.name;
  return { folders: parts.slice(0, -1).map((part) => cleanFileName(part, '')), title };
}

// Swedish writes dates as ISO 8601 does.
const dateAndTime = new Intl.DateTimeFormat('sv-SE', {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
});

/** Formats a time as `2026-11-19` and `14-02`, in local time. */
function dateOf(unixMs: number): { readonly date: string; readonly time: string } {
  const [date = '', time = ''] = dateAndTime.format(unixMs).split(' ');
  return { date, time: time.replace(':', '-') };
}
