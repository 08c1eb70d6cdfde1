/** The thread that runs the speech models, so that the service's own thread stays free to respond. */
import { constants, setPriority } from 'node:os';
import { workerData } from 'node:worker_threads';
import { z } from 'zod';
import type { ModelId } from '../../../contract/choices.ts';
import type { SpeechOptions } from '../../../contract/options.ts';
import type { WorkerRequestContext } from '../../../workers/protocol.ts';
import { serveWorker } from '../../../workers/worker-server.ts';
import type { Checkpoint, SpeechResult, WindowUpdate } from '../speech-engine.ts';
import { transcribe } from '../transcriber.ts';
import { Interrupt, InterruptedError } from '../whisper/interrupt.ts';
import { windowSamples } from '../whisper/mel-spectrogram.ts';
import { LoadedModels } from './loaded-models.ts';
import { SampleQueue } from './sample-queue.ts';

const speechSettings = z.object({
  modelsFolder: z.string(),
  /** Holds the downloaded models and the records of the user's own model folders; `null`: none. */
  downloadedModelsFolder: z.string().nullable(),
  /** How many cores to use. */
  threads: z.int().positive(),
  /** The URL of the built `encoder-worker.ts`. */
  encoderUrl: z.url(),
});

/** The settings that the thread starts with. */
export type SpeechSettings = z.infer<typeof speechSettings>;

export interface SpeechTask {
  readonly options: SpeechOptions;
  /** The model to use; `null`: the one for the options. */
  readonly model: ModelId | null;
  readonly checkpoint: Checkpoint | null;
  /** The memory of an `Interrupt`, which also reaches a busy thread. */
  readonly interrupt: SharedArrayBuffer;
}

const settings = speechSettings.parse(workerData);
const models = new LoadedModels(
  { bundledFolder: settings.modelsFolder, downloadFolder: settings.downloadedModelsFolder },
  settings.threads,
  // A single core would only be divided between the threads.
  settings.threads > 1 ? new URL(settings.encoderUrl) : null,
);
let lastRequest: Promise<unknown> = Promise.resolve();

const handlers = {
  /**
   * Transcribes a recording. Reports the seconds done and each window's text, and asks for the samples chunk by chunk
   * until it gets `null`. Requests run one at a time.
   */
  transcribe(
    task: SpeechTask,
    context: WorkerRequestContext<number | WindowUpdate | 'samples', Float32Array | null>,
  ): Promise<SpeechResult> {
    const samples = new SampleQueue(windowSamples, () => {
      context.ask('samples').then(
        (chunk) => (chunk === null ? samples.end() : samples.push(chunk)),
        () => samples.fail(new InterruptedError('Cancelled.')),
      );
    });
    context.signal.addEventListener('abort', () => samples.fail(new InterruptedError('Cancelled.')));
    const result = lastRequest.then(async () => {
      const interrupt = new Interrupt(task.interrupt);
      interrupt.throwIfRequested();
      const transcription = await transcribe({
        model: await models.speechModel(task.options, task.model),
        voiceDetector: await models.voiceDetector(),
        samples,
        language: task.options.language,
        translateToEnglish: task.options.translateToEnglish,
        checkpoint: task.checkpoint,
        terms: task.options.terms,
        onProgress: context.report,
        onWindow: context.report,
        interrupt,
      });
      return { ...transcription, speedKey: models.speedKeyFor(transcription.language) };
    });
    lastRequest = result.catch(() => undefined);
    return result;
  },
};
export type SpeechHandlers = typeof handlers;

serveWorker(handlers, () => models.release());

lowerPriority();

/**
 * Lets other programs go first. On Linux the priority is this thread's, and the threads of the models inherit it;
 * elsewhere it is that of the whole process.
 */
function lowerPriority(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Not allowed here: the models then run at normal priority.
  }
}
