import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  frameSamples,
  frameSeconds,
  type Frame,
} from '../../../../../electron/on-device/engine/voice/frame.ts';
import {
  decideVoices,
  type ScoredFrame,
} from '../../../../../electron/on-device/engine/voice/voice-decision.ts';

async function* heard(probabilities: readonly number[]): AsyncGenerator<ScoredFrame> {
  for (const [i, probability] of probabilities.entries()) {
    yield { samples: new Float32Array(frameSamples), start: i * frameSamples, probability };
  }
}

async function decided(probabilities: readonly number[]): Promise<readonly Frame[]> {
  const frames: Frame[] = [];
  for await (const frame of decideVoices(heard(probabilities))) frames.push(frame);
  return frames;
}

/** The first and the last frame of each voice. */
async function voicesIn(...spans: readonly (readonly [probability: number, frames: number])[]) {
  const frames = await decided(
    spans.flatMap(([probability, count]) => Array<number>(count).fill(probability)),
  );
  const voiced = frames.map((frame) => frame.voiced);
  const starts = [...voiced.keys()].filter((i) => voiced[i] && !voiced[i - 1]);
  return starts.map((start) => [start, voiced.indexOf(false, start) - 1]);
}

const seconds = (count: number): number => Math.round(count / frameSeconds);

describe('a voice', () => {
  it('is where the detector is certain', async () => {
    expect(await voicesIn([0, 10], [0.9, 20], [0, 10])).toEqual([[10, 29]]);
  });

  it('continues while it is likely', async () => {
    expect(await voicesIn([0, 10], [0.9, 5], [0.2, 10], [0, 10])).toEqual([[10, 24]]);
  });

  it('is also likely voice between two pauses, before or after certain voice', async () => {
    expect(await voicesIn([0.9, 20], [0, 60], [0.3, 4], [0, 60])).toEqual([
      [0, 19],
      [80, 83],
    ]);
    expect(await voicesIn([0.3, 4], [0, 60], [0.9, 20], [0, 1])).toEqual([
      [0, 3],
      [64, 83],
    ]);
  });

  it('is also near likely voice that was accepted', async () => {
    const pause = [0, seconds(4)] as const;
    const voices = await voicesIn([0.9, 20], pause, [0.3, 20], pause, [0.3, 20], [0, 10]);
    expect(voices.length).toBe(3);
  });

  it('is not isolated likely voice, nor as short as a click', async () => {
    expect(await voicesIn([0.45, 1000], [0, 10])).toEqual([]);
    expect(await voicesIn([0.9, 20], [0, seconds(6)], [0.3, 20], [0, 10])).toEqual([[0, 19]]);
    expect(await voicesIn([0, 20], [0.9, 2], [0, 20])).toEqual([]);
  });
});

it('yields every frame once, in order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(0, 0.2, 0.3, 0.9), { maxLength: 600 }),
      async (probabilities) => {
        const frames = await decided(probabilities);
        expect(frames.map((frame) => frame.start)).toEqual(probabilities.map((_, i) => i * frameSamples));
      },
    ),
  );
});

it('holds back at most 5 s', async () => {
  let given = 0;
  async function* counted(): AsyncGenerator<ScoredFrame> {
    for await (const frame of heard(Array<number>(1000).fill(0.1))) {
      given++;
      yield frame;
    }
  }
  let taken = 0;
  for await (const _ of decideVoices(counted())) {
    taken++;
    expect(given - taken).toBeLessThanOrEqual(seconds(5));
  }
});
