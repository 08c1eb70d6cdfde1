import type Database from 'better-sqlite3';
import { isDeepStrictEqual } from 'node:util';
import type { ItemId } from '../contract/identifiers.ts';
import type { RowState } from '../contract/queue-commands.ts';
import { delay } from '../core/delay.ts';
import type { Item } from '../core/item/item.ts';
import type { SettledAutoExport } from '../core/queue/adding/add-requested.ts';
import { readPaused } from '../core/queue/view/queue-snapshot.ts';
import { readerContext, rowOf } from '../core/queue/view/queue-row-view.ts';
import { AutoExportStore } from '../core/store/auto-export-store.ts';
import { readLeaseProgram } from '../core/store/database/lease.ts';
import { ItemReader } from '../core/store/items/item-row.ts';
import type { CommandLineSystem } from './command-line-system.ts';
import { openLibraryReader } from './open-library.ts';
import { fileKey, reportFiles } from './reporting/file-reporter.ts';
import type { ExitCode } from './exit-code.ts';
import { isSettled, reportEnd, type Reporter, type RunOutcome } from './reporting/run-events.ts';

/** The interval at which the window's data folder is read, in milliseconds. */
const pollIntervalMs = 500;

type System = Pick<CommandLineSystem, 'clock' | 'dataFolder' | 'interrupted'>;

/** Waits until `check` returns a value, the user stops the command, or no window holds the data folder. */
export async function whileWindowIsOpen<T>(
  { clock, dataFolder, interrupted }: System,
  check: () => T | null,
): Promise<T | 'interrupted' | 'closed'> {
  for (;;) {
    // Check this first, so that the poll sees everything the window stored before closing.
    const isOpen = readLeaseProgram(dataFolder, clock) === 'window';
    const value = check();
    if (value !== null) return value;
    if (!isOpen) return 'closed';
    await delay(clock, pollIntervalMs, interrupted).catch(() => undefined);
    if (interrupted.aborted) return 'interrupted';
  }
}

/**
 * Follows items that the window works on, until all are settled and their files are saved, and reports the end. It only
 * reads the data folder, so it does not know why a service waits: the window says that.
 *
 * @param settledExports auto exports that were written or had failed before this command; they are not reported
 * @returns `null` if the window was closed before that; no end was reported then.
 */
export async function followWindow(
  system: System,
  ids: readonly ItemId[],
  settledExports: readonly SettledAutoExport[],
  reporter: Reporter,
): Promise<ExitCode | null> {
  const database = openLibraryReader(system);
  try {
    const followed = new FollowedItems(database, ids, settledExports, reporter);
    const end = await whileWindowIsOpen(system, () => (followed.check() ? 'finished' : null));
    if (end === 'closed') return null;
    const outcome: RunOutcome =
      end === 'finished' ? { kind: 'finished' } : { kind: 'interrupted', inWindow: true };
    return reportEnd(reporter, outcome, followed.states, followed.failedFiles);
  } finally {
    database.close();
  }
}

class FollowedItems {
  failedFiles = 0;
  /** Whether the window's queue was paused at the last check. */
  #isPaused = false;
  readonly #database: Database.Database;
  readonly #ids: readonly ItemId[];
  readonly #reporter: Reporter;
  readonly #items: ItemReader;
  readonly #autoExports: AutoExportStore;
  readonly #states = new Map<ItemId, RowState>();
  readonly #reportedFiles: Map<ItemId, Set<string>>;

  constructor(
    database: Database.Database,
    ids: readonly ItemId[],
    settledExports: readonly SettledAutoExport[],
    reporter: Reporter,
  ) {
    this.#database = database;
    this.#ids = ids;
    this.#reportedFiles = new Map(
      [...Map.groupBy(settledExports, ({ item }) => item)].map(([id, files]) => [
        id,
        new Set(files.map(fileKey)),
      ]),
    );
    this.#reporter = reporter;
    this.#items = new ItemReader(database);
    this.#autoExports = new AutoExportStore(database);
  }

  get states(): readonly RowState['kind'][] {
    return [...this.#states.values()].map(({ kind }) => kind);
  }

  /** Reports what has changed; returns whether nothing more will. */
  check(): boolean {
    const items = this.#items.getMany(this.#ids);
    const isOver = items.map((item) => this.#checkItem(item)).every(Boolean);
    const isPaused = !isOver && readPaused(this.#database);
    if (isPaused && !this.#isPaused) this.#reporter.report({ type: 'queue-paused' });
    this.#isPaused = isPaused;
    return isOver;
  }

  /** Reports what has changed of one item; returns whether nothing more will. */
  #checkItem(item: Item): boolean {
    const row = rowOf(item, readerContext);
    if (!isDeepStrictEqual(this.#states.get(item.id), row.state))
      this.#reporter.report({ type: 'item', row });
    this.#states.set(item.id, row.state);
    const files = this.#autoExports.of(item.id);
    const reported = this.#reportedFiles.get(item.id) ?? new Set();
    this.#reportedFiles.set(item.id, reported);
    this.failedFiles += reportFiles(this.#reporter, row, files, reported);
    const isSaving =
      row.state.kind === 'done' && files.some(({ path, problem }) => path === null && problem === null);
    return isSettled(row.state) && !isSaving;
  }
}
