import { basename, dirname, join, sep } from 'node:path';
import type { ExportChoices } from '../../../contract/export.ts';
import type { ExportFormat } from '../../../contract/choices.ts';
import type { TranscriptId } from '../../../contract/identifiers.ts';
import { transcriptFormats } from '../../formats/formats.ts';
import { titleOf } from '../../media/media-type.ts';
import type { ExportFacts } from '../../store/library/export-sources.ts';
import { cleanFileName } from '../../file-name.ts';
import { dateOf, fillTemplate } from './name-template.ts';

/** Where a file is to be written, and what it is called. */
export interface ExportTarget {
  readonly format: ExportFormat;
  /** The folder that the user chose, or that of the recording; absolute. Nothing is written outside of it. */
  readonly root: string;
  /** Folders below it. */
  readonly folders: readonly string[];
  /** What the file is called, before it is cleaned, numbered and given its ending. */
  readonly title: string;
  /** From 2 on it is a part of the name: another file of this export has the name without it. */
  readonly number: number;
}

/** A file that is to be written of a transcript. */
export interface PlannedFile extends ExportTarget {
  readonly id: TranscriptId;
}

/** What a plan is made by. */
export interface PlanOptions extends Pick<ExportChoices, 'formats' | 'template' | 'where'> {
  /** Absolute; files are put there unless they go next to their recordings. */
  readonly folder: string | null;
  /** Absolute: where files go that have no recording to be next to; otherwise their transcripts are placeless. */
  readonly fallbackFolder?: string;
}

export interface ExportPlan {
  readonly files: readonly PlannedFile[];
  /** Transcripts that have no recording to be next to. */
  readonly withoutRecording: readonly ExportFacts[];
}

/** Says how every file of an export is called, no two of them alike on any file system. */
export function planExport(transcripts: readonly ExportFacts[], wish: PlanOptions): ExportPlan {
  const files: PlannedFile[] = [];
  const withoutRecording: ExportFacts[] = [];
  const taken = new Set<string>();
  const lastNumbers = new Map<string, number>();
  const digits = String(transcripts.length).length;
  transcripts.forEach((facts, index) => {
    const root = rootOf(facts, wish);
    if (root === null) {
      withoutRecording.push(facts);
      return;
    }
    for (const format of wish.formats) {
      const { folders, title } = fillTemplate(wish.template, {
        name: titleOf(facts.name),
        ...dateOf(facts.createdAt),
        language: facts.language ?? '',
        format,
        number: String(index + 1).padStart(digits, '0'),
        folder: facts.recordingPath === null ? '' : basename(dirname(facts.recordingPath)),
      });
      const wanted = { id: facts.id, format, root, folders, title };
      const key = keyOf({ ...wanted, number: 1 });
      let number = lastNumbers.get(key) ?? 0;
      do number += 1;
      while (taken.has(keyOf({ ...wanted, number })));
      lastNumbers.set(key, number);
      taken.add(keyOf({ ...wanted, number }));
      files.push({ ...wanted, number });
    }
  });
  return { files, withoutRecording };
}

/** What the files of a recording would be called that is transcribed now, in English. */
export function exampleNames(
  { formats, template }: Pick<PlanOptions, 'formats' | 'template'>,
  name: string,
  folder: string,
  now: number,
): readonly string[] {
  const facts = { id: 1, name, language: 'en', createdAt: now, recordingPath: join(sep, folder, name) };
  const { files } = planExport([facts], { formats, template, where: 'folder', folder: sep });
  return files.map((file) => pathBelowRoot(file));
}

/** A file's path below its root; `number` instead of its own one when that name is taken. */
export function pathBelowRoot(file: ExportTarget, number = file.number): string {
  const { extension } = transcriptFormats[file.format];
  const suffix = `${number === 1 ? '' : ` ${number}`}.${extension}`;
  return join(...file.folders, cleanFileName(file.title, suffix));
}

function rootOf(
  { recordingPath }: ExportFacts,
  { where, folder, fallbackFolder: elsewhere }: PlanOptions,
): string | null {
  if (where === 'folder') return folder;
  return recordingPath === null ? (elsewhere ?? null) : dirname(recordingPath);
}

/** The same for names that some file system takes for the same. */
const keyOf = (file: PlannedFile): string =>
  `${file.root}\n${pathBelowRoot(file)}`.toUpperCase().toLowerCase();
