import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RecordedAudio } from '../../../../electron/contract/decoder-protocol.ts';
import { toMono, toSpeechSamples } from '../../../../electron/on-device/decode/speech-samples.ts';

const rate = 16_000;

function piece(startSeconds: number, seconds: number, value = 0.5, sampleRate = rate): RecordedAudio {
  return {
    startSeconds,
    sampleRate,
    channels: 1,
    samples: new Float32Array(Math.round(seconds * sampleRate)).fill(value),
  };
}

async function* sequence(pieces: readonly RecordedAudio[]): AsyncGenerator<RecordedAudio> {
  yield* pieces;
}

async function collect(...pieces: readonly RecordedAudio[]): Promise<readonly Float32Array[]> {
  const chunks: Float32Array[] = [];
  for await (const chunk of toSpeechSamples(sequence(pieces), Infinity)) chunks.push(chunk);
  return chunks;
}

async function whole(...pieces: readonly RecordedAudio[]): Promise<readonly number[]> {
  return (await collect(...pieces)).flatMap((chunk) => [...chunk]);
}

describe('speech samples', () => {
  it('come in chunks of about a second', async () => {
    const pieces = Array.from({ length: 50 }, (_, i) => piece(i * 0.064, 0.064));
    const chunks = await collect(...pieces);
    expect(chunks.map((chunk) => chunk.length)).toEqual([16_384, 16_384, 16_384, 2048]);
  });

  it('are silent where the recording has a gap', async () => {
    const samples = await whole(piece(0, 0.5), piece(1.5, 0.5));
    expect(samples.length).toBe(2 * rate);
    expect(samples[0.25 * rate]).toBe(0.5);
    expect(samples[0.75 * rate]).toBe(0);
    expect(samples[1.25 * rate]).toBe(0);
    expect(samples[1.75 * rate]).toBe(0.5);
  });

  it('have no silence up to a piece after the stated end', async () => {
    const pieces = [
      piece(0, 0.5),
      ...Array.from({ length: 50 }, (_, i) => piece(60 * (i + 1), 0.5)),
      piece(26, 0.5),
    ];
    let length = 0;
    for await (const chunk of toSpeechSamples(sequence(pieces), 26.5)) length += chunk.length;
    expect(length).toBe(26.5 * rate);
  });

  it('begin with silence when the audio starts late', async () => {
    const samples = await whole(piece(2.25, 1));
    expect(samples.length).toBe(3.25 * rate);
    expect(samples.findIndex((sample) => sample !== 0)).toBe(2.25 * rate);
  });

  it('omit audio before the start', async () => {
    expect((await whole(piece(-0.25, 1), piece(0.75, 1))).length).toBe(1.75 * rate);
  });

  it('ignore slightly inexact or impossible times', async () => {
    expect((await whole(piece(0, 1), piece(1.05, 1), piece(1.98, 1), piece(1e6, 1))).length).toBe(4 * rate);
  });

  it('continue when the sample rate changes', async () => {
    const samples = await whole(piece(0, 1, 0.5, 24_000), piece(1, 1, 0.5, 48_000));
    expect(samples.length).toBe(2 * rate);
    expect(samples[rate / 2]).toBeCloseTo(0.5, 3);
    expect(samples[1.5 * rate]).toBeCloseTo(0.5, 3);
  });

  it('are empty for an empty recording', async () => {
    expect(await collect()).toEqual([]);
    expect(await collect(piece(0, 0))).toEqual([]);
  });
});

describe('several channels', () => {
  it('are mixed to their mean', () => {
    const stereo = {
      startSeconds: 0,
      sampleRate: rate,
      channels: 2,
      samples: Float32Array.of(1, 0, 0.5, 0.5),
    };
    expect([...toMono(stereo)]).toEqual([0.5, 0.5]);
  });

  it('of surround sound keep the level of the centre voice', () => {
    const voice = Float32Array.of(0, 0, 0.5, 0.9, 0, 0);
    expect([...toMono({ startSeconds: 0, sampleRate: rate, channels: 6, samples: voice })]).toEqual([0.5]);
  });

  it('with identical content keep its level', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 8 }).filter((channels) => channels !== 6),
        fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { maxLength: 50 }),
        (channels, values) => {
          const samples = Float32Array.from(
            values.flatMap((value) => Array.from({ length: channels }, () => value)),
          );
          const mono = toMono({ startSeconds: 0, sampleRate: rate, channels, samples });
          expect(mono.length).toBe(values.length);
          values.forEach((value, i) => expect(mono[i]).toBeCloseTo(value, 5));
        },
      ),
    );
  });
});
