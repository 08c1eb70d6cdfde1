import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeTransducer,
  type EmittedToken,
  maxTokensPerFrame,
} from '../../../../../electron/on-device/engine/parakeet/tdt-decoding.ts';

const blank = 4;

/** What the model returns in a step: a token and a duration, each with the only high score. */
interface Step {
  readonly token: number;
  readonly duration: number;
}

interface Call {
  readonly frame: number;
  readonly previous: number;
  readonly state: number;
}

/** Decodes with a model that returns scripted steps, then blanks of duration 1; each step returns a new state. */
async function run(
  frames: number,
  steps: readonly Step[],
): Promise<{ tokens: readonly EmittedToken[]; calls: readonly Call[] }> {
  const calls: Call[] = [];
  const tokens = await decodeTransducer<number>({
    frames,
    blank,
    initialState: 0,
    runStep: async (frame, previous, state) => {
      calls.push({ frame, previous, state });
      const { token, duration } = steps[calls.length - 1] ?? { token: blank, duration: 1 };
      const tokenScores = new Float32Array(blank + 1);
      tokenScores[token] = 5;
      const durationScores = new Float32Array(5);
      durationScores[duration] = 5;
      return { tokenScores, durationScores, state: calls.length };
    },
  });
  return { tokens, calls };
}

describe('decoding with a transducer', () => {
  it('starts with the blank, and keeps the state only after tokens', async () => {
    const { tokens, calls } = await run(6, [
      { token: blank, duration: 1 },
      { token: 2, duration: 0 },
      { token: blank, duration: 2 },
      { token: 3, duration: 1 },
    ]);
    expect(tokens.map(({ token, frame, duration }) => [token, frame, duration])).toEqual([
      [2, 1, 0],
      [3, 3, 1],
    ]);
    expect(calls).toEqual([
      { frame: 0, previous: blank, state: 0 },
      { frame: 1, previous: blank, state: 0 },
      { frame: 1, previous: 2, state: 2 },
      { frame: 3, previous: 2, state: 2 },
      { frame: 4, previous: 3, state: 4 },
      { frame: 5, previous: 3, state: 4 },
    ]);
  });

  it('advances by one after a blank that would stay', async () => {
    const { calls } = await run(
      3,
      Array.from({ length: 9 }, () => ({ token: blank, duration: 0 })),
    );
    expect(calls.map(({ frame }) => frame)).toEqual([0, 1, 2]);
  });

  it('takes at most ten tokens in a frame', async () => {
    const { tokens } = await run(
      2,
      Array.from({ length: 99 }, () => ({ token: 1, duration: 0 })),
    );
    expect(tokens.map(({ frame }) => frame)).toEqual([
      ...Array.from({ length: maxTokensPerFrame }, () => 0),
      ...Array.from({ length: maxTokensPerFrame }, () => 1),
    ]);
  });

  it('takes the first of equal scores, a blank where there are none, and the probability of the token', async () => {
    const answers = [
      { tokens: [1, 3, 3, 0, 2], durations: [0, 1, 1, 0, 0] },
      { tokens: [NaN, NaN, NaN, NaN, NaN], durations: [NaN, NaN, NaN, NaN, NaN] },
    ];
    let calls = 0;
    const tokens = await decodeTransducer({
      frames: 2,
      blank,
      initialState: null,
      runStep: async () => {
        const answer = answers[calls++]!;
        return {
          tokenScores: Float32Array.from(answer.tokens),
          durationScores: Float32Array.from(answer.durations),
          state: null,
        };
      },
    });
    expect(calls).toBe(2);
    const e = Math.exp;
    const probability = 1 / (2 + e(-2) + e(-3) + e(-1));
    expect(tokens).toEqual([
      { token: 1, frame: 0, duration: 1, probability: expect.closeTo(probability, 6) },
    ]);
  });

  it('passes on an error of the model', async () => {
    const failing = decodeTransducer({
      frames: 1,
      blank,
      initialState: null,
      runStep: () => Promise.reject(new Error('stopped')),
    });
    await expect(failing).rejects.toThrow('stopped');
  });

  it('ends, in order, whatever the model returns', async () => {
    const step = fc.record({ token: fc.nat(blank), duration: fc.nat(4) });
    await fc.assert(
      fc.asyncProperty(fc.nat(40), fc.array(step, { maxLength: 400 }), async (frames, steps) => {
        const { tokens, calls } = await run(frames, steps);
        expect(calls.length).toBeLessThanOrEqual(frames * maxTokensPerFrame);
        expect(calls.every(({ frame }) => frame < frames)).toBe(true);
        const order = tokens.map(({ frame }) => frame);
        expect(order).toEqual(order.toSorted((a, b) => a - b));
        for (const frame of new Set(order))
          expect(order.filter((one) => one === frame).length).toBeLessThanOrEqual(maxTokensPerFrame);
        // The state and the previous token of each call are those of the last token before it.
        let [state, previous] = [0, blank];
        for (const [i, call] of calls.entries()) {
          expect(call).toMatchObject({ state, previous });
          const { token } = steps[i] ?? { token: blank };
          if (token !== blank) [state, previous] = [i + 1, token];
        }
      }),
    );
  });
});
