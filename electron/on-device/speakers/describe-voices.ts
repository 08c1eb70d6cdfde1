import { createHash } from 'node:crypto';
import { speechSampleRate } from '../../contract/decoder-protocol.ts';
import type { DescribedVoices, VoiceSpan } from '../../contract/speakers.ts';
import { FilterBank } from './filter-bank.ts';
import type { EmbeddingModel } from './identify-speakers.ts';
import { subtractMeans } from './window-voices.ts';

export interface DescribeTask {
  /** Mono samples in -1..1 at 16 kHz from the start of the recording, in order. Read up to the end of the last span. */
  readonly samples: AsyncIterable<Float32Array>;
  readonly spans: readonly VoiceSpan[];
  readonly embedding: EmbeddingModel;
  /** Throws to stop the work. */
  readonly throwIfCancelled: () => void;
}

/** A span whose audio is being collected. */
interface OpenSpan {
  readonly voice: number;
  /** Index of its first sample in the recording. */
  readonly from: number;
  readonly samples: Float32Array;
}

/** A span with less audio has too little voice to describe. */
const minSpanSeconds = 0.5;

/** Describes each voice by the mean of the embeddings of the spans in which it speaks. Holds the audio of the spans only. */
export async function describeVoices(task: DescribeTask): Promise<DescribedVoices['voices']> {
  const { embedding, throwIfCancelled } = task;
  const sums = new Map<number, Float32Array>();
  const describe = async ({ voice, samples }: OpenSpan, length: number): Promise<void> => {
    if (length < minSpanSeconds * speechSampleRate) return;
    throwIfCancelled();
    const features = new FilterBank().push(samples.subarray(0, length));
    subtractMeans(features);
    const vector = await embedding.embed(features);
    if (!vector.every(Number.isFinite)) return;
    const sum = sums.get(voice) ?? new Float32Array(vector.length);
    const norm = Math.hypot(...vector) || 1;
    sums.set(
      voice,
      sum.map((value, k) => value + (vector[k] ?? 0) / norm),
    );
  };
  let unfinished: readonly OpenSpan[] = task.spans.map(({ voice, start, end }) => {
    const from = Math.round(start * speechSampleRate);
    return { voice, from, samples: new Float32Array(Math.round(end * speechSampleRate) - from) };
  });
  let position = 0;
  for await (const chunk of task.samples) {
    throwIfCancelled();
    const end = position + chunk.length;
    const open: OpenSpan[] = [];
    for (const span of unfinished) {
      const first = Math.max(span.from, position);
      const last = Math.min(span.from + span.samples.length, end);
      if (first < last)
        span.samples.set(chunk.subarray(first - position, last - position), first - span.from);
      if (span.from + span.samples.length <= end) await describe(span, span.samples.length);
      else open.push(span);
    }
    unfinished = open;
    position = end;
    if (unfinished.length === 0) break;
  }
  // The recording may be shorter than the transcript says.
  for (const span of unfinished) await describe(span, Math.max(0, position - span.from));
  return new Map([...sums].map(([voice, sum]) => [voice, withUnitLength(sum)]));
}

const withUnitLength = (vector: Float32Array): Float32Array => {
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
};

/** Returns the digest of a model's file, which identifies the model: embeddings of two models cannot be compared. */
export const digestModel = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
