import { basename, join } from 'node:path';
import type {
  ExistingFiles,
  ExportPreview,
  ExportProgress,
  ExportReport,
  LayoutQuality,
} from '../../contract/model/export.ts';
import type { TranscriptId } from '../../contract/model/library.ts';
import type { LeftOut } from '../../contract/model/queue.ts';
import {
  countedRules,
  presetRules,
  type SubtitleQuality,
  type SubtitleRules,
} from '../../contract/model/subtitles.ts';
import { assess } from '../formats/quality.ts';
import { cuesOf, type SubtitleLayout } from '../formats/subtitles.ts';
import type { Writing } from '../formats/writing.ts';
import { storageProblem } from '../queue/storage-problem.ts';
import type { ExportSources } from '../store/export-sources.ts';
import {
  pathBelowRoot,
  planExport,
  type ExportPlan,
  type PlannedFile,
  type PlanWish,
} from './export-plan.ts';
import { writeExport } from './export.ts';
import { exists } from './place-file.ts';

/** What is to be written, where to, and how. */
export interface ExportJob extends PlanWish {
  readonly ids: readonly TranscriptId[];
  readonly writing: Writing;
  readonly existing: ExistingFiles;
}

/** A report with the path of a written file, for the main process to show in its folder. */
export interface ExportOutcome extends ExportReport {
  readonly firstPath: string | null;
}

/** Transcripts that are written at the same time: while one waits for the disk, another is laid out. */
const atOnce = 4;
/** Names that a report lists; nobody reads more. */
const listed = 500;
/** Transcripts that a quality is counted over. */
const assessed = 200;
const examples = 4;

/** Writes transcripts to files. What cannot be written is reported; everything else is written all the same. */
export async function runExport(
  sources: ExportSources,
  job: ExportJob,
  tell: (progress: ExportProgress) => void,
  signal: AbortSignal,
): Promise<ExportOutcome> {
  const { files, placeless } = planOf(sources, job);
  const written: string[] = [];
  const skipped: string[] = [];
  const failed: LeftOut[] = placeless.map(({ name }) => ({ name, problem: { code: 'recording_unknown' } }));
  let count = 0;
  let done = 0;
  let firstPath: string | null = null;

  const writeAllOf = async (group: readonly PlannedFile[]): Promise<void> => {
    const transcript = sources.content(group[0]?.id ?? 0);
    for (const file of group) {
      if (signal.aborted) return;
      const name = pathBelowRoot(file);
      try {
        // Deleted since it was planned: there is nothing to write of it.
        if (transcript === null) continue;
        const result = await writeExport({ transcript, writing: job.writing, file, existing: job.existing });
        if (!result.written) {
          if (skipped.length < listed) skipped.push(name);
          continue;
        }
        count += 1;
        firstPath ??= result.path;
        if (written.length < listed) written.push(join(...file.folders, basename(result.path)));
      } catch (error) {
        failed.push({ name, problem: storageProblem(error) });
      } finally {
        done += 1;
        tell({ done, total: files.length });
      }
    }
  };
  tell({ done, total: files.length });
  const groups = groupsOf(files)[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (const group of groups) await writeAllOf(group);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { count, written, skipped, failed, cancelled: done < files.length, firstPath };
}

/** Says what an export would do. */
export async function previewExport(
  sources: ExportSources,
  job: ExportJob,
  signal: AbortSignal,
): Promise<ExportPreview> {
  const { files, placeless } = planOf(sources, job);
  let existing = 0;
  const left = files[Symbol.iterator]();
  const look = async (): Promise<void> => {
    for (const file of left) {
      if (signal.aborted) return;
      if (await exists(join(file.root, pathBelowRoot(file)))) existing += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, look));
  const [first] = files;
  return {
    files: files.length,
    examples: files.slice(0, examples).map((file) => pathBelowRoot(file)),
    folder: first === undefined ? null : basename(first.root),
    existing,
    placeless: placeless.length,
  };
}

/** Counts how many subtitles break the rules: segments as they are, and laid out. */
export async function assessLayout(
  sources: ExportSources,
  ids: readonly TranscriptId[],
  layout: SubtitleLayout,
  rules: SubtitleRules,
  signal: AbortSignal,
): Promise<LayoutQuality> {
  let transcripts = 0;
  let before = nothing;
  let after = nothing;
  for (const id of ids.slice(0, assessed)) {
    // Lets a newer question in.
    await new Promise(setImmediate);
    if (signal.aborted) break;
    const transcript = sources.content(id);
    if (transcript === null) continue;
    transcripts += 1;
    const raw = assess(cuesOf(transcript, 'raw'), rules);
    before = sum(before, raw);
    after = sum(after, layout === 'raw' ? raw : assess(cuesOf(transcript, layout), rules));
  }
  return { transcripts, before, after };
}

function planOf(sources: ExportSources, job: ExportJob): ExportPlan {
  const facts = job.ids.flatMap((id) => sources.facts(id) ?? []);
  return planExport(facts, job);
}

/** The files of each transcript, which is read once for all of them. */
function* groupsOf(files: readonly PlannedFile[]): Generator<readonly PlannedFile[]> {
  let group: PlannedFile[] = [];
  for (const file of files) {
    if (group.length > 0 && group[0]?.id !== file.id) {
      yield group;
      group = [];
    }
    group.push(file);
  }
  if (group.length > 0) yield group;
}

const nothing = assess([], presetRules.broadcast);

function sum(a: SubtitleQuality, b: SubtitleQuality): SubtitleQuality {
  const total = { ...a };
  for (const key of ['cues', 'flagged', ...countedRules] as const) total[key] = a[key] + b[key];
  return total;
}
