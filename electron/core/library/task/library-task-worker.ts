/** The thread of one long task of the library, so that the main process stays free. */
import type { TaskProgress } from '../../../contract/library-task.ts';
import type { WorkerRequestContext } from '../../../workers/protocol.ts';
import { serveWorker, throttleProgress } from '../../../workers/worker-server.ts';
import { readBackup, type ReadBackupRequest } from '../backup/read-backup.ts';
import { writeBackup, type WriteBackupRequest } from '../backup/write-backup.ts';
import { findInAll, type FindInAllRequest } from '../replace/find-in-all.ts';
import type { TaskContext } from './run-task.ts';

type Context = WorkerRequestContext<TaskProgress>;

const taskContext = ({ throwIfCancelled, report }: Context): TaskContext => ({
  throwIfCancelled,
  reportProgress: throttleProgress(report),
});

const handlers = {
  writeBackup: (request: WriteBackupRequest, context: Context) => writeBackup(request, taskContext(context)),
  readBackup: (request: ReadBackupRequest, context: Context) => readBackup(request, taskContext(context)),
  find: (request: FindInAllRequest, context: Context) => findInAll(request, taskContext(context)),
};
export type LibraryTaskHandlers = typeof handlers;

serveWorker(handlers);
