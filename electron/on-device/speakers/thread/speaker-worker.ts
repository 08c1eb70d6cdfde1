/** The thread that runs the models which tell voices apart. */
import { errorMessage } from '../../../contract/errors.ts';
import type { DescribedVoices, VoiceSpan } from '../../../contract/speakers.ts';
import type { WorkerRequestContext } from '../../../workers/protocol.ts';
import { lowerThreadPriority, serveWorker } from '../../../workers/worker-server.ts';
import { SampleQueue } from '../../engine/thread/sample-queue.ts';
import { ModelError } from '../../models/model-catalog.ts';
import { describeVoices, digestModel } from '../describe-voices.ts';
import { identifySpeakers, type SpeakerResult } from '../identify-speakers.ts';
import { OnnxEmbedding, OnnxSegmentation } from '../onnx-models.ts';
import { readPlda, type Plda } from '../plda.ts';
import { readSpeakerModelFile, type SpeakerModelSource } from '../speaker-models.ts';
import { windowSamples } from '../window-grid.ts';

export interface SpeakerWorkerTask {
  readonly models: SpeakerModelSource;
  /** `null`: unknown. */
  readonly speakerCount: number | null;
  /** How many cores to use. */
  readonly threads: number;
}

export interface DescribeWorkerTask extends Omit<SpeakerWorkerTask, 'speakerCount'> {
  readonly spans: readonly VoiceSpan[];
}

type SampleContext = WorkerRequestContext<number | 'samples', Float32Array | null>;

let lastRequest: Promise<unknown> = Promise.resolve();

const handlers = {
  /** Reports the seconds done, and asks for chunks of samples, `null` after the last one. One request runs at a time. */
  identify(task: SpeakerWorkerTask, context: SampleContext): Promise<SpeakerResult> {
    return enqueue(() => identify(task, context));
  },
  /** Asks for samples as `identify` does. */
  describe(task: DescribeWorkerTask, context: SampleContext): Promise<DescribedVoices> {
    return enqueue(() => describe(task, context));
  },
};
export type SpeakerHandlers = typeof handlers;

function enqueue<T>(work: () => Promise<T>): Promise<T> {
  const result = lastRequest.then(work);
  lastRequest = result.catch(() => undefined);
  return result;
}

/** Returns the samples of the recording, which are asked for as they are needed. */
function samplesOf(context: SampleContext): SampleQueue {
  const samples = new SampleQueue(windowSamples, () => {
    context.ask('samples').then(
      (chunk) => (chunk === null ? samples.end() : samples.push(chunk)),
      (error: Error) => samples.fail(error),
    );
  });
  return samples;
}

async function describe(
  { models, spans, threads }: DescribeWorkerTask,
  context: SampleContext,
): Promise<DescribedVoices> {
  context.throwIfCancelled();
  const plda = await loadPlda(models);
  const bytes = await readSpeakerModelFile(models, 'embedding');
  const embedding = await OnnxEmbedding.load(bytes, plda.inputs, threads);
  try {
    const { throwIfCancelled } = context;
    const voices = await describeVoices({ samples: samplesOf(context), spans, embedding, throwIfCancelled });
    return { model: digestModel(bytes), voices };
  } finally {
    await embedding.release();
  }
}

async function identify(
  { models, speakerCount, threads }: SpeakerWorkerTask,
  context: SampleContext,
): Promise<SpeakerResult> {
  context.throwIfCancelled();
  const plda = await loadPlda(models);
  const samples = samplesOf(context);
  const segmentation = await OnnxSegmentation.load(
    await readSpeakerModelFile(models, 'segmentation'),
    threads,
  );
  try {
    const embeddingFile = await readSpeakerModelFile(models, 'embedding');
    const embedding = await OnnxEmbedding.load(embeddingFile, plda.inputs, threads);
    try {
      return await identifySpeakers({
        samples,
        segmentation,
        embedding,
        plda,
        speakerCount,
        onProgress: context.report,
        throwIfCancelled: context.throwIfCancelled,
      });
    } finally {
      await embedding.release();
    }
  } finally {
    await segmentation.release();
  }
}

/** @throws ModelError when a file cannot be read or used */
async function loadPlda(models: SpeakerModelSource): Promise<Plda> {
  const [transform, plda] = await Promise.all([
    readSpeakerModelFile(models, 'transform'),
    readSpeakerModelFile(models, 'plda'),
  ]);
  try {
    return readPlda(transform, plda);
  } catch (cause) {
    throw new ModelError(errorMessage(cause), { cause });
  }
}

serveWorker(handlers);
lowerThreadPriority();
