import { describe, expect, it } from 'vitest';
import type { Draft, StoredOperation, IdentifiedTurn } from '../../../../../electron/contract/transcript.ts';
import { applyChange } from '../../../../../electron/core/transcript/edit/change.ts';
import { changeOf, draftOf } from '../../../../../electron/core/transcript/edit/edit.ts';
import { newSegment } from '../../../../../electron/core/transcript/segment.ts';

const turn = (speaker: number, start: number, end: number, confidence = 0.9): IdentifiedTurn => ({
  speaker,
  start,
  end,
  confidence,
});

/** Makes edits in sequence. */
function after(draft: Draft, ...operations: readonly StoredOperation[]): Draft {
  const context = { durationSeconds: 60, original: () => draft };
  return operations.reduce((made, operation) => applyChange(made, changeOf(made, operation, context)), draft);
}

const run = (...turns: readonly IdentifiedTurn[]): StoredOperation => ({ kind: 'assign-speakers', turns });
const assign = (speaker: number | null, ...segments: readonly number[]): StoredOperation => ({
  kind: 'set-speaker',
  segments,
  speaker,
});

/** Who speaks in each segment. */
const speakers = ({ segments }: Draft): readonly (number | null)[] => segments.map(({ speaker }) => speaker);
const confidences = ({ segments }: Draft): readonly (number | undefined)[] =>
  segments.map(({ extras }) => extras?.speakerConfidence);

const interview = draftOf([
  newSegment(0, 4, 'How are you today?'),
  newSegment(4, 8, 'Very well, thank you.'),
  newSegment(8, 12, 'Then let us begin.'),
  newSegment(12, 16, 'Yes, please.'),
]);
const twoTurns = [turn(0, 0, 4), turn(1, 4, 8, 0.7), turn(0, 8, 12), turn(1, 12, 16, 0.5)];

describe('a run', () => {
  it('assigns each segment, and says how certain that is', () => {
    const found = after(interview, run(...twoTurns));
    expect(speakers(found)).toEqual([0, 1, 0, 1]);
    expect(confidences(found)).toEqual([0.9, 0.7, 0.9, 0.5]);
    expect(found.speakers).toEqual([]);
  });

  it('splits a segment where the speaker changes; the second part has a number of its own', () => {
    const draft = draftOf([newSegment(0, 8, 'How are you? Very well.'), newSegment(8, 9, 'Good.')]);
    const found = after(draft, run(turn(0, 0, 4.4), turn(1, 4.4, 8), turn(0, 8, 9)));
    expect(found.segments.map(({ id, speaker, text }) => [id, speaker, text])).toEqual([
      [0, 0, 'How are you?'],
      [2, 1, 'Very well.'],
      [1, 0, 'Good.'],
    ]);
  });

  it('leaves a segment without a speaker if a person decided that', () => {
    const found = after(interview, run(...twoTurns), assign(null, 1), run(...twoTurns));
    expect(speakers(found)).toEqual([0, null, 0, 1]);
  });

  it('leaves what a person has assigned, whole, and gives that voice their number', () => {
    const found = after(interview, assign(5, 1), run(turn(0, 0, 5), turn(1, 5, 16)));
    expect(speakers(found)).toEqual([0, 5, 5, 5]);
    expect(confidences(found)[1]).toBeUndefined();
  });

  it('assigns again what an earlier run has assigned, but not what was corrected or confirmed since', () => {
    const corrected = after(interview, run(...twoTurns), assign(0, 1), assign(0, 2));
    expect(speakers(corrected)).toEqual([0, 0, 0, 1]);
    expect(speakers(after(corrected, run(turn(0, 0, 2), turn(1, 2, 16))))).toEqual([1, 0, 0, 0]);
  });

  it('gives known speakers their numbers, and so their names', () => {
    const named = after(
      interview,
      run(...twoTurns),
      { kind: 'name-speakers', names: ['Anna', 'Ben'] },
      run(turn(0, 0, 1.5), turn(1, 4, 8), turn(2, 8, 12), turn(1, 12, 16)),
    );
    // The second run calls other speakers first, second and third.
    expect(speakers(named)).toEqual([2, 1, 0, 1]);
    expect(named.speakers).toEqual(['Anna', 'Ben']);
  });

  it('never gives a new speaker the number of a named one or of one whom a person has assigned', () => {
    const draft = after(interview, { kind: 'name-speakers', names: ['Anna'] }, assign(1, 3));
    expect(speakers(after(draft, run(turn(0, 0, 4), turn(1, 4, 12))))).toEqual([2, 3, 3, 1]);
  });

  it('removes a speaker where nobody speaks', () => {
    const found = after(interview, run(...twoTurns), run(turn(0, 0, 3)));
    expect(speakers(found)).toEqual([0, null, null, null]);
    expect(confidences(found)).toEqual([0.9, undefined, undefined, undefined]);
  });

  it('changes nothing when it finds the same, and nothing in a text without times', () => {
    const found = after(interview, run(...twoTurns));
    expect(after(found, run(...twoTurns))).toEqual(found);
    const untimed = draftOf([], 'Good morning.');
    expect(after(untimed, run(...twoTurns))).toEqual(untimed);
  });
});

describe('a merge', () => {
  it('of two segments that were found is as certain as the less certain one', () => {
    const merged = after(interview, run(turn(0, 0, 4, 0.9), turn(0, 4, 8, 0.6)), {
      kind: 'merge',
      segment: 0,
    });
    expect(confidences(merged)[0]).toBe(0.6);
  });

  it('with a segment of a person belongs to that person’s decision', () => {
    const merged = after(interview, run(turn(0, 0, 8)), assign(1, 1), { kind: 'merge', segment: 0 });
    expect(speakers(merged)[0]).toBe(0);
    expect(confidences(merged)[0]).toBeUndefined();
  });
});

it('restoring the original keeps who was found and who was assigned', () => {
  const found = after(interview, run(...twoTurns), assign(3, 2), { kind: 'restore' });
  expect(speakers(found)).toEqual([0, 1, 3, 1]);
  expect(confidences(found)).toEqual([0.9, 0.7, undefined, 0.5]);
});
