import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isComplete } from '../../electron/contract/waveform.ts';
import {
  coarseToFine,
  GrowingWaveform,
  displayLevels,
  decodedFraction,
} from '../../renderer/features/transcript/player/growing-waveform.ts';

/** A slice of constant loudness. */
const constantSlice = (seconds: number, level: number) => ({
  seconds,
  loudness: [{ from: 0, to: seconds, level }],
});

describe('the order of decoding', () => {
  it('contains each slice once', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1100 }), (slices) => {
        const order = coarseToFine(slices);
        expect(order.toSorted((a, b) => a - b)).toEqual(Array.from({ length: slices }, (_, index) => index));
      }),
      { numRuns: 50 },
    );
  });

  it('covers the whole recording before it fills the gaps', () => {
    expect(coarseToFine(8)).toEqual([0, 4, 2, 6, 1, 3, 5, 7]);
    expect(coarseToFine(5)).toEqual([0, 4, 2, 1, 3]);
  });
});

describe('a waveform', () => {
  it('is the same in any order of slices, and after any number of restarts', () => {
    const level = fc.integer({ min: 0, max: 255 }).map((value) => value / 255);
    fc.assert(
      fc.property(fc.array(level, { minLength: 1, maxLength: 40 }), fc.nat(), (levels, seed) => {
        const inOrder = new GrowingWaveform(levels.length, levels.length * 60, null);
        levels.forEach((one, slice) => inOrder.add(slice, constantSlice(60, one)));
        let stored = null;
        for (const slice of levels.keys()) {
          const restarted = new GrowingWaveform(levels.length, levels.length * 60, stored);
          const other = (slice * 7 + seed) % levels.length;
          if (!restarted.has(other)) restarted.add(other, constantSlice(60, levels[other] ?? 0));
          stored = restarted.waveform;
        }
        const rest = new GrowingWaveform(levels.length, levels.length * 60, stored);
        for (const slice of levels.keys())
          if (!rest.has(slice)) rest.add(slice, constantSlice(60, levels[slice] ?? 0));
        expect(rest.waveform).toEqual(inOrder.waveform);
        expect(isComplete(rest.waveform)).toBe(true);
        expect(decodedFraction(rest.waveform)).toBe(1);
      }),
    );
  });

  it('discards what was decoded of another recording', () => {
    const other = new GrowingWaveform(3, 180, null);
    other.add(0, constantSlice(60, 1));
    const growing = new GrowingWaveform(4, 240, other.waveform);
    expect(growing.has(0)).toBe(false);
    expect(Math.max(...growing.waveform.peaks)).toBe(0);
  });

  it('shows a short sound at its time', () => {
    const growing = new GrowingWaveform(2, 120, null);
    growing.add(0, constantSlice(60, 0));
    growing.add(1, { seconds: 60, loudness: [{ from: 30, to: 30.02, level: 1 }] });
    const levels = displayLevels(growing.waveform);
    expect(levels.indexOf(255)).toBe(1500);
    expect(levels.lastIndexOf(255)).toBeLessThan(1503);
  });

  it('gives each slice its share of the width, once all durations are stored', () => {
    const growing = new GrowingWaveform(2, 120, null);
    growing.add(0, constantSlice(90, 1));
    expect(displayLevels(growing.waveform)[1999]).toBe(255);
    growing.add(1, constantSlice(30, 0));
    const levels = displayLevels(growing.waveform);
    expect(levels[1499]).toBe(255);
    expect(levels[1501]).toBe(0);
  });

  it('repeats the previous level where nothing is decoded yet', () => {
    const growing = new GrowingWaveform(4, 240, null);
    growing.add(1, constantSlice(60, 1));
    growing.add(3, constantSlice(60, 0));
    const levels = displayLevels(growing.waveform);
    expect([levels[100], levels[700], levels[1400], levels[1900]]).toEqual([255, 255, 255, 0]);
  });

  it('is flat for an empty recording', () => {
    expect(Math.max(...displayLevels(new GrowingWaveform(3, 180, null).waveform))).toBe(0);
    expect(Math.max(...displayLevels({ sliceSeconds: [], peaks: new Uint8Array() }))).toBe(0);
  });
});
