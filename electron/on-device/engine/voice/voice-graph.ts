/** The voice detector's graph for many frames of several streams per run, made from the published one. */
import {
  indexTensor,
  pruneToOutputs,
  makeNode,
  makeNodeLike,
  type Model,
  type Node,
  readModel,
  replaceConditionByBranch,
  writeModel,
} from '../onnx/onnx-graph.ts';

/** Samples between two positions of the spectrogram; each covers twice as many. */
const hopSamples = 128;
/** Amplitudes per position of the spectrogram. */
const frequencies = 129;
/** The length of the LSTM's state. */
export const stateWidth = 128;

/** A convolution of the model as the product of a matrix and its input's rows. */
interface Convolution {
  readonly name: RegExp;
  /** The length of a row: values per position. */
  readonly width: number;
  /** Which of the three rows of the kernel are used; the others only ever meet padding. */
  readonly kernelRows: readonly number[];
  /** The rows of the padded input that each position of the output is made of. */
  readonly windows: readonly (readonly number[])[];
}

/** Between the spectrogram and the LSTM. A row of zeros on either side is the padding; the last two need none. */
const convolutions: readonly Convolution[] = [
  {
    name: /encoder\/0\/reparam_conv\/Conv_output_0$/,
    width: frequencies,
    kernelRows: [0, 1, 2],
    windows: [
      [0, 1, 2],
      [1, 2, 3],
      [2, 3, 4],
      [3, 4, 5],
    ],
  },
  {
    name: /encoder\/1\/reparam_conv\/Conv_output_0$/,
    width: 128,
    kernelRows: [0, 1, 2],
    windows: [
      [0, 1, 2],
      [2, 3, 4],
    ],
  },
  { name: /encoder\/2\/reparam_conv\/Conv_output_0$/, width: 64, kernelRows: [1, 2], windows: [[1, 2]] },
  { name: /encoder\/3\/reparam_conv\/Conv_output_0$/, width: 64, kernelRows: [1], windows: [[1]] },
];

/**
 * Silero VAD 5 for 16 kHz, for any number of consecutive frames of several streams. As published it takes one frame at a
 * time, and most of the time is overhead. Its convolutions look at each frame on its own and have at most four positions,
 * which ONNX Runtime computes frame by frame; here they are one product of matrices for all frames. Its LSTM carries state
 * from frame to frame, so there the frames are a sequence and the streams a batch.
 *
 * Inputs `input` [frames × streams, 576], the streams of a frame next to each other, and `state` [2, streams, 128]; outputs
 * `output` [frames × streams, 1] and `stateN` [2, streams, 128].
 *
 * @throws RangeError when the model is not the expected one.
 */
export function framesGraph(published: Uint8Array, streams: number): Uint8Array {
  // The three conditions ask for the sample rate, the shape of the spectrum and the state. These branches are for 16 kHz
  // and a state that is passed in.
  const withoutConditions = Array<string>(3)
    .fill('then_branch')
    .reduce(replaceConditionByBranch, readModel(published));
  const builder = new GraphBuilder();
  const [, basis = ''] = findProducer(withoutConditions, /stft\/Conv_output_0$/).inputs;
  let rows = spectrogram(builder, findOutput(withoutConditions, /stft\/padding\/Pad_output_0$/), basis);
  for (const convolution of convolutions) rows = convolve(builder, withoutConditions, rows, convolution);

  const lstm = withoutConditions.nodes.find((node) => node.op === 'LSTM');
  if (lstm === undefined) throw unexpectedModelError();
  const [, weights = '', recurrence = '', bias = ''] = lstm.inputs;
  const [, scoreWeights = '', scoreBias = ''] = findProducer(
    withoutConditions,
    /decoder\/decoder\/2\/Conv_output_0$/,
  ).inputs;
  const sequence = builder.reshape(rows, -1, streams, stateWidth);
  const hidden = builder.gather('state', 0, 0);
  const cell = builder.gather('state', 0, 1);
  builder.nodes.push(
    makeNodeLike(
      lstm,
      'LSTM',
      [sequence, weights, recurrence, bias, '', hidden, cell],
      ['frames/all', 'frames/hidden_after', 'frames/cell_after'],
    ),
    makeNode('Concat', ['frames/hidden_after', 'frames/cell_after'], ['stateN'], { axis: 0 }),
  );
  const positive = builder.add('Relu', builder.reshape('frames/all', -1, stateWidth));
  const product = builder.add('MatMul', positive, builder.reshape(scoreWeights, stateWidth, 1));
  builder.nodes.push(makeNode('Sigmoid', [builder.add('Add', product, scoreBias)], ['output']));

  const replacedOutputs = new Set(['output', 'stateN']);
  const keptNodes = withoutConditions.nodes.filter(
    (node) => !node.outputs.some((output) => replacedOutputs.has(output)),
  );
  const model = {
    ...withoutConditions,
    nodes: [...keptNodes, ...builder.nodes],
    weights: new Map([...withoutConditions.weights, ...builder.weights]),
  };
  return writeModel(pruneToOutputs(model, ['output', 'stateN']));
}

/** Returns the amplitudes [frames, 4, 129] of padded audio [frames, 640]. */
function spectrogram(builder: GraphBuilder, audio: string, basis: string): string {
  const hops = builder.reshape(audio, -1, 5, hopSamples);
  const windows = builder.reshape(builder.gather(hops, 1, 0, 1, 1, 2, 2, 3, 3, 4), -1, 4, 2 * hopSamples);
  const waves = builder.add(
    'MatMul',
    windows,
    builder.reshape(builder.add('Transpose', basis), 2 * hopSamples, -1),
  );
  const parts = builder.reshape(waves, -1, 4, 2, frequencies);
  const [real, imaginary] = [builder.gather(parts, 2, 0), builder.gather(parts, 2, 1)];
  const power = builder.add('Add', builder.add('Mul', real, real), builder.add('Mul', imaginary, imaginary));
  return builder.reshape(builder.add('Sqrt', power), -1, 4, frequencies);
}

function convolve(
  builder: GraphBuilder,
  model: Model,
  input: string,
  { name, width, kernelRows, windows }: Convolution,
): string {
  const [, kernel = '', bias = ''] = findProducer(model, name).inputs;
  const padded = builder.add('Pad', input, builder.list(0, 1, 0, 0, 1, 0));
  const length = kernelRows.length * width;
  const gathered = builder.reshape(builder.gather(padded, 1, ...windows.flat()), -1, windows.length, length);
  // The published kernel is [outputs, values, rows]; a Transpose without order reverses the dimensions.
  const matrix = builder.reshape(
    builder.gather(builder.add('Transpose', kernel), 0, ...kernelRows),
    length,
    -1,
  );
  return builder.add('Relu', builder.add('Add', builder.add('MatMul', gathered, matrix), bias));
}

/** Collects new nodes and weights, and names the outputs of the nodes. */
class GraphBuilder {
  readonly nodes: Node[] = [];
  readonly weights = new Map<string, Uint8Array>();

  /** Adds a node with one output, and returns the output's name. */
  add(op: string, ...inputs: readonly string[]): string {
    return this.#add(op, inputs, {});
  }

  /** Adds a node that selects from one dimension. */
  gather(input: string, axis: number, ...indices: readonly number[]): string {
    return this.#add('Gather', [input, this.list(...indices)], { axis });
  }

  /** Adds a node that changes the shape; a dimension of -1 takes what is left. */
  reshape(input: string, ...shape: readonly number[]): string {
    return this.add('Reshape', input, this.list(...shape));
  }

  /** Adds a list of integers, and returns its name. */
  list(...integers: readonly number[]): string {
    const name = `list/${integers.join(',')}`;
    this.weights.set(name, indexTensor(name, ...integers));
    return name;
  }

  #add(op: string, inputs: readonly string[], attributes: Readonly<Record<string, number>>): string {
    const output = `frames/${this.nodes.length}`;
    this.nodes.push(makeNode(op, inputs, [output], attributes));
    return output;
  }
}

function findProducer(model: Model, name: RegExp): Node {
  const node = model.nodes.find(({ outputs }) => name.test(outputs[0] ?? ''));
  if (node === undefined) throw unexpectedModelError();
  return node;
}

function findOutput(model: Model, name: RegExp): string {
  return findProducer(model, name).outputs[0] ?? '';
}

function unexpectedModelError(): RangeError {
  return new RangeError('The voice detector is not the expected one.');
}
