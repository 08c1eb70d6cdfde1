import { describe, expect, it } from 'vitest';
import { partAtPauses } from '../../../../../electron/on-device/engine/text/part-at-pauses.ts';
import { frameSamples, frameSeconds } from '../../../../../electron/on-device/engine/voice/frame.ts';
import { SpeechWindow } from '../../../../../electron/on-device/engine/voice/speech-windows.ts';

const framesOf = (seconds: number): number => Math.round(seconds / frameSeconds);

/** Moves the times of texts, in seconds, in a window of voices and pauses that take turns. */
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
  return partAtPauses(spoken, window, voiced).map(({ first, last }) => [
    Math.round(first * frameSeconds * 10) / 10,
    Math.round((last + 1) * frameSeconds * 10) / 10,
  ]);
}

describe('two texts', () => {
  it('that meet within a voice meet in the long pause that is near', () => {
    expect(parted([10, 1.5, 10], [[0, 12.3], [12.3, 21.5]])).toEqual([[0, 10], [11.5, 21.5]]); // prettier-ignore
    expect(parted([10, 1.5, 10], [[0, 9.2], [9.2, 21.5]])).toEqual([[0, 10], [11.5, 21.5]]); // prettier-ignore
  });

  it('have the voice between the end of one and the pause before the next one', () => {
    expect(parted([10, 1.5, 10], [[0, 9.6], [11.5, 21.5]])).toEqual([[0, 10], [11.5, 21.5]]); // prettier-ignore
  });

  it('stay where they are with no long pause near', () => {
    expect(parted([10, 1.5, 10], [[0, 13], [13, 21.5]])).toEqual([[0, 13], [13, 21.5]]); // prettier-ignore
    expect(parted([10, 0.5, 10], [[0, 11], [11, 20.5]])).toEqual([[0, 11], [11, 20.5]]); // prettier-ignore
  });

  it('meet in the nearest of several pauses', () => {
    expect(parted([5, 1.5, 1, 1.5, 5], [[0, 7.4], [9, 14]])).toEqual([[0, 7.5], [9, 14]]); // prettier-ignore
  });

  it('keep most of their voice: the last word before a pause can be a text', () => {
    expect(parted([10, 1.5, 10], [[0, 9.2], [9.2, 10], [11.5, 21.5]])).toEqual([[0, 9.2], [9.2, 10], [11.5, 21.5]]); // prettier-ignore
  });
});
