import { randomFillSync } from 'node:crypto';
import { elementType, indexTensor } from '../../../electron/on-device/engine/onnx/onnx-graph.ts';
import {
  concatenate,
  writeBytes,
  writeNumber,
  writeText,
} from '../../../electron/on-device/engine/onnx/protobuf.ts';
import { featureBands } from '../../../electron/on-device/engine/parakeet/log-mel.ts';
import { makeListNode, onnxModel } from '../../support/speech/onnx-model.ts';
import { GraphBuilder } from './full-size-speaker-models.ts';

const width = 1024;
const heads = 8;
const layers = 24;
const channels = 256;
/** Frames of the encoder's output for a window of 20 s; the graph accepts no other length. */
const frames = 250;

/**
 * An encoder of the size and structure of Parakeet's FastConformer, for windows of exactly 20 s: subsampling by 8, and 24
 * layers of two feed-forward modules, attention with relative positions, and a convolution over time. Products have
 * weights of 8 bits, 605 million in all.
 */
export function fullSizeEncoder(): Uint8Array {
  const graph = new GraphBuilder();
  const constant = (value: number): string => {
    const name = `c${Object.keys(graph.weights).length}`;
    graph.weights[name] = { shape: [1], values: Float32Array.of(value) };
    return name;
  };
  const indices = (...values: readonly number[]): string => {
    const name = `i${Object.keys(graph.weights).length}`;
    graph.weights[name] = { encoded: indexTensor(name, ...values) };
    return name;
  };
  const linear = (input: string, from: number, to: number): string => {
    const weight = `q${Object.keys(graph.weights).length}`;
    graph.weights[weight] = { encoded: randomBytesTensor(weight, [from, to]) };
    const [rounded, scale, zero] = graph.nodeWith('DynamicQuantizeLinear', [input], 3);
    const product = graph.node('MatMulInteger', [rounded!, weight, zero!]);
    const cast = graph.node('Cast', [product], {}, { to: elementType.float });
    const scaled = graph.node('Mul', [scale!, constant(1 / (74 * Math.sqrt(from)))]);
    return graph.node('Add', [graph.node('Mul', [cast, scaled]), graph.weight(to)]);
  };
  const add = (a: string, b: string): string => graph.node('Add', [a, b]);
  const swish = (a: string): string => graph.node('Mul', [a, graph.node('Sigmoid', [a])]);
  const normalize = (a: string): string =>
    graph.node('LayerNormalization', [a, graph.weight(width), graph.weight(width)]);
  const feedForward = (a: string): string => {
    const inner = linear(swish(linear(normalize(a), width, 4 * width)), 4 * width, width);
    return add(a, graph.node('Mul', [inner, constant(0.5)]));
  };
  const split = (a: string, length: number, perm: readonly number[]): string =>
    graph.node('Transpose', [graph.node('Reshape', [a, indices(1, length, heads, width / heads)])], { perm });
  const positions = graph.weight(1, 2 * frames - 1, width);
  const [first, last, axis] = [indices(0), indices(frames), indices(3)];
  const attention = (a: string): string => {
    const normal = normalize(a);
    const query = linear(normal, width, width);
    const keys = split(linear(normal, width, width), frames, [0, 2, 3, 1]);
    const values = split(linear(normal, width, width), frames, [0, 2, 1, 3]);
    const positionKeys = split(linear(positions, width, width), 2 * frames - 1, [0, 2, 3, 1]);
    const queryWithBias = (): string => split(add(query, graph.weight(width)), frames, [0, 2, 1, 3]);
    const content = graph.node('MatMul', [queryWithBias(), keys]);
    // The published graph shifts each row by one; here all have the same positions, which takes as long.
    const relative = graph.node('Slice', [
      graph.node('MatMul', [queryWithBias(), positionKeys]),
      first,
      last,
      axis,
    ]);
    const scores = graph.node('Mul', [add(content, relative), constant(1 / Math.sqrt(width / heads))]);
    const attended = graph.node('MatMul', [graph.node('Softmax', [scores], {}, { axis: 3 }), values]);
    const joined = graph.node('Reshape', [
      graph.node('Transpose', [attended], { perm: [0, 2, 1, 3] }),
      indices(1, frames, width),
    ]);
    return add(a, linear(joined, width, width));
  };
  const convolution = (a: string): string => {
    const normal = normalize(a);
    const gated = graph.node('Mul', [
      linear(normal, width, width),
      graph.node('Sigmoid', [linear(normal, width, width)]),
    ]);
    const inputs = [graph.node('Transpose', [gated], { perm: [0, 2, 1] }), graph.weight(width, 1, 9)];
    const filtered = graph.node('Conv', inputs, { pads: [4, 4] }, { group: width });
    return add(a, linear(swish(graph.node('Transpose', [filtered], { perm: [0, 2, 1] })), width, width));
  };

  const image = graph.node('Unsqueeze', [
    graph.node('Transpose', ['audio_signal'], { perm: [0, 2, 1] }),
    indices(1),
  ]);
  const halving = { strides: [2, 2], pads: [1, 1, 1, 1] };
  let value = graph.node('Relu', [graph.node('Conv', [image, graph.weight(channels, 1, 3, 3)], halving)]);
  for (let i = 0; i < 2; i++) {
    const each = graph.node('Conv', [value, graph.weight(channels, 1, 3, 3)], halving, { group: channels });
    value = graph.node('Relu', [graph.node('Conv', [each, graph.weight(channels, channels, 1, 1)])]);
  }
  const bands = (channels * featureBands) / 8;
  value = graph.node('Reshape', [
    graph.node('Transpose', [value], { perm: [0, 2, 1, 3] }),
    indices(1, frames, bands),
  ]);
  value = linear(value, bands, width);
  for (let layer = 0; layer < layers; layer++)
    value = normalize(feedForward(convolution(attention(feedForward(value)))));
  graph.nodes.push(
    makeListNode('Transpose', [value], ['outputs'], { perm: [0, 2, 1] }),
    makeListNode('Div', ['length', indices(8)], ['encoded_lengths'], {}),
  );
  return onnxModel({
    inputs: [
      { name: 'audio_signal', shape: [1, featureBands, 8 * frames] },
      { name: 'length', shape: [1], type: elementType.int64 },
    ],
    outputs: [
      { name: 'outputs', shape: [1, width, frames] },
      { name: 'encoded_lengths', shape: [1], type: elementType.int64 },
    ],
    nodes: graph.nodes,
    weights: graph.weights,
    operators: 17,
  });
}

/** ONNX's number of unsigned integers of 8 bits. */
export const unsignedBytes = 2;

/** Encodes made-up weights of 8 bits. */
export function randomBytesTensor(
  name: string,
  shape: readonly number[],
  type: number = elementType.int8,
): Uint8Array {
  const bytes = randomFillSync(new Uint8Array(shape.reduce((product, length) => product * length, 1)));
  return concatenate([
    ...shape.map((length) => writeNumber(1, length)),
    writeNumber(2, type),
    ...writeBytes(9, [bytes]),
    writeText(8, name),
  ]);
}
