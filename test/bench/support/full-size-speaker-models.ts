import { indexTensor, makeNode, type Node } from '../../../electron/on-device/engine/onnx/onnx-graph.ts';
import { filterBands } from '../../../electron/on-device/speakers/filter-bank.ts';
import { powersetClasses } from '../../../electron/on-device/speakers/window-voices.ts';
import { makeListNode, onnxModel, type Weight } from '../../support/speech/onnx-model.ts';
import { noise } from '../../support/speech/speech-audio.ts';

/** Collects the nodes and weights of a graph; each method returns the name of its result. */
export class GraphBuilder {
  readonly nodes: Node[] = [];
  readonly weights: Record<string, Weight> = {};
  #names = 0;

  /** Adds a node with one result. */
  node(
    op: string,
    inputs: readonly string[],
    attributes: Readonly<Record<string, readonly number[] | string>> = {},
    integers: Readonly<Record<string, number>> = {},
  ): string {
    const output = `v${(this.#names += 1)}`;
    this.nodes.push(makeListNode(op, inputs, [output], attributes, integers));
    return output;
  }

  /** Adds a node with several results. */
  nodeWith(op: string, inputs: readonly string[], results: number): readonly string[] {
    const outputs = Array.from({ length: results }, () => `v${(this.#names += 1)}`);
    this.nodes.push(makeListNode(op, inputs, outputs, {}));
    return outputs;
  }

  /** Adds small made-up weights. */
  weight(...shape: readonly number[]): string {
    const name = `w${(this.#names += 1)}`;
    const count = shape.reduce((product, length) => product * length, 1);
    this.weights[name] = { shape, values: noise(count / 16_000, 0.05) };
    return name;
  }
}

/**
 * A model of the size and structure of WeSpeaker's ResNet34: 3, 4, 6 and 3 blocks of 32 to 256 channels, mean and
 * deviation over time, 256 numbers.
 */
export function fullSizeEmbedding(): Uint8Array {
  const graph = new GraphBuilder();
  const conv = (input: string, from: number, to: number, kernel: number, stride: number): string => {
    const pad = (kernel - 1) / 2;
    const inputs = [input, graph.weight(to, from, kernel, kernel), graph.weight(to)];
    return graph.node('Conv', inputs, { strides: [stride, stride], pads: [pad, pad, pad, pad] });
  };
  // [1, n, bands] becomes [1, 1, bands, n].
  const bands = graph.node('Transpose', ['feats'], { perm: [0, 2, 1] });
  graph.weights['axis1'] = { encoded: indexTensor('axis1', 1) };
  let value = graph.node('Relu', [conv(graph.node('Unsqueeze', [bands, 'axis1']), 1, 32, 3, 1)]);
  let channels = 32;
  for (const [layer, blocks] of [3, 4, 6, 3].entries()) {
    const width = 32 * 2 ** layer;
    for (let block = 0; block < blocks; block++) {
      const stride = layer > 0 && block === 0 ? 2 : 1;
      const inner = graph.node('Relu', [conv(value, channels, width, 3, stride)]);
      const outer = conv(inner, width, width, 3, 1);
      const shortcut = channels === width && stride === 1 ? value : conv(value, channels, width, 1, stride);
      value = graph.node('Relu', [graph.node('Add', [outer, shortcut])]);
      channels = width;
    }
  }
  const mean = graph.node('ReduceMean', [value], { axes: [3] }, { keepdims: 1 });
  const difference = graph.node('Sub', [value, mean]);
  const squares = graph.node('Mul', [difference, difference]);
  const deviation = graph.node('Sqrt', [graph.node('ReduceMean', [squares], { axes: [3] }, { keepdims: 1 })]);
  const pooled = graph.node('Flatten', [graph.node('Concat', [mean, deviation], {}, { axis: 1 })]);
  graph.nodes.push(makeNode('MatMul', [pooled, graph.weight(2 * 256 * (filterBands / 8), 256)], ['embs']));
  return onnxModel({
    inputs: [{ name: 'feats', shape: [null, null, filterBands] }],
    outputs: [{ name: 'embs', shape: [null, 256] }],
    nodes: graph.nodes,
    weights: graph.weights,
  });
}

/**
 * A model of the size and structure of pyannote's segmentation 3.0: three convolutions with pooling, four LSTMs of 128
 * numbers in both directions, three linear layers.
 */
export function fullSizeSegmentation(): Uint8Array {
  const graph = new GraphBuilder();
  const normalize = (input: string, channels: number): string =>
    graph.node('InstanceNormalization', [input, graph.weight(channels), graph.weight(channels)]);
  const layers = [
    { from: 1, to: 80, kernel: 251, stride: 10 },
    { from: 80, to: 60, kernel: 5, stride: 1 },
    { from: 60, to: 60, kernel: 5, stride: 1 },
  ];
  let value = normalize('x', 1);
  for (const [i, { from, to, kernel, stride }] of layers.entries()) {
    const inputs = [value, graph.weight(to, from, kernel), graph.weight(to)];
    const filtered = graph.node('Conv', inputs, { strides: [stride] });
    const loud = i === 0 ? graph.node('Abs', [filtered]) : filtered;
    const pooled = graph.node('MaxPool', [loud], { kernel_shape: [3], strides: [3] });
    value = graph.node('LeakyRelu', [normalize(pooled, to)]);
  }
  graph.weights['joined'] = { encoded: indexTensor('joined', 0, 0, -1) };
  // [1, channels, frames] becomes [frames, 1, channels].
  value = graph.node('Transpose', [value], { perm: [2, 0, 1] });
  for (const width of [60, 256, 256, 256]) {
    const inputs = [value, graph.weight(2, 512, width), graph.weight(2, 512, 128), graph.weight(2, 1024)];
    const both = graph.node('LSTM', inputs, { direction: 'bidirectional' }, { hidden_size: 128 });
    // [frames, directions, 1, 128]
    value = graph.node('Reshape', [graph.node('Transpose', [both], { perm: [0, 2, 1, 3] }), 'joined']);
  }
  for (const width of [256, 128])
    value = graph.node('LeakyRelu', [graph.node('MatMul', [value, graph.weight(width, 128)])]);
  const scores = graph.node('MatMul', [value, graph.weight(128, powersetClasses)]);
  const probabilities = graph.node('LogSoftmax', [scores], {}, { axis: 2 });
  graph.nodes.push(makeListNode('Transpose', [probabilities], ['y'], { perm: [1, 0, 2] }));
  return onnxModel({
    inputs: [{ name: 'x', shape: [null, 1, null] }],
    outputs: [{ name: 'y', shape: [null, null, powersetClasses] }],
    nodes: graph.nodes,
    weights: graph.weights,
  });
}
