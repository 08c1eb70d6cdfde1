import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  suppressInvalidTimestamps,
  readTimestamps,
} from '../../../../../electron/on-device/engine/whisper/timestamp-rules.ts';
import { SpecialTokens } from '../../../../../electron/on-device/engine/whisper/special-tokens.ts';

const special = new SpecialTokens(99);
const at = (seconds: number): number => special.timestampAt(seconds);
const [word, other] = [400, 370];

function allowedAfter(...tokens: readonly number[]): (token: number) => boolean {
  const scores = new Float32Array(special.vocabularySize);
  suppressInvalidTimestamps(scores, tokens, special);
  return (token) => scores[token] !== -Infinity;
}

describe('timestamps', () => {
  it('begin a window, within its first second', () => {
    const allowed = allowedAfter();
    expect(allowed(at(0))).toBe(true);
    expect(allowed(at(1))).toBe(true);
    expect(allowed(at(1.02))).toBe(false);
    expect(allowed(word)).toBe(false);
    expect(allowed(special.endOfText)).toBe(false);
  });

  it('that begin a segment are followed by words', () => {
    for (const allowed of [allowedAfter(at(0)), allowedAfter(at(0), word, at(2), at(2))]) {
      expect(allowed(word)).toBe(true);
      expect(allowed(at(5))).toBe(false);
    }
  });

  it('that end a segment are followed by the start of the next or the end', () => {
    const allowed = allowedAfter(at(0), word, at(2));
    expect(allowed(word)).toBe(false);
    expect(allowed(at(2))).toBe(true);
    expect(allowed(at(1.98))).toBe(false);
    expect(allowed(special.endOfText)).toBe(true);
  });

  it('do not end a segment where it begins', () => {
    const allowed = allowedAfter(at(3), word);
    expect(allowed(at(3))).toBe(false);
    expect(allowed(at(3.02))).toBe(true);
    expect(allowed(other)).toBe(true);
  });

  it('order the pieces, whichever of the allowed tokens are chosen', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 60 }), (choices) => {
        const tokens: number[] = [];
        for (const choice of choices) {
          const allowed = allowedAfter(...tokens);
          // Only a few tokens; with more, no timestamp would ever be chosen.
          const open = [word, other, ...[0, 0.5, 1, 5, 5.02, 12, 20, 29, 30].map(at)].filter(allowed);
          if (open.length === 0) break;
          tokens.push(open[choice % open.length]!);
        }
        const { pieces, coveredUntil } = readTimestamps(tokens, 30, special);
        pieces.forEach((piece, i) => {
          expect(piece.start).toBeGreaterThanOrEqual(pieces[i - 1]?.end ?? 0);
          expect(piece.end).toBeGreaterThan(piece.start);
          expect(piece.tokens.length).toBeGreaterThan(0);
        });
        expect(coveredUntil).toBeGreaterThanOrEqual(pieces.at(-1)?.end ?? 0);
        expect(coveredUntil).toBeLessThanOrEqual(30);
      }),
    );
  });
});

describe('the tokens of a window', () => {
  it('are split at their timestamps', () => {
    const tokens = [at(0.5), word, at(2), at(3), other, word, at(6)];
    expect(readTimestamps(tokens, 10, special)).toEqual({
      pieces: [
        { start: special.secondsOf(at(0.5)), end: 2, tokens: [word] },
        { start: 3, end: 6, tokens: [other, word] },
      ],
      coveredUntil: 10,
    });
  });

  it('that stop in the middle cover the window up to the last segment', () => {
    const unfinished = [at(0), word, at(2), at(2), other];
    expect(readTimestamps(unfinished, 10, special)).toMatchObject({ pieces: [{ end: 2 }], coveredUntil: 2 });
    const begun = [at(0), word, at(2), at(2)];
    expect(readTimestamps(begun, 10, special)).toMatchObject({ pieces: [{ end: 2 }], coveredUntil: 2 });
  });

  it('without an end reach the end of the window', () => {
    expect(readTimestamps([at(0), word, other], 7, special)).toEqual({
      pieces: [{ start: 0, end: 7, tokens: [word, other] }],
      coveredUntil: 7,
    });
  });

  it('do not exceed the window', () => {
    expect(readTimestamps([at(0), word, at(30)], 7, special).pieces[0]?.end).toBe(7);
  });

  it('may be empty', () => {
    expect(readTimestamps([], 7, special)).toEqual({ pieces: [], coveredUntil: 7 });
    expect(
      readTimestamps(
        [at(0)].filter((token) => !special.isTimestamp(token)),
        7,
        special,
      ).pieces,
    ).toEqual([]);
  });
});
