import { Worker } from 'node:worker_threads';
import type { Examine, Examined } from './intake.ts';
import type { FromIntakeThread, ToIntakeThread } from './intake-protocol.ts';

/** Somebody who waits for what the thread finds. */
interface Asker {
  readonly found: (readonly Examined[])[];
  end: 'not yet' | 'done' | Error;
  onNews: () => void;
}

/**
 * Examines recordings in a thread of its own, which starts with the first of them, and anew when it broke down. The
 * program waits for it only while somebody does.
 */
export class IntakeThread {
  readonly #workerUrl: URL;
  readonly #askers = new Map<number, Asker>();
  #worker: Worker | null = null;
  #requests = 0;
  #closed = false;

  /** @param workerUrl the built `intake-worker.ts`, or the file itself where Node runs TypeScript. */
  constructor(workerUrl: URL) {
    this.#workerUrl = workerUrl;
  }

  /** @throws an error when the thread breaks down or is closed. */
  readonly examine: Examine = (paths, links, signal) => this.#examine(paths, links, signal);

  async *#examine(
    paths: readonly string[],
    links: readonly string[],
    signal: AbortSignal,
  ): AsyncGenerator<readonly Examined[]> {
    signal.throwIfAborted();
    if (this.#closed) throw new Error('the thread is closed');
    const worker = (this.#worker ??= this.#start());
    const request = (this.#requests += 1);
    const asker: Asker = { found: [], end: 'not yet', onNews: () => undefined };
    this.#askers.set(request, asker);
    worker.ref();
    const onAbort = (): void => asker.onNews();
    signal.addEventListener('abort', onAbort);
    const tell = (message: ToIntakeThread): void => worker.postMessage(message);
    try {
      tell({ kind: 'examine', request, paths, links });
      for (;;) {
        signal.throwIfAborted();
        const examined = asker.found.shift();
        if (examined !== undefined) {
          tell({ kind: 'more', request });
          yield examined;
          // The process has other work in between, however much was told already.
          await new Promise((resolve) => setImmediate(resolve));
        } else if (asker.end === 'done') return;
        else if (asker.end !== 'not yet') throw asker.end;
        else await new Promise<void>((resolve) => (asker.onNews = resolve));
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#askers.delete(request);
      if (asker.end === 'not yet') tell({ kind: 'cancel', request });
      if (this.#askers.size === 0) worker.unref();
    }
  }

  /** Ends the thread; whoever waits for it hears so. */
  async close(): Promise<void> {
    this.#closed = true;
    const worker = this.#worker;
    this.#lose(new Error('the thread is closed'));
    await worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(this.#workerUrl, { name: 'intake' });
    worker.on('message', (message: FromIntakeThread) => {
      const asker = this.#askers.get(message.request);
      if (asker === undefined) return;
      if (message.kind === 'found') asker.found.push(message.examined);
      else asker.end = message.kind === 'done' ? 'done' : new Error(message.message);
      asker.onNews();
    });
    worker.on('error', (error) => this.#lose(error));
    worker.once('exit', () => {
      if (this.#worker === worker) this.#lose(new Error('the thread that examines recordings has ended'));
    });
    return worker;
  }

  #lose(error: unknown): void {
    this.#worker = null;
    for (const asker of this.#askers.values()) {
      if (asker.end === 'not yet') asker.end = error instanceof Error ? error : new Error(String(error));
      asker.onNews();
    }
  }
}
