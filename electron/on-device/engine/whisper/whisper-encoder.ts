import { type InferenceSession, Tensor, type TypedTensor } from 'onnxruntime-node';
import { free, loadSessions, quietRunOptions, sessionOptions } from '../onnx/sessions.ts';
import { type Interrupt, interruptShapeLength } from './interrupt.ts';
import { logMelSpectrogram, melFrames } from './mel-spectrogram.ts';
import { interruptInput } from './whisper-graphs.ts';

/** A tensor of floats that can be sent to another thread. */
export interface FloatTensor {
  readonly name: string;
  readonly values: Float32Array;
  readonly dimensions: readonly number[];
}

/** What an encoder is opened with; the graphs are freed. */
export interface EncoderFiles {
  /** Made by `encoderGraph`. */
  readonly encoder: Uint8Array;
  /** Made by `crossAttentionGraph`. */
  readonly crossAttention: Uint8Array;
  /** Mel bands of the encoder's input. */
  readonly melBands: number;
  /** How many cores to use. */
  readonly threads: number;
}

/** Encodes audio in this thread ({@link WhisperEncoder}) or in another one. */
export interface AudioEncoder {
  /** Whether it encodes while this thread does something else. */
  readonly isConcurrent: boolean;

  /**
   * Encodes the audio of a window of at most 30 s: returns the keys and values of the decoder's cross-attention, with the
   * names of `crossAttentionGraph`. Windows are encoded one after the other.
   *
   * @throws InterruptedError when it is interrupted
   */
  encode(samples: Float32Array, interrupt: Interrupt): Promise<readonly FloatTensor[]>;
  release(): Promise<void>;
}

/** The part of a Whisper model that runs once per window. Each run of a graph blocks the calling thread. */
export class WhisperEncoder implements AudioEncoder {
  readonly isConcurrent = false;
  readonly #melBands: number;
  readonly #encoder: InferenceSession;
  readonly #crossAttention: InferenceSession;

  private constructor(melBands: number, encoder: InferenceSession, crossAttention: InferenceSession) {
    this.#melBands = melBands;
    this.#encoder = encoder;
    this.#crossAttention = crossAttention;
  }

  static async open({ encoder, crossAttention, melBands, threads }: EncoderFiles): Promise<WhisperEncoder> {
    return loadSessions(
      async (open) =>
        new WhisperEncoder(
          melBands,
          await open(encoder, sessionOptions(threads)),
          await open(crossAttention, {
            ...sessionOptions(threads),
            // It runs once per window, so it need not keep the memory for its large outputs until the next one.
            enableCpuMemArena: false,
          }),
        ),
    );
  }

  async encode(samples: Float32Array, interrupt: Interrupt): Promise<readonly FloatTensor[]> {
    interrupt.throwIfRequested();
    const spectrogram: TypedTensor<'float32'> = new Tensor(
      'float32',
      logMelSpectrogram(samples, this.#melBands),
      [1, this.#melBands, melFrames],
    );
    const { last_hidden_state: hidden } = await this.#encoder
      .run(
        {
          input_features: spectrogram,
          [interruptInput]: new Tensor('int64', interrupt.shape, [interruptShapeLength]),
        },
        quietRunOptions,
      )
      .catch((error: unknown) => {
        interrupt.throwIfRequested();
        throw error;
      });
    if (hidden === undefined) throw new Error('The encoder returned no state.');
    const outputs = await this.#crossAttention.run({ encoder_hidden_states: hidden });
    free(spectrogram.data);
    if (ArrayBuffer.isView(hidden.data)) free(hidden.data);
    return Object.entries(outputs).map(([name, { data, dims }]) => {
      if (!(data instanceof Float32Array)) throw new Error('The encoder returned other values than floats.');
      return { name, values: data, dimensions: dims };
    });
  }

  async release(): Promise<void> {
    await Promise.all([this.#encoder.release(), this.#crossAttention.release()]);
  }
}
