import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { speechSampleRate } from '../../../contract/decoder-protocol.ts';
import { ModelError } from '../../models/model-catalog.ts';
import { sessionOptions } from '../onnx/sessions.ts';
import { frameSamples, type Frame } from './frame.ts';
import { decideVoices, type ScoredFrame } from './voice-decision.ts';
import { framesGraph, stateWidth } from './voice-graph.ts';

/** The SHA-256 of `silero_vad_v5.onnx`, the model of Silero VAD 5. */
const modelDigest = '2623a2953f6ff3d2c1e61740c6cdb7168133479b267dfef114a4a3cc5bdd788f';
/** Samples of the previous frame that the detector needs again. */
const contextSamples = 64;
const inputSamples = contextSamples + frameSamples;
/** Two versions of the audio are processed: unchanged and amplified. */
const streamCount = 2;
const amplifiedStream = 1;
const stateLength = 2 * streamCount * stateWidth;
/** The states and contexts of both streams, and the gain's peak. */
const snapshotLength = stateLength + streamCount * contextSamples + 1;
/** Frames per run of the detector: a second. One at a time takes more than three times as long. */
const framesPerRun = 32;

/** Where to continue in a recording. */
export interface DetectorStart {
  /** Position of the first sample of the audio. */
  readonly atSamples: number;
  /** The `detectorState` of the frame there; `null`: that of a new recording. */
  readonly state: Float32Array | null;
}

const bundledModel = (): string =>
  createRequire(import.meta.url).resolve('@ricky0123/vad-web/dist/silero_vad_v5.onnx');

/**
 * Distinguishes speech from silence, noise and music (Silero VAD, version 5). The model detects no voice below a tenth of
 * full scale, and it adapts to noise: after some seconds of loud noise it misses the next words. Therefore it processes
 * the audio twice: unchanged, where most noise is soft, and amplified, where a quiet voice is detectable.
 */
export class VoiceDetector {
  readonly #session: InferenceSession;

  private constructor(session: InferenceSession) {
    this.#session = session;
  }

  /** @param path of the model's file. @throws ModelError when it is not the expected one. */
  static async load(path = bundledModel()): Promise<VoiceDetector> {
    // The library cannot read files from a packaged program's archive.
    const model = await readFile(path);
    if (hash('sha256', model) !== modelDigest)
      throw new ModelError('The voice detector is damaged. Reinstall Longhand.');
    const graph = framesGraph(model, streamCount);
    return new VoiceDetector(await InferenceSession.create(graph, sessionOptions(1)));
  }

  /**
   * Splits audio into frames and decides for each whether somebody speaks. The last one is padded with silence.
   *
   * @param from where the audio begins
   */
  frames(samples: AsyncIterable<Float32Array>, from: DetectorStart): AsyncGenerator<Frame> {
    return decideVoices(this.#score(samples, from));
  }

  async *#score(samples: AsyncIterable<Float32Array>, from: DetectorStart): AsyncGenerator<ScoredFrame> {
    const streams = new VoiceStreams(this.#session, from.state);
    let start = from.atSamples;
    for await (const frames of groupFrames(splitIntoFrames(samples))) {
      const detectorState = streams.snapshot;
      const probabilities = await streams.probabilities(frames);
      for (const [i, frame] of frames.entries()) {
        yield {
          samples: frame,
          start,
          probability: probabilities[i] ?? 0,
          ...(i === 0 && { detectorState }),
        };
        start += frameSamples;
      }
    }
  }

  async release(): Promise<void> {
    await this.#session.release();
  }
}

/** The detector's state for both versions of the audio: the original and the amplified one. */
class VoiceStreams {
  readonly #session: InferenceSession;
  readonly #gain: AutomaticGain;
  /** The state of the model: short-term and long-term, each for both streams. */
  #state: Float32Array;
  /** The end of the last frame of each stream. */
  readonly #contexts: readonly Float32Array[];

  /**
   * @param saved what {@link snapshot} returned, possibly of another version of the program; `null` for a new recording
   */
  constructor(session: InferenceSession, saved: Float32Array | null) {
    const values = saved?.length === snapshotLength ? saved : new Float32Array(snapshotLength);
    this.#session = session;
    this.#state = values.slice(0, stateLength);
    this.#contexts = [values.slice(stateLength, -contextSamples - 1), values.slice(-contextSamples - 1, -1)];
    this.#gain = new AutomaticGain(values.at(-1));
  }

  get snapshot(): Float32Array {
    return Float32Array.of(
      ...this.#state,
      ...this.#contexts.flatMap((context) => [...context]),
      this.#gain.peak,
    );
  }

  /** Returns the probability of speech for each of the next frames: the higher one of both streams. */
  async probabilities(frames: readonly Float32Array[]): Promise<Float32Array> {
    const input = new Float32Array(frames.length * streamCount * inputSamples);
    for (const [i, frame] of frames.entries()) {
      const gain = this.#gain.next(frame);
      for (const [j, context] of this.#contexts.entries()) {
        const from = (i * streamCount + j) * inputSamples;
        const slot = input.subarray(from, from + inputSamples);
        slot.set(context);
        slot.set(frame, contextSamples);
        context.set(frame.subarray(-contextSamples));
        if (j === amplifiedStream)
          for (let index = 0; index < slot.length; index++) slot[index] = (slot[index] ?? 0) * gain;
      }
    }
    const { output, stateN } = await this.#session.run({
      input: new Tensor('float32', input, [frames.length * streamCount, inputSamples]),
      state: new Tensor('float32', this.#state, [2, streamCount, stateWidth]),
    });
    const [scores, state] = [output?.data, stateN?.data];
    if (!(scores instanceof Float32Array) || !(state instanceof Float32Array)) {
      throw new Error('The voice detector returned no result.');
    }
    this.#state = state;
    return Float32Array.from(frames, (_, i) =>
      Math.max(...scores.subarray(i * streamCount, (i + 1) * streamCount)),
    );
  }
}

/** Splits chunks of any length into frames; the last one is padded with silence. */
async function* splitIntoFrames(chunks: AsyncIterable<Float32Array>): AsyncGenerator<Float32Array> {
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

async function* groupFrames(frames: AsyncIterable<Float32Array>): AsyncGenerator<readonly Float32Array[]> {
  let batch: Float32Array[] = [];
  for await (const frame of frames) {
    batch.push(frame);
    if (batch.length < framesPerRun) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** How quickly the gain recovers after loud audio. */
const halfLifeSeconds = 0.5;
/** The level that recent peaks are amplified to. */
const targetPeak = 0.5;
/** Speech is hardly ever recorded quieter than a hundredth of the target. */
const maxGain = 100;

/**
 * Amplifies quiet audio. The gain follows the recent peaks: it falls at once and recovers slowly. Loud audio stays
 * unchanged.
 */
export class AutomaticGain {
  #peak: number;

  /** @param peak the recent peak at an earlier position */
  constructor(peak = 0) {
    this.#peak = peak;
  }

  get peak(): number {
    return this.#peak;
  }

  /** Returns the factor for the next samples, from 1 to 100. */
  next(samples: Float32Array): number {
    this.#peak *= 0.5 ** (samples.length / speechSampleRate / halfLifeSeconds);
    for (const sample of samples) this.#peak = Math.max(this.#peak, Math.abs(sample));
    return Math.min(Math.max(targetPeak / this.#peak, 1), maxGain);
  }
}
