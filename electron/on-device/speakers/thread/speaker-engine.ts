import { availableParallelism } from 'node:os';
import type { DescribedVoices, VoiceSpan } from '../../../contract/speakers.ts';
import { CancelledError } from '../../../workers/protocol.ts';
import { WorkerClient, WorkerStoppedError } from '../../../workers/worker-client.ts';
import { EngineStoppedError } from '../../engine/speech-engine.ts';
import { coresToUse, type EngineLogger } from '../../engine/thread/worker-engine.ts';
import { ModelError } from '../../models/model-catalog.ts';
import type { SpeakerResult } from '../identify-speakers.ts';
import type { SpeakerModelSource } from '../speaker-models.ts';
import type { SpeakerHandlers } from './speaker-worker.ts';

export interface SpeakerEngineRequest {
  readonly models: SpeakerModelSource;
  /** Mono samples in -1..1 at 16 kHz from the start of the recording, in order. Read only as fast as they are needed. */
  readonly samples: AsyncIterable<Float32Array>;
  /** `null`: unknown. */
  readonly speakerCount: number | null;
  /** Stops the work within a second; the promise then rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** Reports the seconds of audio that are done, in ascending order. */
  readonly onProgress: (secondsDone: number) => void;
}

export interface VoiceEngineRequest extends Pick<SpeakerEngineRequest, 'models' | 'samples' | 'signal'> {
  readonly spans: readonly VoiceSpan[];
}

/** Tells the voices of recordings apart in a thread of its own, which starts with the first request. */
export class SpeakerEngine {
  readonly #worker: WorkerClient<SpeakerHandlers>;
  readonly #threads: number;

  /** @param workerUrl the built `speaker-worker.ts`, or the source where Node runs TypeScript */
  constructor(workerUrl: URL, logger?: EngineLogger, threads = coresToUse(availableParallelism())) {
    this.#threads = threads;
    this.#worker = new WorkerClient({
      name: 'speaker',
      // Models and samples are outside of V8's heap.
      maxHeapMb: 2048,
      url: workerUrl,
      onCrash: (error) => logger?.error('Identifying speakers crashed.', { error: String(error) }),
    });
  }

  /**
   * Requests are served one after the other.
   *
   * @throws ModelError when a model cannot be used; EngineStoppedError; what reading the samples throws
   */
  identify({
    models,
    samples,
    speakerCount,
    signal,
    onProgress,
  }: SpeakerEngineRequest): Promise<SpeakerResult> {
    const task = { models, speakerCount, threads: this.#threads };
    return this.#withSamples(samples, signal, (next) =>
      this.#worker.request('identify', task, {
        signal,
        onUpdate: async (update) => {
          if (update === 'samples') return next();
          onProgress(update);
          return null;
        },
      }),
    );
  }

  /**
   * Describes voices by where they speak; see {@link identify}.
   *
   * @throws ModelError when a model cannot be used; EngineStoppedError; what reading the samples throws
   */
  describe({ models, samples, spans, signal }: VoiceEngineRequest): Promise<DescribedVoices> {
    const task = { models, spans, threads: this.#threads };
    return this.#withSamples(samples, signal, (next) =>
      this.#worker.request('describe', task, { signal, onUpdate: next }),
    );
  }

  async #withSamples<T>(
    samples: AsyncIterable<Float32Array>,
    signal: AbortSignal,
    request: (next: () => Promise<Float32Array | null>) => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted();
    const source = samples[Symbol.asyncIterator]();
    try {
      return await request(async () => {
        const next = await source.next();
        // Copied, since the chunk may be a view of a larger buffer, all of which would be sent.
        return next.done === true ? null : next.value.slice();
      });
    } catch (error) {
      signal.throwIfAborted();
      throw engineError(error);
    } finally {
      void source.return?.().catch(() => undefined);
    }
  }

  async close(): Promise<void> {
    await this.#worker.finish();
  }
}

function engineError(error: unknown): unknown {
  if (error instanceof WorkerStoppedError || error instanceof CancelledError)
    return new EngineStoppedError('Identifying speakers stopped before it was done.', { cause: error });
  if (error instanceof Error && error.name === 'ModelError') return new ModelError(error.message);
  return error;
}
