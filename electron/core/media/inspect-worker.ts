/** The thread that inspects recordings, so that a large folder never blocks the main process. */
import { performance } from 'node:perf_hooks';
import type { WorkerRequestContext } from '../../workers/protocol.ts';
import { lowerThreadPriority, serveWorker } from '../../workers/worker-server.ts';
import { inspectInBatches, type Found } from './inspect-files.ts';
import { adaptiveOpener } from './open-file.ts';

/** Batches sent before the caller has taken the earlier ones. */
const maxUnacked = 3;

lowerThreadPriority();

const handlers = {
  async inspect(
    { paths, links }: { readonly paths: readonly string[]; readonly links: readonly string[] },
    { signal, ask }: WorkerRequestContext<readonly Found[]>,
  ): Promise<void> {
    const unacked: Promise<void>[] = [];
    const open = adaptiveOpener(() => performance.now());
    for await (const batch of inspectInBatches(paths, links, signal, open)) {
      if (unacked.length === maxUnacked) await unacked.shift();
      unacked.push(ask(batch));
      // Messages arrive only between two turns of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(unacked);
  },
};
export type InspectHandlers = typeof handlers;

serveWorker(handlers);
