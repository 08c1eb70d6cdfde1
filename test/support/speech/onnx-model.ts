import {
  addInput,
  addOutput,
  elementType,
  makeNode,
  type Model,
  type Node,
  writeModel,
} from '../../../electron/on-device/engine/onnx/onnx-graph.ts';
import {
  concatenate,
  writeBytes,
  writeNumber,
  writeText,
} from '../../../electron/on-device/engine/onnx/protobuf.ts';

/** A value of a graph: its name, and its dimensions, of which a `null` one can have any length. */
interface Value {
  readonly name: string;
  readonly shape: readonly (number | null)[];
  /** 32-bit numbers by default. */
  readonly type?: number;
}

/** ONNX's number of 32-bit integers. */
export const int32 = 6;

/** Numbers in a graph, or an encoded tensor. */
export type Weight =
  { readonly shape: readonly number[]; readonly values: Float32Array } | { readonly encoded: Uint8Array };

/** A graph whose weights are 32-bit numbers. */
interface Graph {
  readonly inputs: readonly Value[];
  readonly outputs: readonly Value[];
  readonly nodes: readonly Node[];
  readonly weights: Readonly<Record<string, Weight>>;
  /** The version of ONNX's operators. */
  readonly operators?: number;
}

const textAttribute = 3;
const listAttribute = 7;

/** Encodes a graph as an ONNX model. */
export function onnxModel({ inputs, outputs, nodes, weights, operators = 13 }: Graph): Uint8Array {
  const empty: Model = {
    header: [writeNumber(1, 8), concatenate(writeBytes(8, [writeText(1, ''), writeNumber(2, operators)]))],
    nodes,
    weights: new Map(Object.entries(weights).map(([name, weight]) => [name, encodeWeight(name, weight)])),
    inputs: new Map(),
    outputs: new Map(),
  };
  const withInputs = inputs.reduce(
    (m, { name, shape, type = elementType.float }) => addInput(m, name, type, shape),
    empty,
  );
  return writeModel(
    outputs.reduce(
      (m, { name, shape, type = elementType.float }) => addOutput(m, name, type, shape),
      withInputs,
    ),
  );
}

/** Creates a node with attributes that are lists of integers or texts, besides those that are integers. */
export function makeListNode(
  op: string,
  inputs: readonly string[],
  outputs: readonly string[],
  attributes: Readonly<Record<string, readonly number[] | string>>,
  integers: Readonly<Record<string, number>> = {},
): Node {
  const node = makeNode(op, inputs, outputs, integers);
  const encoded = Object.entries(attributes).flatMap(([name, value]) =>
    writeBytes(5, [
      writeText(1, name),
      ...(typeof value === 'string'
        ? [writeText(4, value), writeNumber(20, textAttribute)]
        : [...value.map((number) => writeNumber(8, number)), writeNumber(20, listAttribute)]),
    ]),
  );
  return { ...node, bytes: concatenate([node.bytes, ...encoded]) };
}

function encodeWeight(name: string, weight: Weight): Uint8Array {
  if ('encoded' in weight) return weight.encoded;
  const { shape, values } = weight;
  return concatenate([
    ...shape.map((length) => writeNumber(1, length)),
    writeNumber(2, elementType.float),
    ...writeBytes(9, [new Uint8Array(values.buffer, values.byteOffset, values.byteLength)]),
    writeText(8, name),
  ]);
}
