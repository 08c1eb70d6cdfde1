import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filterBands } from '../../../../electron/on-device/speakers/filter-bank.ts';
import {
  frameAt,
  frameStartSeconds,
  maxVoices,
  windowFrames,
} from '../../../../electron/on-device/speakers/window-grid.ts';
import {
  countVoices,
  decodePowerset,
  maxFeatureFrames,
  powersetClasses,
  extractVoiceFeatures,
} from '../../../../electron/on-device/speakers/window-voices.ts';

/** Frames of the filter bank in 10 s. */
const featureFrames = 998;

describe('the classes of the segmentation', () => {
  it('are all sets of at most two voices, each once, the smaller ones first', () => {
    const scores = new Float32Array(windowFrames * powersetClasses);
    for (let i = 0; i < powersetClasses; i++) scores[i * powersetClasses + i] = 1;
    const decoded = [...decodePowerset(scores).subarray(0, powersetClasses)];
    expect(decoded).toEqual([0b000, 0b001, 0b010, 0b100, 0b011, 0b101, 0b110]);
    expect(decoded.map(countVoices)).toEqual([0, 1, 1, 1, 2, 2, 2]);
  });

  it('are the most likely ones, whatever the scale of the scores', () => {
    const frames = fc.array(fc.integer({ min: 0, max: powersetClasses - 1 }), {
      minLength: windowFrames,
      maxLength: windowFrames,
    });
    const scale = fc.double({ min: 0.01, max: 100, noNaN: true });
    fc.assert(
      fc.property(frames, scale, fc.integer({ min: -50, max: 50 }), (classes, factor, offset) => {
        const scores = Float32Array.from({ length: windowFrames * powersetClasses }, (_, at) => {
          const isBest = classes[Math.floor(at / powersetClasses)] === at % powersetClasses;
          return offset + factor * (isBest ? 1 : Math.sin(at) / 2);
        });
        const order = [0b000, 0b001, 0b010, 0b100, 0b011, 0b101, 0b110];
        expect([...decodePowerset(scores)]).toEqual(classes.map((one) => order[one]));
      }),
      { numRuns: 20 },
    );
  });

  it('are silence where all are equally likely', () => {
    expect(new Set(decodePowerset(new Float32Array(windowFrames * powersetClasses)))).toEqual(new Set([0]));
  });
});

describe('the features of the voices', () => {
  /** Features of a window that tell their frame and band. */
  const features = Float32Array.from(
    { length: featureFrames * filterBands },
    (_, at) => Math.floor(at / filterBands) + (at % filterBands) / 100,
  );

  it('are those of the frames in which a voice is alone, without their mean', () => {
    const speaking = new Uint8Array(windowFrames);
    speaking.fill(0b001, 100, 200).fill(0b011, 200, 260).fill(0b010, 260, 300);
    const [first, second, ...others] = extractVoiceFeatures(speaking, features);
    expect(others).toEqual([]);
    expect([first?.voice, first?.framesAlone]).toEqual([0, 100]);
    expect([second?.voice, second?.framesAlone]).toEqual([1, 40]);
    for (const [voice, from, to] of [
      [first!, 100, 200],
      [second!, 260, 300],
    ] as const) {
      const frames = [...Array(featureFrames).keys()].filter((i) => {
        const frame = frameAt(i * 160 + 200);
        return frame >= from && frame < to;
      });
      // A frame of the segmentation is 1.69 frames of the filter bank.
      expect(Math.abs(frames.length - (to - from) * 1.6875)).toBeLessThanOrEqual(1);
      expect(voice.features.length).toBe(frames.length * filterBands);
      const mean = frames.reduce((sum, frame) => sum + frame, 0) / frames.length;
      for (const [i, frame] of frames.entries()) {
        for (const band of [0, 79]) {
          expect(voice.features[i * filterBands + band]).toBeCloseTo(frame - mean, 2);
        }
      }
    }
  });

  it('are those of all its frames for a voice that is hardly ever alone', () => {
    const speaking = new Uint8Array(windowFrames);
    speaking.fill(0b101, 0, 100).fill(0b100, 100, 110);
    const [first, second] = extractVoiceFeatures(speaking, features);
    expect([first?.voice, first?.framesAlone]).toEqual([0, 0]);
    expect([second?.voice, second?.framesAlone]).toEqual([2, 10]);
    expect(second!.features.length).toBeGreaterThan(first!.features.length);
  });

  it('are at most 6.75 s in all: the voice that speaks longest keeps its middle', () => {
    const speaking = new Uint8Array(windowFrames).fill(0b001, 0, 100).fill(0b010, 100);
    const [first, second] = extractVoiceFeatures(speaking, features);
    const [short, long] = [first!, second!].map((voice) => voice.features.length / filterBands);
    expect(Math.abs(short! - 168.75)).toBeLessThanOrEqual(2);
    expect(short! + long!).toBe(maxFeatureFrames);
    // The difference of two squares tells which frames they are, whatever was subtracted.
    const squares = features.map((frame) => frame ** 2);
    const [alone] = extractVoiceFeatures(speaking.fill(0b100), squares);
    expect([alone?.framesAlone, alone!.features.length / filterBands]).toEqual([
      windowFrames,
      maxFeatureFrames,
    ]);
    const firstKept = Math.floor((featureFrames - maxFeatureFrames) / 2);
    expect(alone!.features[filterBands]! - alone!.features[0]!).toBeCloseTo(2 * firstKept + 1, 0);
  });

  it('leave out voices that hardly speak, and what is after the end of the recording', () => {
    const speaking = new Uint8Array(windowFrames).fill(0b010, 0, 10);
    expect(extractVoiceFeatures(speaking, features)).toEqual([]);
    expect(extractVoiceFeatures(speaking.fill(0b010), features.subarray(0, 20 * filterBands))).toEqual([]);
    expect(extractVoiceFeatures(speaking, features.subarray(0, 30 * filterBands))[0]?.features.length).toBe(
      30 * filterBands,
    );
  });

  it('belong to at most one voice that is alone', () => {
    const frame = fc.constantFrom(0b000, 0b001, 0b010, 0b100, 0b011, 0b101, 0b110);
    // Stretches of equal frames.
    const stretches = fc.array(fc.tuple(frame, fc.integer({ min: 1, max: 200 })), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(stretches, (parts) => {
        const all = parts.flatMap(([bits, length]) => Array<number>(length).fill(bits));
        const speaking = Uint8Array.from({ length: windowFrames }, (_, i) => all[i] ?? 0);
        const voices = extractVoiceFeatures(speaking, features);
        expect(voices.length).toBeLessThanOrEqual(maxVoices);
        const alone = voices.reduce((sum, { framesAlone }) => sum + framesAlone, 0);
        expect(alone).toBeLessThanOrEqual(speaking.filter((bits) => countVoices(bits) === 1).length);
        for (const { voice } of voices)
          expect(speaking.some((bits) => (bits & (1 << voice)) !== 0)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});

describe('the frames of a window', () => {
  it('are centred on what they depend on', () => {
    for (const frame of [0, 1, 300, 588]) {
      const centre = frame * 270 + 495;
      expect(frameAt(centre)).toBe(frame);
      expect((frameStartSeconds(frame) + frameStartSeconds(frame + 1)) / 2).toBeCloseTo(
        (centre + 0.5) / 16_000,
        9,
      );
    }
    expect(frameAt(0)).toBe(0);
    expect(frameAt(160_000)).toBe(588);
  });
});
