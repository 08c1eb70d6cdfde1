import { elementType, indexTensor, type Node } from '../../../electron/on-device/engine/onnx/onnx-graph.ts';
import {
  concatenate,
  readFields,
  writeBytes,
  writeNumber,
  writeText,
} from '../../../electron/on-device/engine/onnx/protobuf.ts';
import { melFrames } from '../../../electron/on-device/engine/whisper/mel-spectrogram.ts';
import { SpecialTokens } from '../../../electron/on-device/engine/whisper/special-tokens.ts';
import { makeListNode, onnxModel } from '../../support/speech/onnx-model.ts';
import { randomBytesTensor, unsignedBytes } from './full-size-parakeet.ts';
import { GraphBuilder } from './full-size-speaker-models.ts';

const bands = 128;
const width = 1280;
const heads = 20;
const headWidth = width / heads;
const innerWidth = 4 * width;
const frames = melFrames / 2;
const encoderLayers = 32;
const decoderLayers = 4;
const textPositions = 448;
const tokens = new SpecialTokens(100).vocabularySize;
/** The version of ONNX's operators. */
const operators = 17;

/** Builds the graphs of Whisper, with the names that the model hub's exports have. */
class WhisperGraph extends GraphBuilder {
  readonly #quantized = new Set<string>();

  named(
    output: string,
    op: string,
    inputs: readonly string[],
    lists: Readonly<Record<string, readonly number[] | string>> = {},
    integers: Readonly<Record<string, number>> = {},
  ): string {
    this.nodes.push(makeListNode(op, inputs, [output], lists, integers));
    return output;
  }

  constant(value: number): string {
    const name = `constant${value}`;
    this.weights[name] = { shape: [1], values: Float32Array.of(value) };
    return name;
  }

  indices(...values: readonly number[]): string {
    const name = `indices${values.join('_')}`;
    this.weights[name] = { encoded: indexTensor(name, ...values) };
    return name;
  }

  bytes(name: string, ...shape: readonly number[]): string {
    this.weights[name] = { encoded: randomBytesTensor(name, shape, unsignedBytes) };
    return name;
  }

  /** Multiplies with made-up weights of 8 bits, as a quantized export does. */
  product(op: 'MatMul' | 'Conv', input: string, name: string, shape: readonly number[], stride = 1): string {
    const [rounded, scale, zero] = ['quantized', 'scale', 'zero_point'].map((part) => `${input}_${part}`);
    if (!this.#quantized.has(input)) {
      this.#quantized.add(input);
      this.nodes.push(makeListNode('DynamicQuantizeLinear', [input], [rounded!, scale!, zero!], {}));
    }
    const weights = this.bytes(`${name}.weight_quantized`, ...shape);
    const weightZero = `${name}.weight_zero_point`;
    this.weights[weightZero] = {
      encoded: concatenate([
        writeNumber(2, unsignedBytes),
        ...writeBytes(9, [Uint8Array.of(128)]),
        writeText(8, weightZero),
      ]),
    };
    const output = `${name}/${op}_output_0`;
    const integers = this.named(
      `${output}_output_quantized`,
      `${op}Integer`,
      [rounded!, weights, zero!, weightZero],
      op === 'Conv' ? { strides: [stride], pads: [1, 1] } : {},
    );
    const cast = this.node('Cast', [integers], {}, { to: elementType.float });
    const addends = op === 'Conv' ? (shape[1] ?? 1) * (shape[2] ?? 1) : (shape[0] ?? 1);
    const scaled = this.node('Mul', [scale!, this.constant(1 / (74 * Math.sqrt(addends)))]);
    return this.named(output, 'Mul', [cast, scaled]);
  }

  linear(input: string, name: string, from: number, to: number): string {
    const product = this.product('MatMul', input, name, [from, to]);
    return this.named(`${name}/Add_output_0`, 'Add', [this.weight(to), product]);
  }

  add(a: string, b: string): string {
    return this.node('Add', [a, b]);
  }

  layerNorm(input: string): string {
    return this.node('LayerNormalization', [input, this.weight(width), this.weight(width)]);
  }

  gelu(input: string): string {
    const error = this.node('Erf', [this.node('Div', [input, this.constant(Math.SQRT2)])]);
    const product = this.node('Mul', [input, this.node('Add', [error, this.constant(1)])]);
    return this.node('Mul', [product, this.constant(0.5)]);
  }

  feedForward(input: string, name: string): string {
    const inner = this.gelu(this.linear(this.layerNorm(input), `${name}/fc1`, width, innerWidth));
    return this.linear(inner, `${name}/fc2`, innerWidth, width);
  }

  /** [1, n, width] becomes [1, heads, n, width of a head]. */
  split(input: string, output: string | null = null): string {
    const shaped = this.node('Reshape', [input, this.indices(0, -1, heads, headWidth)]);
    const attributes = { perm: [0, 2, 1, 3] };
    return output === null
      ? this.node('Transpose', [shaped], attributes)
      : this.named(output, 'Transpose', [shaped], attributes);
  }

  /** The attention of the decoder, with the operations of newer exports. */
  attend(normal: string, name: string, keys: string, values: string): string {
    const query = this.node('Mul', [
      this.linear(normal, `${name}/q_proj`, width, width),
      this.constant(1 / Math.sqrt(headWidth)),
    ]);
    const transposed = this.node('Transpose', [keys], { perm: [0, 1, 3, 2] });
    const scores = this.node('MatMul', [this.split(query), transposed]);
    const weights = this.named(`${name}/Softmax_output_0`, 'Softmax', [scores], {}, { axis: 3 });
    const attended = this.node('Transpose', [this.node('MatMul', [weights, values])], { perm: [0, 2, 1, 3] });
    const joined = this.node('Reshape', [attended, this.indices(0, -1, width)]);
    return this.linear(joined, `${name}/out_proj`, width, width);
  }
}

/** An encoder of the size and structure of large-v3-turbo's: 32 layers, with weights of 8 bits. */
export function fullSizeTurboEncoder(): Uint8Array {
  const graph = new WhisperGraph();
  const filter = (input: string, name: string, from: number, stride: number): string => {
    const product = graph.product('Conv', input, name, [width, from, 3], stride);
    return graph.gelu(graph.add(product, graph.weight(1, width, 1)));
  };
  const filtered = filter(filter('input_features', '/conv1', bands, 1), '/conv2', width, 2);
  let value = graph.add(
    graph.node('Transpose', [filtered], { perm: [0, 2, 1] }),
    graph.weight(1, frames, width),
  );
  for (let layer = 0; layer < encoderLayers; layer++) {
    const name = `/layers.${layer}`;
    const attention = `${name}/self_attn`;
    const normal = graph.layerNorm(value);
    const query = graph.linear(normal, `${attention}/q_proj`, width, width);
    graph.product('MatMul', normal, `${attention}/k_proj`, [width, width]);
    graph.linear(normal, `${attention}/v_proj`, width, width);
    // The engine computes the attention with its own operation.
    const attended = graph.named(`${attention}/attended`, 'Identity', [query]);
    const projected = graph.linear(attended, `${attention}/out_proj`, width, width);
    value = graph.named(`${name}/Add_output_0`, 'Add', [value, projected]);
    value = graph.named(`${name}/Add_1_output_0`, 'Add', [value, graph.feedForward(value, name)]);
  }
  graph.named('last_hidden_state', 'Identity', [graph.layerNorm(value)]);
  return onnxModel({
    inputs: [{ name: 'input_features', shape: [1, bands, melFrames] }],
    outputs: [{ name: 'last_hidden_state', shape: [1, frames, width] }],
    nodes: graph.nodes,
    weights: graph.weights,
    operators,
  });
}

/**
 * A decoder of the size and structure of large-v3-turbo's, with its two branches: four layers and 51,866 tokens. The size of
 * the published file, 440 MB, matches embeddings of 32 bits and scores from weights of 8 bits.
 */
export function fullSizeTurboDecoder(): Uint8Array {
  const graph = new WhisperGraph();
  const layers = Array.from({ length: decoderLayers }, (_, layer) => layer);

  for (const layer of layers) {
    const name = `/model/decoder/layers.${layer}/encoder_attn`;
    const [keys, values] = keysOf(layer, 'encoder');
    const projected = graph.product('MatMul', 'encoder_hidden_states', `${name}/k_proj`, [width, width]);
    graph.split(projected, `present.${keys}`);
    graph.split(graph.linear('encoder_hidden_states', `${name}/v_proj`, width, width), `present.${values}`);
  }
  const afterAudio = graph.nodes.splice(0);

  const cached = graph.node('Shape', ['past_key_values.0.decoder.key'], {}, { start: 2, end: 3 });
  const end = graph.add(cached, graph.node('Shape', ['input_ids'], {}, { start: 1, end: 2 }));
  const positions = graph.node('Slice', [graph.weight(textPositions, width), cached, end, graph.indices(0)]);
  let value = graph.add(
    graph.node('Gather', [graph.weight(tokens, width), 'input_ids'], {}, { axis: 0 }),
    positions,
  );
  for (const layer of layers) {
    const name = `/model/decoder/layers.${layer}`;
    const normal = graph.layerNorm(value);
    const projected = [
      graph.product('MatMul', normal, `${name}/self_attn/k_proj`, [width, width]),
      graph.linear(normal, `${name}/self_attn/v_proj`, width, width),
    ];
    const [keys, values] = keysOf(layer, 'decoder').map((key, i) =>
      graph.named(
        `present.${key}`,
        'Concat',
        [`past_key_values.${key}`, graph.split(projected[i]!)],
        {},
        {
          axis: 2,
        },
      ),
    );
    value = graph.add(value, graph.attend(normal, `${name}/self_attn`, keys!, values!));
    const [audioKeys, audioValues] = keysOf(layer, 'encoder').map((key) => `past_key_values.${key}`);
    const attended = graph.attend(graph.layerNorm(value), `${name}/encoder_attn`, audioKeys!, audioValues!);
    value = graph.add(value, attended);
    value = graph.add(value, graph.feedForward(value, name));
  }
  const scores = graph.product('MatMul', graph.layerNorm(value), '/proj_out', [width, tokens]);
  graph.named('logits', 'Identity', [scores]);
  const withCache = graph.nodes.splice(0);

  const caches = layers.flatMap((layer) => [
    ...keysOf(layer, 'decoder').map((key) => ({ key, shape: [1, heads, null, headWidth] })),
    ...keysOf(layer, 'encoder').map((key) => ({ key, shape: [1, heads, frames, headWidth] })),
  ]);
  const conditionType = 9;
  return onnxModel({
    inputs: [
      { name: 'input_ids', shape: [1, null], type: elementType.int64 },
      { name: 'encoder_hidden_states', shape: [1, frames, width] },
      ...caches.map(({ key, shape }) => ({ name: `past_key_values.${key}`, shape })),
      { name: 'use_cache_branch', shape: [1], type: conditionType },
    ],
    outputs: [
      { name: 'logits', shape: [1, null, tokens] },
      ...caches.map(({ key, shape }) => ({ name: `present.${key}`, shape })),
    ],
    nodes: [condition(afterAudio, withCache)],
    weights: graph.weights,
    operators,
  });
}

/** The names of the keys and values of a layer's attention to the text or to the audio. */
const keysOf = (layer: number, part: 'decoder' | 'encoder'): readonly string[] =>
  ['key', 'value'].map((kind) => `${layer}.${part}.${kind}`);

/** Creates the condition of a merged decoder; its weights are outside. */
function condition(otherwise: readonly Node[], then: readonly Node[]): Node {
  const node = makeListNode('If', ['use_cache_branch'], ['logits'], {});
  const bytes = [node.bytes, ...branch('then_branch', then), ...branch('else_branch', otherwise)];
  return { ...node, bytes: concatenate(bytes) };
}

/** Encodes an attribute that is a graph. */
function branch(name: string, nodes: readonly Node[]): readonly Uint8Array[] {
  const [graphOfModel, graphOfAttribute, graphType] = [7, 6, 5];
  const model = onnxModel({ inputs: [], outputs: [], nodes, weights: {} });
  const { value } = [...readFields(model)].find(({ number }) => number === graphOfModel)!;
  return writeBytes(5, [
    writeText(1, name),
    ...writeBytes(graphOfAttribute, [value]),
    writeNumber(20, graphType),
  ]);
}
