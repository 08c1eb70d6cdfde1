import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import type { ExportPreview, ExportProgress, ExportReport } from '../../../contract/export.ts';
import { subtitleFormats, type CollisionPolicy } from '../../../contract/choices.ts';
import type { TranscriptId } from '../../../contract/identifiers.ts';
import { ProblemError } from '../../../contract/problem.ts';
import type { Rejection } from '../../../contract/rejection.ts';
import { transcriptFormats } from '../../formats/formats.ts';
import type { WriteOptions } from '../../formats/write/write-options.ts';
import { makeFolder } from '../../make-folder.ts';
import { titleOf } from '../../media/media-type.ts';
import type { ExportMetadata, ExportSources } from '../../store/library/export-sources.ts';
import { pathBelowRoot, type ExportPlan, type PlannedFile, type PlanOptions } from './export-plan.ts';
import { matching, planFiles } from './plan-files.ts';
import { exists } from './publish-file.ts';
import { appendToJournal, countOf, fileKeyOf } from './export-journals.ts';
import { volumesOf } from './volumes.ts';
import { failedFiles, emptyResult, type Writer, type WriterPool, type WrittenFiles } from './write-files.ts';

/** What to write, where, and how. */
export interface ExportTask extends PlanOptions {
  readonly ids: readonly TranscriptId[];
  readonly writing: WriteOptions;
  readonly existing: CollisionPolicy;
  /** Names by which transcripts are exported instead of their own, by their IDs. */
  readonly names?: ReadonlyMap<TranscriptId, string>;
  /**
   * The digest, from {@link ReplacedFiles}, of the files that the user allowed to replace; if absent, any may be
   * replaced. Transcripts may be renamed while the user is asked.
   */
  readonly allowedDigest?: string;
  /** The files of an earlier run of the same task: they are not written again, and the outcome contains them. */
  readonly earlier?: FinishedFiles | undefined;
  /** The path of its journal, if it can be resumed. */
  readonly journal?: string | undefined;
}

/** Files that need not be written again. */
export type FinishedFiles = Pick<WrittenFiles, 'written' | 'skipped'>;

/** The existing files that an export would replace. */
export interface ReplacedFiles {
  readonly count: number;
  /** The first few of them, as paths below their folder. */
  readonly examples: readonly string[];
  /** The first few of the folders that contain these paths; absolute. */
  readonly folders: readonly string[];
  /** The number of these folders. */
  readonly folderCount: number;
  /** A digest of all their paths. */
  readonly digest: string;
}

/** A report with the files themselves, for the main process to show their folder and to write what is missing. */
export interface ExportOutcome extends Omit<ExportReport, 'run'> {
  readonly finished: FinishedFiles;
}

/** Listens to an export. */
export interface ExportListener {
  progress(progress: ExportProgress): void;
  /** Called with the outcome of each batch of files, in any order. */
  written?(files: WrittenFiles): void;
}

/** Transcripts per batch: enough to be worth a message, few enough to cancel in between. */
const transcriptsPerBatch = 8;
/** The maximum number of file names in a report. */
const maxListedNames = 500;
const maxExamples = 4;

/**
 * Writes transcripts to files. All names are planned first, so that several writers can share the work. A file that
 * cannot be written is reported and does not affect the others.
 *
 * @throws ProblemError `files_changed` if it would replace other files than the user allowed.
 */
export async function runExport(
  sources: ExportSources,
  task: ExportTask,
  pool: WriterPool,
  listener: ExportListener,
  signal: AbortSignal,
): Promise<ExportOutcome> {
  const plan = await planOf(sources, task, signal);
  const { withoutRecording, withoutHighlights, untimed } = plan;
  let { files } = plan;
  if (task.existing === 'replace' && task.allowedDigest !== undefined) {
    const existing = await existingAmong(files, signal);
    const { digest } = summarizeReplaced(existing);
    if (!signal.aborted && digest !== task.allowedDigest) throw new ProblemError({ code: 'files_changed' });
    const replaced = new Set(existing);
    files = files.map((file) => ({ ...file, isNew: !replaced.has(file) }));
  }
  // Like all others, one for each file, so that the numbers of a report are all of files.
  const failed: Rejection[] = withoutRecording.flatMap(({ name }) =>
    task.formats.map((format) => ({
      name: `${titleOf(name)}.${transcriptFormats[format].extension}`,
      problem: { code: 'recording_unknown' },
    })),
  );
  if (task.where === 'folder' && task.folder !== null) tryToMakeFolder(task.folder);
  const volumes = await volumesOf(
    files.map(({ root }) => root),
    signal,
  );
  const batches = batchesOf(files);
  const results = batches.map(() => emptyResult);
  let done = 0;
  const earlierCount = countOf(task.earlier ?? emptyResult);
  appendToJournal(task.journal, { total: earlierCount + files.length });
  listener.progress({ done, total: files.length });
  const remaining = batches.entries();
  const work = async (write: Writer): Promise<void> => {
    for (const [index, batch] of remaining) {
      if (signal.aborted) return;
      const { writing, existing, journal } = task;
      const result = await write({ files: batch, writing, existing, volumes, journal }).catch((error) =>
        failedFiles(batch, error),
      );
      results[index] = result;
      done += batch.length;
      listener.written?.(result);
      listener.progress({ done, total: files.length });
    }
  };
  await pool.run(batches.length, work);
  const finished = [task.earlier ?? emptyResult, ...results];
  const written = finished.flatMap((result) => result.written);
  const skipped = finished.flatMap((result) => result.skipped);
  return {
    count: written.length,
    written: written.slice(0, maxListedNames).map(({ name }) => name),
    skippedCount: skipped.length,
    skipped: skipped.slice(0, maxListedNames).map(({ name }) => name),
    failed: [
      ...failed,
      ...results.flatMap((result) => result.failed.map(({ name, problem }) => ({ name, problem }))),
    ],
    withoutHighlights,
    estimated: countWithEstimatedTimes(written, untimed),
    cancelled: done < files.length,
    finished: { written, skipped },
  };
}

/** Returns what an export would do. */
export async function previewExport(
  sources: ExportSources,
  task: ExportTask,
  signal: AbortSignal,
): Promise<ExportPreview> {
  const {
    files: planned,
    withoutRecording,
    withoutHighlights,
    untimed,
  } = await planOf(sources, task, signal);
  // A recording whose folder is gone cannot be found either. The chosen folder is made if it is missing.
  const volumes =
    task.where === 'beside'
      ? await volumesOf(
          planned.map(({ root }) => root),
          signal,
        )
      : null;
  const files = planned.filter(({ root }) => volumes?.get(root) !== null);
  const withFiles = new Set(files.map(({ id }) => id));
  const gone = new Set(planned.map(({ id }) => id).filter((id) => !withFiles.has(id)));
  const existing = await existingAmong(files, signal);
  const [first] = files;
  return {
    files: files.length,
    examples: await previewNames(files.slice(0, maxExamples), task.existing),
    folder: first === undefined ? null : basename(first.root),
    existing: existing.length,
    withoutRecording: withoutRecording.length + gone.size,
    withoutHighlights,
    estimated: countWithEstimatedTimes(files, untimed),
  };
}

/** Returns the names that files would get, as paths below their folder: those of existing files get other numbers. */
async function previewNames(
  files: readonly PlannedFile[],
  policy: CollisionPolicy,
): Promise<readonly string[]> {
  if (policy !== 'number') return files.map((file) => pathBelowRoot(file));
  const takenPaths = new Set<string>();
  const names: string[] = [];
  for (const file of files) {
    const pathOf = (number: number): string => join(file.root, pathBelowRoot(file, number));
    let { number } = file;
    while (takenPaths.has(pathOf(number)) || (await exists(pathOf(number)))) number += 1;
    takenPaths.add(pathOf(number));
    names.push(pathBelowRoot(file, number));
  }
  return names;
}

/** Returns the files that an export would replace. */
export async function previewReplacement(
  sources: ExportSources,
  task: ExportTask,
  signal: AbortSignal,
): Promise<ReplacedFiles> {
  const { files } = await planOf(sources, task, signal);
  return summarizeReplaced(await existingAmong(files, signal));
}

function summarizeReplaced(existing: readonly PlannedFile[]): ReplacedFiles {
  const hash = createHash('sha256');
  for (const file of existing) hash.update(`${join(file.root, pathBelowRoot(file))}\0`);
  const folders = new Set(existing.map(({ root }) => root));
  return {
    count: existing.length,
    examples: existing.slice(0, maxExamples).map((file) => pathBelowRoot(file)),
    folders: [...folders].slice(0, maxExamples),
    folderCount: folders.size,
    digest: hash.digest('hex'),
  };
}

/** Returns the planned files whose names are taken, in the order of the plan. */
async function existingAmong(
  files: readonly PlannedFile[],
  signal: AbortSignal,
): Promise<readonly PlannedFile[]> {
  const existing = await matching(files, (file) => exists(join(file.root, pathBelowRoot(file))), signal);
  return files.filter((file) => existing.has(file));
}

/** Creates a folder if possible. */
function tryToMakeFolder(folder: string): void {
  try {
    makeFolder(folder);
  } catch {
    // Each file reports why.
  }
}

/** A plan, and what the user should know about its transcripts. */
interface AnnotatedPlan extends ExportPlan {
  /** How many are left out because nothing in them is highlighted. */
  readonly withoutHighlights: number;
  /** The transcripts that are written without times. */
  readonly untimed: ReadonlySet<TranscriptId>;
}

async function planOf(sources: ExportSources, task: ExportTask, signal: AbortSignal): Promise<AnnotatedPlan> {
  const transcripts = task.ids.flatMap((id) => {
    const metadata = sources.metadata(id);
    return metadata === null ? [] : { ...metadata, name: task.names?.get(id) ?? metadata.name };
  });
  const isIncluded = ({ id }: ExportMetadata): boolean =>
    task.writing.highlightsOnly !== true || sources.hasHighlights(id);
  const included = transcripts.filter(isIncluded);
  const { written, skipped } = task.earlier ?? emptyResult;
  const finished = new Set([...written, ...skipped].map(fileKeyOf));
  const { files, withoutRecording } = await planFiles(
    included,
    { ...task, highlightsOnly: task.writing.highlightsOnly === true },
    signal,
  );
  return {
    // All names are planned again, so that each file gets the same one as before.
    files: files.filter((file) => !finished.has(fileKeyOf(file))),
    withoutRecording,
    withoutHighlights: transcripts.length - included.length,
    untimed: new Set(included.flatMap(({ id, isUntimed }) => (isUntimed ? [id] : []))),
  };
}

/** Counts the transcripts without times that are written as subtitles, with estimated times. */
function countWithEstimatedTimes(
  files: readonly Pick<PlannedFile, 'id' | 'format'>[],
  untimed: ReadonlySet<TranscriptId>,
): number {
  const estimated = files.filter(({ id, format }) => untimed.has(id) && subtitleFormats.includes(format));
  return new Set(estimated.map(({ id }) => id)).size;
}

/** Divides files into batches. Those of one transcript stay together, so that it is read once. */
function batchesOf(files: readonly PlannedFile[]): readonly (readonly PlannedFile[])[] {
  const batches: PlannedFile[][] = [];
  let transcripts = transcriptsPerBatch;
  let last: TranscriptId | null = null;
  for (const file of files) {
    if (file.id !== last) transcripts += 1;
    last = file.id;
    if (transcripts > transcriptsPerBatch) {
      batches.push([]);
      transcripts = 1;
    }
    batches.at(-1)?.push(file);
  }
  return batches;
}
