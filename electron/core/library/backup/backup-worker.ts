/** The thread that writes or reads one backup, so that the main process stays free. */
import { parentPort, workerData } from 'node:worker_threads';
import { storageProblem } from '../../queue/storage-problem.ts';
import { systemClock } from '../../system.ts';
import type { BackupResults, BackupSettings, BackupTask, FromBackupThread } from './backup-protocol.ts';
import { readBackup } from './read-backup.ts';
import { CancelledError, type TaskWatch } from './task-watch.ts';
import { writeBackup } from './write-backup.ts';

/** Progress is told no more often than this. */
const tellEachMs = 100;

// Given by `backup-thread.ts` alone.
const { task, cancelled } = workerData as BackupSettings;
const flag = new Int32Array(cancelled);
let toldAt = -Infinity;

const tell = (message: FromBackupThread): void => parentPort?.postMessage(message);

const watch: TaskWatch = {
  throwIfCancelled: () => {
    if (Atomics.load(flag, 0) !== 0) throw new CancelledError();
  },
  tell: (progress) => {
    const now = systemClock.now();
    if (now - toldAt < tellEachMs) return;
    toldAt = now;
    tell({ kind: 'progress', progress });
  },
};

try {
  tell({ kind: 'done', result: carryOut(task) });
} catch (error) {
  if (error instanceof CancelledError) tell({ kind: 'cancelled' });
  else tell({ kind: 'failed', problem: storageProblem(error) });
}

function carryOut(given: BackupTask): BackupResults[BackupTask['kind']] {
  return given.kind === 'write' ? writeBackup(given.wish, watch) : readBackup(given.question, watch);
}
