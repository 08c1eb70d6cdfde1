import type { Segment } from '../../../electron/contract/segment-schema.ts';
import { wordsOf } from '../../../electron/core/transcript/word-times.ts';
import { indexTensor, makeNode } from '../../../electron/on-device/engine/onnx/onnx-graph.ts';
import { featureBands, logMelFeatures } from '../../../electron/on-device/engine/parakeet/log-mel.ts';
import type { SpeechModel } from '../../../electron/on-device/engine/speech-model.ts';
import { transcribe } from '../../../electron/on-device/engine/transcriber.ts';
import type { SpeechWindow } from '../../../electron/on-device/engine/voice/speech-windows.ts';
import { VoiceDetector } from '../../../electron/on-device/engine/voice/voice-detector.ts';
import { Interrupt } from '../../../electron/on-device/engine/whisper/interrupt.ts';
import { WhisperModel } from '../../../electron/on-device/engine/whisper/whisper-model.ts';
import { createWhisperSpeech } from '../../../electron/on-device/engine/whisper/whisper-speech.ts';
import type { ModelPart } from '../../../electron/on-device/models/model-catalog.ts';
import { int32, makeListNode, onnxModel } from './onnx-model.ts';
import { inChunks, readTinyModelFile, sampleRate } from './speech-audio.ts';
import {
  durations,
  encoderWidth,
  standInEncoder,
  standInVocabulary,
  stateWidth,
  subsampling,
} from './stand-in-parakeet.ts';

/** Seconds of audio per frame of the encoder. */
const frameSeconds = 0.08;
/** The minimum cosine similarity of a frame to one of the recordings; frames with less have no words. */
const minLikeness = 0.8;
/** How sharply the most similar frame is preferred. */
const sharpness = 200;
/** The score of what is chosen; all else has 0. */
const score = 12;
/** Words of so many letters may have two pieces, both in one frame: the second follows from the first. */
const minLettersToSplit = 4;

/** A recording that the stand-in recognizes. */
export interface KnownRecording {
  /** Mono at 16 kHz, in -1..1. */
  readonly samples: Float32Array;
  /** In lower case, with their starts in seconds. */
  readonly words: readonly { readonly word: string; readonly start: number }[];
}

/** What is said in a window: a word, and the frame that it begins in. */
interface SpokenWord {
  readonly word: string;
  readonly frame: number;
}

/** A window of a recording: its frames as the encoder returns them, and its words. */
interface KnownWindow {
  readonly frames: readonly Float32Array[];
  readonly words: readonly SpokenWord[];
}

/**
 * Builds a model with the inputs and outputs of Parakeet that recognizes some recordings, by their sound: the encoder passes on
 * the eight columns of the input that belong to a frame, and the decoder compares them with each frame of the recordings.
 * At the frames where words begin, it returns the word and how long to advance. It understands nothing else. The words are
 * in lower case and without marks, unlike Whisper's, so that they show which model has transcribed them.
 *
 * @param isSplit whether longer words have two pieces, of which the second depends on the previous token
 */
export async function buildStandInRecognizer(
  recordings: readonly KnownRecording[],
  isSplit: boolean,
): Promise<Readonly<Partial<Record<ModelPart, Uint8Array>>>> {
  const windows: KnownWindow[] = [];
  for (const recording of recordings) windows.push(...(await windowsOf(recording)));
  const words = windows.flatMap((window) => window.words);
  const piecesOf = ({ word }: SpokenWord): readonly string[] => {
    const middle = isSplit && word.length >= minLettersToSplit ? word.length >> 1 : word.length;
    return [`▁${word.slice(0, middle)}`, word.slice(middle)].filter((piece) => piece !== '');
  };
  const pieces = [...new Set(['<unk>', ...words.flatMap(piecesOf)]), '<blk>'];
  return {
    encoder: standInEncoder({ filters: passOnColumns() }),
    decoder: decoderFor(windows, piecesOf, pieces),
    vocabulary: standInVocabulary(pieces),
  };
}

/** Transcribes a recording with Whisper tiny, and returns the words with their starts in seconds. */
export async function transcribeWords(samples: Float32Array): Promise<KnownRecording['words']> {
  const whisper = await WhisperModel.load(readTinyModelFile, 1);
  const model = createWhisperSpeech(whisper, () => whisper.release());
  const segments = await transcribeWith(samples, model);
  await model.release();
  return segments.flatMap((segment) =>
    (wordsOf(segment) ?? []).map(({ from, to, start }) => ({
      word: segment.text
        .slice(from, to)
        .toLowerCase()
        .replaceAll(/[^a-z]/g, ''),
      start,
    })),
  );
}

/** Returns the windows that a recording is transcribed in. */
async function windowsOf({ samples, words }: KnownRecording): Promise<readonly KnownWindow[]> {
  const windows: SpeechWindow[] = [];
  await transcribeWith(samples, {
    createTranscriber: () => ({
      maxWindowSeconds: 20,
      language: 'en',
      snapshot: { languages: { windows: 0, sums: {} }, previous: null },
      transcribeWindow: async (window) => {
        windows.push(window);
        return { segments: [], doneUntil: window.seconds, isIncomplete: false };
      },
      joinAtSeam: async (_before, after) => after,
    }),
    release: async () => undefined,
  });
  return windows.map((window) => ({
    frames: framesOf(window),
    words: words
      .filter(({ start }) => window.start <= start && start < window.endSample / sampleRate)
      .map(({ word, start }) => ({ word, frame: Math.floor(window.timeOf(start) / frameSeconds) })),
  }));
}

async function transcribeWith(samples: Float32Array, model: SpeechModel): Promise<readonly Segment[]> {
  const voices = await VoiceDetector.load();
  const { segments } = await transcribe({
    model,
    voiceDetector: voices,
    samples: inChunks(samples),
    language: 'en',
    translateToEnglish: false,
    terms: [],
    checkpoint: null,
    interrupt: new Interrupt(),
    onProgress: () => undefined,
    onWindow: () => undefined,
  });
  await voices.release();
  return segments;
}

/** Returns what the encoder returns for a window, before its normalization. */
function framesOf(window: SpeechWindow): readonly Float32Array[] {
  const { values, columns } = logMelFeatures(window.toSamples());
  return Array.from({ length: Math.ceil(columns / subsampling) }, (_, frame) =>
    Float32Array.from({ length: encoderWidth }, (_value, i) => {
      const column = frame * subsampling + (i % subsampling);
      return column < columns ? values[Math.floor(i / subsampling) * columns + column]! : 0;
    }),
  );
}

/** Weights of a convolution that passes on all bands of eight columns. */
function passOnColumns(): Float32Array {
  const filters = new Float32Array(encoderWidth * featureBands * subsampling);
  for (let i = 0; i < encoderWidth; i++) filters[i * featureBands * subsampling + i] = 1;
  return filters;
}

function decoderFor(
  windows: readonly KnownWindow[],
  piecesOf: (word: SpokenWord) => readonly string[],
  pieces: readonly string[],
): Uint8Array {
  const scores = pieces.length + durations;
  const frames = windows.flatMap((window) => window.frames);
  const rows = frames.length + 1;
  const known = matrix(encoderWidth, rows);
  const labels = matrix(rows, scores);
  const continuations = matrix(pieces.length, scores);
  const label = ({ values }: Matrix, row: number, token: number, duration: number, value = score): void => {
    values.fill(0, row * scores, (row + 1) * scores);
    values[row * scores + token] = value;
    values[row * scores + pieces.length + duration] = value;
  };
  // The last row is for input that is similar to no frame.
  for (let row = 0; row < rows; row++) label(labels, row, pieces.length - 1, 1);
  for (const [row, frame] of frames.entries()) {
    for (const [i, value] of normalized(frame).entries())
      known.values[i * rows + row] = (sharpness * value) / encoderWidth;
  }
  let first = 0;
  for (const window of windows) {
    for (const [i, word] of window.words.entries()) {
      const next = window.words[i + 1]?.frame ?? Infinity;
      const duration = Math.min(Math.max(next - word.frame, 1), durations - 1);
      const [token = 0, second] = piecesOf(word).map((piece) => pieces.indexOf(piece));
      label(labels, first + word.frame, token, second === undefined ? duration : 0);
      // The same word may last longer elsewhere.
      if (second !== undefined) label(continuations, token, second, 1, 2 * score);
    }
    first += window.frames.length;
  }
  const shape = [2, null, stateWidth];
  return onnxModel({
    inputs: [
      { name: 'encoder_outputs', shape: [null, encoderWidth, null] },
      { name: 'targets', shape: [null, null], type: int32 },
      { name: 'target_length', shape: [null], type: int32 },
      { name: 'input_states_1', shape },
      { name: 'input_states_2', shape },
    ],
    outputs: [
      { name: 'outputs', shape: [null, null, null, scores] },
      { name: 'prednet_lengths', shape: [null], type: int32 },
      { name: 'output_states_1', shape },
      { name: 'output_states_2', shape },
    ],
    nodes: [
      makeListNode('Transpose', ['encoder_outputs'], ['heard'], { perm: [0, 2, 1] }),
      makeNode('MatMul', ['heard', 'known'], ['likeness']),
      makeNode('Add', ['likeness', 'unknown'], ['compared']),
      makeNode('Softmax', ['compared'], ['chosen'], { axis: 2 }),
      makeNode('MatMul', ['chosen', 'labels'], ['found']),
      makeNode('Gather', ['continuations', 'targets'], ['continued'], { axis: 0 }),
      makeNode('Add', ['found', 'continued'], ['joint']),
      makeNode('Unsqueeze', ['joint', 'axis1'], ['outputs']),
      makeNode('Identity', ['target_length'], ['prednet_lengths']),
      makeNode('Identity', ['input_states_1'], ['output_states_1']),
      makeNode('Identity', ['input_states_2'], ['output_states_2']),
    ],
    weights: {
      axis1: { encoded: indexTensor('axis1', 1) },
      known,
      labels,
      continuations,
      unknown: {
        shape: [rows],
        values: new Float32Array(rows).fill(sharpness * minLikeness, frames.length),
      },
    },
    operators: 13,
  });
}

interface Matrix {
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

const matrix = (height: number, width: number): Matrix => ({
  shape: [height, width],
  values: new Float32Array(height * width),
});

/** Returns values with mean 0 and deviation 1, as the encoder's normalization does. */
function normalized(values: Float32Array): Float32Array {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return values.map((value) => (value - mean) / Math.sqrt(variance + 1e-5));
}
