import { basename, resolve } from 'node:path';
import type { RestoreReport } from '../../contract/backup.ts';
import { ProblemError, type Problem, type ProblemCode } from '../../contract/problem.ts';
import { LibraryBackups } from '../../core/library/backup/library-backups.ts';
import { runTask, type TaskOptions } from '../../core/library/task/run-task.ts';
import { databasePathIn } from '../../core/store/database/folder-lock.ts';
import type { Store } from '../../core/store/store.ts';
import { workerUrl } from '../../workers/registry.ts';
import type { BackupCommand, RestoreCommand } from '../cli-command.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';
import type { LibraryReporter, CliTask } from '../reporting/library-reporters.ts';
import { openLibrary, prepareLibrary, throwIfLeaseLost, withDataFolder } from '../open-library.ts';
import type { CommandLineSystem } from '../command-line-system.ts';

/** Problems of the named file; all others concern the data folder or the program. */
const fileProblems: ReadonlySet<ProblemCode> = new Set([
  'path_missing',
  'backup_missing',
  'backup_unreadable',
  'path_unreadable',
  'file_exists',
  'disk_full',
  'backup_failed',
  'backup_no_room',
  'backup_folder_gone',
  'backup_foreign',
  'backup_newer',
  'backup_damaged',
]);

const exitCodes: Readonly<Record<RestoreReport['outcome'], ExitCode>> = {
  finished: exitCode.done,
  cancelled: exitCode.interrupted,
  'disk-full': exitCode.someFailed,
};

/** `longhand library backup`: writes the whole library into one file, even while another program works on it. */
export async function backUp(
  { file, replace }: BackupCommand,
  system: CommandLineSystem,
  reporter: LibraryReporter,
): Promise<ExitCode> {
  const { dataFolder, workingFolder, workersFolder, clock, version } = system;
  await prepareLibrary(system, reporter, { completeSearchIndex: false });
  const target = resolve(workingFolder, file);
  const request = {
    source: databasePathIn(dataFolder),
    target,
    replace,
    createdAt: clock.now(),
    appVersion: version,
  };
  return reportFileProblems(target, reporter, async () => {
    const options = taskOptions('backup', system.interrupted, reporter);
    const backup = await runTask(workerUrl('library-task', workersFolder), 'writeBackup', request, options);
    reporter.report({ type: 'backup', backup });
    return exitCode.done;
  });
}

/** `longhand library restore`: adds what a backup has and the library lacks. It overwrites nothing. */
export async function restore(
  { file }: RestoreCommand,
  system: CommandLineSystem,
  reporter: LibraryReporter,
): Promise<ExitCode> {
  const { clock, workersFolder, workingFolder } = system;
  const path = resolve(workingFolder, file);
  const open = (onLeaseLost: () => void): Store => openLibrary(system, onLeaseLost);
  return withDataFolder(system, open, async (store, signal) => {
    const backups = new LibraryBackups({
      store,
      clock,
      worker: workerUrl('library-task', workersFolder),
      onRestored: () => undefined,
    });
    try {
      return await reportFileProblems(path, reporter, async () => {
        const contents = await backups.open(path, taskOptions('read', signal, reporter));
        reporter.report({ type: 'contents', contents });
        const report = await backups.restore(taskOptions('restore', signal, reporter));
        throwIfLeaseLost(signal);
        reporter.report({ type: 'restored', report });
        return exitCodes[report.outcome];
      });
    } finally {
      await backups.close();
    }
  });
}

const taskOptions = (task: CliTask, signal: AbortSignal, reporter: LibraryReporter): TaskOptions => ({
  signal,
  onProgress: ({ done, total, unit }) =>
    reporter.report({ type: 'progress', task: unit === 'bytes' ? 'copy' : task, done, total }),
});

/** Runs `work`, and reports problems of the file at `path`. */
async function reportFileProblems(
  path: string,
  reporter: LibraryReporter,
  work: () => Promise<ExitCode>,
): Promise<ExitCode> {
  try {
    return await work();
  } catch (error) {
    const problem: Problem | null = error instanceof ProblemError ? error.problem : null;
    if (problem === null || !fileProblems.has(problem.code)) throw error;
    reporter.report({ type: 'left-out', name: basename(path), problem });
    return exitCode.someFailed;
  }
}
