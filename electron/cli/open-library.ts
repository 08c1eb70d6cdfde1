import { ProblemError } from '../contract/problem.ts';
import { removeAbandonedBackups } from '../core/library/backup/partial-backups.ts';
import { Store } from '../core/store/store.ts';
import type { LibraryReporter } from './reporting/library-reporters.ts';
import { type CommandLineSystem, whenAborted } from './command-line-system.ts';

/**
 * Opens the library for writing, which only one program may do at a time.
 *
 * @param onLost called when another process has taken the data folder.
 * @throws ProblemError when the data folder cannot be used.
 */
export function openLibrary(system: CommandLineSystem, onLost: () => void): Store {
  const { clock, random, dataFolder, errors, translator } = system;
  const store = new Store({ folder: dataFolder, program: 'command-line', clock, random, onLost });
  if (store.openingProblem !== null) errors.write(`${translator.problem(store.openingProblem)}\n`);
  return store;
}

/**
 * Migrates the library to this version, and with `search` completes the search index. While another program works on the
 * library, that program does this, and nothing is left to do here.
 *
 * @throws ProblemError when the data folder cannot be used.
 */
export async function prepareLibrary(
  system: CommandLineSystem,
  reporter: LibraryReporter,
  { search }: { readonly search: boolean },
): Promise<void> {
  let store: Store;
  try {
    store = openLibrary(system, () => undefined);
  } catch (error) {
    if (isInUse(error)) return;
    throw error;
  }
  try {
    removeAbandonedBackups(system.dataFolder, true);
    if (!search || !store.searchIndex.isBehind) return;
    reporter.report({ type: 'progress', task: 'index', done: 0, total: 0 });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    whenAborted(system.interrupted, resolve);
    store.searchIndex.startBackgroundIndexing(system.clock, resolve, reject);
    await promise;
  } finally {
    await store.close();
  }
}

/** Whether an error says that another program works on the data folder; with `program`, that this one does. */
export function isInUse(error: unknown, program?: 'window'): boolean {
  if (!(error instanceof ProblemError) || error.problem.code !== 'data_folder_in_use') return false;
  return program === undefined || error.problem.params?.['program'] === program;
}
