/** The thread that reads transcript files, so that parsing never blocks the main process. */
import { serveWorker } from '../../../workers/worker-server.ts';
import { readTranscriptFile } from './read-file.ts';

const handlers = { read: readTranscriptFile };
export type ImportHandlers = typeof handlers;

serveWorker(handlers);
