import { describe, expect, it } from 'vitest';
import type { SubtitleRules } from '../../../../../electron/contract/subtitle-rules.ts';
import {
  closeShortGaps,
  cueEndMs,
  earliestStartMs,
  latestStartMs,
  maxDisplayMs,
  minDisplayMs,
  placeCues,
  minVisibleMs,
} from '../../../../../electron/core/formats/layout/cue-times.ts';
import { speechOf } from '../../../../../electron/core/formats/layout/speech.ts';

const rules: SubtitleRules = {
  maxLines: 2,
  columnsPerLine: 20,
  columnsPerWideCharacter: 2,
  minDurationMs: 500,
  maxDurationMs: 3000,
  minGapMs: 50,
  closeGapsBelowMs: 400,
  targetSpeed: 10,
  maxSpeed: 20,
};

/** Each segment is one word. */
const speech = (...segments: readonly (readonly [start: number, end: number, text: string])[]) =>
  speechOf(
    segments.map(([start, end, text]) => ({ start, end, text })),
    null,
    rules,
  );

const two = () => speech([1, 2, 'tencolumns'], [2, 3, 'ninewords.']);

describe('a cue', () => {
  it('needs time to be read, and at least the minimum duration', () => {
    // At 20 columns per second.
    expect(minDisplayMs(two(), 0, 2)).toBe(1050);
    expect(minDisplayMs(two(), 0, 1)).toBe(500);
    expect(minDisplayMs(speech([0, 1, 'two']), 0, 1)).toBe(500);
  });

  it('is shown until the gap before the next one, and at most for the maximum duration', () => {
    expect(maxDisplayMs(two(), 1000, 2000)).toBe(950);
    expect(maxDisplayMs(two(), 1000, 4050)).toBe(3000);
    expect(maxDisplayMs(two(), 1000, 9000)).toBe(3000);
  });

  it('starts with its first word, once the previous one was visible for half of its minimum duration', () => {
    expect(earliestStartMs(two(), 1, 1500)).toBe(2000);
    expect(earliestStartMs(two(), 1, 1700)).toBe(2000);
    expect(earliestStartMs(two(), 1, 1701)).toBe(2001);
    expect(minVisibleMs({ ...rules, minDurationMs: 501 })).toBe(251);
    expect(minVisibleMs({ ...rules, maxDurationMs: 400 })).toBe(200);
  });

  it('starts late without a limit for the minimum duration of the previous one, else unnoticeably', () => {
    expect(latestStartMs(two(), 1, 500)).toBe(Infinity);
    expect(latestStartMs(two(), 1, 501)).toBe(2400);
  });
});

describe('cues that are placed', () => {
  it('start with their words; those without the time that they need are reported', () => {
    const three = speech([0, 0.4, 'One.'], [0.4, 0.95, 'Two.'], [0.95, 1, 'Three.']);
    const { cues, violations } = placeCues(three, [1, 2, 3]);
    expect(cues).toEqual([
      { from: 0, to: 1, startMs: 0 },
      { from: 1, to: 2, startMs: 400 },
      { from: 2, to: 3, startMs: 950 },
    ]);
    // The first can be shown for 350 ms, the second for exactly 500, the last as long as necessary.
    expect(violations).toEqual([0]);
  });

  it('that overlap start one after the other', () => {
    const three = speech([2, 3, 'One.'], [2, 3, 'Two.'], [2, 3, 'Three.']);
    const { cues, violations } = placeCues(three, [1, 2, 3]);
    expect(cues.map(({ startMs }) => startMs)).toEqual([2000, 2300, 2600]);
    expect(violations).toEqual([0, 1]);
  });
});

/** The start of the second cue, which is due at `dueMs`. */
const startAfter = (dueMs: number, text = 'one') => {
  const due = dueMs / 1000;
  const both = speech([0, due, text], [due, due + 1, 'two']);
  const cues = closeShortGaps(both, placeCues(both, [1, 2]).cues);
  expect(cues[0]).toEqual({ from: 0, to: 1, startMs: 0 });
  return cues[1]?.startMs;
};

describe('a gap after a cue of the maximum duration', () => {
  it('is closed within a sentence if it would flicker', () => {
    expect(startAfter(3051)).toBe(3050);
    expect(startAfter(3399)).toBe(3050);
    expect(startAfter(3400)).toBe(3400);
    expect(startAfter(3050)).toBe(3050);
    expect(startAfter(3040)).toBe(3040);
    expect(startAfter(3200, 'One.')).toBe(3200);
  });

  it('is closed after each of several cues', () => {
    const three = speech([0, 3.2, 'one'], [3.2, 6.2, 'two'], [6.2, 7, 'three']);
    const cues = closeShortGaps(three, placeCues(three, [1, 2, 3]).cues);
    expect(cues.map(({ startMs }) => startMs)).toEqual([0, 3050, 6100]);
  });
});

const one = () => speech([1, 3, 'tencolumns']);

const endOf = (nextMs: number, spoken = one()) => cueEndMs(spoken, { from: 0, to: 1, startMs: 1000 }, nextMs);

describe('a cue ends', () => {
  it('when its words are spoken, unless the gap to the next one would be short', () => {
    expect(endOf(Infinity)).toBe(3000);
    expect(endOf(3400)).toBe(3000);
    expect(endOf(3399)).toBe(3349);
    expect(endOf(2500)).toBe(2450);
  });

  it('when it can be read at the target speed, for the minimum duration, and for the maximum duration', () => {
    expect(endOf(9000, speech([1, 1.1, 'tencolumns']))).toBe(2000);
    expect(endOf(9000, speech([1, 1.1, 'two']))).toBe(1500);
    expect(endOf(9000, speech([1, 8, 'tencolumns']))).toBe(4000);
    expect(endOf(4399, speech([1, 8, 'tencolumns']))).toBe(4000);
  });

  it('after it has started, however soon the next one does', () => {
    expect(endOf(1001)).toBe(1001);
    expect(endOf(1052)).toBe(1002);
  });
});
