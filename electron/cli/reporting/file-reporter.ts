import type { ItemId } from '../../contract/identifiers.ts';
import type { Problem } from '../../contract/problem.ts';
import type { QueueRow } from '../../contract/queue-commands.ts';
import type { Longhand } from '../../core/longhand.ts';
import type { AutoExport, AutoExportResult } from '../../core/store/auto-export-store.ts';
import type { Reporter } from './run-events.ts';

/** Reports the files that are written for a run's transcripts, each once. */
export class FileReporter {
  /** The number that could not be written. */
  failed = 0;
  readonly #longhand: Longhand;
  readonly #reporter: Reporter;
  /** The files of each item that have been reported. */
  readonly #reported = new Map<ItemId, Set<string>>();
  /** Items that may have written files to report. */
  readonly #ready = new Set<ItemId>();

  /** @param skipsEarlierFailures leaves out files that had already failed before this run */
  constructor(longhand: Longhand, reporter: Reporter, ids: readonly ItemId[], skipsEarlierFailures: boolean) {
    this.#longhand = longhand;
    this.#reporter = reporter;
    for (const id of ids) {
      const settledBefore = longhand.autoExports
        .of(id)
        .filter(({ path, problem }) => path !== null || (skipsEarlierFailures && problem !== null));
      this.#reported.set(id, new Set(settledBefore.map(fileKey)));
      this.#ready.add(id);
    }
  }

  /** Reports the files of an item whose transcript was saved. */
  onSaved(id: ItemId): void {
    if (this.#reported.has(id)) this.#ready.add(id);
    void this.reportWritten();
  }

  /** Waits for the files that can be written now, and reports them. */
  async reportWritten(): Promise<void> {
    const ready = [...this.#ready];
    this.#ready.clear();
    await this.#longhand.writeAutoExports();
    for (const id of ready) this.#reportFilesOf(id);
  }

  /** Reports the files that are still pending after a run, because their outcome could not be stored. */
  reportPostponed(problem: Problem): void {
    for (const [id, reported] of this.#reported) {
      const row = this.#longhand.queue.row(id);
      if (row?.state.kind !== 'done') continue;
      const files = this.#longhand.autoExports.of(id).map((file) => ({
        ...file,
        problem: file.problem ?? problem,
      }));
      this.failed += reportFiles(this.#reporter, row, files, reported);
    }
  }

  #reportFilesOf(id: ItemId): void {
    const reported = this.#reported.get(id);
    const row = this.#longhand.queue.row(id);
    if (reported === undefined || row === null) return;
    this.failed += reportFiles(this.#reporter, row, this.#longhand.autoExports.of(id), reported);
  }
}

/** Reports the files that were written or could not be, each once; returns how many could not be written. */
export function reportFiles(
  reporter: Reporter,
  { id, name }: Pick<QueueRow, 'id' | 'name'>,
  files: readonly AutoExportResult[],
  reported: Set<string>,
): number {
  let failed = 0;
  for (const file of files) {
    const { format, path, problem } = file;
    if (reported.has(fileKey(file)) || (path === null && problem === null)) continue;
    reported.add(fileKey(file));
    const fields = { item: id, name: file.name ?? name, format };
    if (path !== null) reporter.report({ type: 'file', ...fields, path });
    else if (problem !== null) {
      failed += 1;
      reporter.report({ type: 'file-failed', ...fields, problem });
    }
  }
  return failed;
}

/** Identifies a file among those of an item. */
export const fileKey = ({ format, folder, name }: AutoExport): string =>
  JSON.stringify([format, folder, name]);
