/** The thread that reads files with transcripts, so that taking one apart never holds up the main process. */
import { parentPort } from 'node:worker_threads';
import type { FromImportThread, ToImportThread } from './import-protocol.ts';
import { readTranscriptFile } from './read-file.ts';

parentPort?.on('message', async ({ request, path }: ToImportThread) => {
  const answer: FromImportThread = { request, ...(await readTranscriptFile(path)) };
  parentPort?.postMessage(answer);
});
