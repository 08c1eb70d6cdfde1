import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wordsOf } from '../../../../../electron/core/transcript/word-times.ts';
import type { EmittedToken } from '../../../../../electron/on-device/engine/parakeet/tdt-decoding.ts';
import { WindowTokens } from '../../../../../electron/on-device/engine/parakeet/token-texts.ts';
import { orderTimesAfter } from '../../../../../electron/on-device/engine/text/window-segments.ts';
import { frameSamples } from '../../../../../electron/on-device/engine/voice/frame.ts';
import { SpeechWindow } from '../../../../../electron/on-device/engine/voice/speech-windows.ts';

/** A stretch of the recording, in seconds. */
type Stretch = readonly [from: number, to: number];

/** A window that begins and ends at given times of the recording, with voice in some stretches of it. */
function windowOf([from, to]: Stretch, ...voices: readonly Stretch[]): SpeechWindow {
  const frames = [];
  for (
    let start = Math.round((from * 16_000) / frameSamples) * frameSamples;
    start < to * 16_000;
    start += frameSamples
  ) {
    const seconds = start / 16_000;
    frames.push({
      samples: new Float32Array(frameSamples),
      start,
      voiced: voices.some(([begin, end]) => seconds >= begin && seconds < end),
    });
  }
  return new SpeechWindow(frames);
}

/** Tokens written as "text@frame" or "text@frame+duration", of 1 by default. */
function tokensOf(written: readonly string[], window: SpeechWindow, offset = 0): WindowTokens {
  const texts: string[] = [];
  const emitted = written.map((one, token): EmittedToken => {
    const [, text = '', frame = '0', duration = '1'] = /^(.*)@(\d+)(?:\+(\d+))?$/u.exec(one) ?? [];
    texts.push(text);
    return { token, frame: Number(frame), duration: Number(duration), probability: 0.9 };
  });
  return new WindowTokens(emitted, texts, window, offset);
}

/** The words of segments with their times, rounded to 10 ms. */
function timesOf(tokens: WindowTokens): readonly string[] {
  return tokens
    .segments()
    .flatMap((segment) =>
      wordsOf(segment)!.map(
        ({ from, to, start, end }) => `${segment.text.slice(from, to)} ${start.toFixed(2)}-${end.toFixed(2)}`,
      ),
    );
}

describe('the words of a window', () => {
  it('begin at their first token, 80 ms a frame, and end after the duration of their last one', () => {
    const window = windowOf([0, 4], [0, 4]);
    const tokens = tokensOf([' And@5+2', ' so@10+3', ' fel@20+1', 'low@21+4'], window);
    expect(timesOf(tokens)).toEqual(['And 0.40-0.56', 'so 0.80-1.04', 'fellow 1.60-2.00']);
    expect(tokens.text).toBe('And so fellow');
  });

  it('do not overlap where a frame has several', () => {
    const tokens = tokensOf([' a@5+0', ' b@5+0', ' c@5+4', ' d@9+1'], windowOf([0, 2], [0, 2]));
    const words = wordsOf(tokens.segments()[0]!)!;
    expect(words.map(({ start }) => start)).toEqual(
      words.map(({ start }) => start).toSorted((a, b) => a - b),
    );
    for (const [i, { end }] of words.entries()) expect(end).toBeLessThanOrEqual(words[i + 1]?.start ?? 2);
  });

  it('have the times of the recording after a pause that the window lacks', () => {
    // From 1.3 s of the window on, it is 10 s later.
    const before = windowOf([0, 1.3], [0.3, 1]);
    const window = new SpeechWindow([...before.frames, ...windowOf([11.3, 12.6], [11.6, 12.6]).frames]);
    const after = Math.ceil((before.seconds + 0.3) / 0.08);
    const [first, second] = tokensOf([' one@5+2', ` two@${after}+2`], window).segments();
    expect(first).toMatchObject({ text: 'one' });
    expect(second).toMatchObject({ text: 'two' });
    expect(second!.start).toBeGreaterThan(11.5);
    expect(wordsOf(second!)![0]!.start).toBeGreaterThan(11.5);
  });

  it('do not last until a mark that is written after a pause', () => {
    const window = windowOf([0, 6], [0, 1], [3, 4]);
    const tokens = tokensOf([' one@5+3', '.@36+1', ' ¿@36+1', 'Two@40+4', '?@48+1'], window);
    expect(timesOf(tokens)).toEqual(['one. 0.40-0.64', '¿Two? 3.20-3.52']);
  });

  it('have the product of the probabilities of their tokens, without marks and control tokens', () => {
    const emitted = [0.5, 0.8, 0.1, 0.2].map((probability, token) => ({
      token,
      frame: token,
      duration: 1,
      probability,
    }));
    const tokens = new WindowTokens(emitted, [' fel', 'low', '.', ''], windowOf([0, 1], [0, 1]));
    expect(wordsOf(tokens.segments()[0]!)!.map(({ probability }) => probability)).toEqual([0.4]);
  });

  it('have no space before a mark, and one before an opening mark', () => {
    const window = windowOf([0, 4], [0, 4]);
    expect(tokensOf([' Hola@2', ' @4', ',@5', ' ¿@6', 'qué@7', ' ?@9'], window).segments()[0]!.text).toBe(
      'Hola, ¿qué?',
    );
  });
});

describe('the segments of a window', () => {
  it('end with sentences, not with abbreviations', () => {
    const window = windowOf([0, 8], [0, 8]);
    const written = [
      ' Mr@5',
      '.@6',
      ' Smith@8',
      ' came@14',
      '.@16',
      ' Then@20',
      ' he@24',
      ' left@30',
      '.@32',
    ];
    expect(
      tokensOf(written, window)
        .segments()
        .map(({ text }) => text),
    ).toEqual(['Mr. Smith came.', 'Then he left.']);
  });

  it('end at a long pause even within a sentence', () => {
    const window = windowOf([0, 6], [0, 2], [3.5, 6]);
    const segments = tokensOf([' one@5', ' two@20+4', ' three@45', ' four@60'], window).segments();
    expect(segments.map(({ text }) => text)).toEqual(['one two', 'three four']);
    expect(segments[0]!.end).toBeLessThanOrEqual(2.1);
    expect(segments[1]!.start).toBeGreaterThanOrEqual(3.4);
  });

  it('end at a comma when a sentence is long', () => {
    const window = windowOf([0, 20], [0, 20]);
    const written = Array.from({ length: 20 }, (_, i) => [` w${i}@${i * 12}`, `,@${i * 12 + 2}`]).flat();
    expect(tokensOf(written, window).segments().length).toBe(2);
  });

  it('are dropped without voice', () => {
    expect(tokensOf([' nobody@5', ' said@9', ' this@12', '.@13'], windowOf([0, 3])).segments()).toEqual([]);
  });

  it('can leave out the last word', () => {
    const tokens = tokensOf([' one@5', ' two@20', ' thr@40', 'ee@42', '.@44'], windowOf([0, 4], [0, 4]));
    expect(tokens.lastWord?.start).toBeCloseTo(3.2);
    expect(tokens.segments(tokens.lastWord!).map(({ text }) => text)).toEqual(['one two']);
    expect(tokensOf([' one@5'], windowOf([0, 1], [0, 1])).lastWord).toBeNull();
  });

  it('keep the mark and the word that are in the same frame as the last word', () => {
    const tokens = tokensOf([' one@5+3', ' two@20+0', ',@20+0', ' three@20+2'], windowOf([0, 4], [0, 4]));
    expect(tokens.segments(tokens.lastWord!).map(({ text }) => text)).toEqual(['one two,']);
  });

  it('cover the text in order, whatever the model returns', () => {
    const token = fc.record({
      text: fc.constantFrom(' a', ' b', 'c', '.', ' ', ' ¿', ',', '', ' d.', '\u0301', ' 你'),
      step: fc.nat(30),
      duration: fc.nat(4),
    });
    const voice = fc.array(fc.boolean(), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(fc.array(token, { maxLength: 30 }), voice, (written, voices) => {
        const window = new SpeechWindow(
          voices.flatMap((voiced, i) =>
            Array.from({ length: 16 }, (_, j) => ({
              samples: new Float32Array(frameSamples),
              start: (i * 16 + j) * frameSamples,
              voiced,
            })),
          ),
        );
        let frame = 0;
        const emitted = written.map(({ step, duration }, index) => {
          frame += step;
          return { token: index, frame, duration, probability: 0.5 };
        });
        const tokens = new WindowTokens(
          emitted,
          written.map(({ text }) => text),
          window,
        );
        let end = 0;
        for (const segment of orderTimesAfter(0, tokens.segments())) {
          expect(segment.text).toBe(segment.text.trim());
          expect(segment.start).toBeGreaterThanOrEqual(end);
          ({ end } = segment);
          expect(end).toBeGreaterThan(segment.start);
          expect(wordsOf(segment)).not.toBeNull();
        }
        expect(typeof tokens.hasOmission).toBe('boolean');
      }),
      { numRuns: 300 },
    );
  });
});

describe('an omission', () => {
  const window = windowOf([0, 10], [0.3, 3], [4, 9.7]);

  it('is voice at the end, in the middle or everywhere that has no words', () => {
    const all = Array.from({ length: 30 }, (_, i) => ` w${i}@${5 + 4 * i}+2`);
    expect(tokensOf(all, window).hasOmission).toBe(false);
    expect(tokensOf(all.slice(0, 8), window).hasOmission).toBe(true);
    expect(
      tokensOf(
        all.filter((_, i) => i < 7 || i > 18),
        window,
      ).hasOmission,
    ).toBe(true);
    expect(tokensOf([], window).hasOmission).toBe(true);
  });

  it('is not a number of many tokens at the end', () => {
    const words = Array.from({ length: 26 }, (_, i) => ` w${i}@${4 + 4 * i}+3`);
    const number = [' 1', ',', '0', '0', '0', ',', '0', '0', '0', '.'].map(
      (text, i) => `${text}@${110 + i}+1`,
    );
    expect(tokensOf([...words, ...number], windowOf([0, 10], [0.3, 9.7])).hasOmission).toBe(false);
  });

  it('is not a moment without words, or a window without voice', () => {
    expect(tokensOf([], windowOf([0, 5])).hasOmission).toBe(false);
    expect(tokensOf([], windowOf([0, 5], [1, 1.3])).hasOmission).toBe(false);
  });
});
