import { basename, join } from 'node:path';
import type { CollisionPolicy } from '../../../contract/choices.ts';
import { errorCode, errorMessage } from '../../../contract/errors.ts';
import type { TranscriptId } from '../../../contract/identifiers.ts';
import type { Rejection } from '../../../contract/rejection.ts';
import { type Problem, type ProblemCode, ProblemError } from '../../../contract/problem.ts';
import type { WriteOptions } from '../../formats/write/write-options.ts';
import { storageProblem } from '../../storage-problem.ts';
import type { ExportSources } from '../../store/library/export-sources.ts';
import { type ExportTarget, pathBelowRoot, type PlannedFile } from './export-plan.ts';
import type { Volumes } from './volumes.ts';
import { onlyHighlights, type TranscriptContent } from '../../formats/content.ts';
import { writeTranscript } from '../../formats/formats.ts';
import { publishFile, type NewFile, type Published } from './publish-file.ts';
import { appendToJournal, type JournalLine } from './export-journals.ts';

/** Files to write; those of one transcript are adjacent. */
export interface FilesToWrite {
  readonly files: readonly PlannedFile[];
  readonly writing: WriteOptions;
  readonly existing: CollisionPolicy;
  /** Whether each file must be on the disk before it is reported as written; one that replaces another always is. */
  readonly syncs?: boolean;
  /** The volumes on which the planned folders must be; if absent, missing folders are created. */
  readonly volumes?: Volumes;
  /** The path of the journal to which each file is added; see `export-journals.ts`. */
  readonly journal?: string | undefined;
}

/** A planned file with its path below the planned folder. */
export interface NamedFile extends Pick<PlannedFile, 'id' | 'format'> {
  readonly name: string;
}

/** A file that was written. */
export interface WrittenFile extends NamedFile {
  readonly path: string;
  /** Its size when it was written. Absent in journals of earlier versions. */
  readonly sizeBytes?: number | undefined;
}

/** The outcome of writing. Files of transcripts that were deleted after the planning are in none of the lists. */
export interface WrittenFiles {
  readonly written: readonly WrittenFile[];
  readonly skipped: readonly NamedFile[];
  readonly failed: readonly (NamedFile & Rejection)[];
}

/** Writes files and returns the outcome. */
export type Writer = (task: FilesToWrite) => Promise<WrittenFiles>;

/** A pool of writers that share work. */
export interface WriterPool {
  /** Runs `work` with a number of writers suited to `batches`, and resolves when all are done. */
  run(batches: number, work: (write: Writer) => Promise<void>): Promise<void>;
}

export const emptyResult: WrittenFiles = { written: [], skipped: [], failed: [] };

/** Transcripts written in parallel: while one waits for the disk, another is laid out. */
const parallelTranscripts = 4;

/** Writes files in this thread. A failure is returned with its reason and does not affect other files. */
export async function writeFiles(
  sources: ExportSources,
  { files, writing, existing: policy, syncs, volumes, journal }: FilesToWrite,
): Promise<WrittenFiles> {
  const results = new Map<PlannedFile, FileResult>();
  const writeAllOf = async (group: readonly PlannedFile[]): Promise<void> => {
    const transcript = contentFor(sources, group[0]?.id ?? 0, writing);
    if (transcript === null) return;
    for (const file of group) {
      if ('problem' in transcript) {
        results.set(file, transcript);
        continue;
      }
      const volume = volumes && (volumes.get(file.root) ?? null);
      const onPublish = (path: string, identity: string): void =>
        appendToJournal(journal, { publishing: { ...fileAt(file, path), identity } });
      const existing = policy === 'replace' && file.isNew === true ? 'number' : policy;
      const request = { transcript, writing, file, existing, syncs, volume, onPublish };
      const result = await writeExport(request).catch((error: unknown) => ({
        problem: storageProblem(error),
      }));
      results.set(file, result);
      if (!('problem' in result)) appendToJournal(journal, journalLineOf(file, result));
    }
  };
  const groups = groupsOf(files).values();
  const work = async (): Promise<void> => {
    for (const group of groups) await writeAllOf(group);
  };
  await Promise.all(Array.from({ length: parallelTranscripts }, work));
  return collectResults(files, results);
}

/** Returns a transcript, or why its rows cannot be read: that must not stop the others of the same export. */
function contentFor(
  sources: ExportSources,
  id: TranscriptId,
  { highlightsOnly = false }: WriteOptions,
): TranscriptContent | { readonly problem: Problem } | null {
  try {
    const content = sources.content(id);
    if (content === null || !highlightsOnly) return content;
    return onlyHighlights(content) ?? { problem: { code: 'no_highlights' } };
  } catch (error) {
    return { problem: storageProblem(error) };
  }
}

type FileResult = Published | { readonly problem: Problem };

/** Collects the results in the order of the plan. */
function collectResults(
  files: readonly PlannedFile[],
  results: ReadonlyMap<PlannedFile, FileResult>,
): WrittenFiles {
  const written: WrittenFiles['written'][number][] = [];
  const skipped: NamedFile[] = [];
  const failed: WrittenFiles['failed'][number][] = [];
  for (const file of files) {
    const result = results.get(file);
    if (result === undefined) continue;
    const planned = namedFile(file);
    if ('problem' in result) failed.push({ ...planned, problem: result.problem });
    else if (!result.written) skipped.push(planned);
    else written.push(writtenFile(file, result));
  }
  return { written, skipped, failed };
}

const fileAt = (file: PlannedFile, path: string): NamedFile & { readonly path: string } => ({
  ...namedFile(file),
  name: join(...file.folders, basename(path)),
  path,
});

const writtenFile = (
  file: PlannedFile,
  { path, sizeBytes }: Extract<Published, { written: true }>,
): WrittenFile => ({ ...fileAt(file, path), sizeBytes });

const journalLineOf = (file: PlannedFile, result: Published): JournalLine =>
  result.written ? { written: writtenFile(file, result) } : { skipped: namedFile(file) };

/** Returns the outcome for files whose writer crashed. */
export function failedFiles(files: readonly PlannedFile[], error: unknown): WrittenFiles {
  const problem = storageProblem(error);
  return { ...emptyResult, failed: files.map((file) => ({ ...namedFile(file), problem })) };
}

const namedFile = (file: PlannedFile): NamedFile => ({
  id: file.id,
  format: file.format,
  name: pathBelowRoot(file),
});

const groupsOf = (files: readonly PlannedFile[]): readonly (readonly PlannedFile[])[] => [
  ...Map.groupBy(files, ({ id }) => id).values(),
];

/** One transcript to write as one file. */
export interface FileExport {
  readonly transcript: TranscriptContent;
  readonly writing: WriteOptions;
  readonly file: ExportTarget;
  readonly existing: CollisionPolicy;
  /** The volume on which its root must be; see `publish-file.ts`. */
  readonly volume?: number | null | undefined;
  readonly syncs?: boolean | undefined;
  readonly onPublish?: NewFile['onPublish'];
}

/**
 * Writes a transcript as planned. If a file of its name exists, it gets the next free number, unless `existing`
 * says otherwise. The file appears complete or not at all.
 *
 * @returns the path of the new file, or with `written: false` of the existing one
 * @throws ProblemError as {@link exportProblem}, or why the format cannot hold the transcript.
 */
export async function writeExport({
  transcript,
  writing,
  file,
  existing,
  syncs = false,
  volume,
  onPublish,
}: FileExport): Promise<Published> {
  try {
    return await publishFile({
      content: await writeTranscript(transcript, file.format, writing),
      root: file.root,
      volume,
      nameOf: (number) => pathBelowRoot(file, number),
      firstNumber: file.number,
      existing,
      syncs,
      onPublish,
    });
  } catch (error) {
    throw error instanceof ProblemError ? error : exportProblem(transcript.name, file.root, error);
  }
}

const causes: Readonly<Record<string, ProblemCode>> = {
  ENOENT: 'export_folder_gone',
  EACCES: 'export_not_allowed',
  EPERM: 'export_not_allowed',
  EROFS: 'export_not_allowed',
  EEXIST: 'export_not_a_folder',
  ENOTDIR: 'export_not_a_folder',
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full',
};

/**
 * Says why a file cannot be written to a folder.
 *
 * @param name of the transcript, or the folder itself
 * @param error of the file system
 */
export function exportProblem(name: string, folder: string, error: unknown): ProblemError {
  const detail = errorMessage(error);
  const cause = causes[errorCode(error)];
  const code = cause ?? 'export_failed';
  return new ProblemError({ code, params: { name, folder }, detail }, { cause: error });
}
