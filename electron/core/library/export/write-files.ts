import { basename, join } from 'node:path';
import type { ExistingFiles } from '../../../contract/choices.ts';
import type { Rejection } from '../../../contract/rejection.ts';
import type { Problem } from '../../../contract/problem.ts';
import type { WriteOptions } from '../../formats/write/write-options.ts';
import { storageProblem } from '../../storage-problem.ts';
import type { ExportSources } from '../../store/library/export-sources.ts';
import { pathBelowRoot, type PlannedFile } from './export-plan.ts';
import { writeExport } from './write-export.ts';
import type { Volumes } from './volumes.ts';

/** Files that are to be written; those of one transcript follow each other. */
export interface FilesToWrite {
  readonly files: readonly PlannedFile[];
  readonly writing: WriteOptions;
  readonly existing: ExistingFiles;
  /** Where the folders have to be that the files were planned for; when absent, they are made if they are not there. */
  readonly volumes?: Volumes;
}

/** A file that was planned, with its path below the folder that it was planned for. */
export interface NamedFile extends Pick<PlannedFile, 'id' | 'format'> {
  readonly name: string;
}

/** What came of them. Files of transcripts that are gone since they were planned are in none of the lists. */
export interface WrittenFiles {
  readonly written: readonly (NamedFile & { readonly path: string })[];
  readonly skipped: readonly NamedFile[];
  readonly failed: readonly (NamedFile & Rejection)[];
}

/** Writes files and tells what came of them. */
export type Writer = (task: FilesToWrite) => Promise<WrittenFiles>;

/** Writers that share work. */
export interface WriterPool {
  /** Lets as many writers work as `portions` of work are worth, and resolves when all are through. */
  run(portions: number, work: (write: Writer) => Promise<void>): Promise<void>;
}

export const emptyResult: WrittenFiles = { written: [], skipped: [], failed: [] };

/** Transcripts that are written at the same time: while one waits for the disk, another is laid out. */
const parallelTranscripts = 4;

/** Writes files in this thread. What cannot be written is told with its reason, and stops nothing else. */
export async function writeFiles(
  sources: ExportSources,
  { files, writing, existing, volumes }: FilesToWrite,
): Promise<WrittenFiles> {
  const results = new Map<PlannedFile, FileResult>();
  const writeAllOf = async (group: readonly PlannedFile[]): Promise<void> => {
    const transcript = sources.content(group[0]?.id ?? 0);
    if (transcript === null) return;
    for (const file of group) {
      const volume = volumes && (volumes.get(file.root) ?? null);
      const result = await writeExport({ transcript, writing, file, existing, volume }).catch(
        (error: unknown) => ({ problem: storageProblem(error) }),
      );
      results.set(file, result);
    }
  };
  const groups = groupsOf(files).values();
  const work = async (): Promise<void> => {
    for (const group of groups) await writeAllOf(group);
  };
  await Promise.all(Array.from({ length: parallelTranscripts }, work));
  return collectResults(files, results);
}

type FileResult = { readonly path: string; readonly written: boolean } | { readonly problem: Problem };

/** What came of files, in the order in which they were planned. */
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
    else
      written.push({
        ...planned,
        name: join(...file.folders, basename(result.path)),
        path: result.path,
      });
  }
  return { written, skipped, failed };
}

/** What to tell of files whose writer broke down. */
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
