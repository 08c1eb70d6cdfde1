import { beforeAll, describe, expect, it } from 'vitest';
import { readModel } from '../../../../../electron/on-device/engine/onnx/onnx-graph.ts';
import {
  encoderGraph,
  crossAttentionGraph,
  decoderGraph,
} from '../../../../../electron/on-device/engine/whisper/whisper-graphs.ts';
import { readTinyModelFile } from '../../../../support/speech/speech-audio.ts';

let publishedEncoder: Uint8Array;
let publishedDecoder: Uint8Array;
beforeAll(async () => {
  publishedEncoder = await readTinyModelFile('encoder');
  publishedDecoder = await readTinyModelFile('decoder');
});

const layers = [0, 1, 2, 3];
const heads = [
  { layer: 2, head: 2 },
  { layer: 3, head: 0 },
];
const memoryOf = (prefix: string, part: string): readonly string[] =>
  layers.flatMap((layer) => [`${prefix}.${layer}.${part}.key`, `${prefix}.${layer}.${part}.value`]);

describe('the graphs of the published Whisper', () => {
  it('have an encoder with only its state as output', () => {
    const encoder = readModel(encoderGraph(publishedEncoder, 6));
    expect([...encoder.inputs.keys()]).toEqual(['input_features', 'interrupt']);
    expect([...encoder.outputs.keys()]).toEqual(['last_hidden_state']);
    expect(encoder.nodes.filter((node) => node.op === 'MultiHeadAttention').length).toBe(layers.length);
    expect(encoder.nodes.some((node) => node.op === 'Softmax')).toBe(false);
    // Each layer has two interruption points.
    expect(encoder.nodes.filter(({ inputs }) => inputs.includes('interrupt')).length).toBe(2 * layers.length);
  });

  it('compute the cross-attention without text', () => {
    const memory = readModel(crossAttentionGraph(publishedDecoder));
    expect([...memory.inputs.keys()]).toEqual(['encoder_hidden_states']);
    expect([...memory.outputs.keys()]).toEqual(memoryOf('present', 'encoder'));
    // Keys and values of each layer are two products; only the values have a bias.
    expect(memory.nodes.filter((node) => node.op === 'MatMulInteger').length).toBe(2 * layers.length);
  });

  it('have a decoder without branches or conversion of its weights to floats', () => {
    const step = readModel(decoderGraph(publishedDecoder, 6, heads));
    const inputs = [...memoryOf('past_key_values', 'decoder'), ...memoryOf('past_key_values', 'encoder')];
    expect([...step.inputs.keys()].toSorted()).toEqual(['input_ids', 'mask', ...inputs].toSorted());
    expect([...step.outputs.keys()]).toEqual(['logits', ...memoryOf('present', 'decoder'), 'alignment']);
    expect(step.nodes.filter((node) => node.inputs.includes('mask')).length).toBe(layers.length);
    expect(step.nodes.some((node) => node.op === 'If')).toBe(false);
    const shapes = step.nodes.filter((node) => node.op === 'Shape');
    expect(shapes.filter(({ outputs }) => outputs.some((name) => name.includes('_attn/')))).toEqual([]);
    expect([...readModel(decoderGraph(publishedDecoder, 6, [])).outputs.keys()]).not.toContain('alignment');
    // The remaining one looks up the weights of a single token.
    expect(step.nodes.filter((node) => node.op === 'DequantizeLinear').length).toBe(1);
  });

  it('reject another model', () => {
    expect(() => decoderGraph(publishedEncoder, 6, [])).toThrow(RangeError);
    expect(() => decoderGraph(publishedDecoder, 6, [{ layer: 4, head: 0 }])).toThrow(RangeError);
    expect(() => encoderGraph(publishedDecoder, 6)).toThrow(RangeError);
  });
});
