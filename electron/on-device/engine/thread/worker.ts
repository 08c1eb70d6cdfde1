/** The thread that runs the speech models, so that the service's own thread stays free to answer. */
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { modelFor, ModelError } from '../../models/model-catalog.ts';
import { transcribe } from '../transcriber.ts';
import { Interrupt, InterruptedError } from '../whisper/interrupt.ts';
import { windowSamples } from '../whisper/mel-spectrogram.ts';
import { ModelShelf } from './loaded-models.ts';
import { SampleQueue } from './sample-queue.ts';
import type { FromWorker, ToWorker, WorkerSettings } from './worker-protocol.ts';

interface Work {
  readonly samples: SampleQueue;
  readonly interrupt: Interrupt;
}

const settings: WorkerSettings = z
  .object({
    modelsFolder: z.string(),
    downloadedModelsFolder: z.string().nullable(),
    threads: z.int().positive(),
  })
  .parse(workerData);
const shelf = new ModelShelf(
  { bundledFolder: settings.modelsFolder, downloadFolder: settings.downloadedModelsFolder },
  settings.threads,
);
const works = new Map<number, Work>();
let last: Promise<void> = Promise.resolve();

const tell = (message: FromWorker): void => parentPort?.postMessage(message);

parentPort?.on('message', (message: ToWorker) => {
  switch (message.kind) {
    case 'transcribe': {
      const { request } = message;
      const samples = new SampleQueue(windowSamples, () => tell({ kind: 'wanted', request }));
      const work = { samples, interrupt: new Interrupt(message.interrupt) };
      works.set(request, work);
      last = last.then(() => serve(message, work)).finally(() => works.delete(request));
      break;
    }
    case 'samples':
      works.get(message.request)?.samples.push(message.samples);
      break;
    case 'end':
      works.get(message.request)?.samples.end();
      break;
    case 'cancel':
      works.get(message.request)?.samples.fail(new InterruptedError('Cancelled.'));
      break;
    case 'close':
      for (const { samples } of works.values()) samples.end();
      void last.then(() => shelf.release()).finally(() => parentPort?.close());
      break;
  }
});

yieldToOthers();

async function serve(
  { request, options }: Extract<ToWorker, { kind: 'transcribe' }>,
  { samples, interrupt }: Work,
): Promise<void> {
  try {
    interrupt.throwIfRequested();
    const result = await transcribe({
      model: await shelf.whisper(modelFor(options)),
      voices: await shelf.voices(),
      samples,
      language: options.language,
      translateToEnglish: options.translateToEnglish,
      onProgress: (secondsDone) => tell({ kind: 'progress', request, secondsDone }),
      interrupt,
    });
    tell({ kind: 'done', request, result });
  } catch (error) {
    if (interrupt.requested) tell({ kind: 'cancelled', request });
    else {
      const message = error instanceof Error ? error.message : String(error);
      tell({ kind: 'failed', request, model: error instanceof ModelError, message });
    }
  }
}

/**
 * Lets everything else on the computer go first. Linux knows priorities of threads, and the ones that the models start
 * take after this one; elsewhere it is the whole process that steps back.
 */
function yieldToOthers(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Not allowed here; the models run at the usual priority then.
  }
}
