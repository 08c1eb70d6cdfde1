import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packWords, type Word } from '../../../../../electron/core/transcript/word-times.ts';
import type { Segment } from '../../../../../electron/contract/segment-schema.ts';
import { newSegment, withWords } from '../../../../../electron/core/transcript/segment.ts';
import type { WindowSegment } from '../../../../../electron/on-device/engine/text/window-segments.ts';
import { frameSamples, frameSeconds } from '../../../../../electron/on-device/engine/voice/frame.ts';
import { SpeechWindow } from '../../../../../electron/on-device/engine/voice/speech-windows.ts';
import {
  nearestWordStart,
  wordsOfSegments,
} from '../../../../../electron/on-device/engine/words/segment-words.ts';
import { VoicedAudio } from '../../../../../electron/on-device/engine/words/voiced-audio.ts';
import { areMisplaced } from '../../../../../electron/on-device/engine/words/window-words.ts';

/** Audio with voice (`x`) and pauses (`-`), a tenth of a second each, starting at a time of the recording. */
function audioOf(voices: string, startSeconds = 0): VoicedAudio {
  const count = Math.ceil(voices.length / 10 / frameSeconds);
  const first = Math.round(startSeconds / frameSeconds);
  const frames = Array.from({ length: count }, (_, i) => ({
    samples: new Float32Array(0),
    start: (first + i) * frameSamples,
    voiced: voices[Math.floor((i + 0.5) * frameSeconds * 10)] === 'x',
  }));
  return new VoicedAudio(new SpeechWindow(frames), Infinity);
}

/** A token in the texts below, and where it begins in the voice, in seconds. */
type Said = readonly [text: string, start: number, probability?: number];

/** The words of one segment with the text of all tokens. */
function wordsOf(said: readonly Said[], end: number, audio: VoicedAudio, span = [0, 100]): readonly Word[] {
  const whole = said.map(([text]) => text).join('');
  const text = whole.trim();
  const segment = newSegment(span[0] ?? 0, span[1] ?? 0, text);
  const [words = []] = wordsOfSegments(
    [{ segment, offset: whole.indexOf(text) }],
    tokensOf(said, end),
    audio,
  );
  return words;
}

const tokensOf = (said: readonly Said[], end: number) => ({
  texts: said.map(([text], i) => ({ text, first: i, last: i })),
  positions: [...said.map(([, start]) => start * 50), end * 50],
  probabilities: said.map(([, , probability = 1]) => probability),
});

const rounded = (words: readonly Word[]) =>
  words.map(({ from, to, start, end }) => [from, to, Math.round(start * 10) / 10, Math.round(end * 10) / 10]);

describe('the word after a position', () => {
  const tokens = tokensOf(
    [
      [' Exactly', 1],
      [' pass', 2],
      ['word', 2.3],
      [' incorrect.', 2.6],
    ],
    4,
  );

  it('is the one that begins nearest to it', () => {
    expect(nearestWordStart(tokens, 2.1 * 50)).toEqual({ offset: 9, distance: expect.closeTo(5) as number });
    expect(nearestWordStart(tokens, 2.5 * 50)?.offset).toBe(18);
  });

  it('does not exist in an empty text', () => {
    expect(nearestWordStart(tokensOf([], 0), 0)).toBeNull();
  });
});

describe('the words of a segment', () => {
  const steady = audioOf('x'.repeat(100));

  it('begin with their first token and end with their last, punctuation included', () => {
    const said: Said[] = [
      [' Am', 1],
      ['eric', 1.4],
      ['ans', 1.6],
      [',', 2],
      [' ask', 2.4],
      [' not', 3],
    ];
    expect(rounded(wordsOf(said, 3.5, steady))).toEqual([
      [0, 10, 1, 2.4],
      [11, 14, 2.4, 3],
      [15, 18, 3, 3.5],
    ]);
  });

  it('share the time of a token that contains several', () => {
    expect(
      rounded(
        wordsOf(
          [
            [' in the', 1],
            [' end.', 2],
          ],
          3,
          steady,
        ),
      ),
    ).toEqual([
      [0, 2, 1, 1.4],
      [3, 6, 1.4, 2],
      [7, 11, 2, 3],
    ]);
  });

  it('are those of the dictionary where a language has no spaces', () => {
    const said: Said[] = [
      ['今', 1],
      ['日', 1.2],
      ['は', 1.4],
      ['天気', 1.6],
      ['です', 2],
      ['。', 2.4],
    ];
    expect(rounded(wordsOf(said, 2.6, steady))).toEqual([
      [0, 2, 1, 1.4],
      [2, 3, 1.4, 1.6],
      [3, 5, 1.6, 2],
      [5, 8, 2, 2.6],
    ]);
  });

  it('have the probability of all tokens with letters together', () => {
    const said: Said[] = [
      [' Me', 1, 0.5],
      ['eks', 1.2, 0.5],
      [',', 1.4, 0.1],
      [' —', 2, 0.3],
    ];
    expect(wordsOf(said, 3, steady).map(({ probability }) => probability)).toEqual([0.25, 0.3]);
  });

  it('have times of the recording', () => {
    expect(rounded(wordsOf([[' now', 1]], 2, audioOf('x'.repeat(100), 32), [32, 42]))).toEqual([
      [0, 3, 33, 34],
    ]);
  });

  it('end before a pause that their attention reaches across, and the next one begins after it', () => {
    // Two seconds of voice, a pause of one, then voice again: 2.3 s of voice are at 3.3 s.
    const audio = audioOf(`${'x'.repeat(20)}${'-'.repeat(10)}${'x'.repeat(20)}`);
    const said: Said[] = [
      [' fellow', 1],
      [' Americans,', 1.5],
      [' ask', 2.3],
    ];
    expect(rounded(wordsOf(said, 3, audio))).toEqual([
      [0, 6, 1, 1.5],
      [7, 17, 1.5, 2],
      [18, 21, 3, 4],
    ]);
  });

  it('begin after a pause when most of them is there, and the one before ends at the pause', () => {
    const audio = audioOf(`${'x'.repeat(20)}${'-'.repeat(10)}${'x'.repeat(20)}`);
    expect(
      rounded(
        wordsOf(
          [
            [' not', 1.2],
            [' what', 1.8],
          ],
          2.5,
          audio,
        ),
      ),
    ).toEqual([
      [0, 3, 1.2, 2],
      [4, 8, 3, 3.5],
    ]);
  });

  it('stay within their segment, each with a duration', () => {
    const said: Said[] = [
      [' a', 1],
      [' b', 2],
      [' c', 2],
      [' d', 2],
    ];
    const words = wordsOf(said, 2, steady, [0.5, 1.8]);
    expect(rounded(words)[0]).toEqual([0, 1, 1, 1.7]);
    for (const { start, end } of words) expect(end - start).toBeGreaterThan(0.01);
    expect(words.at(-1)?.end).toBeCloseTo(1.8, 5);
  });

  it('cover any text in order, whatever its tokens and pauses', () => {
    const text = fc.oneof(
      fc.string({ maxLength: 6, unit: 'grapheme' }),
      fc.constantFrom(' the', ' don', "'t", ',', ' “', '。', '今日は', ' สวัสดี', '\u{1F600}', ' ', '…'),
    );
    const said = fc.array(fc.tuple(text, fc.nat({ max: 20 })), { minLength: 1, maxLength: 15 });
    const voices = fc.string({ unit: fc.constantFrom('x', 'x', 'x', '-'), minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(
        said,
        voices,
        fc.array(fc.nat({ max: 60 })),
        fc.nat({ max: 50 }),
        (tokens, pattern, cuts, from) => {
          const audio = audioOf(`${pattern}x`, from);
          const whole = tokens.map(([one]) => one).join('');
          let position = 0;
          const starts = tokens.map(([one, frames]): Said => {
            const start = position;
            position = Math.min(position + frames, audio.frames.length);
            return [one, start / 50, 0.9];
          });
          const segments = segmentsOf(whole, cuts, from);
          const words = wordsOfSegments(segments, tokensOf(starts, position / 50), audio);
          for (const [i, { segment }] of segments.entries()) {
            expect(packWords(segment, words[i] ?? [])).toBeDefined();
            let earliest = segment.start;
            for (const { start, end, probability } of words[i] ?? []) {
              expect(start).toBeGreaterThanOrEqual(earliest - 1e-9);
              expect(end).toBeGreaterThan(start);
              expect(probability).toBeLessThanOrEqual(1);
              earliest = end;
            }
            expect(earliest).toBeLessThanOrEqual(segment.end + 1e-9);
          }
        },
      ),
    );
  });
});

/** Cuts a text into segments of a second. */
function segmentsOf(whole: string, cuts: readonly number[], from: number): readonly WindowSegment[] {
  const bounds = [...new Set([0, ...cuts.filter((at) => at < whole.length), whole.length])].toSorted(
    (a, b) => a - b,
  );
  return bounds.flatMap((start, i) => {
    const part = whole.slice(start, bounds[i + 1] ?? start);
    const text = part.trim();
    const offset = start + part.length - part.trimStart().length;
    return text === '' ? [] : [{ segment: newSegment(from + i, from + i + 1, text), offset }];
  });
}

/** A segment of a second for each three words, of which the first begins at `firstStart` seconds of the voice. */
const segmentsFrom = (wordCount: number, firstStart: number): readonly Segment[] => {
  const said = Array.from({ length: wordCount }, (_, i): Said => [` word${i}`, firstStart + i / 3]);
  const audio = audioOf('x'.repeat(200));
  const segments = Array.from({ length: wordCount / 3 }, (_, i) => {
    const text = said
      .slice(3 * i, 3 * i + 3)
      .map(([word]) => word)
      .join('');
    const offset = said.slice(0, 3 * i).reduce((sum, [word]) => sum + word.length, 1);
    return { segment: newSegment(i, i + 1, text.trim()), offset };
  });
  const words = wordsOfSegments(segments, tokensOf(said, firstStart + wordCount / 3), audio);
  return segments.map(({ segment }, i) => withWords(segment, words[i] ?? []));
};

describe('words are misplaced', () => {
  it('if most of them are said outside of their segments', () => {
    expect(areMisplaced(segmentsFrom(12, 0))).toBe(false);
    expect(areMisplaced(segmentsFrom(12, 0.2))).toBe(false);
    expect(areMisplaced(segmentsFrom(12, 8))).toBe(true);
  });

  it('unless they are too few to tell', () => {
    expect(areMisplaced(segmentsFrom(9, 8))).toBe(false);
    expect(areMisplaced([newSegment(0, 1, 'without words')])).toBe(false);
  });
});
