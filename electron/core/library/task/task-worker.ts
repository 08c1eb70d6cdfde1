/** The thread of one task that takes a while in the library, so that the main process stays free. */
import { parentPort, workerData } from 'node:worker_threads';
import { storageProblem } from '../../storage-problem.ts';
import { systemClock } from '../../system.ts';
import { readBackup } from '../backup/read-backup.ts';
import { writeBackup } from '../backup/write-backup.ts';
import { findInAll } from '../replace/find-in-all.ts';
import type { FromTaskThread, TaskResults, TaskSettings, ThreadTask } from './task-protocol.ts';
import { CancelledError, type TaskWatch } from './task-watch.ts';

/** Progress is told no more often than this. */
const tellEachMs = 100;

// Given by `task-thread.ts` alone.
const { task, cancelled } = workerData as TaskSettings;
const flag = new Int32Array(cancelled);
let toldAt = -Infinity;

const tell = (message: FromTaskThread): void => parentPort?.postMessage(message);

const watch: TaskWatch = {
  throwIfCancelled: () => {
    if (Atomics.load(flag, 0) !== 0) throw new CancelledError();
  },
  reportProgress: (progress) => {
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

function carryOut(given: ThreadTask): TaskResults[ThreadTask['kind']] {
  switch (given.kind) {
    case 'write-backup':
      return writeBackup(given.wish, watch);
    case 'read-backup':
      return readBackup(given.question, watch);
    case 'find':
      return findInAll(given.question, watch);
  }
}
