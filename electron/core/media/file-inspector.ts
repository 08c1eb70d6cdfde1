import { WorkerClient } from '../../workers/worker-client.ts';
import type { Inspect, Found } from './inspect-files.ts';
import type { InspectHandlers } from './inspect-worker.ts';

interface Inspection {
  isOver: boolean;
  error: unknown;
  wake: () => void;
}

/** Enough for the paths of the largest folder; files are read in pieces. */
const maxHeapMb = 1024;

/** Inspects recordings in a thread. */
export class FileInspector {
  readonly #worker: WorkerClient<InspectHandlers>;

  constructor(url: URL) {
    this.#worker = new WorkerClient({ name: 'inspect', url, maxHeapMb });
  }

  /** @throws WorkerStoppedError, or the signal's reason if it is aborted. */
  readonly inspect: Inspect = (paths, links, signal) => this.#inspect(paths, links, signal);

  async *#inspect(
    paths: readonly string[],
    links: readonly string[],
    signal: AbortSignal,
  ): AsyncGenerator<readonly Found[]> {
    signal.throwIfAborted();
    const abandoned = new AbortController();
    /** Batches that the caller has not taken yet, each with its acknowledgement. */
    const batches: { readonly batch: readonly Found[]; readonly ack: () => void }[] = [];
    const state: Inspection = { isOver: false, error: null, wake: () => undefined };
    this.#worker
      .request(
        'inspect',
        { paths, links },
        {
          signal: AbortSignal.any([signal, abandoned.signal]),
          onUpdate: (batch) =>
            new Promise<void>((ack) => {
              batches.push({ batch, ack });
              state.wake();
            }),
        },
      )
      .catch((error: unknown) => (state.error = error))
      .finally(() => {
        state.isOver = true;
        state.wake();
      });
    try {
      for (;;) {
        signal.throwIfAborted();
        const received = batches.shift();
        if (received !== undefined) {
          received.ack();
          yield received.batch;
          // Yields to other work of this process after each batch.
          await new Promise((resolve) => setImmediate(resolve));
        } else if (!state.isOver) await new Promise<void>((resolve) => (state.wake = resolve));
        else if (state.error === null) return;
        else throw state.error;
      }
    } finally {
      abandoned.abort();
    }
  }

  /** Ends the thread; inspections in progress reject. */
  async close(): Promise<void> {
    await this.#worker.close();
  }
}
