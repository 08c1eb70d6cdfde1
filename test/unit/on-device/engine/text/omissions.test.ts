import { describe, expect, it } from 'vitest';
import {
  endBeforeUntranscribedVoice,
  findOmission,
  nextWindowStart,
} from '../../../../../electron/on-device/engine/text/omissions.ts';
import { frameSamples, frameSeconds } from '../../../../../electron/on-device/engine/voice/frame.ts';
import { SpeechWindow } from '../../../../../electron/on-device/engine/voice/speech-windows.ts';
import type { TimedText } from '../../../../../electron/on-device/engine/whisper/timestamp-rules.ts';

/** A window of seconds with voice (positive) and without (negative). */
function windowOf(...spans: readonly number[]): SpeechWindow {
  const voices = spans.flatMap((span) =>
    Array<boolean>(Math.round(Math.abs(span) / frameSeconds)).fill(span > 0),
  );
  return new SpeechWindow(
    voices.map((voiced, i) => ({ samples: new Float32Array(frameSamples), start: i * frameSamples, voiced })),
  );
}

const text = (start: number, end: number, words = 20): TimedText => ({
  start,
  end,
  tokens: Array<number>(words).fill(400),
});

describe('an omission', () => {
  it('is not found when the text covers all voice within a second', () => {
    const window = windowOf(3, -1, 4);
    expect(findOmission([text(0, 3), text(4, 7)], window)).toBeNull();
    expect(findOmission([text(0, 7)], window)).toBeNull();
    expect(
      endBeforeUntranscribedVoice({ pieces: [text(0, 6.5)], coveredUntil: 8 }, window).coveredUntil,
    ).toBe(8);
  });

  it('is long voice between two texts or after the last', () => {
    const window = windowOf(10);
    expect(findOmission([text(0, 3), text(6, 10)], window)).toEqual({ pieceCount: 1, from: 3 });
    expect(endBeforeUntranscribedVoice({ pieces: [text(0, 6)], coveredUntil: 10 }, window).coveredUntil).toBe(
      6,
    );
  });

  it('is a word between two pauses that lies between two texts, before the first or after the last', () => {
    const window = windowOf(3, -1, 0.6, -1, 3);
    expect(findOmission([text(0, 3), text(5.6, 8.6)], window)).toEqual({ pieceCount: 1, from: 3 });
    expect(findOmission([text(1.6, 4)], windowOf(0.6, -1, 3))).toEqual({ pieceCount: 0, from: 0 });
    const ending = windowOf(3, -1, 0.6);
    expect(
      endBeforeUntranscribedVoice({ pieces: [text(0, 3)], coveredUntil: 4.6 }, ending).coveredUntil,
    ).toBe(3);
  });

  it('is everything when there is no text', () => {
    expect(findOmission([], windowOf(3))).toEqual({ pieceCount: 0, from: 0 });
    expect(findOmission([], windowOf(0.2, -1))).toBeNull();
  });

  it('is found when there are too few words for the voice', () => {
    expect(findOmission([text(0, 20, 10)], windowOf(20))).toEqual({ pieceCount: 0, from: 0 });
  });
});

describe('text that nobody said', () => {
  it('is the completion of a sentence that the window cuts off, recognizable by its pace', () => {
    const window = windowOf(8, -2, 2);
    expect(findOmission([text(0, 8, 24), text(10, 12, 16)], window)).toEqual({ pieceCount: 1, from: 10 });
    expect(findOmission([text(0, 8, 24), text(10, 12, 10)], window)).toBeNull();
  });

  it('is only found by comparison with enough other text', () => {
    expect(findOmission([text(0, 2, 30)], windowOf(2))).toBeNull();
    expect(findOmission([text(0, 2, 4), text(3, 5, 20)], windowOf(2, -1, 2))).toBeNull();
    expect(findOmission([text(0, 8, 24), text(10, 10.5, 6)], windowOf(8, -2, 0.5))).toBeNull();
  });
});

describe('the next window', () => {
  it('begins in the pause that is nearest to the end of the text', () => {
    expect(nextWindowStart(windowOf(3, -0.5, 4), 3.1)).toBeCloseTo(3.25, 1);
  });

  it('begins after voice that is too short for a word and followed by a pause', () => {
    expect(nextWindowStart(windowOf(3, -0.3, 0.15, -1, 4), 3)).toBeCloseTo(3.95, 1);
    expect(nextWindowStart(windowOf(3, -0.3, 0.15, -0.3, 4), 3)).toBeCloseTo(3.15, 1);
    expect(nextWindowStart(windowOf(3, -0.3, 0.4, -1, 4), 3)).toBeCloseTo(3.15, 1);
  });

  it('begins after this one when hardly any voice is left', () => {
    const window = windowOf(3, -1, 0.2);
    expect(nextWindowStart(window, 3)).toBe(window.seconds);
  });

  it('begins at least a second later', () => {
    expect(nextWindowStart(windowOf(0.3, -1, 4), 0.3)).toBe(1);
  });
});
