import type Database from 'better-sqlite3';
import { ProblemError } from '../contract/problem.ts';
import { removeAbandonedBackups } from '../core/library/backup/partial-backups.ts';
import { migrations } from '../core/store/migrations.ts';
import { databasePathIn } from '../core/store/database/folder-lock.ts';
import { Store } from '../core/store/store.ts';
import { openReader, schemaVersion } from '../sqlite/open-database.ts';
import { CancelledError } from '../workers/protocol.ts';
import { exitCode, type ExitCode } from './exit-code.ts';
import type { LibraryReporter } from './reporting/library-reporters.ts';
import { type CommandLineSystem, whenAborted } from './command-line-system.ts';

/**
 * Opens the library for writing, which only one program may do at a time.
 *
 * @param onLeaseLost called when another process has taken the data folder.
 * @throws ProblemError when the data folder cannot be used.
 */
export function openLibrary(system: CommandLineSystem, onLeaseLost: () => void): Store {
  const { clock, random, dataFolder, stderr, translator } = system;
  const store = new Store({ folder: dataFolder, program: 'command-line', clock, random, onLeaseLost });
  if (store.openingProblem !== null) stderr.write(`${translator.problem(store.openingProblem)}\n`);
  return store;
}

/**
 * Opens what works on the data folder, runs `work` with it, and closes it.
 *
 * @param open gets a function to call when another process has taken the data folder.
 * @param work gets a signal that is aborted then, and when the user stops the command.
 * @throws ProblemError `data_folder_in_use` if `work` was not done because another process has taken the folder.
 */
export async function withDataFolder<T extends { close(): Promise<void> }>(
  { interrupted }: CommandLineSystem,
  open: (onLeaseLost: () => void) => T,
  work: (opened: T, signal: AbortSignal) => Promise<ExitCode>,
): Promise<ExitCode> {
  const leaseLost = new AbortController();
  const signal = AbortSignal.any([interrupted, leaseLost.signal]);
  const opened = open(() => leaseLost.abort(new ProblemError({ code: 'data_folder_in_use' })));
  try {
    const code = await work(opened, signal);
    if (code !== exitCode.done) throwIfLeaseLost(signal);
    return code;
  } catch (error) {
    if (error instanceof CancelledError) throwIfLeaseLost(signal);
    throw error;
  } finally {
    await opened.close();
  }
}

/** @throws ProblemError `data_folder_in_use` if that is why a signal of {@link withDataFolder} was aborted. */
export function throwIfLeaseLost({ reason }: AbortSignal): void {
  if (reason instanceof ProblemError) throw reason;
}

/**
 * Opens the library read-only, which is possible while another program works on it; the caller closes it.
 *
 * @throws SqliteError if it does not exist or cannot be read.
 */
export const openLibraryReader = ({ dataFolder }: Pick<CommandLineSystem, 'dataFolder'>): Database.Database =>
  openReader(databasePathIn(dataFolder));

/**
 * Migrates the library to this version, and with `completeSearchIndex` also indexes what is not indexed yet. While another program works on the
 * library, that program does this, and nothing is changed here.
 *
 * @param reporter reports that indexing has begun; `null`: nothing is reported
 * @throws ProblemError when the data folder cannot be used, or a program of another version uses it.
 */
export async function prepareLibrary(
  system: CommandLineSystem,
  reporter: LibraryReporter | null,
  { completeSearchIndex }: { readonly completeSearchIndex: boolean },
): Promise<void> {
  let store: Store;
  try {
    store = openLibrary(system, () => undefined);
  } catch (error) {
    if (!isInUse(error)) throw error;
    assertCurrentSchema(system);
    return;
  }
  try {
    removeAbandonedBackups(system.dataFolder, true);
    if (!completeSearchIndex || !store.searchIndex.isBehind) return;
    reporter?.report({ type: 'progress', task: 'index', done: 0, total: 0 });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    whenAborted(system.interrupted, resolve);
    store.searchIndex.startBackgroundIndexing(system.clock, resolve, reject);
    await promise;
  } finally {
    await store.close();
  }
}

/**
 * Checks that this version can read a library that another program works on and that therefore cannot be migrated.
 *
 * @throws ProblemError `data_folder_in_use` if that program is an older version, `database_newer` if it is a newer one.
 */
export function assertCurrentSchema(system: Pick<CommandLineSystem, 'dataFolder'>): void {
  const version = schemaIn(system);
  const newest = migrations.at(-1)?.version ?? 0;
  if (version === newest) return;
  if (version !== null && version > newest)
    throw new ProblemError({ code: 'database_newer', params: { folder: system.dataFolder } });
  // i18next chooses the text by `context`.
  const params = version === null ? {} : { context: 'older' };
  throw new ProblemError({ code: 'data_folder_in_use', params });
}

/** Returns the version of the library's schema; `null` if it cannot be read, for example while it is created. */
function schemaIn(system: Pick<CommandLineSystem, 'dataFolder'>): number | null {
  try {
    const database = openLibraryReader(system);
    try {
      const version = schemaVersion(database);
      return version === 0 ? null : version;
    } finally {
      database.close();
    }
  } catch {
    return null;
  }
}

/** Whether an error says that another program works on the data folder, optionally only one of the kind `program`. */
export function isInUse(error: unknown, program?: 'window'): boolean {
  if (!(error instanceof ProblemError) || error.problem.code !== 'data_folder_in_use') return false;
  return program === undefined || error.problem.params?.['program'] === program;
}
