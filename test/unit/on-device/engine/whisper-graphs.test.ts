import { beforeAll, describe, expect, it } from 'vitest';
import { readModelFiles, type ModelFiles } from '../../../../electron/on-device/engine/models.ts';
import { readModel } from '../../../../electron/on-device/engine/onnx-graph.ts';
import {
  encoderGraph,
  soundMemoryGraph,
  stepGraph,
} from '../../../../electron/on-device/engine/whisper-graphs.ts';
import { modelsFolder } from '../../../support/speech-audio.ts';

let files: ModelFiles;
beforeAll(async () => {
  files = await readModelFiles(modelsFolder, 'tiny');
});

const layers = [0, 1, 2, 3];
const memoryOf = (prefix: string, part: string): readonly string[] =>
  layers.flatMap((layer) => [`${prefix}.${layer}.${part}.key`, `${prefix}.${layer}.${part}.value`]);

describe('the published Whisper, taken apart', () => {
  it('has an encoder that gives its state alone', () => {
    const encoder = readModel(encoderGraph(files.encoder));
    expect([...encoder.inputs.keys()]).toEqual(['input_features']);
    expect([...encoder.outputs.keys()]).toEqual(['last_hidden_state']);
  });

  it('remembers the sound without any text', () => {
    const memory = readModel(soundMemoryGraph(files.decoder));
    expect([...memory.inputs.keys()]).toEqual(['encoder_hidden_states']);
    expect([...memory.outputs.keys()]).toEqual(memoryOf('present', 'encoder'));
    // Keys and values of each layer are two products; a bias belongs to the values alone.
    expect(memory.nodes.filter((node) => node.op === 'MatMulInteger').length).toBe(2 * layers.length);
  });

  it('takes a step without choosing and without turning its weights into floats', () => {
    const step = readModel(stepGraph(files.decoder));
    const inputs = [...memoryOf('past_key_values', 'decoder'), ...memoryOf('past_key_values', 'encoder')];
    expect([...step.inputs.keys()].toSorted()).toEqual(['input_ids', ...inputs].toSorted());
    expect([...step.outputs.keys()]).toEqual(['logits', ...memoryOf('present', 'decoder')]);
    expect(step.nodes.some((node) => node.op === 'If')).toBe(false);
    // The one that is left looks up the weights of a single token.
    expect(step.nodes.filter((node) => node.op === 'DequantizeLinear').length).toBe(1);
  });

  it('is refused when it is another model', () => {
    expect(() => stepGraph(files.encoder)).toThrow(RangeError);
    expect(() => encoderGraph(files.vocabulary)).toThrow(RangeError);
  });
});
