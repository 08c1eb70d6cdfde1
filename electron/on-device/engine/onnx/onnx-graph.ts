/**
 * Changes ONNX models in memory before they are loaded: drops outputs, takes one branch of a condition, replaces nodes,
 * makes and changes tensors. Weights are passed through as views. Field numbers are those of onnx.proto3.
 */
import { concatenate, readFields, writeBytes, writeNumber, writeText } from './protobuf.ts';

const modelField = { graph: 7, operatorSet: 8 } as const;
const graphField = { node: 1, name: 2, initializer: 5, input: 11, output: 12 } as const;
const nodeField = { input: 1, output: 2, op: 4, attribute: 5, domain: 7 } as const;
const operatorSetField = { domain: 1, version: 2 } as const;
const attributeField = { name: 1, integer: 3, graph: 6, type: 20 } as const;
const tensorNameField = 8;
const valueNameField = 1;
const valueTypeField = 2;
const tensorTypeOfValueField = 1;
const tensorTypeField = { element: 1, shape: 2 } as const;
const dimensionField = { list: 1, length: 1 } as const;
const integerAttribute = 2;

/** One operation of a graph; values are referred to by name. */
export interface Node {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** The graphs that the node selects from, by attribute name (`then_branch`, `else_branch`). */
  readonly branches: ReadonlyMap<string, Uint8Array>;
  /** The encoded node. */
  readonly bytes: Uint8Array;
}

/** A model, parsed only as far as this module changes it: each node, weight, input and output stays encoded. */
export interface Model {
  /** The model's own fields: versions and operator sets. */
  readonly header: readonly Uint8Array[];
  readonly nodes: readonly Node[];
  /** Weights by name. */
  readonly weights: ReadonlyMap<string, Uint8Array>;
  readonly inputs: ReadonlyMap<string, Uint8Array>;
  readonly outputs: ReadonlyMap<string, Uint8Array>;
}

/** @throws RangeError when the bytes are not an ONNX model. */
export function readModel(bytes: Uint8Array): Model {
  const header: Uint8Array[] = [];
  let graph: Uint8Array | undefined;
  for (const field of readFields(bytes)) {
    if (field.number === modelField.graph) graph = field.value;
    else header.push(field.encoded);
  }
  if (graph === undefined) throw new RangeError('The model has no graph.');
  return { header, ...readGraph(graph) };
}

export function writeModel(model: Model): Uint8Array {
  const graph = [
    ...model.nodes.flatMap((node) => writeBytes(graphField.node, [node.bytes])),
    writeText(graphField.name, 'graph'),
    ...[...model.weights.values()].flatMap((weight) => writeBytes(graphField.initializer, [weight])),
    ...[...model.inputs.values()].flatMap((input) => writeBytes(graphField.input, [input])),
    ...[...model.outputs.values()].flatMap((output) => writeBytes(graphField.output, [output])),
  ];
  return concatenate([...model.header, ...writeBytes(modelField.graph, graph)]);
}

/**
 * Keeps only the named outputs, in the given order, and drops the nodes, weights and inputs that only other outputs need.
 *
 * @throws RangeError when there is no such output.
 */
export function pruneToOutputs(model: Model, names: readonly string[]): Model {
  const outputs = new Map(
    names.map((name) => {
      const output = model.outputs.get(name);
      if (output === undefined) throw new RangeError(`The model has no output "${name}".`);
      return [name, output];
    }),
  );
  const producers = new Map(model.nodes.flatMap((node) => node.outputs.map((output) => [output, node])));
  const neededNodes = new Set<Node>();
  const neededValues = new Set(names);
  // A set is iterated in order of insertion, including what is added during the iteration.
  for (const value of neededValues) {
    const node = producers.get(value);
    if (node === undefined) continue;
    neededNodes.add(node);
    for (const input of valuesRead(node)) neededValues.add(input);
  }
  const onlyNeeded = <T>(values: ReadonlyMap<string, T>): ReadonlyMap<string, T> =>
    new Map([...values].filter(([name]) => neededValues.has(name)));
  return {
    header: model.header,
    nodes: model.nodes.filter((node) => neededNodes.has(node)),
    weights: onlyNeeded(model.weights),
    inputs: onlyNeeded(model.inputs),
    outputs,
  };
}

/**
 * Replaces the model's only condition by its named branch.
 *
 * @throws RangeError when there is no such branch.
 */
export function replaceConditionByBranch(model: Model, branch: string): Model {
  const condition = model.nodes.find((node) => node.branches.has(branch));
  const graph = condition?.branches.get(branch);
  if (graph === undefined) throw new RangeError(`The model has no branch "${branch}".`);
  const { nodes, weights } = readGraph(graph);
  return {
    ...model,
    nodes: [...model.nodes.filter((node) => node !== condition), ...nodes],
    weights: new Map([...model.weights, ...weights]),
  };
}

/** ONNX's numbers of element types. */
export const elementType = { float: 1, int8: 3, int64: 7 } as const;

/** Adds an input of the given element type and dimensions; a `null` dimension can have any length. */
export function addInput(
  model: Model,
  name: string,
  type: number,
  dimensions: readonly (number | null)[],
): Model {
  return { ...model, inputs: new Map([...model.inputs, [name, encodeValueInfo(name, type, dimensions)]]) };
}

/** Adds an output, which a node must compute, of the given element type and dimensions; see {@link addInput}. */
export function addOutput(
  model: Model,
  name: string,
  type: number,
  dimensions: readonly (number | null)[],
): Model {
  return { ...model, outputs: new Map([...model.outputs, [name, encodeValueInfo(name, type, dimensions)]]) };
}

/** Encodes the name, element type and shape of an input or output (`ValueInfoProto`). */
function encodeValueInfo(name: string, type: number, dimensions: readonly (number | null)[]): Uint8Array {
  const shape = dimensions.flatMap((length) =>
    writeBytes(dimensionField.list, length === null ? [] : [writeNumber(dimensionField.length, length)]),
  );
  const tensor = [writeNumber(tensorTypeField.element, type), ...writeBytes(tensorTypeField.shape, shape)];
  return concatenate([
    writeText(valueNameField, name),
    ...writeBytes(valueTypeField, writeBytes(tensorTypeOfValueField, tensor)),
  ]);
}

/** The domain of ONNX Runtime's own operators. */
export const runtimeDomain = 'com.microsoft';

/** Allows the model to use the operators of {@link runtimeDomain}. */
export function allowRuntimeOperators(model: Model): Model {
  const operators = writeBytes(modelField.operatorSet, [
    writeText(operatorSetField.domain, runtimeDomain),
    writeNumber(operatorSetField.version, 1),
  ]);
  return { ...model, header: [...model.header, concatenate(operators)] };
}

/** Creates a node with integer attributes; its operator is a standard one unless a domain is given. */
export function makeNode(
  op: string,
  inputs: readonly string[],
  outputs: readonly string[],
  attributes: Readonly<Record<string, number>> = {},
  domain = '',
): Node {
  const bytes = concatenate([
    ...inputs.map((input) => writeText(nodeField.input, input)),
    ...outputs.map((output) => writeText(nodeField.output, output)),
    writeText(nodeField.op, op),
    ...Object.entries(attributes).flatMap(([name, value]) =>
      writeBytes(nodeField.attribute, [
        writeText(attributeField.name, name),
        writeNumber(attributeField.integer, value),
        writeNumber(attributeField.type, integerAttribute),
      ]),
    ),
    writeText(nodeField.domain, domain),
  ]);
  return { op, inputs, outputs, branches: new Map(), bytes };
}

/** Creates a node with the attributes of another one, including lists, which {@link makeNode} does not support. */
export function makeNodeLike(
  other: Node,
  op: string,
  inputs: readonly string[],
  outputs: readonly string[],
): Node {
  const attributes = [...readFields(other.bytes)].filter(({ number }) => number === nodeField.attribute);
  const node = makeNode(op, inputs, outputs);
  return { ...node, bytes: concatenate([node.bytes, ...attributes.map(({ encoded }) => encoded)]) };
}

function readGraph(graph: Uint8Array): Omit<Model, 'header'> {
  const nodes: Node[] = [];
  const weights = new Map<string, Uint8Array>();
  const inputs = new Map<string, Uint8Array>();
  const outputs = new Map<string, Uint8Array>();
  for (const { number, value } of readFields(graph)) {
    if (number === graphField.node) nodes.push(readNode(value));
    else if (number === graphField.initializer) weights.set(readName(value, tensorNameField), value);
    else if (number === graphField.input) inputs.set(readName(value, valueNameField), value);
    else if (number === graphField.output) outputs.set(readName(value, valueNameField), value);
  }
  return { nodes, weights, inputs, outputs };
}

function readNode(bytes: Uint8Array): Node {
  const inputs: string[] = [];
  const outputs: string[] = [];
  const branches = new Map<string, Uint8Array>();
  let op = '';
  for (const { number, value } of readFields(bytes)) {
    if (number === nodeField.input) inputs.push(decodeText(value));
    else if (number === nodeField.output) outputs.push(decodeText(value));
    else if (number === nodeField.op) op = decodeText(value);
    else if (number === nodeField.attribute) {
      for (const field of readFields(value)) {
        if (field.number === attributeField.graph) {
          branches.set(readName(value, attributeField.name), field.value);
        }
      }
    }
  }
  return { op, inputs, outputs, branches, bytes };
}

/** Returns the values that a node reads, including those of its branches. */
function valuesRead(node: Node): readonly string[] {
  const inner = [...node.branches.values()].flatMap((graph) => readGraph(graph).nodes.flatMap(valuesRead));
  return [...node.inputs, ...inner];
}

function readName(message: Uint8Array, nameField: number): string {
  for (const field of readFields(message)) if (field.number === nameField) return decodeText(field.value);
  throw new RangeError('A part of the model has no name.');
}

function decodeText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

const tensorField = { dimension: 1, type: 2, integers: 5, name: 8, bytes: 9 } as const;

/** Returns the dimensions of an encoded tensor. */
export function dimensionsOf(tensor: Uint8Array): readonly number[] {
  const dimensions: number[] = [];
  for (const { number, encoded, value } of readFields(tensor)) {
    if (number !== tensorField.dimension) continue;
    // A single number follows the field's tag of one byte; several may be packed as one value.
    const varints = value.length > 0 ? value : encoded.subarray(1);
    let [length, scale] = [0, 1];
    for (const byte of varints) {
      length += (byte & 127) * scale;
      scale *= 128;
      if (byte >= 128) continue;
      dimensions.push(length);
      [length, scale] = [0, 1];
    }
  }
  return dimensions;
}

/**
 * Converts a tensor of unsigned to one of signed bytes by subtracting 128 from each. Differences between them stay the
 * same. A tensor of signed bytes is returned unchanged.
 */
export function toSignedBytes(tensor: Uint8Array): Uint8Array {
  // The encoded field is its tag and the type, a byte each.
  const [, type] = [...readFields(tensor)].find(({ number }) => number === tensorField.type)?.encoded ?? [];
  if (type === elementType.int8) return tensor;
  const pieces: Uint8Array[] = [];
  for (const field of readFields(tensor)) {
    if (field.number === tensorField.type) pieces.push(writeNumber(tensorField.type, elementType.int8));
    // A tensor of one element stores it as a varint; a larger one stores bytes.
    else if (field.number === tensorField.integers) {
      const [low = 0, high = 0] = field.value.length > 0 ? field.value : field.encoded.subarray(1);
      const number = (low & 127) + (high << 7);
      pieces.push(...writeBytes(tensorField.bytes, [Uint8Array.of(number ^ 128)]));
    } else if (field.number === tensorField.bytes) {
      pieces.push(...writeBytes(tensorField.bytes, [field.value.map((byte) => byte ^ 128)]));
    } else pieces.push(field.encoded);
  }
  return concatenate(pieces);
}

/** Creates a list of integers, as operations expect an axis or indices; -1 is the last one. */
export function indexTensor(name: string, ...indices: readonly number[]): Uint8Array {
  return concatenate([
    writeNumber(tensorField.dimension, indices.length),
    writeNumber(tensorField.type, elementType.int64),
    ...writeBytes(tensorField.bytes, [new Uint8Array(BigInt64Array.from(indices, BigInt).buffer)]),
    writeText(tensorField.name, name),
  ]);
}
