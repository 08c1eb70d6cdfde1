import fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitIntoWindows } from '../../../../electron/on-device/speakers/audio-windows.ts';
import { FilterBank } from '../../../../electron/on-device/speakers/filter-bank.ts';
import { windowSamples, windowStep } from '../../../../electron/on-device/speakers/window-grid.ts';
import { inChunks, noise } from '../../../support/speech/speech-audio.ts';

const audio = noise(24);

async function windowsOf(recording: Float32Array, chunkSeconds = 1) {
  const windows = [];
  for await (const { samples, features, ...rest } of splitIntoWindows(inChunks(recording, chunkSeconds))) {
    windows.push({ ...rest, samples: samples.slice(), features: features.slice() });
  }
  return windows;
}

it('divides a recording of any length into windows that cover all of it', async () => {
  const edges = [
    0,
    1,
    windowSamples,
    windowSamples + 1,
    windowSamples + windowStep,
    windowSamples + windowStep + 1,
  ];
  const lengths = fc.oneof(fc.constantFrom(...edges), fc.integer({ min: 0, max: audio.length }));
  const chunkSeconds = fc.double({ min: 0.2, max: 12, noNaN: true });
  await fc.assert(
    fc.asyncProperty(lengths, chunkSeconds, async (length, seconds) => {
      const recording = audio.subarray(0, length);
      const windows = await windowsOf(recording, seconds);
      const after = Math.max(0, length - windowSamples);
      expect(windows.length).toBe(length === 0 ? 0 : 1 + Math.ceil(after / windowStep));
      for (const [i, window] of windows.entries()) {
        const start = i * windowStep;
        expect(window.index).toBe(i);
        const expected = new Float32Array(windowSamples);
        expected.set(recording.subarray(start, start + windowSamples));
        expect(window.samples).toEqual(expected);
        expect(window.audibleSamples).toBe(Math.min(windowSamples, length - start));
      }
    }),
    { numRuns: 30 },
  );
});

it('has the features of each window', async () => {
  const windows = await windowsOf(audio, 0.7);
  expect(windows.map(({ features }) => features.length / 80)).toEqual([998, 998, 998, 998, 998, 898]);
  for (const { index, features, audibleSamples } of windows) {
    const part = audio.subarray(index * windowStep, index * windowStep + audibleSamples);
    expect(features).toEqual(new FilterBank().push(part));
  }
});
