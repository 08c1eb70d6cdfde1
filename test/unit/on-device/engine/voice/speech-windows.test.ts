import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  frameSamples,
  frameSeconds,
  type Frame,
} from '../../../../../electron/on-device/engine/voice/frame.ts';
import {
  SpeechCollector,
  SpeechWindow,
} from '../../../../../electron/on-device/engine/voice/speech-windows.ts';
import { windowSeconds } from '../../../../../electron/on-device/engine/whisper/mel-spectrogram.ts';

/** Spans of audio in frames: positive ones with voice, negative ones without. */
type Spans = readonly number[];

function framesOf(spans: Spans): readonly Frame[] {
  const voices = spans.flatMap((span) => Array.from({ length: Math.abs(span) }, () => span > 0));
  return voices.map((voiced, i) => ({
    samples: new Float32Array(frameSamples).fill(i),
    start: i * frameSamples,
    voiced,
  }));
}

/** All windows of a recording, each taken whole. */
function windowsOf(spans: Spans): readonly SpeechWindow[] {
  const collector = new SpeechCollector();
  const windows: SpeechWindow[] = [];
  const take = (): void => {
    const window = collector.nextWindow();
    if (window === null) return;
    windows.push(window);
    collector.drop(window.frames.length);
  };
  for (const frame of framesOf(spans)) {
    collector.add(frame);
    while (collector.isFull(windowSeconds)) take();
  }
  while (collector.nextWindow() !== null) take();
  return windows;
}

/** Indices of the frames that are certainly speech: three consecutive ones with voice. */
function speechOf(spans: Spans): readonly number[] {
  const voices = framesOf(spans).map((frame) => frame.voiced);
  const begins = (i: number): boolean => i >= 0 && voices.slice(i, i + 3).filter(Boolean).length === 3;
  return [...voices.keys()].filter((i) => begins(i) || begins(i - 1) || begins(i - 2));
}

const indexOf = (frame: Frame | undefined): number => (frame?.start ?? Number.NaN) / frameSamples;
const seconds = (count: number): number => Math.round(count / frameSeconds);

describe('speech', () => {
  it('is complete, with a margin of 0.3 s around it', () => {
    const [window, ...more] = windowsOf([-100, 50, -100]);
    expect(more).toEqual([]);
    expect(indexOf(window?.frames[0])).toBe(91);
    expect(indexOf(window?.frames.at(-1))).toBe(158);
    expect(window?.voiceSeconds()).toBeCloseTo(50 * frameSeconds, 6);
  });

  it('keeps its short pauses', () => {
    const [window] = windowsOf([50, -20, 50]);
    expect(window?.frames.length).toBe(120);
    expect(window?.toSamples()[60 * frameSamples]).toBe(60);
  });

  it('has its long pauses shortened', () => {
    const [window] = windowsOf([50, -1000, 50]);
    expect(window?.frames.map(indexOf)).toEqual(
      [...Array(59).keys(), ...Array(59).keys()].map((i, at) => (at < 59 ? i : 1041 + i)),
    );
  });

  it('continues in a new window after a long silence, if the current one has enough speech', () => {
    const windows = windowsOf([200, -400, 50, -400, 200]);
    expect(windows.map((window) => [window.frames[0], window.frames.at(-1)].map(indexOf))).toEqual([
      [0, 208],
      [591, 1249],
    ]);
  });

  it('does not include clicks', () => {
    expect(windowsOf([-50, 2, -50, 1, -50])).toEqual([]);
    expect(windowsOf([])).toEqual([]);
  });

  it('is cut in the longest of its late pauses when it is long', () => {
    const [first, second] = windowsOf([600, -10, 100, -20, 100, -10, 500]);
    expect(indexOf(first?.frames.at(-1))).toBe(719);
    expect(indexOf(second?.frames[0])).toBe(721);
  });

  it('without a pause is cut when the window is full', () => {
    const windows = windowsOf([2000]);
    expect(windows.map((window) => window.frames.length)).toEqual([937, 937, 126]);
  });

  it('is in exactly one window, in order, each of at most 30 s', () => {
    const span = fc.oneof(fc.integer({ min: -90, max: 120 }), fc.integer({ min: -3, max: 3 }));
    fc.assert(
      fc.property(fc.array(span, { maxLength: 60 }), (spans) => {
        const windows = windowsOf(spans);
        const heard = windows.flatMap((window) => window.frames);
        heard.forEach((frame, i) => expect(frame.start).toBeGreaterThan(heard[i - 1]?.start ?? -1));
        for (const window of windows) {
          expect(window.seconds).toBeLessThanOrEqual(30);
          expect(window.voiceSeconds()).toBeGreaterThan(0);
        }
        const indices = new Set(heard.map(indexOf));
        const missing = speechOf(spans).filter((index) => !indices.has(index));
        expect(missing).toEqual([]);
      }),
    );
  });
});

it('the window after the next one is the same before and after that one is dropped', () => {
  const span = fc.oneof(fc.integer({ min: -200, max: 400 }), fc.integer({ min: -3, max: 3 }));
  fc.assert(
    fc.property(fc.array(span, { minLength: 4, maxLength: 40 }), (spans) => {
      const collector = new SpeechCollector();
      for (const frame of framesOf(spans)) collector.add(frame);
      for (let window = collector.nextWindow(); window !== null;) {
        const following = collector.nextWindow(windowSeconds, window);
        collector.drop(window.frames.length);
        const next = collector.nextWindow();
        expect(following?.hasSameAudio(next ?? new SpeechWindow([])) ?? next === null).toBe(true);
        window = next;
      }
    }),
  );
});

describe('a pause', () => {
  const window = new SpeechWindow(framesOf([100, -10, 5, -20, 100, -2, 50]));

  it('is found near a time and represented by its middle', () => {
    expect(window.nearestPause(107 * frameSeconds)).toBeCloseTo(105 * frameSeconds, 6);
    expect(window.nearestPause(135 * frameSeconds)).toBeCloseTo(125 * frameSeconds, 6);
  });

  it('is ignored when it is short or far away', () => {
    expect(window.nearestPause(50 * frameSeconds)).toBe(50 * frameSeconds);
    expect(window.nearestPause(236 * frameSeconds)).toBe(236 * frameSeconds);
  });
});

describe('a collector', () => {
  it('returns the undone part again', () => {
    const collector = new SpeechCollector();
    for (const frame of framesOf([200])) collector.add(frame);
    collector.drop(50);
    expect(indexOf(collector.nextWindow()?.frames[0])).toBe(50);
    expect(collector.start).toBe(50 * frameSamples);
  });

  it('returns shorter windows on request', () => {
    const collector = new SpeechCollector();
    for (const frame of framesOf([250, -20, 500])) collector.add(frame);
    expect(collector.nextWindow(10)?.frames.length).toBe(260);
  });

  it('keeps little of a long silence', () => {
    const collector = new SpeechCollector();
    for (const frame of framesOf([-seconds(100), 20, -seconds(100), 20])) collector.add(frame);
    expect(collector.nextWindow()?.seconds).toBeLessThan(3);
  });
});
