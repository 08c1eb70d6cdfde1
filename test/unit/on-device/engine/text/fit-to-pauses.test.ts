import { describe, expect, it } from 'vitest';
import {
  alignBoundariesToPauses,
  extendLastToPause,
  splitAtLongPauses,
  type WordAfterPause,
} from '../../../../../electron/on-device/engine/text/fit-to-pauses.ts';
import { frameSamples, frameSeconds } from '../../../../../electron/on-device/engine/voice/frame.ts';
import { SpeechWindow } from '../../../../../electron/on-device/engine/voice/speech-windows.ts';

/** A window of frames with voice (positive) and without (negative), whose long pauses are shortened to 20. */
function windowOf(...spans: readonly number[]): SpeechWindow {
  let start = 0;
  const frames = spans.flatMap((span) => {
    const kept = span < 0 ? Math.min(-span, 20) : span;
    const begins = start;
    start += Math.abs(span) * frameSamples;
    return Array.from({ length: kept }, (_, i) => ({
      samples: new Float32Array(frameSamples),
      // Only the beginning and the end of a pause remain.
      start: (i < kept / 2 ? begins : start - kept * frameSamples) + i * frameSamples,
      voiced: span > 0,
    }));
  });
  return new SpeechWindow(frames);
}

function split(
  text: string,
  window: SpeechWindow,
  wordAfter?: WordAfterPause,
): readonly (readonly [string, number, number])[] {
  const voiced = window.frames.map((frame) => frame.voiced);
  const spoken = { text, first: 0, last: voiced.length - 1 };
  return splitAtLongPauses(spoken, window, voiced, wordAfter).map((part) => [
    part.text,
    part.first,
    part.last,
  ]);
}

describe('a text across a long pause', () => {
  it('is split between its sentences', () => {
    expect(split('One is here. Two is here.', windowOf(50, -100, 50))).toEqual([
      ['One is here.', 0, 49],
      ['Two is here.', 70, 119],
    ]);
  });

  it('is split at each of them', () => {
    const parts = split('One is here. Two is here. Three is.', windowOf(50, -100, 50, -40, 40));
    expect(parts.map(([text]) => text)).toEqual(['One is here.', 'Two is here.', 'Three is.']);
  });

  it('is preferably split after a sentence', () => {
    const parts = split('One, is it here? No, not here.', windowOf(55, -100, 45));
    expect(parts.map(([text]) => text)).toEqual(['One, is it here?', 'No, not here.']);
  });

  it('is split after a clause when no sentence ends there, even if the model omitted one of six', () => {
    const text = 'To go on, to go on, to go up, to go down, to go by,';
    expect(split(text, windowOf(100, -63, 50))).toEqual([
      ['To go on, to go on, to go up,', 0, 99],
      ['to go down, to go by,', 120, 169],
    ]);
  });

  describe('whose words have times, but with no end of a clause near', () => {
    const text = 'One is here and two is there';
    const and = text.indexOf('and');

    it('is split before the word that is said after the pause', () => {
      expect(split(text, windowOf(50, -60, 50), () => and)).toEqual([
        ['One is here', 0, 49],
        ['and two is there', 70, 119],
      ]);
    });

    it('stays whole when the pause is short or the word is far from it', () => {
      expect(split(text, windowOf(50, -40, 50), () => and).length).toBe(1);
      expect(split(text, windowOf(90, -60, 30), () => and).length).toBe(1);
      expect(split(text, windowOf(50, -60, 50), () => 0).length).toBe(1);
    });
  });

  it('stays whole when no end is near', () => {
    expect(split('One is here and two is there', windowOf(50, -100, 50)).length).toBe(1);
    expect(split('One, and then two is here and three', windowOf(50, -100, 50)).length).toBe(1);
  });
});

describe('a text without an end near a long pause', () => {
  const text = 'One is here and two is there';

  it('is split between two words at seconds of silence', () => {
    expect(split(text, windowOf(50, -200, 50))).toEqual([
      ['One is here and', 0, 49],
      ['two is there', 70, 119],
    ]);
    expect(split('これは長い文です', windowOf(50, -200, 50)).map(([part]) => part).join('')).toBe('これは長い文です'); // prettier-ignore
  });

  it('that is a single word goes to the side with more voice', () => {
    expect(split('Yes!', windowOf(50, -200, 40))).toEqual([['Yes!', 0, 49]]);
    expect(split('Yes!', windowOf(40, -200, 50))).toEqual([['Yes!', 60, 109]]);
  });

  it('does not span it for a moment of voice', () => {
    expect(split(text, windowOf(50, -100, 15))).toEqual([[text, 0, 49]]);
    expect(split(text, windowOf(15, -100, 50))).toEqual([[text, 35, 84]]);
    expect(split(text, windowOf(15, -100, 50, -60, 15))).toEqual([[text, 35, 84]]);
    expect(split('First that. One is here and two is', windowOf(25, -100, 40, -60, 15))).toEqual([
      ['First that.', 0, 24],
      ['One is here and two is', 45, 84],
    ]);
  });

  it('spans it for more voice, or when the other side has as little', () => {
    expect(split(text, windowOf(50, -100, 25))).toEqual([[text, 0, 94]]);
    expect(split(text, windowOf(15, -100, 15))).toEqual([[text, 0, 49]]);
  });
});

it('a text across a short pause stays whole', () => {
  expect(split('One is here. Two is here.', windowOf(50, -20, 50)).length).toBe(1);
});

const framesOf = (seconds: number): number => Math.round(seconds / frameSeconds);

/** Aligns the times of texts, in seconds, in a window of alternating voice and pauses. */
function parted(
  voicesAndPauses: readonly number[],
  texts: readonly (readonly [first: number, last: number])[],
): readonly (readonly number[])[] {
  const voiced = voicesAndPauses.flatMap((seconds, i) =>
    Array.from({ length: framesOf(seconds) }, () => i % 2 === 0),
  );
  const window = new SpeechWindow(
    voiced.map((isVoiced, i) => ({
      samples: new Float32Array(frameSamples),
      start: i * frameSamples,
      voiced: isVoiced,
    })),
  );
  const spoken = texts.map(([first, last]) => ({
    text: 'words',
    first: framesOf(first),
    last: framesOf(last) - 1,
  }));
  return alignBoundariesToPauses(spoken, window, voiced).map(({ first, last }) => [
    Math.round(first * frameSeconds * 10) / 10,
    Math.round((last + 1) * frameSeconds * 10) / 10,
  ]);
}

describe('two texts', () => {
  it('with a boundary within voice are separated at the nearby long pause', () => {
    expect(parted([10, 1.5, 10], [[0, 12.3], [12.3, 21.5]])).toEqual([[0, 10], [11.5, 21.5]]); // prettier-ignore
    expect(parted([10, 1.5, 10], [[0, 9.2], [9.2, 21.5]])).toEqual([[0, 10], [11.5, 21.5]]); // prettier-ignore
  });

  it('include the voice between the end of the first and the pause', () => {
    expect(parted([10, 1.5, 10], [[0, 9.6], [11.5, 21.5]])).toEqual([[0, 10], [11.5, 21.5]]); // prettier-ignore
  });

  it('stay unchanged with no long pause near', () => {
    expect(parted([10, 1.5, 10], [[0, 13], [13, 21.5]])).toEqual([[0, 13], [13, 21.5]]); // prettier-ignore
    expect(parted([10, 0.5, 10], [[0, 11], [11, 20.5]])).toEqual([[0, 11], [11, 20.5]]); // prettier-ignore
  });

  it('are separated at the nearest of several pauses', () => {
    expect(parted([5, 1.5, 1, 1.5, 5], [[0, 7.4], [9, 14]])).toEqual([[0, 7.5], [9, 14]]); // prettier-ignore
  });

  it('keep most of their voice, since the last word before a pause can be a text', () => {
    expect(parted([10, 1.5, 10], [[0, 9.2], [9.2, 10], [11.5, 21.5]])).toEqual([[0, 9.2], [9.2, 10], [11.5, 21.5]]); // prettier-ignore
  });
});

/** The last frame of a text that the model ends at `last`. */
const extended = (last: number, until: number, ...spans: readonly number[]): number | undefined => {
  const voiced = windowOf(...spans).frames.map((frame) => frame.voiced);
  return extendLastToPause([{ text: 'One is here.', first: 0, last }], until, voiced).at(-1)?.last;
};

describe('the last text of a window', () => {
  it('ends where the voice ends, which may stop for a moment', () => {
    expect(extended(80, 200, 100, -60, 40)).toBe(99);
    expect(extended(80, 200, 90, -8, 5, -60, 40)).toBe(102);
  });

  it('ends where the model says if there is much voice up to the pause, or more than it has itself', () => {
    expect(extended(80, 200, 120, -60, 40)).toBe(80);
    expect(extended(9, 200, 30, -60, 40)).toBe(9);
  });

  it('ends before the next window', () => {
    expect(extended(80, 90, 100, -60, 40)).toBe(89);
  });
});
