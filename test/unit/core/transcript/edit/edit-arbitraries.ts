import fc from 'fast-check';
import type { Segment } from '../../../../../electron/contract/segment-schema.ts';
import type {
  Change,
  Draft,
  StoredOperation,
  IdentifiedTurn,
} from '../../../../../electron/contract/transcript.ts';
import { applyChange } from '../../../../../electron/core/transcript/edit/change.ts';
import type { ComparedSegments } from '../../../../../electron/core/transcript/edit/compare.ts';
import { changeOf, draftOf } from '../../../../../electron/core/transcript/edit/edit.ts';
import { newSegment, withWords } from '../../../../../electron/core/transcript/segment.ts';
import { wordRanges } from '../../../../../electron/core/transcript/words-in-text.ts';

export const durationSeconds = 60;

/** Text that is hard to split: emoji, combining marks, scripts without spaces, right to left. */
const words = fc.array(
  fc.oneof(
    fc.constantFrom('harbour', 'the', 'net', '👩‍👩‍👧', 'é', 'naïve', '港の網', 'شبكة', '-->', '<b>', '$&', 'x'),
    fc.string({ maxLength: 6, unit: 'grapheme' }),
  ),
  { maxLength: 7 },
);
const text = words.map((list) => list.join(' '));

/** Words of a segment, each with a pause before and after it; the shares need not be in order. */
const withSpokenWords = (segment: Segment, shares: readonly number[]): Segment =>
  withWords(
    segment,
    wordRanges(segment.text).map((range, index, { length }) => {
      const timeAt = (part: number): number =>
        segment.start + ((segment.end - segment.start) * (index + part)) / length;
      const share = (shares[index % shares.length] ?? 0) / 1000;
      return { ...range, start: timeAt(share / 2), end: timeAt(1 - share / 3), probability: share };
    }),
  );

/** A transcript as a service delivers it: segments in order, within the recording, some with words. */
const segmentsOf = (hasWords: fc.Arbitrary<boolean>) =>
  fc
    .array(
      fc.record({
        gap: fc.integer({ min: 0, max: 3000 }),
        length: fc.integer({ min: 0, max: 4000 }),
        text,
        hasWords,
        shares: fc.array(fc.nat({ max: 1000 }), { minLength: 1, maxLength: 7 }),
      }),
      { maxLength: 8 },
    )
    .map((pieces) => {
      let time = 0;
      return pieces.map((piece) => {
        const start = Math.min(durationSeconds, time + piece.gap / 1000);
        const end = Math.min(durationSeconds, start + piece.length / 1000);
        time = end;
        const segment = newSegment(start, end, piece.text);
        return piece.hasWords ? withSpokenWords(segment, piece.shares) : segment;
      });
    });

/** A transcript with times, or a text without. */
export const draft: fc.Arbitrary<Draft> = fc.oneof(
  { arbitrary: segmentsOf(fc.boolean()).map((pieces) => draftOf(pieces)), weight: 3 },
  fc.array(text, { maxLength: 3 }).map((lines) => draftOf([], lines.join('\n'))),
);

/** A transcript with times and the words of all segments. */
export const draftWithWords: fc.Arbitrary<Draft> = segmentsOf(fc.constant(true)).map((pieces) =>
  draftOf(pieces),
);

const id = fc.nat({ max: 14 });
const time = fc.double({ min: -5, max: 70, noNaN: true });

/** Turns in order of their start, which may overlap. */
const identifiedTurns: fc.Arbitrary<readonly IdentifiedTurn[]> = fc
  .array(
    fc.record({
      start: fc.integer({ min: 0, max: 60_000 }),
      length: fc.integer({ min: 1, max: 8000 }),
      speaker: fc.nat({ max: 3 }),
      confidence: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    { maxLength: 20 },
  )
  .map((turns) =>
    turns
      .map(({ start, length, ...turn }) => ({ ...turn, start: start / 1000, end: (start + length) / 1000 }))
      .toSorted((a, b) => a.start - b.start),
  );

/** Operations that only rearrange: none of them adds or removes a letter. */
export const rearranging: fc.Arbitrary<StoredOperation> = fc.oneof(
  fc.record({
    kind: fc.constant('split' as const),
    segment: id,
    offset: fc.nat({ max: 40 }),
    atSeconds: fc.option(time),
  }),
  fc.record({ kind: fc.constant('merge' as const), segment: id, through: fc.option(id, { nil: undefined }) }),
  fc.record({
    kind: fc.constant('move-boundary' as const),
    segment: id,
    edge: fc.constantFrom('start' as const, 'end' as const),
    toSeconds: time,
  }),
  fc.record({
    kind: fc.constant('move-word' as const),
    segment: id,
    edge: fc.constantFrom('start' as const, 'end' as const),
    by: fc.constantFrom(-1 as const, 1 as const),
  }),
  fc.record({ kind: fc.constant('set-times' as const), segment: id, start: time, end: time }),
  fc.record({
    kind: fc.constant('retime' as const),
    factor: fc.double({ min: 0.2, max: 3, noNaN: true }),
    offsetSeconds: fc.double({ min: -30, max: 30, noNaN: true }),
  }),
  fc.record({
    kind: fc.constant('set-speaker' as const),
    segments: fc.array(id, { maxLength: 4 }),
    speaker: fc.option(fc.nat({ max: 4 })),
  }),
  fc.record({ kind: fc.constant('assign-speakers' as const), turns: identifiedTurns }),
  fc.record({
    kind: fc.constant('name-speakers' as const),
    names: fc.array(fc.oneof(text, fc.constantFrom('', 'Anna', ' Anna ')), { maxLength: 5 }),
    becomes: fc.array(fc.option(fc.nat({ max: 5 })), { maxLength: 5 }),
  }),
  fc.record({ kind: fc.constant('add-note' as const), atSeconds: time, text }),
);

/** Ids as a comparison with the original has them: adjacent, or none. */
const someIds = fc
  .tuple(id, fc.nat({ max: 2 }))
  .map(([from, count]) => Array.from({ length: count }, (_, index) => from + index));

export const operation: fc.Arbitrary<StoredOperation> = fc.oneof(
  { arbitrary: rearranging, weight: 2 },
  fc.record({ kind: fc.constant('set-text' as const), segment: id, text }),
  fc.record({ kind: fc.constant('insert' as const), after: fc.option(id), text, fillsGap: fc.boolean() }),
  fc.record({
    kind: fc.constant('put-back' as const),
    start: time,
    end: time,
    text,
    speaker: fc.option(fc.nat({ max: 4 })),
  }),
  fc.record({ kind: fc.constant('delete' as const), segments: fc.array(id, { maxLength: 4 }) }),
  fc.record({
    kind: fc.constant('replace' as const),
    query: fc.record({
      text: fc.constantFrom('the', 'e', '👩', '.', '$', 'net', ''),
      matchCase: fc.boolean(),
      wholeWords: fc.boolean(),
    }),
    replacement: fc.constantFrom('', 'THE', '$&', 'e\u0301'),
  }),
  fc.record({
    kind: fc.constant('set-texts' as const),
    texts: fc.array(fc.record({ segment: id, before: fc.oneof(text, fc.constantFrom('', 'net')), text }), {
      maxLength: 4,
    }),
  }),
  fc.record({
    kind: fc.constant('respell' as const),
    spellings: fc.subarray(['the', 'net', 'harbour', 'naïve']),
    replacement: fc.constantFrom('net', 'two nets', '$&'),
  }),
  fc.record({
    kind: fc.constant('accept-words' as const),
    segment: id,
    from: fc.nat({ max: 12 }),
    text: fc.constantFrom('the', 'net', 'harbour', 'harbour the', ''),
  }),
  fc.record({
    kind: fc.constant('highlight-words' as const),
    passages: fc.array(
      fc.record({
        segment: id,
        from: fc.nat({ max: 12 }),
        text: fc.constantFrom('the', 'net', 'x', ' ', ''),
      }),
      { maxLength: 3 },
    ),
    isHighlighted: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('change-note' as const), note: id, text }),
  fc.record({ kind: fc.constant('remove-note' as const), note: id }),
  fc.record({
    kind: fc.constant('edit-text' as const),
    at: fc.nat({ max: 30 }),
    removed: fc.nat({ max: 10 }),
    inserted: fc.oneof(text, fc.string({ unit: 'binary', maxLength: 4 }), fc.constant('\r\n')),
  }),
  fc.constant({ kind: 'restore' as const }),
  fc.record({
    kind: fc.constant('restore' as const),
    only: fc.record({ current: someIds, original: someIds }),
  }),
);

/** A draft after some operations, and the change that each made. */
export interface Run {
  readonly after: Draft;
  readonly changes: readonly Change[];
}

/** Makes operations one after the other. */
export function run(before: Draft, operations: readonly StoredOperation[]): Run {
  const original = { segments: before.segments, text: before.text };
  let after = before;
  const changes: Change[] = [];
  for (const one of operations) {
    const change = changeOf(after, one, { recordingSeconds: durationSeconds, original: () => original });
    after = applyChange(after, change);
    changes.push(change);
  }
  return { after, changes };
}

/** Returns a draft after some operations. */
export const edited = (before: Draft, original: Draft, operations: readonly StoredOperation[]): Draft =>
  operations.reduce(
    (after, one) =>
      applyChange(
        after,
        changeOf(after, one, { recordingSeconds: durationSeconds, original: () => original }),
      ),
    before,
  );

/** Returns the operation that restores segments of a comparison. */
export const restoration = ({ current, original }: ComparedSegments): StoredOperation => ({
  kind: 'restore',
  only: { current: current.map(({ id }) => id), original: original.map(({ id }) => id) },
});
