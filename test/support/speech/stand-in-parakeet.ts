import {
  elementType,
  indexTensor,
  makeNode,
  type Node,
} from '../../../electron/on-device/engine/onnx/onnx-graph.ts';
import { featureBands } from '../../../electron/on-device/engine/parakeet/log-mel.ts';
import { seededRandom } from '../../../electron/on-device/engine/seeded-random.ts';
import type { ModelPart } from '../../../electron/on-device/models/model-catalog.ts';
import { int32, makeListNode, onnxModel, type Weight } from './onnx-model.ts';

/** The sizes of the published models. */
export const encoderWidth = 1024;
export const stateWidth = 640;
export const subsampling = 8;
export const durations = 5;

/** A vocabulary of some words, parts of words and marks; the last token is the blank. */
export const standInPieces: readonly string[] = [
  '<unk>',
  ...'▁and ▁so ▁my ▁fellow ▁Americans ▁ask ▁not ▁what ▁you ▁r ▁country ▁can ▁do ▁for'.split(' '),
  ...'ing s er ly . , ? ▁'.split(' '),
  '<|en|>',
  '<blk>',
];

/** Small weights, the same each time; `at` raises some of them. */
function weights(
  shape: readonly number[],
  scale: number,
  seed: number,
  at: Readonly<Record<number, number>> = {},
): Weight {
  const random = seededRandom(seed);
  const values = new Float32Array(shape.reduce((product, length) => product * length, 1));
  for (let i = 0; i < values.length; i++) values[i] = (2 * random() - 1) * scale;
  for (const [index, value] of Object.entries(at)) values[Number(index)] = value;
  return { shape, values };
}

/** Changes to the graphs, to make them unlike the published ones. */
export interface StandInChanges {
  readonly bands?: number;
  readonly width?: number;
  readonly scores?: number;
  /** How many 128 by 1024 convolutions follow each other, to take time. */
  readonly layers?: number;
  readonly withoutNormalization?: boolean;
  /** Added to the score of the blank. */
  readonly blankScore?: number;
  readonly pieces?: readonly string[];
  /** The weights of the first convolution, [width, bands, 8]. */
  readonly filters?: Float32Array;
}

/**
 * An encoder with the inputs and outputs of Parakeet's: `audio_signal` [1, 128, T], `length` [1]; `outputs`
 * [1, 1024, T/8], `encoded_lengths` [1]. A convolution, then normalizations.
 */
export function standInEncoder({
  bands = featureBands,
  width = encoderWidth,
  layers = 1,
  withoutNormalization = false,
  filters,
}: StandInChanges = {}): Uint8Array {
  const nodes: Node[] = [
    makeListNode('Conv', ['audio_signal', 'filters'], ['conv'], {
      strides: [subsampling],
      pads: [0, subsampling - 1],
    }),
    makeListNode('Transpose', ['conv'], ['layer0'], { perm: [0, 2, 1] }),
  ];
  for (let i = 0; i < layers; i++) {
    const [from, to] = [`layer${i}`, `layer${i + 1}`];
    const inner = layers === 1 ? from : `inner${i}`;
    if (layers > 1) nodes.push(makeNode('MatMul', [from, 'product'], [inner]));
    nodes.push(
      withoutNormalization
        ? makeNode('Tanh', [inner], [to])
        : makeNode('LayerNormalization', [inner, 'scale', 'offset'], [to]),
    );
  }
  nodes.push(
    makeListNode('Transpose', [`layer${layers}`], ['outputs'], { perm: [0, 2, 1] }),
    makeNode('Add', ['length', 'seven'], ['padded_length']),
    makeNode('Div', ['padded_length', 'eight'], ['encoded_lengths']),
  );
  return onnxModel({
    inputs: [
      { name: 'audio_signal', shape: [null, bands, null] },
      { name: 'length', shape: [null], type: elementType.int64 },
    ],
    outputs: [
      { name: 'outputs', shape: [null, width, null] },
      { name: 'encoded_lengths', shape: [null], type: elementType.int64 },
    ],
    nodes,
    weights: {
      filters:
        filters === undefined
          ? weights([width, bands, subsampling], 0.05, 1)
          : { shape: [width, bands, subsampling], values: filters },
      ...(layers > 1 && { product: weights([width, width], 0.05, 2) }),
      ...(!withoutNormalization && {
        scale: { shape: [width], values: new Float32Array(width).fill(1) },
        offset: { shape: [width], values: new Float32Array(width) },
      }),
      seven: { encoded: indexTensor('seven', subsampling - 1) },
      eight: { encoded: indexTensor('eight', subsampling) },
    },
    operators: 17,
  });
}

/**
 * A decoder with the inputs and outputs of Parakeet's: two LSTMs of 640 numbers, and the joint network.
 */
export function standInDecoder({
  width = encoderWidth,
  pieces = standInPieces,
  scores = pieces.length + durations,
  blankScore = 3,
}: StandInChanges = {}): Uint8Array {
  const lstm = (layer: number, input: string): readonly Node[] => [
    makeListNode(
      'LSTM',
      [input, `w${layer}`, `r${layer}`, `b${layer}`, '', `h${layer}`, `c${layer}`],
      [`all${layer}`, `nextH${layer}`, `nextC${layer}`],
      {},
      { hidden_size: stateWidth },
    ),
    makeNode('Squeeze', [`all${layer}`, 'axis1'], [`predicted${layer}`]),
  ];
  const stateShape = [2, null, stateWidth];
  return onnxModel({
    inputs: [
      { name: 'encoder_outputs', shape: [null, width, null] },
      { name: 'targets', shape: [null, null], type: int32 },
      { name: 'target_length', shape: [null], type: int32 },
      { name: 'input_states_1', shape: stateShape },
      { name: 'input_states_2', shape: stateShape },
    ],
    outputs: [
      { name: 'outputs', shape: [null, null, null, scores] },
      { name: 'prednet_lengths', shape: [null], type: int32 },
      { name: 'output_states_1', shape: stateShape },
      { name: 'output_states_2', shape: stateShape },
    ],
    nodes: [
      makeNode('Gather', ['embeddings', 'targets'], ['embedded'], { axis: 0 }),
      makeNode('Split', ['input_states_1'], ['h0', 'h1'], { axis: 0 }),
      makeNode('Split', ['input_states_2'], ['c0', 'c1'], { axis: 0 }),
      ...lstm(0, 'embedded'),
      ...lstm(1, 'predicted0'),
      makeNode('Concat', ['nextH0', 'nextH1'], ['output_states_1'], { axis: 0 }),
      makeNode('Concat', ['nextC0', 'nextC1'], ['output_states_2'], { axis: 0 }),
      makeListNode('Transpose', ['encoder_outputs'], ['heard'], { perm: [0, 2, 1] }),
      makeNode('MatMul', ['heard', 'hearing'], ['heard_part']),
      makeNode('MatMul', ['predicted1', 'predicting'], ['predicted_part']),
      makeNode('Add', ['heard_part', 'predicted_part'], ['both']),
      makeNode('Relu', ['both'], ['joint']),
      makeNode('MatMul', ['joint', 'scoring'], ['raw_scores']),
      makeNode('Add', ['raw_scores', 'score_offsets'], ['joint_scores']),
      makeNode('Unsqueeze', ['joint_scores', 'axis1'], ['outputs']),
      makeNode('Identity', ['target_length'], ['prednet_lengths']),
    ],
    weights: {
      axis1: { encoded: indexTensor('axis1', 1) },
      embeddings: weights([pieces.length, stateWidth], 1, 3),
      ...Object.fromEntries(
        [0, 1].flatMap((layer) => [
          [`w${layer}`, weights([1, 4 * stateWidth, stateWidth], 0.1, 4 + layer)],
          [`r${layer}`, weights([1, 4 * stateWidth, stateWidth], 0.1, 6 + layer)],
          [`b${layer}`, weights([1, 8 * stateWidth], 0.1, 8 + layer)],
        ]),
      ),
      hearing: weights([width, stateWidth], 0.05, 10),
      predicting: weights([stateWidth, stateWidth], 0.1, 11),
      scoring: weights([stateWidth, scores], 0.15, 12),
      // Without an offset, a duration of 1 would never be the most likely one.
      score_offsets: weights([scores], 0, 13, {
        [pieces.length - 1]: blankScore,
        [pieces.length + 1]: 2,
      }),
    },
    operators: 13,
  });
}

/** The text of `vocab.txt`. */
export const standInVocabulary = (pieces: readonly string[] = standInPieces): Uint8Array =>
  new TextEncoder().encode(pieces.map((piece, i) => `${piece} ${i}\n`).join(''));

/** Returns a reader of a model's files; see `ParakeetModel.load`. */
export function standInParakeet(changes: StandInChanges = {}): (part: ModelPart) => Promise<Uint8Array> {
  return async (part) => {
    if (part === 'encoder') return standInEncoder(changes);
    if (part === 'decoder') return standInDecoder(changes);
    return standInVocabulary(changes.pieces);
  };
}
