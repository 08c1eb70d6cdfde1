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
  const context = { recordingSeconds: 60, original: () => draft };
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

  it('leaves a segment without a speaker if a person decided that before any run', () => {
    const found = after(interview, assign(null, 1), run(...twoTurns));
    expect(speakers(found)).toEqual([0, null, 0, 1]);
    expect(changeOf(found, assign(null, 1), { recordingSeconds: 60, original: () => interview })).toEqual([]);
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

describe('the certainty of a segment', () => {
  it('is the mean of the turns of its speaker in it, by duration', () => {
    const found = after(interview, run(turn(0, 0, 3), turn(1, 2, 2.5, 0.1), turn(0, 3, 4, 0.5)));
    // 3 s with 0.9 and 1 s with 0.5.
    expect(confidences(found)[0]).toBe(0.8);
  });

  it('counts only the part of a turn that is in the segment', () => {
    const draft = draftOf([newSegment(0, 4, 'How are you today?'), newSegment(4, 5, 'Well.')]);
    expect(confidences(after(draft, run(turn(0, 0, 3, 0.9), turn(0, 3, 9, 0.5))))).toEqual([0.8, 0.5]);
  });

  it('is that of the closest turn if nobody speaks in it', () => {
    const found = after(interview, run(turn(0, 0, 3.5, 0.6), turn(1, 0, 3.1, 0.3)));
    expect(speakers(found).slice(0, 2)).toEqual([0, 0]);
    expect(confidences(found)[1]).toBe(0.6);
  });

  it('has three decimals', () => {
    expect(confidences(after(interview, run(turn(0, 0, 4, 0.123_56))))[0]).toBe(0.124);
  });

  it('follows the last run, even when the speakers stay', () => {
    const found = after(interview, run(...twoTurns), run(turn(0, 0, 4, 0.2), ...twoTurns.slice(1)));
    expect(speakers(found)).toEqual([0, 1, 0, 1]);
    expect(confidences(found)).toEqual([0.2, 0.7, 0.9, 0.5]);
  });
});

/** Anna and Ben have each said half of the interview. */
const namedIn = (draft: Draft) =>
  after(draft, { kind: 'name-speakers', names: ['Anna', 'Ben'] }, assign(0, 0, 1), assign(1, 2, 3));

/** The interview with four segments that a person has not assigned. */
const longer = draftOf([
  ...interview.segments,
  ...['We are late.', 'It is cold.', 'Who knows?', 'Good night.'].map((text, index) =>
    newSegment(16 + 4 * index, 20 + 4 * index, text),
  ),
]);

describe('a speaker whom a person has named', () => {
  it('is the voice that speaks most in all of their segments together', () => {
    const found = after(
      namedIn(longer),
      // In Anna's first segment, voice 0 speaks more; in both together, voice 1 does.
      run(turn(0, 0, 3), turn(1, 3, 8), turn(2, 8, 16), turn(0, 16, 20), turn(1, 20, 24), turn(2, 24, 26)),
    );
    expect(speakers(found)).toEqual([0, 0, 1, 1, 2, 0, 1, null]);
  });

  it('does not share a voice with another: it is of whom it speaks more', () => {
    const voices = run(turn(0, 0, 3), turn(0, 8, 16), turn(1, 16, 20), turn(0, 20, 24));
    expect(speakers(after(namedIn(longer), voices)).slice(4, 6)).toEqual([2, 1]);
    const swapped = run(turn(0, 0, 8), turn(0, 8, 11), turn(1, 16, 20), turn(0, 20, 24));
    expect(speakers(after(namedIn(longer), swapped)).slice(4, 6)).toEqual([2, 0]);
  });

  it('is not a voice that only adjoins their segments', () => {
    const draft = after(longer, { kind: 'name-speakers', names: ['Anna'] }, assign(0, 0));
    expect(speakers(after(draft, run(turn(0, 4, 6.5), turn(1, 17.5, 19))))).toEqual([
      0,
      1,
      null,
      null,
      2,
      null,
      null,
      null,
    ]);
  });

  it('keeps the number, even if unused; a speaker without a name does not', () => {
    expect(speakers(after(namedIn(interview), run())).slice(0, 4)).toEqual([0, 0, 1, 1]);
    const second = after(interview, { kind: 'name-speakers', names: ['', 'Ben'] });
    expect(speakers(after(second, run(turn(0, 0, 8), turn(1, 8, 16))))).toEqual([0, 0, 2, 2]);
  });
});

describe('segments that are split', () => {
  const draft = draftOf(
    ['How are you? Very well.', 'And you? Not so bad.', 'Good.', 'Are we late? Not at all.'].map(
      (text, index) => newSegment(8 * index, 8 * index + 8, text),
    ),
  );
  const turns = [0, 8, 24]
    .flatMap((at) => [turn(0, at, at + 4), turn(1, at + 4, at + 8)])
    .concat(turn(1, 16, 24));
  const inOrder = turns.toSorted((a, b) => a.start - b.start);

  it('keep their order, and each part has an id of its own', () => {
    const found = after(draft, run(...inOrder));
    expect(found.segments.map(({ text, speaker }) => [text, speaker])).toEqual([
      ['How are you?', 0],
      ['Very well.', 1],
      ['And you?', 0],
      ['Not so bad.', 1],
      ['Good.', 1],
      ['Are we late?', 0],
      ['Not at all.', 1],
    ]);
    expect(found.segments.map(({ id }) => id)).toEqual([0, 4, 1, 5, 2, 3, 6]);
    expect(found.nextId).toBe(7);
  });

  it('are stored in one step with adjacent ones', () => {
    const change = changeOf(draft, run(...inOrder), { recordingSeconds: 60, original: () => draft });
    expect(change.map((step) => [step.kind, step.kind === 'splice' ? step.removed.length : null])).toEqual([
      ['replace', null],
      ['splice', 1],
      ['splice', 2],
    ]);
  });

  it('are stored in one step if they are many', () => {
    const pieces = Array.from({ length: 300 }, (_, at) => ({
      start: 4 * at,
      end: 4 * at + 4,
      text: at % 2 === 0 ? 'How are you? Very well.' : 'Good.',
    }));
    const long = draftOf(pieces);
    const turns = pieces.flatMap((_, at) => [turn(0, 4 * at, 4 * at + 2), turn(1, 4 * at + 2, 4 * at + 4)]);
    const change = changeOf(long, run(...turns), { recordingSeconds: 1200, original: () => long });
    expect(change.map(({ kind }) => kind)).toEqual(['splice']);
    const { segments } = after(long, run(...turns));
    expect(segments).toHaveLength(450);
    expect(segments.every(({ speaker }) => speaker !== null)).toBe(true);
    expect(new Set(segments.map(({ id }) => id)).size).toBe(450);
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
