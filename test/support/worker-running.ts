const helper = new URL('../../electron/workers/worker-server.ts', import.meta.url);

/**
 * Returns the URL of a worker for a test.
 *
 * @param handlers methods of an object literal, in JavaScript
 * @param setUp statements before it
 */
export function workerRunning(handlers: string, setUp = ''): URL {
  const source = `
    import { parentPort, workerData } from 'node:worker_threads';
    import { serveWorker } from ${JSON.stringify(helper.href)};
    ${setUp}
    serveWorker({ ${handlers} });`;
  return new URL(`data:text/javascript,${encodeURIComponent(source)}`);
}
