/** The thread that finds the durations of recordings; a damaged one may keep it busy for minutes. */
import type { WorkerRequestContext } from '../../workers/protocol.ts';
import { lowerThreadPriority, serveWorker } from '../../workers/worker-server.ts';
import { probeFileDuration } from './probe.ts';

lowerThreadPriority();

const handlers = {
  duration: (path: string, { report }: WorkerRequestContext<'started'>) => {
    report('started');
    return probeFileDuration(path);
  },
};
export type ProbeHandlers = typeof handlers;

serveWorker(handlers);
