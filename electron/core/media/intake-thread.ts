import { WorkerThread } from '../worker-thread.ts';
import type { Examine, Examined } from './intake.ts';
import type { FromIntakeThread, ToIntakeThread } from './intake-protocol.ts';

/** What somebody waits for: what was found and not taken yet, and whether more is to come. */
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
  readonly #thread: WorkerThread<ToIntakeThread, FromIntakeThread>;

  /** @param workerUrl the built `intake-worker.ts`, or the file itself where Node runs TypeScript. */
  constructor(workerUrl: URL) {
    this.#thread = new WorkerThread({ workerUrl, name: 'intake' });
  }

  /** @throws an error when the thread breaks down or is closed. */
  readonly examine: Examine = (paths, links, signal) => this.#examine(paths, links, signal);

  async *#examine(
    paths: readonly string[],
    links: readonly string[],
    signal: AbortSignal,
  ): AsyncGenerator<readonly Examined[]> {
    signal.throwIfAborted();
    const asker: Asker = { found: [], end: 'not yet', onNews: () => undefined };
    const conversation = this.#thread.converse({
      hear: (message) => {
        if (message.kind === 'found') asker.found.push(message.examined);
        else asker.end = message.kind === 'done' ? 'done' : new Error(message.message);
        asker.onNews();
      },
      fail: (error) => {
        asker.end = error;
        asker.onNews();
      },
    });
    const onAbort = (): void => asker.onNews();
    signal.addEventListener('abort', onAbort);
    try {
      conversation.say({ kind: 'examine', paths, links });
      for (;;) {
        signal.throwIfAborted();
        const examined = asker.found.shift();
        if (examined !== undefined) {
          conversation.say({ kind: 'more' });
          yield examined;
          // The process has other work in between, however much was told already.
          await new Promise((resolve) => setImmediate(resolve));
        } else if (asker.end === 'done') return;
        else if (asker.end !== 'not yet') throw asker.end;
        else await new Promise<void>((resolve) => (asker.onNews = resolve));
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
      if (asker.end === 'not yet') conversation.say({ kind: 'cancel' });
      conversation.end();
    }
  }

  /** Ends the thread; whoever waits for it hears so. */
  async close(): Promise<void> {
    await this.#thread.close();
  }
}
