import { type InferenceSession, Tensor } from 'onnxruntime-node';
import { errorMessage } from '../../../contract/errors.ts';
import { ModelError, type ModelPart } from '../../models/model-catalog.ts';
import { readModel, writeModel } from '../onnx/onnx-graph.ts';
import { free, loadSessions, quietRunOptions, sessionOptions } from '../onnx/sessions.ts';
import { type Interrupt, interruptShapeLength } from '../whisper/interrupt.ts';
import { addInterruptionPoints, interruptInput } from '../whisper/whisper-graphs.ts';
import { featureBands, type Features, logMelFeatures } from './log-mel.ts';
import { decodeTransducer, type EmittedToken, type TransducerRun } from './tdt-decoding.ts';
import { Vocabulary } from './vocabulary.ts';

/** The model predicts 0 to 4 frames to advance. */
const durationCount = 5;

/** A {@link ParakeetModel} or its test double. */
export type Recognizer = Pick<ParakeetModel, 'texts' | 'recognize'>;

/** The state of the prediction network: of its two layers, [2, 1, 640] each. */
interface PredictionState {
  readonly hidden: Tensor;
  readonly cell: Tensor;
}

/** A Parakeet TDT model in memory, as exported by NeMo. Each run of a graph blocks the calling thread. */
export class ParakeetModel {
  readonly #vocabulary: Vocabulary;
  readonly #encoder: InferenceSession;
  readonly #decoder: InferenceSession;
  readonly #stateShape: readonly number[];

  private constructor(
    vocabulary: Vocabulary,
    encoder: InferenceSession,
    decoder: InferenceSession,
    stateShape: readonly number[],
  ) {
    this.#vocabulary = vocabulary;
    this.#encoder = encoder;
    this.#decoder = decoder;
    this.#stateShape = stateShape;
  }

  /**
   * Loads one part after the other, so that no two parts are held in memory twice at the same time.
   *
   * @param read reads one of the model's files into its own buffer, which is freed
   * @param threads how many cores the encoder may use
   * @throws ModelError when a file is missing, damaged, or not a model of this kind
   */
  static async load(read: (part: ModelPart) => Promise<Uint8Array>, threads: number): Promise<ParakeetModel> {
    return loadSessions(async (openSession) => {
      const open = (graph: Uint8Array, options: InferenceSession.SessionOptions): Promise<InferenceSession> =>
        openSession(graph, options).catch((cause: unknown) => {
          throw new ModelError(`A file of the speech model cannot be loaded: ${errorMessage(cause)}`, {
            cause,
          });
        });
      const vocabulary = new Vocabulary(await read('vocabulary'));
      // A step is too short to divide among threads.
      const decoder = await open(await read('decoder'), sessionOptions(1));
      const publishedEncoder = await read('encoder');
      const graph = withInterruptionPoints(publishedEncoder);
      if (graph !== publishedEncoder) free(publishedEncoder);
      const encoder = await open(graph, sessionOptions(threads));
      return new ParakeetModel(vocabulary, encoder, decoder, readStateShape(encoder, decoder, vocabulary));
    });
  }

  /** The text of each token; see {@link Vocabulary}. */
  get texts(): readonly string[] {
    return this.#vocabulary.texts;
  }

  /**
   * Returns what is said in a window.
   *
   * @param samples mono at 16 kHz, in -1..1
   * @throws InterruptedError when it is interrupted
   */
  async recognize(samples: Float32Array, interrupt: Interrupt): Promise<readonly EmittedToken[]> {
    const features = logMelFeatures(samples);
    if (features.columns === 0) return [];
    const { values, frames } = await this.#encode(features, interrupt);
    return decodeTransducer(this.#createTransducerRun(values, frames, interrupt));
  }

  async release(): Promise<void> {
    await Promise.all([this.#encoder.release(), this.#decoder.release()]);
  }

  /** Returns the encoder's output, one frame after the other. */
  async #encode(
    { values, columns }: Features,
    interrupt: Interrupt,
  ): Promise<{ readonly values: readonly Float32Array[]; readonly frames: number }> {
    const { outputs, encoded_lengths: lengths } = await this.#encoder
      .run(
        {
          audio_signal: new Tensor('float32', values, [1, featureBands, columns]),
          length: new Tensor('int64', BigInt64Array.of(BigInt(columns)), [1]),
          ...(this.#encoder.inputNames.includes(interruptInput) && {
            [interruptInput]: new Tensor('int64', interrupt.shape, [interruptShapeLength]),
          }),
        },
        quietRunOptions,
      )
      .catch((error: unknown) => {
        interrupt.throwIfRequested();
        throw error;
      });
    interrupt.throwIfRequested();
    free(values);
    const encoded = outputs?.data;
    const [, width = 0, paddedFrames = 0] = outputs?.dims ?? [];
    const length = lengths?.data[0];
    if (!(encoded instanceof Float32Array) || typeof length !== 'bigint')
      throw wrongModelError('its encoder returned no state');
    const frames = Math.min(Number(length), paddedFrames);
    const byFrame = Array.from({ length: frames }, (_, frame) =>
      Float32Array.from({ length: width }, (_value, i) => encoded[i * paddedFrames + frame] ?? 0),
    );
    free(encoded);
    return { values: byFrame, frames };
  }

  /** Prepares the decoding of an encoded window. */
  #createTransducerRun(
    encoded: readonly Float32Array[],
    frames: number,
    interrupt: Interrupt,
  ): TransducerRun<PredictionState> {
    const tokens = this.#vocabulary.texts.length;
    const zeros = (): Tensor =>
      new Tensor(
        'float32',
        new Float32Array(this.#stateShape.reduce((product, length) => product * length, 1)),
        this.#stateShape,
      );
    let previousStep: { readonly scores: Float32Array; readonly state: PredictionState } | null = null;
    return {
      frames,
      blank: this.#vocabulary.blank,
      initialState: { hidden: zeros(), cell: zeros() },
      runStep: async (frame, previousToken, state) => {
        interrupt.throwIfRequested();
        if (previousStep !== null) {
          // The garbage collector would free them only after many steps.
          free(previousStep.scores);
          if (previousStep.state !== state) freeState(previousStep.state);
        }
        const audio = encoded[frame] ?? new Float32Array(0);
        const {
          outputs,
          output_states_1: hidden,
          output_states_2: cell,
        } = await this.#decoder.run({
          encoder_outputs: new Tensor('float32', audio, [1, audio.length, 1]),
          targets: new Tensor('int32', Int32Array.of(previousToken), [1, 1]),
          target_length: new Tensor('int32', Int32Array.of(1), [1]),
          input_states_1: state.hidden,
          input_states_2: state.cell,
        });
        const scores = outputs?.data;
        if (!(scores instanceof Float32Array) || hidden === undefined || cell === undefined)
          throw wrongModelError('its decoder returned no scores');
        if (scores.length !== tokens + durationCount)
          throw wrongModelError(
            `its decoder returned ${scores.length} scores instead of ${tokens + durationCount}`,
          );
        previousStep = { scores, state: { hidden, cell } };
        return {
          tokenScores: scores.subarray(0, tokens),
          durationScores: scores.subarray(tokens),
          state: previousStep.state,
        };
      },
    };
  }
}

function freeState({ hidden, cell }: PredictionState): void {
  for (const { data } of [hidden, cell]) if (ArrayBuffer.isView(data)) free(data);
}

/** Lets a run of the encoder be cancelled after each normalization; a layer has five. */
function withInterruptionPoints(published: Uint8Array): Uint8Array {
  try {
    const encoder = addInterruptionPoints(
      readModel(published),
      ({ op, outputs: [output = ''] }) =>
        // Exports for older versions of ONNX spell a normalization out.
        op === 'LayerNormalization' || /\/norm_\w+\/Add_1_output_0$/u.test(output),
    );
    return writeModel(encoder);
  } catch (error) {
    // Without these points, a run can be cancelled only between windows. A file that is not a model fails when it is opened.
    if (error instanceof RangeError) return published;
    throw error;
  }
}

/**
 * Returns the dimensions of the decoder's state.
 *
 * @throws ModelError when the inputs and outputs of the two graphs are not those of NeMo's export
 */
function readStateShape(
  encoder: InferenceSession,
  decoder: InferenceSession,
  vocabulary: Vocabulary,
): readonly number[] {
  assertValues(encoder, {
    inputs: { audio_signal: [null, featureBands, null], length: [null] },
    outputs: { outputs: [null, null, null], encoded_lengths: [null] },
  });
  const width = shapeOf(encoder.outputMetadata, 'outputs')?.[1];
  const state = [null, null, null];
  assertValues(decoder, {
    inputs: {
      encoder_outputs: [null, isFixed(width) ? width : null, null],
      targets: [null, null],
      target_length: [null],
      input_states_1: state,
      input_states_2: state,
    },
    outputs: {
      outputs: [null, null, null, vocabulary.texts.length + durationCount],
      output_states_1: state,
      output_states_2: state,
    },
  });
  const [layers, , stateWidth] = shapeOf(decoder.inputMetadata, 'input_states_1') ?? [];
  if (!isFixed(layers) || !isFixed(stateWidth))
    throw wrongModelError('the state of its decoder has no fixed size');
  return [layers, 1, stateWidth];
}

/** The dimensions of values by name; `null`: of any length. */
type Shapes = Readonly<Record<string, readonly (number | null)[]>>;

/** @throws ModelError when a value is missing or has other dimensions */
function assertValues(
  session: InferenceSession,
  { inputs, outputs }: { readonly inputs: Shapes; readonly outputs: Shapes },
): void {
  for (const [metadata, expected] of [
    [session.inputMetadata, inputs],
    [session.outputMetadata, outputs],
  ] as const) {
    for (const [name, shape] of Object.entries(expected)) {
      const actualShape = shapeOf(metadata, name);
      if (actualShape === null) throw wrongModelError(`it has no "${name}"`);
      // ONNX Runtime returns no dimensions where the graph does not name any.
      const isMatch =
        actualShape.length === 0 ||
        (actualShape.length === shape.length &&
          shape.every(
            (length, i) => length === null || !isFixed(actualShape[i]) || actualShape[i] === length,
          ));
      if (!isMatch) {
        const [actual, required] = [actualShape, shape].map((lengths) =>
          lengths.map((dimension) => dimension ?? '?').join(' x '),
        );
        throw wrongModelError(`its "${name}" is ${actual} instead of ${required}`);
      }
    }
  }
}

/** Returns the dimensions of a value, numbers or names; `null` when there is no such tensor. */
function shapeOf(
  metadata: readonly InferenceSession.ValueMetadata[],
  name: string,
): readonly (number | string)[] | null {
  const value = metadata.find((candidate) => candidate.name === name);
  return value?.isTensor === true ? value.shape : null;
}

const isFixed = (length: number | string | undefined): length is number =>
  typeof length === 'number' && length > 0;

const wrongModelError = (difference: string): ModelError =>
  new ModelError(`The speech model is not a Parakeet TDT model that Longhand can run: ${difference}.`);
