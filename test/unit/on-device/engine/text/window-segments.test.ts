import { describe, expect, it } from 'vitest';
import {
  orderTimesAfter,
  toSegments,
} from '../../../../../electron/on-device/engine/text/window-segments.ts';
import {
  frameSamples,
  frameSeconds,
  type Frame,
} from '../../../../../electron/on-device/engine/voice/frame.ts';
import { SpeechWindow } from '../../../../../electron/on-device/engine/voice/speech-windows.ts';

function frame(voice: string, index: number): Frame {
  return { samples: new Float32Array(frameSamples), start: index * frameSamples, voiced: voice === 'x' };
}

/** A window of frames with voice (`x`) and without (`-`), starting at the given frame of the recording; `|` is a gap. */
function windowOf(voices: string, firstFrame = 0, gapFrames = 0): SpeechWindow {
  const [before = '', after = ''] = voices.split('|');
  return new SpeechWindow([
    ...[...before].map((voice, i) => frame(voice, firstFrame + i)),
    ...[...after].map((voice, i) => frame(voice, firstFrame + before.length + gapFrames + i)),
  ]);
}

const textOf = (tokens: readonly number[]): string => tokens.join(' ');
const frames = (count: number): number => count * frameSeconds;

/** Start and end of the only segment, in frames of the recording. */
function spanOf(window: SpeechWindow, start: number, end: number): readonly number[] {
  const [first] = toSegments([{ start: frames(start), end: frames(end), tokens: [1] }], window, textOf);
  if (first === undefined) return [];
  return [first.segment.start, first.segment.end].map((time) => Math.round(time / frameSeconds));
}

describe('a segment', () => {
  const pauses = `${'-'.repeat(20)}${'x'.repeat(40)}${'-'.repeat(20)}${'x'.repeat(40)}${'-'.repeat(20)}`;

  it('that extends into pauses is trimmed to the voice', () => {
    expect(spanOf(windowOf(pauses), 2, 75)).toEqual([20, 60]);
  });

  it('that begins slightly late or ends slightly early is moved to the bounds of the voice', () => {
    expect(spanOf(windowOf(pauses), 26, 55)).toEqual([20, 60]);
  });

  it('that begins at the end of the previous voice begins with its own voice', () => {
    expect(spanOf(windowOf(pauses), 57, 120)).toEqual([80, 120]);
    expect(spanOf(windowOf(pauses), 20, 83)).toEqual([20, 60]);
  });

  it('in the middle of speech stays unchanged', () => {
    expect(spanOf(windowOf('x'.repeat(100)), 40, 60)).toEqual([40, 60]);
  });

  it('has times in the recording, including removed pauses', () => {
    const window = windowOf(`${'x'.repeat(50)}|${'x'.repeat(50)}`, 1000, 500);
    expect(spanOf(window, 0, 50)).toEqual([1000, 1050]);
    expect(spanOf(window, 50, 100)).toEqual([1550, 1600]);
  });

  it('is dropped without voice or without text', () => {
    expect(spanOf(windowOf(pauses), 61, 79)).toEqual([]);
    expect(toSegments([{ start: 0, end: 1, tokens: [] }], windowOf(pauses), () => ' ')).toEqual([]);
  });

  it('leaves the last word before a pause to the next segment if that contains it', () => {
    const pieces = [
      { start: 0, end: frames(35), tokens: [1] },
      { start: frames(35), end: frames(40), tokens: [2] },
    ];
    const segments = toSegments(pieces, windowOf(`${'x'.repeat(40)}${'-'.repeat(20)}`), textOf);
    expect(
      segments.map(({ segment: { start, end } }) =>
        [start, end].map((time) => Math.round(time / frameSeconds)),
      ),
    ).toEqual([
      [0, 35],
      [35, 40],
    ]);
  });

  it('knows where its text is in the texts of all pieces', () => {
    const texts = [' ', ' One two.', ' Dropped.', ' Three four, five six. '];
    const pieces = texts.map((_, i) => ({ start: i, end: i + 1, tokens: [i] }));
    // The third piece has no voice; the last one spans a long pause and is split there.
    const voices = `${'x'.repeat(60)}${'-'.repeat(36)}${'x'.repeat(20)}${'-'.repeat(40)}${'x'.repeat(20)}`;
    pieces[3] = { start: frames(96), end: frames(176), tokens: [3] };
    const segments = toSegments(pieces, windowOf(voices), ([i = 0]) => texts[i] ?? '');
    const whole = texts.join('');
    expect(segments.map(({ segment }) => segment.text)).toEqual(['One two.', 'Three four,', 'five six.']);
    for (const { segment, offset } of segments)
      expect(whole.slice(offset, offset + segment.text.length)).toBe(segment.text);
  });

  it('ignores a short interruption of voice within a word', () => {
    expect(spanOf(windowOf(`${'x'.repeat(30)}--${'x'.repeat(30)}`), 29, 62)).toEqual([29, 62]);
  });
});

describe('segments in order', () => {
  it('never overlap', () => {
    const next = [
      { start: 4.9, end: 6, text: 'b' },
      { start: 5.5, end: 5.6, text: 'c' },
    ];
    expect(orderTimesAfter(5, next)).toEqual([
      { start: 5, end: 6, text: 'b' },
      { start: 6, end: 6.032, text: 'c' },
    ]);
  });

  it('have times in whole milliseconds', () => {
    expect(orderTimesAfter(0, [{ start: 1 / 3, end: 2 / 3, text: 'a' }])).toEqual([
      { start: 0.333, end: 0.667, text: 'a' },
    ]);
  });
});
