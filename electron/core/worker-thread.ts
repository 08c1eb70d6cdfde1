import { Worker } from 'node:worker_threads';

/** A message of a conversation: it names the request that it is about. */
interface Numbered {
  readonly request: number;
}

/** The same before its conversation has given it the number. */
export type Unnumbered<Message> = Message extends Numbered ? Omit<Message, 'request'> : never;

export interface ThreadOptions {
  /** The built worker; its own file where Node runs TypeScript. */
  readonly workerUrl: URL;
  /** What the thread is called by those who look at the process. */
  readonly name: string;
  /** What it is started with. */
  readonly workerData?: unknown;
}

/** Whoever has asked a thread for something. */
export interface Listener<From> {
  hear(message: From): void;
  /** The thread ended before the conversation did: nothing more is heard of it. */
  fail(error: Error): void;
}

/** What is asked of a thread, from the first message until it is over. */
export interface Conversation<To> {
  say(message: Unnumbered<To>): void;
  /** Nobody listens any more; the thread is told so only where its protocol has words for it. */
  end(): void;
}

/** Threads that were told to end and have not: one that reads from a drive that hangs ends with the process alone. */
const ending = new Set<Worker>();

/** Whether a thread that was told to end still holds the end of the process. */
export const someThreadEnds = (): boolean => ending.size > 0;

const overAlready = { say: () => undefined, end: () => undefined };

/** One run of the thread, and who waits for it. */
interface Run<From> {
  readonly worker: Worker;
  readonly listeners: Map<number, Listener<From>>;
}

/**
 * A thread that several ask at the same time, each in a conversation with a number of its own. It starts with the first
 * of them. When it breaks down, everybody who waits for it hears so, and the next conversation starts it anew. The
 * program does not end while somebody waits, and is not kept from ending by a thread that nobody waits for.
 */
export class WorkerThread<To extends Numbered, From extends Numbered> {
  readonly #options: ThreadOptions;
  #run: Run<From> | null = null;
  #requests = 0;
  #closed = false;

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  /** Once the thread is closed, or when the system has none to give, the listener hears that at once. */
  converse(listener: Listener<From>): Conversation<To> {
    if (this.#closed) {
      listener.fail(this.#error('is closed'));
      return overAlready;
    }
    try {
      this.#run ??= this.#start();
    } catch (error) {
      listener.fail(asError(error));
      return overAlready;
    }
    const { worker, listeners } = this.#run;
    const request = (this.#requests += 1);
    listeners.set(request, listener);
    worker.ref();
    return {
      say: (message) => worker.postMessage({ ...message, request }),
      end: () => {
        listeners.delete(request);
        if (listeners.size === 0) worker.unref();
      },
    };
  }

  /** Ends what the thread is doing, whatever that is; those who wait hear of it, and the next begin anew. */
  async restart(): Promise<void> {
    await this.#end(this.#error('was ended'));
  }

  /** Ends the thread for good. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#end(this.#error('is closed'));
  }

  async #end(error: Error): Promise<void> {
    const run = this.#run;
    if (run === null) return;
    this.#lose(run, error);
    ending.add(run.worker);
    await run.worker.terminate();
    ending.delete(run.worker);
  }

  #start(): Run<From> {
    const { workerUrl, name, workerData } = this.#options;
    const run: Run<From> = { worker: new Worker(workerUrl, { name, workerData }), listeners: new Map() };
    run.worker.on('message', (message: From) => run.listeners.get(message.request)?.hear(message));
    run.worker.on('error', (error: unknown) => this.#lose(run, asError(error)));
    run.worker.once('exit', () => this.#lose(run, this.#error('has ended')));
    return run;
  }

  /** From now on this run answers nobody. */
  #lose(run: Run<From>, error: Error): void {
    if (this.#run === run) this.#run = null;
    const listeners = [...run.listeners.values()];
    run.listeners.clear();
    for (const listener of listeners) listener.fail(error);
  }

  #error(what: string): Error {
    return new Error(`the ${this.#options.name} thread ${what}`);
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
