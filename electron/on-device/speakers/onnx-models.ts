import { InferenceSession, Tensor } from 'onnxruntime-node';
import { errorMessage } from '../../contract/errors.ts';
import { sessionOptions } from '../engine/onnx/sessions.ts';
import { ModelError } from '../models/model-catalog.ts';
import { filterBands } from './filter-bank.ts';
import type { EmbeddingModel, SegmentationModel } from './identify-speakers.ts';
import { windowFrames, windowSamples } from './window-grid.ts';
import { powersetClasses } from './window-voices.ts';

/** An input or output of a model: 32-bit numbers; a `null` dimension can have any length. */
interface ExpectedTensor {
  readonly name: string;
  readonly shape: readonly (number | null)[];
}

/** The input and output that a model must have. */
interface Signature {
  /** The name of its file, for messages. */
  readonly file: string;
  readonly input: ExpectedTensor;
  readonly output: ExpectedTensor;
}

/** A model with one input and one output. */
class OnnxModel {
  readonly #session: InferenceSession;
  readonly #signature: Signature;

  private constructor(session: InferenceSession, signature: Signature) {
    this.#session = session;
    this.#signature = signature;
  }

  /** @throws ModelError when it cannot be loaded, or its input or output differs from the signature */
  static async load(bytes: Uint8Array, signature: Signature, threads: number): Promise<OnnxModel> {
    const session = await InferenceSession.create(bytes, sessionOptions(threads)).catch((cause: unknown) => {
      throw new ModelError(`The file ${signature.file} is not a valid ONNX model: ${errorMessage(cause)}`, {
        cause,
      });
    });
    try {
      assertTensor(signature, 'input', session.inputMetadata);
      assertTensor(signature, 'output', session.outputMetadata);
    } catch (error) {
      await session.release();
      throw error;
    }
    return new OnnxModel(session, signature);
  }

  /**
   * @param length of the result
   * @throws ModelError when the result has another length, or none
   */
  async run(input: Float32Array, shape: readonly number[], length: number): Promise<Float32Array> {
    const { file, input: inputTensor, output: outputTensor } = this.#signature;
    const results = await this.#session.run({ [inputTensor.name]: new Tensor('float32', input, shape) });
    const data = results[outputTensor.name]?.data;
    if (data instanceof Float32Array && data.length === length) return data;
    throw new ModelError(`The model ${file} returned ${data?.length ?? 0} numbers instead of ${length}.`);
  }

  release(): Promise<void> {
    return this.#session.release();
  }
}

/** @throws ModelError */
function assertTensor(
  signature: Signature,
  side: 'input' | 'output',
  actualTensors: readonly InferenceSession.ValueMetadata[],
): void {
  const expected = signature[side];
  const [tensor] = actualTensors;
  const isMatch =
    tensor !== undefined &&
    actualTensors.length === 1 &&
    tensor.name === expected.name &&
    tensor.isTensor &&
    tensor.type === 'float32' &&
    tensor.shape.length === expected.shape.length &&
    tensor.shape.every((length, i) => canHaveLength(length, expected.shape[i] ?? null));
  if (isMatch) return;
  const actual = actualTensors.length === 0 ? 'none' : actualTensors.map(describe).join(', ');
  const required = describe({ ...expected, isTensor: true, type: 'float32', shape: [...expected.shape] });
  throw new ModelError(`The model ${signature.file} has the ${side} ${actual} instead of ${required}.`);
}

/** Whether a dimension can have the expected length. One of any length has a name, or a negative number. */
const canHaveLength = (length: number | string, expected: number | null): boolean =>
  typeof length === 'string' || length < 0 || expected === null || length === expected;

function describe(tensor: {
  readonly name: string;
  readonly isTensor: boolean;
  readonly type?: string;
  readonly shape?: readonly (number | string | null)[];
}): string {
  if (!tensor.isTensor) return `"${tensor.name}"`;
  const lengths = (tensor.shape ?? []).map((length) =>
    typeof length === 'number' && length >= 0 ? length : 'n',
  );
  return `"${tensor.name}" ${tensor.type} [${lengths.join(', ')}]`;
}

/** pyannote's segmentation 3.0. */
export class OnnxSegmentation implements SegmentationModel {
  readonly #model: OnnxModel;

  private constructor(model: OnnxModel) {
    this.#model = model;
  }

  /** @throws ModelError when the model cannot be used */
  static async load(bytes: Uint8Array, threads: number): Promise<OnnxSegmentation> {
    const signature: Signature = {
      file: 'segmentation.onnx',
      input: { name: 'x', shape: [1, 1, windowSamples] },
      output: { name: 'y', shape: [1, windowFrames, powersetClasses] },
    };
    return new OnnxSegmentation(await OnnxModel.load(bytes, signature, threads));
  }

  segment(samples: Float32Array): Promise<Float32Array> {
    return this.#model.run(samples, [1, 1, windowSamples], windowFrames * powersetClasses);
  }

  release(): Promise<void> {
    return this.#model.release();
  }
}

/** WeSpeaker's ResNet34, or another model of the same shape. */
export class OnnxEmbedding implements EmbeddingModel {
  readonly dimensions: number;
  readonly #model: OnnxModel;

  private constructor(model: OnnxModel, dimensions: number) {
    this.#model = model;
    this.dimensions = dimensions;
  }

  /**
   * @param dimensions of its vectors
   * @throws ModelError when the model cannot be used
   */
  static async load(bytes: Uint8Array, dimensions: number, threads: number): Promise<OnnxEmbedding> {
    const signature: Signature = {
      file: 'embedding.onnx',
      input: { name: 'feats', shape: [1, null, filterBands] },
      output: { name: 'embs', shape: [1, dimensions] },
    };
    return new OnnxEmbedding(await OnnxModel.load(bytes, signature, threads), dimensions);
  }

  embed(features: Float32Array): Promise<Float32Array> {
    const frames = features.length / filterBands;
    return this.#model.run(features, [1, frames, filterBands], this.dimensions);
  }

  release(): Promise<void> {
    return this.#model.release();
  }
}
