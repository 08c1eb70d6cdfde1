import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeNode } from '../../../electron/on-device/engine/onnx/onnx-graph.ts';
import { filterBands } from '../../../electron/on-device/speakers/filter-bank.ts';
import {
  type SpeakerModelPart,
  speakerModelFiles,
} from '../../../electron/on-device/speakers/speaker-models.ts';
import { maxVoices } from '../../../electron/on-device/speakers/window-grid.ts';
import { powersetClasses } from '../../../electron/on-device/speakers/window-voices.ts';
import { makeListNode, onnxModel } from './onnx-model.ts';
import { samplePldaFiles } from './sample-voices.ts';
import { sampleRate } from './speech-audio.ts';
import { tonesOf } from './tone-voices.ts';

/** Samples that a frame of the segmentation depends on, and from one to the next. */
const receptiveField = 991;
const frameStep = 270;
/** Frames over which the loudness is averaged: longer than the tones pause. */
const smoothedFrames = 17;
/** Above this mean square, a voice speaks. */
const threshold = 0.0004;
const pairs = [
  [0, 1],
  [0, 2],
  [1, 2],
] as const;

/**
 * A segmentation that finds the first three {@link tonesOf | voices of tones} by the loudness of their higher tone. It
 * has the input and output of pyannote's.
 */
export function standInSegmentation(input = 'x', classes: number = powersetClasses): Uint8Array {
  return onnxModel({
    inputs: [{ name: input, shape: [null, 1, null] }],
    outputs: [{ name: 'y', shape: [null, null, classes] }],
    nodes: [
      makeListNode('Conv', [input, 'tones'], ['heard'], { strides: [frameStep] }),
      makeNode('Mul', ['heard', 'heard'], ['power']),
      makeListNode('AveragePool', ['power'], ['smooth'], {
        kernel_shape: [smoothedFrames],
        pads: [(smoothedFrames - 1) / 2, (smoothedFrames - 1) / 2],
      }),
      makeNode('Conv', ['smooth', 'firsts', 'offsets'], ['first']),
      makeNode('Conv', ['smooth', 'seconds', 'offsets'], ['second']),
      makeNode('Min', ['first', 'second'], ['scores']),
      makeListNode('Transpose', ['scores'], ['y'], { perm: [0, 2, 1] }),
    ],
    weights: {
      tones: { shape: [2 * maxVoices, 1, receptiveField], values: toneFilters() },
      firsts: { shape: [classes, 2 * maxVoices, 1], values: classWeights(0, classes) },
      seconds: { shape: [classes, 2 * maxVoices, 1], values: classWeights(1, classes) },
      offsets: { shape: [classes], values: new Float32Array(classes).fill(threshold, 0, 1) },
    },
  });
}

/** A cosine and a sine of each voice's tone: the sum of their squares is the square of its amplitude. */
function toneFilters(): Float32Array {
  const filters = new Float32Array(2 * maxVoices * receptiveField);
  for (let row = 0; row < 2 * maxVoices; row++) {
    const [, hertz] = tonesOf(row >> 1);
    for (let i = 0; i < receptiveField; i++) {
      const hann = 1 - Math.cos((2 * Math.PI * (i + 0.5)) / receptiveField);
      const angle = (2 * Math.PI * hertz! * i) / sampleRate;
      filters[row * receptiveField + i] =
        ((row % 2 === 0 ? Math.cos(angle) : Math.sin(angle)) * hann * 2) / receptiveField;
    }
  }
  return filters;
}

/** Which voice each class depends on; a class of two voices has the score of the quieter one, three times. */
function classWeights(which: 0 | 1, classes: number): Float32Array {
  const weights = new Float32Array(powersetClasses * 2 * maxVoices);
  const add = (row: number, voice: number, weight: number): void => {
    weights.fill(weight, row * 2 * maxVoices + 2 * voice, row * 2 * maxVoices + 2 * voice + 2);
  };
  for (let voice = 0; voice < maxVoices; voice++) add(1 + voice, voice, 1);
  for (const [i, pair] of pairs.entries()) add(1 + maxVoices + i, pair[which], 3);
  return weights.slice(0, classes * 2 * maxVoices);
}

/** An embedding of the bands in which the loudness changes, with the shape of WeSpeaker's. */
export function standInEmbedding(dimensions = 256): Uint8Array {
  const identity = new Float32Array(filterBands * dimensions);
  for (let band = 0; band < filterBands; band++) identity[band * dimensions + band] = 1;
  return onnxModel({
    inputs: [{ name: 'feats', shape: [null, null, filterBands] }],
    outputs: [{ name: 'embs', shape: [null, dimensions] }],
    nodes: [
      makeNode('Mul', ['feats', 'feats'], ['squares']),
      makeListNode('ReduceMean', ['squares'], ['means'], { axes: [1] }, { keepdims: 0 }),
      makeNode('Sqrt', ['means'], ['changes']),
      makeNode('Add', ['changes', 'noise'], ['loud']),
      makeNode('Relu', ['loud'], ['bands']),
      makeNode('MatMul', ['bands', 'identity'], ['embs']),
    ],
    weights: {
      noise: { shape: [1], values: Float32Array.of(-2) },
      identity: { shape: [filterBands, dimensions], values: identity },
    },
  });
}

/**
 * Writes stand-ins for the published models into a folder, with the same names, inputs and outputs.
 *
 * @param changes files with another content; `null`: absent
 */
export async function writeStandInModels(
  folder: string,
  changes: { readonly [part in SpeakerModelPart]?: Uint8Array | null } = {},
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const { transform, plda } = samplePldaFiles(256);
  const files = {
    segmentation: standInSegmentation(),
    embedding: standInEmbedding(),
    transform,
    plda,
    ...changes,
  };
  for (const [part, { path }] of Object.entries(speakerModelFiles)) {
    const bytes = files[part as SpeakerModelPart];
    if (bytes !== null) await writeFile(join(folder, path), bytes);
  }
  return folder;
}
