import { type InferenceSession, Tensor, type TypedTensor } from 'onnxruntime-node';
import { free, loadSessions, quietRunOptions, sessionOptions } from '../onnx/sessions.ts';
import { type Interrupt, interruptShapeLength } from './interrupt.ts';
import { logMelSpectrogram, melFrames } from './mel-spectrogram.ts';
import { interruptInput } from './whisper-graphs.ts';

/** What an encoder returns for a window: the state that the decoder attends to. It can be sent to another thread. */
export interface EncodedAudio {
  readonly values: Float32Array;
  /** One window, audio frames, width. */
  readonly dimensions: readonly number[];
}

/** What an encoder is opened with; the graph is freed. */
export interface EncoderFiles {
  /** Made by `encoderGraph`. */
  readonly encoder: Uint8Array;
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
   * Encodes the audio of a window of at most 30 s. Windows are encoded one after the other.
   *
   * @throws InterruptedError when it is interrupted
   */
  encode(samples: Float32Array, interrupt: Interrupt): Promise<EncodedAudio>;
  release(): Promise<void>;
}

/** The encoder of a Whisper model. Each run blocks the calling thread. */
export class WhisperEncoder implements AudioEncoder {
  readonly isConcurrent = false;
  readonly #melBands: number;
  readonly #encoder: InferenceSession;

  private constructor(melBands: number, encoder: InferenceSession) {
    this.#melBands = melBands;
    this.#encoder = encoder;
  }

  static async open({ encoder, melBands, threads }: EncoderFiles): Promise<WhisperEncoder> {
    return loadSessions(
      async (open) => new WhisperEncoder(melBands, await open(encoder, sessionOptions(threads))),
    );
  }

  async encode(samples: Float32Array, interrupt: Interrupt): Promise<EncodedAudio> {
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
    free(spectrogram.data);
    if (!(hidden?.data instanceof Float32Array)) throw new Error('The encoder returned no state.');
    return { values: hidden.data, dimensions: hidden.dims };
  }

  release(): Promise<void> {
    return this.#encoder.release();
  }
}
