import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type {
  Change,
  Draft,
  DraftSegment,
  StoredOperation,
} from '../../../../../electron/contract/transcript.ts';
import { roundToMilliseconds } from '../../../../../electron/contract/milliseconds.ts';
import { applyChange, invertChange } from '../../../../../electron/core/transcript/edit/change.ts';
import { draftOf } from '../../../../../electron/core/transcript/edit/edit.ts';
import { minSegmentSeconds } from '../../../../../electron/core/transcript/edit/segment-times.ts';
import { shiftRange } from '../../../../../electron/core/transcript/edit/time-operations.ts';
import { wordsOf } from '../../../../../electron/core/transcript/word-times.ts';
import { draft, draftWithWords, durationSeconds, operation, rearranging, run } from './edit-arbitraries.ts';

/** The visible parts of a draft. */
const seen = ({ nextId: _next, ...rest }: Draft) => rest;

const letters = ({ segments }: Draft): string =>
  segments
    .map(({ text }) => text)
    .join('')
    .replaceAll(/[\s\p{Cc}]/gu, '');

const retimeBy = (factor: number, offsetSeconds: number) =>
  ({ kind: 'retime', factor, offsetSeconds }) as const;

const timesOf = ({ segments }: Draft) =>
  segments.flatMap(({ start, end }) => [start, end]).map(roundToMilliseconds);

describe('any sequence of edits', () => {
  test('undoing all gives the original, redoing all gives the same result', () => {
    fc.assert(
      fc.property(draft, fc.array(operation, { maxLength: 12 }), (before, operations) => {
        const { after, changes } = run(before, operations);
        const back = changes.toReversed().map(invertChange).reduce(applyChange, after);
        expect(seen(back)).toStrictEqual(seen(before));
        expect(seen(changes.reduce(applyChange, back))).toStrictEqual(seen(after));
      }),
    );
  });

  test('segments stay ordered and within the recording, and each has its own number', () => {
    fc.assert(
      fc.property(draft, fc.array(operation, { maxLength: 12 }), (before, operations) => {
        const { after } = run(before, operations);
        let last = 0;
        for (const { start, end } of after.segments) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThanOrEqual(start);
          expect(end).toBeLessThanOrEqual(durationSeconds);
          last = start;
        }
        const ids = after.segments.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(Math.max(-1, ...ids)).toBeLessThan(after.nextId);
        expect(after.notes.map(({ atSeconds }) => atSeconds)).toStrictEqual(
          after.notes.map(({ atSeconds }) => atSeconds).toSorted((a, b) => a - b),
        );
      }),
    );
  });

  test('no segment gets shorter than the minimum, except by splitting or scaling times', () => {
    const dividing = new Set<StoredOperation['kind']>(['split', 'retime', 'assign-speakers']);
    const edits = fc.array(
      operation.filter(
        (one) =>
          !dividing.has(one.kind) && (one.kind !== 'put-back' || one.end - one.start >= minSegmentSeconds),
      ),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(draft, edits, (source, operations) => {
        const kept = source.segments.filter(({ start, end }) => end - start >= minSegmentSeconds);
        const before = draftOf(
          kept.map(({ id: _id, ...segment }) => segment),
          source.text,
        );
        for (const { start, end } of run(before, operations).after.segments)
          expect(roundToMilliseconds(end - start)).toBeGreaterThanOrEqual(minSegmentSeconds);
      }),
      { numRuns: 2000 },
    );
  });

  test('rearranging loses and adds no letter', () => {
    fc.assert(
      fc.property(draft, fc.array(rearranging, { maxLength: 12 }), (before, operations) => {
        expect(letters(run(before, operations).after)).toBe(letters(before));
      }),
    );
  });

  test('words cover their text, in order and within their segment, and only new segments have none', () => {
    fc.assert(
      fc.property(draftWithWords, fc.array(operation, { maxLength: 12 }), (before, operations) => {
        const { after, changes } = run(before, operations);
        for (const draftAfter of [after, changes.toReversed().map(invertChange).reduce(applyChange, after)]) {
          for (const segment of draftAfter.segments) {
            const words = wordsOf(segment);
            expect(words !== null).toBe(segment.extras?.words !== undefined);
            if (words === null) continue;
            let [offset, time] = [0, segment.start];
            for (const { from, to, start, end, probability } of words) {
              expect(segment.text.slice(offset, from).trim()).toBe('');
              expect(segment.text.slice(from, to)).toMatch(/^\S(?:.*\S)?$/u);
              expect(start).toBeGreaterThanOrEqual(time);
              expect(end).toBeGreaterThanOrEqual(start);
              expect(probability ?? 0).toBeLessThanOrEqual(1);
              [offset, time] = [to, end];
            }
            expect(segment.text.slice(offset).trim()).toBe('');
            expect(time).toBeLessThanOrEqual(segment.end);
          }
        }
        const isNew = ({ id }: DraftSegment): boolean =>
          operations.some(({ kind }) => kind === 'insert' || kind === 'put-back') && id >= before.nextId;
        expect(after.segments.filter((one) => wordsOf(one) === null && !isNew(one))).toEqual([]);
      }),
    );
  });

  test('a change is plain data: it has the same effect after being stored and read', () => {
    fc.assert(
      fc.property(draft, operation, (before, one) => {
        const { changes, after } = run(before, [one]);
        const stored = JSON.parse(JSON.stringify(changes)) as Change[];
        expect(stored.reduce(applyChange, before)).toStrictEqual(after);
      }),
    );
  });
});

const spoken = draftOf([
  { start: 0, end: 4, text: 'One net. Two nets.' },
  { start: 4, end: 6, text: 'Three' },
  { start: 8, end: 9, text: 'Four' },
]);

/** Returns where a segment that starts at 1 s is split, in seconds. */
const splitTime = (end: number, atSeconds: number | null): number | undefined => {
  const before = draftOf([{ start: 1, end, text: 'One net' }]);
  const [first, second] = run(before, [{ kind: 'split', segment: 0, offset: 4, atSeconds }]).after.segments;
  return first?.end === second?.start ? second?.start : undefined;
};

const after = (...operations: readonly StoredOperation[]) =>
  run(spoken, operations).after.segments.map(({ start, end, text }) => [start, end, text]);

const firstRestored = (...operations: readonly StoredOperation[]) =>
  run(spoken, [...operations, { kind: 'restore' }]).after.segments[0];

describe('the original of a segment that was split', () => {
  const split = { kind: 'split', segment: 0, offset: 9, atSeconds: 1 } as const;

  test('keeps the speaker of a part, of the longest one if several have one', () => {
    const nameSecond = { kind: 'set-speaker', segments: [3], speaker: 1 } as const;
    const nameFirst = { kind: 'set-speaker', segments: [0], speaker: 0 } as const;
    expect(firstRestored(split, nameSecond)).toMatchObject({ text: 'One net. Two nets.', speaker: 1 });
    expect(firstRestored(split, nameFirst)).toMatchObject({ speaker: 0 });
    expect(firstRestored(split, nameFirst, nameSecond)).toMatchObject({ speaker: 1 });
    expect(firstRestored(split)).toMatchObject({ speaker: null });
  });

  test('keeps the highlights of all parts, and nothing of a segment inserted after it', () => {
    const highlightSecond = {
      kind: 'highlight-words',
      passages: [{ segment: 3, from: 0, text: 'Two' }],
      isHighlighted: true,
    } as const;
    expect(firstRestored(split, highlightSecond)?.extras?.highlight).toStrictEqual([{ from: 9, to: 12 }]);
    const insertion = { kind: 'insert', after: 1, text: 'Later', fillsGap: true } as const;
    const { segments } = run(spoken, [
      insertion,
      { kind: 'set-speaker', segments: [3], speaker: 1 },
      { kind: 'restore' },
    ]).after;
    expect(segments.map(({ speaker }) => speaker)).toStrictEqual([null, null, null]);
  });
});

describe('a text without times', () => {
  const lines = draftOf([], 'One net.\nTwo nets.');
  const edited = (...operations: readonly StoredOperation[]) => run(lines, operations).after.text;

  test('is edited as a whole, with its line breaks', () => {
    expect(edited({ kind: 'edit-text', at: 4, removed: 3, inserted: 'boat\r\nor\u0000more' })).toBe(
      'One boat\nor more.\nTwo nets.',
    );
    expect(edited({ kind: 'edit-text', at: 99, removed: 9, inserted: '!' })).toBe('One net.\nTwo nets.!');
  });

  test('is restored exactly', () => {
    const edit = { kind: 'edit-text', at: 0, removed: 9, inserted: '' } as const;
    expect(edited(edit)).toBe('Two nets.');
    expect(edited(edit, { kind: 'restore' })).toBe('One net.\nTwo nets.');
  });

  test('gets no segments, and one with segments gets no text', () => {
    expect(run(lines, [{ kind: 'insert', after: null, text: 'x', fillsGap: false }]).after).toStrictEqual(
      lines,
    );
    expect(after({ kind: 'edit-text', at: 0, removed: 0, inserted: 'x' })).toStrictEqual(after());
  });
});

const said = (segment: number, speaker: number) =>
  ({ kind: 'set-speaker', segments: [segment], speaker }) as const;

describe('an operation', () => {
  test('splits at the caret and estimates the time from the characters', () => {
    expect(after({ kind: 'split', segment: 0, offset: 8, atSeconds: null }).slice(0, 2)).toStrictEqual([
      [0, 1.867, 'One net.'],
      [1.867, 4, 'Two nets.'],
    ]);
  });

  test('splits at the playhead', () => {
    expect(after({ kind: 'split', segment: 0, offset: 9, atSeconds: 2.5 }).slice(0, 2)).toStrictEqual([
      [0, 2.5, 'One net.'],
      [2.5, 4, 'Two nets.'],
    ]);
  });

  test('leaves both halves of a split the minimum duration, or halves the time', () => {
    expect(splitTime(3, 1.02)).toBe(1.1);
    expect(splitTime(3, 2.99)).toBe(2.9);
    expect(splitTime(3, 3)).toBe(2.9);
    expect(splitTime(1.2, null)).toBe(1.1);
    expect(splitTime(1.1, 1.01)).toBe(1.05);
    expect(splitTime(1, null)).toBe(1);
  });

  test('does not split off an empty segment', () => {
    expect(after({ kind: 'split', segment: 0, offset: 0, atSeconds: null })).toStrictEqual(after());
    expect(after({ kind: 'split', segment: 1, offset: 5, atSeconds: null })).toStrictEqual(after());
    expect(after({ kind: 'split', segment: 99, offset: 1, atSeconds: null })).toStrictEqual(after());
  });

  test('never splits within a character', () => {
    const family = draftOf([{ start: 0, end: 2, text: 'a👩‍👩‍👧b' }]);
    const { segments } = run(family, [{ kind: 'split', segment: 0, offset: 4, atSeconds: null }]).after;
    expect(segments.map(({ text }) => text)).toStrictEqual(['a', '👩‍👩‍👧b']);
  });

  test('merges with the next, with a space only where the script has one', () => {
    expect(after({ kind: 'merge', segment: 1 })[1]).toStrictEqual([4, 9, 'Three Four']);
    const japanese = draftOf([
      { start: 0, end: 1, text: '港の' },
      { start: 1, end: 2, text: '網' },
    ]);
    expect(run(japanese, [{ kind: 'merge', segment: 0 }]).after.segments[0]?.text).toBe('港の網');
    expect(after({ kind: 'merge', segment: 2 })).toStrictEqual(after());
  });

  test('moves a boundary, and the neighbour that touches it', () => {
    expect(after({ kind: 'move-boundary', segment: 0, edge: 'end', toSeconds: 5 }).slice(0, 2)).toStrictEqual(
      [
        [0, 5, 'One net. Two nets.'],
        [5, 6, 'Three'],
      ],
    );
    expect(after({ kind: 'move-boundary', segment: 2, edge: 'start', toSeconds: 5 }).slice(1)).toStrictEqual([
      [4, 5, 'Three'],
      [5, 9, 'Four'],
    ]);
    expect(after({ kind: 'move-boundary', segment: 2, edge: 'start', toSeconds: 1 }).slice(1)).toStrictEqual([
      [4, 4.1, 'Three'],
      [4.1, 9, 'Four'],
    ]);
  });

  test('inserts into a gap', () => {
    expect(after({ kind: 'insert', after: 1, text: 'So', fillsGap: false })[2]).toStrictEqual([6, 8, 'So']);
    expect(after({ kind: 'insert', after: 0, text: 'So', fillsGap: false }).slice(0, 3)).toStrictEqual([
      [0, 2, 'One net. Two nets.'],
      [2, 4, 'So'],
      [4, 6, 'Three'],
    ]);
  });

  test('inserts a segment that can be seen where the gap is tiny, and none where nothing has time to give', () => {
    const tight = draftOf([
      { start: 0, end: 4, text: 'One.' },
      { start: 4.01, end: 4.1, text: 'Two.' },
      { start: 4.11, end: 4.2, text: 'Three.' },
    ]);
    const inserted = (id: number) =>
      run(tight, [{ kind: 'insert', after: id, text: '', fillsGap: false }]).after.segments.map(
        ({ start, end }) => [start, end],
      );
    expect(inserted(0).slice(0, 2)).toStrictEqual([
      [0, 2],
      [2, 4],
    ]);
    expect(inserted(1)).toHaveLength(3);
  });

  test('inserts a segment of some duration, which leaves its neighbours one, or none', () => {
    const insertion = fc.record({
      kind: fc.constant('insert' as const),
      after: fc.option(fc.nat({ max: 8 })),
      text: fc.constant('So'),
      fillsGap: fc.boolean(),
    });
    fc.assert(
      fc.property(draft, fc.boolean(), insertion, (apart, touch, one) => {
        const moves = apart.segments.map(({ id }, index) => ({
          kind: 'move-boundary' as const,
          segment: id,
          edge: 'end' as const,
          toSeconds: apart.segments[index + 1]?.start ?? durationSeconds,
        }));
        const before = touch ? run(apart, moves).after : apart;
        const { segments } = run(before, [one]).after;
        const hasDuration = new Map(before.segments.map(({ id, start, end }) => [id, end > start]));
        for (const [index, { id, start, end }] of segments.entries()) {
          expect(end > start).toBe(hasDuration.get(id) ?? true);
          expect(end).toBeLessThanOrEqual(segments[index + 1]?.start ?? durationSeconds);
        }
      }),
    );
  });

  test('puts a segment back by its start', () => {
    const back = { kind: 'put-back', start: 6.5, end: 7, text: 'So', speaker: 1 } as const;
    expect(after(back)[2]).toStrictEqual([6.5, 7, 'So']);
    expect(after({ ...back, start: 99, end: 100 })[3]).toStrictEqual([59.9, 60, 'So']);
    expect(after({ kind: 'delete', segments: [0, 1, 2] }, back)).toStrictEqual([[6.5, 7, 'So']]);
  });

  test('names all speakers at once; equal names merge', () => {
    const given = [said(0, 0), said(1, 1), said(2, 2)];
    const named = run(spoken, [...given, { kind: 'name-speakers', names: ['Anna', '', ' Anna '] }]);
    expect(named.after.speakers).toStrictEqual(['Anna', '', '']);
    expect(named.after.segments.map(({ speaker }) => speaker)).toStrictEqual([0, 1, 0]);
    const again = run(named.after, [{ kind: 'name-speakers', names: ['Anna', ''] }]);
    expect(again.changes).toStrictEqual([[]]);
    const other = run(named.after, [{ kind: 'name-speakers', names: ['Piet', 'Anna'] }]);
    expect(other.after.speakers).toStrictEqual(['Piet', 'Anna', '']);
    expect(other.after.segments.map(({ speaker }) => speaker)).toStrictEqual([0, 1, 0]);
  });

  test('merges speakers, whose names stay and whose segments count as assigned by hand', () => {
    const turns = [0, 1, 2].map((speaker) => ({
      start: 4 * speaker,
      end: 4 * speaker + 4,
      speaker,
      confidence: 0.5,
    }));
    const found = run(spoken, [{ kind: 'assign-speakers', turns }]).after;
    const speakersAfter = (names: string[], becomes: (number | null)[]) => {
      const { after: merged } = run(found, [{ kind: 'name-speakers', names, becomes }]);
      const of = found.segments.map(({ speaker }, i) => [speaker, merged.segments[i]] as const);
      for (const [before, segment] of of)
        expect(segment?.extras?.speakerConfidence === undefined).toBe(segment?.speaker !== before);
      return [merged.speakers, merged.segments.map(({ speaker }) => speaker)];
    };
    const [a, b, c] = found.segments.map(({ speaker }) => speaker);
    expect([a, b, c]).toStrictEqual([0, 1, 2]);
    expect(speakersAfter(['Anna', '', ''], [null, 0])).toStrictEqual([
      ['Anna', '', ''],
      [0, 0, 2],
    ]);
    expect(speakersAfter(['', 'Ben'], [null, 0])).toStrictEqual([
      ['Ben', ''],
      [0, 0, 2],
    ]);
    expect(speakersAfter(['', '', 'Cy'], [1, 2])).toStrictEqual([
      ['', '', 'Cy'],
      [2, 2, 2],
    ]);
    expect(speakersAfter([], [1, 0])).toStrictEqual([[], [0, 0, 2]]);
    expect(speakersAfter(['Anna', '', 'Anna'], [1])).toStrictEqual([
      ['', 'Anna', ''],
      [1, 1, 1],
    ]);
  });

  test('changes every time, or none if one would leave the recording, so that shifting back restores them', () => {
    expect(after(retimeBy(2, 1))).toStrictEqual([
      [1, 9, 'One net. Two nets.'],
      [9, 13, 'Three'],
      [17, 19, 'Four'],
    ]);
    expect(after(retimeBy(1, durationSeconds - 9)).at(-1)).toStrictEqual([59, 60, 'Four']);
    for (const [factor, offset] of [
      [1, -0.001],
      [1, durationSeconds - 8.999],
      [10, 0],
    ] as const) {
      expect(after(retimeBy(factor, offset))).toStrictEqual(after());
    }
    expect(shiftRange(spoken, 1, durationSeconds)).toStrictEqual({ earliest: -0, latest: 51 });
    expect(shiftRange(spoken, 10, durationSeconds).latest).toBeLessThan(0);
    fc.assert(
      fc.property(draft, fc.integer({ min: -60_000, max: 60_000 }), (before, milliseconds) => {
        const shifted = run(before, [retimeBy(1, milliseconds / 1000)]);
        fc.pre(shifted.changes.some((change) => change.length > 0));
        expect(timesOf(run(shifted.after, [retimeBy(1, -milliseconds / 1000)]).after)).toStrictEqual(
          timesOf(before),
        );
      }),
    );
  });

  test('replaces whole words, or ignoring case, with a literal replacement', () => {
    const query = { text: 'net', matchCase: false, wholeWords: true };
    expect(after({ kind: 'replace', query, replacement: '$&' })[0]?.[2]).toBe('One $&. Two nets.');
    const loose = { text: 'NET', matchCase: false, wholeWords: false };
    expect(after({ kind: 'replace', query: loose, replacement: 'rope' })[0]?.[2]).toBe(
      'One rope. Two ropes.',
    );
    const strict = { ...loose, matchCase: true };
    expect(after({ kind: 'replace', query: strict, replacement: 'rope' })).toStrictEqual(after());
  });

  test('keeps text plain: line breaks and control characters become spaces', () => {
    expect(after({ kind: 'set-text', segment: 1, text: 'Three\r\n\u0000four' })[1]?.[2]).toBe('Three four');
  });
});
