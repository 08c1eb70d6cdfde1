import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diarizationError, type SpeakerSpan } from '../../support/speech/diarization-error.ts';

const span = (speaker: number | string, start: number, end: number): SpeakerSpan => ({ speaker, start, end });

describe('the diarization error', () => {
  const reference = [span('Anna', 0, 10), span('Bob', 12, 20)];

  it.each([
    ['nothing, whatever the names', [span(7, 0, 10), span(3, 12, 20)], [0, 0, 0]],
    ['what was missed', [span(7, 0, 9), span(3, 12, 20)], [1, 0, 0]],
    ['what nobody said', [span(7, 0, 11), span(3, 12, 20), span(9, 30, 31)], [0, 2, 0]],
    ['what somebody else said', [span(7, 0, 10), span(7, 12, 13), span(3, 13, 20)], [0, 0, 1]],
    ['the fewer seconds of two people who are one', [span(7, 0, 20)], [0, 2, 8]],
    ['a person who is two', [span(1, 0, 6), span(2, 6, 10), span(3, 12, 20)], [0, 0, 4]],
    ['everything if nobody was found', [], [18, 0, 0]],
  ])('is %s', (_, found, [missed, falseAlarm, confused]) => {
    const error = diarizationError(reference, found);
    expect(error).toEqual({
      reference: 18,
      missed,
      falseAlarm,
      confused,
      rate: expect.closeTo((missed! + falseAlarm! + confused!) / 18, 9),
    });
  });

  it('matches speakers so that it is least, not one by one', () => {
    // Most of 1 is Anna's, but then 2 would be nobody.
    const spoken = [span('Anna', 0, 10), span('Bob', 10, 16)];
    const found = [span(1, 0, 5), span(1, 10, 14), span(2, 5, 10)];
    expect(diarizationError(spoken, found)).toMatchObject({ missed: 2, confused: 5 });
  });

  it('counts both who speak at once', () => {
    const spoken = [span('Anna', 0, 10), span('Bob', 6, 14)];
    expect(diarizationError(spoken, [span(1, 0, 8), span(2, 8, 14)])).toMatchObject({
      reference: 18,
      missed: 4,
      falseAlarm: 0,
      confused: 0,
    });
    expect(diarizationError(spoken, [span(1, 0, 8), span(2, 8, 14)], { skipsOverlap: true })).toMatchObject({
      reference: 10,
      missed: 0,
    });
  });

  it('leaves out a collar on both sides of each edge', () => {
    const late = [span(1, 0.2, 10.2), span(2, 12.3, 20)];
    expect(diarizationError(reference, late, { collarSeconds: 0.25 })).toMatchObject({
      reference: expect.closeTo(17, 9),
      missed: expect.closeTo(0.05, 9),
      falseAlarm: 0,
    });
  });

  it('counts turns of one speaker that overlap once', () => {
    const found = [span(1, 0, 7), span(1, 3, 10), span(2, 12, 20)];
    expect(diarizationError([...reference, span('Anna', 2, 4)], found).rate).toBe(0);
  });

  it('is the same in any order, and nothing between equals', () => {
    const spans = fc.array(
      fc
        .tuple(
          fc.integer({ min: 0, max: 4 }),
          fc.integer({ min: 0, max: 50 }),
          fc.integer({ min: 1, max: 9 }),
        )
        .map(([speaker, start, length]) => span(speaker, start, start + length)),
      { minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(spans, spans, (one, other) => {
        const renamed = one.map((turn) => ({ ...turn, speaker: `S${4 - Number(turn.speaker)}` }));
        expect(diarizationError(one, renamed.toReversed()).rate).toBe(0);
        const error = diarizationError(one, other);
        expect(diarizationError(one.toReversed(), other.toReversed())).toEqual(error);
        expect(error.missed + error.confused).toBeLessThanOrEqual(error.reference);
      }),
    );
  });
});
