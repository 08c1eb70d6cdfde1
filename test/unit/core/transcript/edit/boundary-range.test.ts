import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boundaryRefusal } from '../../../../../electron/core/transcript/edit/boundary-range.ts';
import { applyChange } from '../../../../../electron/core/transcript/edit/change.ts';
import { changeOf, draftOf } from '../../../../../electron/core/transcript/edit/edit.ts';
import { draft, durationSeconds } from './edit-arbitraries.ts';

const spoken = draftOf([
  { start: 1, end: 4, text: 'One net.' },
  { start: 4, end: 6, text: 'Two nets.' },
  { start: 8, end: 9, text: 'Three.' },
]);

describe('what limits a boundary', () => {
  test.each([
    ['start', 1, 0.5, 'previous'],
    ['start', 1, 1.05, 'previous'],
    ['start', 1, 1.1, null],
    ['start', 1, 2, null],
    ['start', 1, 4, 'unchanged'],
    ['start', 1, 5.95, 'min-duration'],
    ['start', 1, 7, 'min-duration'],
    ['end', 1, 3, 'min-duration'],
    ['end', 1, 4.05, 'min-duration'],
    ['end', 1, 6, 'unchanged'],
    ['end', 1, 8.5, null],
    ['end', 1, 8.95, 'next'],
    ['end', 1, 9.5, 'next'],
    ['end', 0, 7, 'next'],
    ['end', 2, 61, 'recording'],
    ['start', 9, 2, 'order'],
  ] as const)('the %s of segment %i at %f s: %s', (edge, segment, toSeconds, stop) => {
    expect(boundaryRefusal(spoken, { segment, edge, toSeconds }, 60)).toBe(stop);
  });

  test('segments that are out of order leave no room', () => {
    const mixed = draftOf([
      { start: 5, end: 6, text: 'One.' },
      { start: 1, end: 2, text: 'Two.' },
    ]);
    expect(boundaryRefusal(mixed, { segment: 1, edge: 'start', toSeconds: 3 }, 60)).toBe('order');
  });

  test('a segment that is shorter than the minimum already gets no shorter', () => {
    const short = draftOf([
      { start: 1, end: 1.05, text: 'One.' },
      { start: 1.05, end: 2, text: 'Two.' },
    ]);
    expect(boundaryRefusal(short, { segment: 0, edge: 'end', toSeconds: 1.04 }, 60)).toBe('min-duration');
    expect(boundaryRefusal(short, { segment: 0, edge: 'end', toSeconds: 1.06 }, 60)).toBeNull();
  });

  test('without a known duration, nothing limits the end of the last segment', () => {
    expect(boundaryRefusal(spoken, { segment: 2, edge: 'end', toSeconds: 9000 }, null)).toBeNull();
  });

  test('a boundary moves exactly when nothing limits it', () => {
    const move = fc.record({
      segment: fc.nat({ max: 8 }),
      edge: fc.constantFrom('start' as const, 'end' as const),
      toSeconds: fc.integer({ min: 0, max: 65_000 }).map((thousandths) => thousandths / 1000),
    });
    fc.assert(
      fc.property(draft, move, (before, one) => {
        const change = changeOf(
          before,
          { kind: 'move-boundary', ...one },
          { recordingSeconds: durationSeconds, original: () => ({ segments: [], text: null }) },
        );
        const stop = boundaryRefusal(before, one, durationSeconds);
        const moved = applyChange(before, change).segments.find(({ id }) => id === one.segment);
        expect(moved?.[one.edge] === one.toSeconds).toBe(stop === null || stop === 'unchanged');
        const stays = stop === 'unchanged' || stop === 'order';
        expect(stays && change.length > 0).toBe(false);
      }),
    );
  });
});
