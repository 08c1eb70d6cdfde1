import { rm } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { ExportFormat } from '../../../contract/choices.ts';
import type { ExportChoices } from '../../../contract/export.ts';
import type { ItemId } from '../../../contract/identifiers.ts';
import type { FailedAutoExports } from '../../../contract/auto-exports.ts';
import type { Settings } from '../../../contract/settings.ts';
import type { SubtitleRules } from '../../../contract/subtitle-rules.ts';
import { type Problem, ProblemError } from '../../../contract/problem.ts';
import { writeOptionsFor, type WriteOptions } from '../../formats/write/write-options.ts';
import type { Clock, Logger } from '../../ports.ts';
import type { Source } from '../../item/item.ts';
import { storageProblem } from '../../storage-problem.ts';
import type { Store } from '../../store/store.ts';
import type { AutoExport, WritableAutoExport } from '../../store/auto-export-store.ts';
import type { ExportMetadata } from '../../store/library/export-sources.ts';
import { planFiles } from './plan-files.ts';
import { isFile } from './publish-file.ts';
import { publishedFilesIn, type PublishedExportFile } from './export-journals.ts';
import { volumesOf } from './volumes.ts';
import type { Writer } from './write-files.ts';

/** The delay before postponed files are written again, in milliseconds. */
const retryMs = 60_000;

/** How auto exports are written. */
export interface AutoExportStyle {
  readonly writing: WriteOptions;
  readonly template: string;
}

/** Derives the style of auto exports from the user's choices. */
export const autoExportStyleFor = (choices: ExportChoices, ownRules: SubtitleRules): AutoExportStyle => ({
  writing: writeOptionsFor(choices, ownRules),
  template: choices.template,
});

/**
 * Returns the auto exports of a recording.
 *
 * @param chosen the formats chosen for it; `null`: those of the settings
 */
export const defaultAutoExports = (
  { autoExportFormats, autoExportFolder }: Pick<Settings, 'autoExportFormats' | 'autoExportFolder'>,
  chosen: readonly ExportFormat[] | null,
): readonly AutoExport[] =>
  (chosen ?? autoExportFormats).map((format) => ({ format, folder: autoExportFolder }));

/** Returns those of `files` that are possible: a link has no folder to write to. */
export function possibleAutoExports(source: Source, files: readonly AutoExport[]): readonly AutoExport[] {
  return source.kind === 'file' ? files : files.filter(({ folder }) => folder !== null);
}

export interface AutoExportWriterOptions {
  /** The data folder, which names the file that is being written. */
  readonly folder: string;
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How to write files; read for each file. */
  readonly style: () => AutoExportStyle;
  readonly writer: Writer;
  /** Called when the list of failed files has changed. */
  readonly onFailures?: () => void;
  /** Called after each file. */
  readonly onResult?: () => void;
}

/** Writes the auto exports, and after a restart the pending ones. */
export class AutoExportWriter {
  readonly #options: AutoExportWriterOptions;
  /**
   * The path of a journal that names the file that is about to appear, until the database has its path: a process that
   * is killed in between must not cause a second file.
   */
  readonly #journal: string;
  /** Files that an earlier process may have written, but has not marked as written; `null`: not read yet. */
  #unconfirmed: readonly PublishedExportFile[] | null = null;
  #work: Promise<void> = Promise.resolve();
  /** The error of the database that ended the last write; files of other items are pending too, then. */
  #postponedBy: Problem | null = null;
  #cancelRetry: (() => void) | null = null;
  #isStopped = false;

  constructor(options: AutoExportWriterOptions) {
    this.#options = options;
    this.#journal = join(options.folder, 'auto-export.jsonl');
  }

  /** Why files are pending that could have been written; `null` if none are. */
  get postponedBy(): Problem | null {
    return this.#postponedBy;
  }

  /** Returns the failed files; `null` if there are none. */
  failed(): FailedAutoExports | null {
    return this.#options.store.autoExports.failed();
  }

  /** Retries the failed files, in another `folder` if one is given; returns what failed again. */
  async retryFailed(folder?: string): Promise<FailedAutoExports | null> {
    this.#options.store.autoExports.retryFailed(folder);
    await this.write();
    return this.failed();
  }

  /** Forgets the failed files; their transcripts stay. */
  forgetFailed(): void {
    this.#options.store.autoExports.forgetFailed();
    this.#options.onFailures?.();
    this.#options.onResult?.();
  }

  /**
   * Writes the pending files of one item, or of all, after the current write. Never rejects: after an error of the
   * database, it is tried again after a while and by the next call.
   */
  write(itemId?: ItemId): Promise<void> {
    this.#work = this.#work.then(() => this.#write(itemId));
    return this.#work;
  }

  /** Stops before the next file and stores nothing more. */
  stop(): void {
    this.#isStopped = true;
    this.#cancelRetry?.();
  }

  async #write(itemId?: ItemId): Promise<void> {
    if (this.#isStopped) return;
    this.#cancelRetry?.();
    this.#cancelRetry = null;
    const autoExports = this.#options.store.autoExports;
    try {
      // Only once: a file that is requested again after that must be written again, not found.
      this.#unconfirmed ??= publishedFilesIn(this.#journal).filter(
        ({ path }) => !autoExports.isWritten(path),
      );
      const writable = autoExports.writable(this.#postponedBy === null ? itemId : undefined);
      this.#postponedBy = null;
      for (const file of writable) {
        if (this.#isStopped) break;
        await this.#writeOne(file);
        this.#options.onResult?.();
      }
    } catch (error) {
      this.#postponedBy = storageProblem(error);
      this.#options.logger.warn('auto exports were postponed', { code: this.#postponedBy.code });
      if (!this.#isStopped)
        this.#cancelRetry = this.#options.clock.schedule(retryMs, () => void this.write());
    }
  }

  /** @throws the database's error if the outcome cannot be stored */
  async #writeOne(file: WritableAutoExport): Promise<void> {
    const { autoExports } = this.#options.store;
    // Programs that read JSON expect a file for each recording; an empty subtitle file would only look like a failure.
    if (file.isEmpty && file.format !== 'json') {
      autoExports.forget(file);
      return;
    }
    let path: string | null;
    try {
      path = (await this.#findUnconfirmed(file)) ?? (await this.#publish(file));
      if (path === null) return;
    } catch (error) {
      const problem = storageProblem(error);
      this.#options.logger.warn('a transcript could not be written', {
        code: problem.code,
        format: file.format,
      });
      if (this.#isStopped) return;
      autoExports.markFailed(file, problem);
      this.#options.onFailures?.();
      return;
    }
    if (this.#isStopped) return;
    try {
      autoExports.markWritten(file, path);
    } catch (error) {
      // Otherwise the next attempt would write the file again under another name.
      await rm(path, { force: true });
      throw error;
    }
    // A journal that stays is harmless: its file is looked for only while the file is pending.
    await rm(this.#journal, { force: true }).catch(() => undefined);
  }

  /**
   * Writes a file and returns its path; `null` if its transcript is gone.
   *
   * @throws ProblemError why it cannot be written
   */
  async #publish(file: WritableAutoExport): Promise<string | null> {
    const metadata = this.#metadataOf(file);
    if (metadata === null) return null;
    const { template, writing } = this.#options.style();
    const { format, folder } = file;
    const where = folder === null ? 'beside' : 'folder';
    const { files } = await planFiles([metadata], { formats: [format], template, where, folder });
    if (files.length === 0) throw new ProblemError({ code: 'recording_unknown' });
    // The folder of a recording must not be created again if it is gone.
    const volumeCheck = folder === null && { volumes: await volumesOf(files.map(({ root }) => root)) };
    const { written, failed } = await this.#options.writer({
      files,
      writing,
      existing: 'number',
      syncs: true,
      journal: this.#journal,
      ...volumeCheck,
    });
    const [failure] = failed;
    if (failure !== undefined) throw new ProblemError(failure.problem);
    return written[0]?.path ?? null;
  }

  /** Returns where an earlier process has written a file that it has not marked as written; `null`: nowhere. */
  async #findUnconfirmed(file: WritableAutoExport): Promise<string | null> {
    const recordingPath = this.#metadataOf(file)?.recordingPath ?? null;
    const folder = file.folder ?? (recordingPath === null ? null : dirname(recordingPath));
    for (const earlier of this.#unconfirmed ?? []) {
      const { id, format, path, identity } = earlier;
      if (id !== file.transcriptId || format !== file.format) continue;
      if (folder === null || !path.startsWith(join(folder, sep)) || !(await isFile(path, identity))) continue;
      this.#unconfirmed = (this.#unconfirmed ?? []).filter((one) => one !== earlier);
      return path;
    }
    return null;
  }

  /**
   * Returns the metadata of a transcript, with the name that its file is for, and with the recording that was transcribed
   * if it has lost its own.
   */
  #metadataOf({ itemId, transcriptId, name }: WritableAutoExport): ExportMetadata | null {
    const { items, exportSources } = this.#options.store;
    const stored = exportSources.metadata(transcriptId);
    const metadata = stored && (name === undefined ? stored : { ...stored, name });
    const source = items.get(itemId)?.source;
    if (metadata === null || metadata.recordingPath !== null || source?.kind !== 'file') return metadata;
    return { ...metadata, recordingPath: source.path, recordingFingerprint: source.fingerprint };
  }
}
