import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { speechSampleRate } from '../../../contract/decoder-protocol.ts';
import { sessionOptions } from '../whisper/whisper-model.ts';
import { frameSamples, type Frame } from './frame.ts';
import { decideVoices, type HeardFrame } from './voice-decision.ts';
import { framesGraph } from './voice-graph.ts';

/** Samples of the frame before that the detector wants to see again. */
const contextSamples = 64;
const inputSamples = contextSamples + frameSamples;
const memoryShape = [2, 1, 128] as const;
/** Frames that the detector looks at in one run: a second. One at a time takes more than three times as long. */
const framesAtOnce = 32;

/**
 * Tells speech from silence, noise and music (Silero VAD, version 5). By itself that hears no voice below a tenth of the
 * full scale, and it gets used to noise: after some seconds of a loud one it misses the next words. So it hears sound
 * twice, as it is, where most noise is soft, and made louder, where a quiet voice can be heard.
 */
export class VoiceDetector {
  readonly #session: InferenceSession;

  private constructor(session: InferenceSession) {
    this.#session = session;
  }

  static async load(): Promise<VoiceDetector> {
    const path = createRequire(import.meta.url).resolve('@ricky0123/vad-web/dist/silero_vad_v5.onnx');
    // Read here and not by the library, which cannot look into a packaged program's archive.
    const graph = framesGraph(await readFile(path));
    return new VoiceDetector(await InferenceSession.create(graph, sessionOptions(1)));
  }

  /** Cuts sound into frames and says of each whether somebody speaks. The last one is filled up with silence. */
  frames(samples: AsyncIterable<Float32Array>): AsyncGenerator<Frame> {
    return decideVoices(this.#hear(samples));
  }

  async *#hear(samples: AsyncIterable<Float32Array>): AsyncGenerator<HeardFrame> {
    const gain = new AutomaticGain();
    const asItIs = new Ear(this.#session, () => 1);
    const louder = new Ear(this.#session, (frame) => gain.next(frame));
    let start = 0;
    for await (const frames of inBatches(inFrames(samples))) {
      const plain = await asItIs.hear(frames);
      const raised = await louder.hear(frames);
      for (const [i, frame] of frames.entries()) {
        yield { samples: frame, start, probability: Math.max(plain[i] ?? 0, raised[i] ?? 0) };
        start += frameSamples;
      }
    }
  }

  async release(): Promise<void> {
    await this.#session.release();
  }
}

/** Follows one sound from frame to frame, and remembers what it heard. */
class Ear {
  readonly #session: InferenceSession;
  readonly #gainOf: (frame: Float32Array) => number;
  #memory: Tensor = new Tensor('float32', new Float32Array(2 * 128), memoryShape);
  readonly #context = new Float32Array(contextSamples);

  /** @param gainOf how much louder a frame is to be heard, asked for each of them in order */
  constructor(session: InferenceSession, gainOf: (frame: Float32Array) => number) {
    this.#session = session;
    this.#gainOf = gainOf;
  }

  /** How likely it is that somebody speaks, for each of the next frames. */
  async hear(frames: readonly Float32Array[]): Promise<Float32Array> {
    const input = new Float32Array(frames.length * inputSamples);
    for (const [i, frame] of frames.entries()) {
      const heard = input.subarray(i * inputSamples, (i + 1) * inputSamples);
      heard.set(this.#context);
      heard.set(frame, contextSamples);
      this.#context.set(frame.subarray(-contextSamples));
      const factor = this.#gainOf(frame);
      for (let at = 0; at < heard.length; at++) heard[at] = (heard[at] ?? 0) * factor;
    }
    const { output, stateN } = await this.#session.run({
      input: new Tensor('float32', input, [frames.length, inputSamples]),
      state: this.#memory,
    });
    const probabilities = output?.data;
    if (!(probabilities instanceof Float32Array) || stateN === undefined) {
      throw new Error('The voice detector gave no answer.');
    }
    this.#memory = stateN;
    return probabilities;
  }
}

/** Chunks of any length as frames of one length; the last one is filled up with silence. */
async function* inFrames(chunks: AsyncIterable<Float32Array>): AsyncGenerator<Float32Array> {
  let frame = new Float32Array(frameSamples);
  let filled = 0;
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.length;) {
      const piece = chunk.subarray(from, from + frameSamples - filled);
      frame.set(piece, filled);
      filled += piece.length;
      from += piece.length;
      if (filled === frameSamples) {
        yield frame;
        frame = new Float32Array(frameSamples);
        filled = 0;
      }
    }
  }
  if (filled > 0) yield frame;
}

async function* inBatches(frames: AsyncIterable<Float32Array>): AsyncGenerator<readonly Float32Array[]> {
  let batch: Float32Array[] = [];
  for await (const frame of frames) {
    batch.push(frame);
    if (batch.length < framesAtOnce) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** After a loud sound quieter ones are heard better again with each half-life. In seconds. */
const halfLife = 0.5;
/** What the loudest sound of the last while is brought to. */
const targetPeak = 0.5;
/** What is quieter than a hundredth of the target is not speech that anybody has recorded on purpose. */
const mostGain = 100;

/**
 * How much louder to make sound for one who does not hear quiet voices: it follows the peaks of what was there, at once
 * upwards and slowly down again. Loud sound stays as it is.
 */
export class AutomaticGain {
  #peak = 0;

  /** The factor for the next samples, from 1 to 100. */
  next(samples: Float32Array): number {
    this.#peak *= 0.5 ** (samples.length / speechSampleRate / halfLife);
    for (const sample of samples) this.#peak = Math.max(this.#peak, Math.abs(sample));
    return Math.min(Math.max(targetPeak / this.#peak, 1), mostGain);
  }
}
