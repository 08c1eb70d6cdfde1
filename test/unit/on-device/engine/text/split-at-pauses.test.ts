import { describe, expect, it } from 'vitest';
import { frameSamples } from '../../../../../electron/on-device/engine/voice/frame.ts';
import { SpeechWindow } from '../../../../../electron/on-device/engine/voice/speech-windows.ts';
import { splitAtPauses } from '../../../../../electron/on-device/engine/text/split-at-pauses.ts';

/** A window of frames with a voice (positive) and without (negative), the long pauses of which were cut down to 20. */
function windowOf(...spans: readonly number[]): SpeechWindow {
  let start = 0;
  const frames = spans.flatMap((span) => {
    const kept = span < 0 ? Math.min(-span, 20) : span;
    const begins = start;
    start += Math.abs(span) * frameSamples;
    return Array.from({ length: kept }, (_, i) => ({
      samples: new Float32Array(frameSamples),
      // What is left of a pause is its beginning and its end.
      start: (i < kept / 2 ? begins : start - kept * frameSamples) + i * frameSamples,
      voiced: span > 0,
    }));
  });
  return new SpeechWindow(frames);
}

function split(text: string, window: SpeechWindow): readonly (readonly [string, number, number])[] {
  const voiced = window.frames.map((frame) => frame.voiced);
  const spoken = { text, first: 0, last: voiced.length - 1 };
  return splitAtPauses(spoken, window, voiced).map((part) => [part.text, part.first, part.last]);
}

describe('a text over a long pause', () => {
  it('is cut between its sentences', () => {
    expect(split('One is here. Two is here.', windowOf(50, -100, 50))).toEqual([
      ['One is here.', 0, 49],
      ['Two is here.', 70, 119],
    ]);
  });

  it('is cut at each of them', () => {
    const parts = split('One is here. Two is here. Three is.', windowOf(50, -100, 50, -40, 40));
    expect(parts.map(([text]) => text)).toEqual(['One is here.', 'Two is here.', 'Three is.']);
  });

  it('is cut rather after a sentence than within it', () => {
    const parts = split('One, is it here? No, not here.', windowOf(55, -100, 45));
    expect(parts.map(([text]) => text)).toEqual(['One, is it here?', 'No, not here.']);
  });

  it('is cut after a clause where no sentence ends, though the model left out one of six', () => {
    const text = 'To go on, to go on, to go up, to go down, to go by,';
    expect(split(text, windowOf(100, -63, 50))).toEqual([
      ['To go on, to go on, to go up,', 0, 99],
      ['to go down, to go by,', 120, 169],
    ]);
  });

  it('stays whole where it has no end near', () => {
    expect(split('One is here and two is there', windowOf(50, -100, 50)).length).toBe(1);
    expect(split('One, and then two is here and three', windowOf(50, -100, 50)).length).toBe(1);
  });
});

describe('a text without an end near a long pause', () => {
  const text = 'One is here and two is there';

  it('is cut between two words rather than stand through seconds of silence', () => {
    expect(split(text, windowOf(50, -200, 50))).toEqual([
      ['One is here and', 0, 49],
      ['two is there', 70, 119],
    ]);
    expect(split('これは長い文です', windowOf(50, -200, 50)).map(([part]) => part).join('')).toBe('これは長い文です'); // prettier-ignore
  });

  it('is on the side with more voice, of seconds of silence, when it is a single word', () => {
    expect(split('Yes!', windowOf(50, -200, 40))).toEqual([['Yes!', 0, 49]]);
    expect(split('Yes!', windowOf(40, -200, 50))).toEqual([['Yes!', 60, 109]]);
  });

  it('does not reach over it for a moment of voice', () => {
    expect(split(text, windowOf(50, -100, 15))).toEqual([[text, 0, 49]]);
    expect(split(text, windowOf(15, -100, 50))).toEqual([[text, 35, 84]]);
    expect(split(text, windowOf(15, -100, 50, -60, 15))).toEqual([[text, 35, 84]]);
    expect(split('First that. One is here and two is', windowOf(25, -100, 40, -60, 15))).toEqual([
      ['First that.', 0, 24],
      ['One is here and two is', 45, 84],
    ]);
  });

  it('reaches over it for more, and for as much as there is on the other side', () => {
    expect(split(text, windowOf(50, -100, 25))).toEqual([[text, 0, 94]]);
    expect(split(text, windowOf(15, -100, 15))).toEqual([[text, 0, 49]]);
  });
});

it('a text over a short pause stays whole', () => {
  expect(split('One is here. Two is here.', windowOf(50, -20, 50)).length).toBe(1);
});
