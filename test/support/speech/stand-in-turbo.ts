import { z } from 'zod';
import {
  addOutput,
  elementType,
  dimensionsOf,
  makeNode,
  makeNodeLike,
  type Model,
  type Node,
  readModel,
  writeModel,
} from '../../../electron/on-device/engine/onnx/onnx-graph.ts';
import {
  concatenate,
  readFields,
  writeBytes,
  writeNumber,
  writeText,
} from '../../../electron/on-device/engine/onnx/protobuf.ts';
import { defaultMelBands, melFilters } from '../../../electron/on-device/engine/whisper/mel-spectrogram.ts';
import { SpecialTokens } from '../../../electron/on-device/engine/whisper/special-tokens.ts';
import type { ModelPart } from '../../../electron/on-device/models/model-catalog.ts';
import { makeListNode } from './onnx-model.ts';
import { readTinyModelFile } from './speech-audio.ts';

const turboBands = 128;
/** The special tokens of models before large-v3, and of large-v3-turbo, by their number of languages. */
const tinyTokens = new SpecialTokens(99);
const turboTokens = new SpecialTokens(100);
const unsignedBytes = 2;
const rawBytesField = 9;
const modelGraphField = 7;
const nodeAttributeField = 5;
const attributeGraphField = 6;

/**
 * Builds a model with the inputs and outputs of large-v3-turbo (128 mel bands, 51,866 tokens) out of the tiny model: each of
 * the 80 bands is taken from the one of the 128 that is nearest to it, and the token for Cantonese is added. It transcribes
 * like the tiny model, if the engine computes the bands and counts the tokens as large-v3-turbo expects. Its decoder has
 * the layout of newer exports.
 */
export async function buildStandInTurbo(): Promise<Readonly<Record<ModelPart, Uint8Array>>> {
  const [encoder, decoder, vocabulary, generation] = await Promise.all(
    (['encoder', 'decoder', 'vocabulary', 'generation'] as const).map(readTinyModelFile),
  );
  return {
    encoder: widenEncoder(encoder!),
    decoder: addToken(decoder!),
    vocabulary: vocabulary!,
    generation: shiftTokens(generation!),
  };
}

function widenEncoder(published: Uint8Array): Uint8Array {
  const encoder = readModel(published);
  const name = 'conv1.weight_quantized';
  const [filters = 0, bands = 0, width = 0] = dimensionsOf(encoder.weights.get(name)!);
  const values = rawBytes(encoder, name);
  const zero = zeroPoint(encoder, 'conv1.weight_zero_point');
  const wide = new Uint8Array(filters * turboBands * width).fill(zero);
  for (let band = 0; band < bands; band++) {
    const target = nearestBand(band);
    for (let filter = 0; filter < filters; filter++) {
      const from = (filter * bands + band) * width;
      wide.set(values.subarray(from, from + width), (filter * turboBands + target) * width);
    }
  }
  return writeModel(withWeight(encoder, name, [filters, turboBands, width], wide));
}

/** Returns the one of 128 bands whose centre is nearest to that of one of 80. */
function nearestBand(band: number): number {
  const centre = centreOf(defaultMelBands, band);
  const distances = Array.from({ length: turboBands }, (_, i) => Math.abs(centreOf(turboBands, i) - centre));
  return distances.indexOf(Math.min(...distances));
}

function centreOf(bands: number, band: number): number {
  const { firstFrequency, weights } = melFilters(bands)[band]!;
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return firstFrequency + weights.reduce((total, weight, i) => total + weight * i, 0) / sum;
}

function addToken(published: Uint8Array): Uint8Array {
  const decoder = readModel(published);
  const name = 'model.decoder.embed_tokens.weight_merged_0_quantized';
  const [tokens = 0, width = 0] = dimensionsOf(decoder.weights.get(name)!);
  const values = rawBytes(decoder, name);
  const at = tinyTokens.translate * width;
  const cantonese = new Uint8Array(width).fill(
    zeroPoint(decoder, 'model.decoder.embed_tokens.weight_merged_0_zero_point'),
  );
  const longer = concatenate([values.subarray(0, at), cantonese, values.subarray(at)]);
  const model = withWeight(decoder, name, [tokens + 1, width], longer);
  const complete = addOutput(model, 'logits', elementType.float, [null, null, turboTokens.vocabularySize]);
  return writeModel({
    ...complete,
    nodes: complete.nodes.map((node) => changeBranches(node, useNewerLayout)),
  });
}

/** Changes the graphs that a condition selects from. */
function changeBranches(node: Node, change: (graph: Model) => Model): Node {
  if (node.branches.size === 0) return node;
  const bytes = [...readFields(node.bytes)].map((field) => {
    if (field.number !== nodeAttributeField) return field.encoded;
    const parts = [...readFields(field.value)].map((part) => {
      if (part.number !== attributeGraphField) return part.encoded;
      const model = writeModel(change(readModel(concatenate(writeBytes(modelGraphField, [part.value])))));
      const graph = [...readFields(model)].find(({ number }) => number === modelGraphField)!.value;
      return concatenate(writeBytes(attributeGraphField, [graph]));
    });
    return concatenate(writeBytes(nodeAttributeField, parts));
  });
  return { ...node, bytes: concatenate(bytes) };
}

/**
 * Makes a decoder compute its attention as newer exports do: with the window as the first dimension of its weights, and with
 * other names for the tensors after it.
 */
function useNewerLayout(decoder: Model): Model {
  const nodes = decoder.nodes.flatMap((node) => {
    const inputs = node.inputs.map((input) =>
      input.endsWith('_attn/Softmax_output_0')
        ? `${input}/flat`
        : input.replace(/_attn\/Reshape_/, '_attn/View_'),
    );
    const outputs = node.outputs.map((output) => output.replace(/_attn\/Reshape_/, '_attn/View_'));
    const [output = ''] = outputs;
    if (!output.endsWith('_attn/Softmax_output_0')) return [makeNodeLike(node, node.op, inputs, outputs)];
    return [
      makeListNode('Unsqueeze', inputs, [`${output}/scores`], { axes: [0] }),
      makeNode('Softmax', [`${output}/scores`], [output], { axis: 3 }),
      makeListNode('Squeeze', [output], [`${output}/flat`], { axes: [0] }),
    ];
  });
  return { ...decoder, nodes };
}

const generationSchema = z.looseObject({
  lang_to_id: z.record(z.string(), z.number()),
  suppress_tokens: z.array(z.number()),
});

/** Returns the settings of a model before large-v3 with the tokens of large-v3-turbo. */
export function shiftTokens(published: Uint8Array): Uint8Array {
  const config = generationSchema.parse(JSON.parse(Buffer.from(published).toString()));
  const shift = (token: number): number => (token >= tinyTokens.translate ? token + 1 : token);
  return Buffer.from(
    JSON.stringify({
      ...config,
      lang_to_id: { ...config.lang_to_id, '<|yue|>': tinyTokens.translate },
      suppress_tokens: config.suppress_tokens.map(shift),
      task_to_id: { transcribe: turboTokens.transcribe, translate: turboTokens.translate },
      no_timestamps_token_id: turboTokens.noTimestamps,
    }),
  );
}

function rawBytes(model: Model, name: string): Uint8Array {
  const field = [...readFields(model.weights.get(name)!)].find(({ number }) => number === rawBytesField);
  if (field === undefined) throw new Error(`The weight ${name} has no bytes.`);
  return field.value;
}

/** Returns a weight that is a single unsigned byte. */
function zeroPoint(model: Model, name: string): number {
  const fields = [...readFields(model.weights.get(name)!)];
  const raw = fields.find(({ number }) => number === rawBytesField);
  if (raw !== undefined) return raw.value[0]!;
  const integers = fields.find(({ number }) => number === 5)!;
  const [low = 0, high = 0] = integers.value.length > 0 ? integers.value : integers.encoded.subarray(1);
  return (low & 127) + (high << 7);
}

function withWeight(model: Model, name: string, shape: readonly number[], bytes: Uint8Array): Model {
  const weight = concatenate([
    ...shape.map((length) => writeNumber(1, length)),
    writeNumber(2, unsignedBytes),
    ...writeBytes(rawBytesField, [bytes]),
    writeText(8, name),
  ]);
  return { ...model, weights: new Map([...model.weights, [name, weight]]) };
}
