import type { TranscriptId } from '../../contract/identifiers.ts';
import { chooseTranscripts } from '../../core/library/choose-transcripts.ts';
import { createWriterPool } from '../../core/library/export/writer-pool.ts';
import { runExport, type ExportTask } from '../../core/library/export/export-task.ts';
import { Exporter } from '../../core/library/export/exporter.ts';
import type { NamedFile, WrittenFiles } from '../../core/library/export/write-files.ts';
import { writeOptionsFor } from '../../core/formats/write/write-options.ts';
import { ExportSources } from '../../core/store/library/export-sources.ts';
import { type ExportCommand, defaultFormats } from '../cli-command.ts';
import { workerUrl } from '../../workers/registry.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';
import {
  unknownName,
  type ExportEnd,
  type LibraryEvent,
  type LibraryReporter,
} from '../reporting/library-reporters.ts';
import { openOutFolder } from '../out-folder.ts';
import { openLibraryReader, prepareLibrary } from '../open-library.ts';
import type { CommandLineSystem } from '../command-line-system.ts';

/**
 * `longhand export`: writes transcripts of the library to files, even while another program works on it. The library is
 * only read.
 */
export async function exportTranscripts(
  command: ExportCommand,
  system: CommandLineSystem,
  reporter: LibraryReporter,
): Promise<ExitCode> {
  const { interrupted } = system;
  const { transcripts } = command;
  const hasSearchQuery = transcripts.kind === 'found' && transcripts.query !== '';
  const outFolder = await openOutFolder(command.exportRequest.folder, system.workingFolder);
  await prepareLibrary(system, reporter, { completeSearchIndex: hasSearchQuery });
  if (interrupted.aborted) return exitCode.interrupted;
  const database = openLibraryReader(system);
  const { ids, unknown } = chooseTranscripts(database, transcripts);
  database.close();
  for (const one of unknown) reporter.report(unknownName(one));
  const end = await writeTranscripts(ids, { ...command, outFolder }, system, (event) =>
    reporter.report(event),
  );
  reporter.report({ type: 'end', ...end });
  if (end.outcome === 'interrupted') return exitCode.interrupted;
  return end.failed + unknown.length > 0 ? exitCode.someFailed : exitCode.done;
}

/** What happened to a file, or the progress. */
type FileEvent = Extract<LibraryEvent, { type: 'file' | 'file-skipped' | 'file-failed' | 'progress' }>;

/** How transcripts are written. */
export interface WriteRequest extends Pick<ExportCommand, 'exportRequest' | 'existing' | 'scope'> {
  /** Absolute; `null`: next to each recording. */
  readonly outFolder: string | null;
  /** See {@link ExportTask.names}. */
  readonly names?: ExportTask['names'];
}

/** Writes transcripts of the library to files, and reports each. */
export async function writeTranscripts(
  ids: readonly TranscriptId[],
  request: WriteRequest,
  system: CommandLineSystem,
  report: (event: FileEvent) => void,
): Promise<ExportEnd> {
  const { dataFolder, workersFolder, interrupted } = system;
  const database = openLibraryReader(system);
  const threads = { folder: dataFolder, url: workerUrl('export', workersFolder) };
  const exporter = new Exporter(threads);
  try {
    const sources = new ExportSources(database);
    const counter = new FileCounter(sources, report, request.names);
    const pool = createWriterPool(exporter.write, threads);
    const { cancelled, estimated, withoutHighlights } = await runExport(
      sources,
      exportTaskOf(request, ids, system),
      pool,
      counter,
      interrupted,
    );
    const { done, skipped, failed, total } = counter;
    const left = total - counter.processed;
    const outcome = cancelled ? 'interrupted' : 'finished';
    return { outcome, done, skipped, failed, left, estimated, withoutHighlights };
  } finally {
    await exporter.close();
    database.close();
  }
}

function exportTaskOf(
  { exportRequest: request, existing, scope, outFolder, names }: WriteRequest,
  ids: ExportTask['ids'],
  { settings, workingFolder }: CommandLineSystem,
): ExportTask {
  const { exporting, ownSubtitleRules } = settings();
  const choices = { ...exporting, ...request.overrides };
  return {
    ids,
    formats: request.formats ?? defaultFormats,
    template: choices.template,
    where: outFolder === null ? 'beside' : 'folder',
    folder: outFolder,
    // A transcript without a local recording has no folder: its files go to the working folder.
    fallbackFolder: workingFolder,
    existing,
    ...(names !== undefined && { names }),
    writing: writeOptionsFor(choices, ownSubtitleRules, scope),
  };
}

/** Reports each file, and counts the outcomes. */
class FileCounter {
  done = 0;
  skipped = 0;
  failed = 0;
  /** Files to write. */
  total = 0;
  /** Files that are written, skipped, failed or without a transcript by now. */
  processed = 0;
  readonly #sources: ExportSources;
  readonly #report: (event: FileEvent) => void;
  readonly #names: ExportTask['names'];

  constructor(sources: ExportSources, report: (event: FileEvent) => void, names: ExportTask['names']) {
    this.#sources = sources;
    this.#report = report;
    this.#names = names;
  }

  progress({ done, total }: { readonly done: number; readonly total: number }): void {
    this.processed = done;
    this.total = total;
    this.#report({ type: 'progress', task: 'export', done, total });
  }

  written({ written, skipped, failed }: WrittenFiles): void {
    for (const file of written) {
      this.done += 1;
      this.#report({ type: 'file', ...this.#fileFields(file), path: file.path });
    }
    for (const file of skipped) {
      this.skipped += 1;
      this.#report({ type: 'file-skipped', ...this.#fileFields(file) });
    }
    for (const file of failed) {
      this.failed += 1;
      this.#report({ type: 'file-failed', ...this.#fileFields(file), problem: file.problem });
    }
  }

  #fileFields({ id, format, name }: NamedFile) {
    return { transcript: id, name: this.#names?.get(id) ?? this.#sources.metadata(id)?.name ?? name, format };
  }
}
