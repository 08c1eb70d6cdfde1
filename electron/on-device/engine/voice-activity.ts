import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { AutomaticGain } from './automatic-gain.ts';
import { frameSamples, type Frame } from './frame.ts';
import { sampleRate } from './sound.ts';
import { decideVoices, type HeardFrame } from './voice-decision.ts';
import { sessionOptions } from './whisper-model.ts';

/** Samples of the frame before that the detector wants to see again. */
const contextSamples = 64;
const stateShape = [2, 1, 128] as const;

/**
 * Tells speech from silence, noise and music (Silero VAD, version 5). By itself that hears no voice below a tenth of the
 * full scale, so quiet sound is made louder for it.
 */
export class VoiceDetector {
  readonly #session: InferenceSession;

  private constructor(session: InferenceSession) {
    this.#session = session;
  }

  static async load(): Promise<VoiceDetector> {
    const path = createRequire(import.meta.url).resolve('@ricky0123/vad-web/dist/silero_vad_v5.onnx');
    // Read here and not by the library, which cannot look into a packaged program's archive.
    return new VoiceDetector(await InferenceSession.create(await readFile(path), sessionOptions(1)));
  }

  /** Cuts sound into frames and says of each whether somebody speaks. The last one is filled up with silence. */
  frames(samples: AsyncIterable<Float32Array>): AsyncGenerator<Frame> {
    return decideVoices(this.#hear(samples));
  }

  async *#hear(samples: AsyncIterable<Float32Array>): AsyncGenerator<HeardFrame> {
    const input = new Float32Array(contextSamples + frameSamples);
    const rate = new Tensor('int64', BigInt64Array.of(BigInt(sampleRate)), []);
    let state: Tensor = new Tensor('float32', new Float32Array(2 * 128), stateShape);
    const gain = new AutomaticGain();
    let start = 0;
    for await (const frame of inFrames(samples)) {
      input.copyWithin(0, frameSamples);
      input.set(frame, contextSamples);
      const factor = gain.next(frame);
      const heard = input.map((sample) => sample * factor);
      const { output, stateN } = await this.#session.run({
        input: new Tensor('float32', heard, [1, heard.length]),
        state,
        sr: rate,
      });
      const probability = output?.data[0];
      if (typeof probability !== 'number' || stateN === undefined) {
        throw new Error('The voice detector gave no answer.');
      }
      state = stateN;
      yield { samples: frame, start, probability };
      start += frameSamples;
    }
  }

  async release(): Promise<void> {
    await this.#session.release();
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
