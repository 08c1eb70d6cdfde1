/** The voice detector's graph for many frames per run, made from the published one. */
import {
  indexTensor,
  keepOutputs,
  makeNode,
  makeNodeLike,
  type Model,
  type Node,
  readModel,
  takeBranch,
  writeModel,
} from '../onnx/onnx-graph.ts';

/**
 * Silero VAD 5 for 16 kHz, for any number of consecutive frames. As published it takes one frame at a time, and most of the
 * time is overhead. Its convolutions look at each frame on its own, so there the frames are one batch; its LSTM carries
 * state from frame to frame, so there they are a sequence.
 *
 * Inputs `input` [frames, 576], `state` [2, 1, 128]; outputs `output` [frames, 1] and `stateN` [2, 1, 128].
 *
 * @throws RangeError when the model is not the expected one.
 */
export function framesGraph(published: Uint8Array): Uint8Array {
  // The branches for 16 kHz, for the shape of the spectrum and for a given state.
  const taken = Array<string>(3).fill('then_branch').reduce(takeBranch, readModel(published));
  const spectrum = outputLike(taken, /encoder\/3\/activation\/Relu_output_0$/);
  const hidden = outputLike(taken, /decoder\/Gather_2_output_0$/);
  const cell = outputLike(taken, /decoder\/Gather_3_output_0$/);
  const memory = taken.nodes.find((node) => node.op === 'LSTM');
  const scores = producerLike(taken, /decoder\/decoder\/2\/Conv_output_0$/);
  if (memory === undefined) throw unexpected();
  const [, weights = '', recurrence = '', bias = ''] = memory.inputs;
  const [, ...scoreWeights] = scores.inputs;

  const nodes = [
    makeNode('Squeeze', [spectrum, 'axis/2'], ['frames/flat']),
    makeNode('Unsqueeze', ['frames/flat', 'axis/1'], ['frames/sequence']),
    makeNode('Unsqueeze', [hidden, 'axis/0'], ['frames/hidden']),
    makeNode('Unsqueeze', [cell, 'axis/0'], ['frames/cell']),
    makeNodeLike(
      memory,
      'LSTM',
      ['frames/sequence', weights, recurrence, bias, '', 'frames/hidden', 'frames/cell'],
      ['frames/all', 'frames/hidden_after', 'frames/cell_after'],
    ),
    makeNode('Concat', ['frames/hidden_after', 'frames/cell_after'], ['stateN'], { axis: 0 }),
    makeNode('Squeeze', ['frames/all', 'axis/1'], ['frames/one_way']),
    makeNode('Squeeze', ['frames/one_way', 'axis/1'], ['frames/remembered']),
    makeNode('Unsqueeze', ['frames/remembered', 'axis/2'], ['frames/batch']),
    makeNode('Relu', ['frames/batch'], ['frames/positive']),
    makeNodeLike(scores, 'Conv', ['frames/positive', ...scoreWeights], ['frames/scores']),
    makeNode('Sigmoid', ['frames/scores'], ['frames/probabilities']),
    makeNode('Squeeze', ['frames/probabilities', 'axis/2'], ['output']),
  ];
  const replaced = new Set(nodes.flatMap((node) => node.outputs));
  const kept = taken.nodes.filter((node) => !node.outputs.some((output) => replaced.has(output)));
  const axes = [0, 1, 2].map((axis) => [`axis/${axis}`, indexTensor(`axis/${axis}`, axis)] as const);
  const model = { ...taken, nodes: [...kept, ...nodes], weights: new Map([...taken.weights, ...axes]) };
  return writeModel(keepOutputs(model, ['output', 'stateN']));
}

function producerLike(model: Model, name: RegExp): Node {
  const node = model.nodes.find(({ outputs }) => name.test(outputs[0] ?? ''));
  if (node === undefined) throw unexpected();
  return node;
}

function outputLike(model: Model, name: RegExp): string {
  return producerLike(model, name).outputs[0] ?? '';
}

function unexpected(): RangeError {
  return new RangeError('The voice detector is not the expected one.');
}
