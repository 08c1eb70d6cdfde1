/** The thread that reads files with transcripts, so that parsing one never holds up the main process. */
import { serveWorker } from '../../../workers/worker-server.ts';
import { readTranscriptFile } from './read-file.ts';

const handlers = { read: readTranscriptFile };
export type ImportHandlers = typeof handlers;

serveWorker(handlers);
