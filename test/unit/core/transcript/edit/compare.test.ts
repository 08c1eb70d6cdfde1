import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StoredOperation } from '../../../../../electron/contract/transcript.ts';
import { applyChange } from '../../../../../electron/core/transcript/edit/change.ts';
import {
  areDividedDifferently,
  compareLines,
  compareSegments,
  type ComparedSegments,
} from '../../../../../electron/core/transcript/edit/compare.ts';
import { changeOf, draftOf } from '../../../../../electron/core/transcript/edit/edit.ts';
import { diffWords } from '../../../../../electron/core/transcript/edit/text-diff.ts';
import {
  draft,
  draftWithWords,
  durationSeconds,
  edited,
  operation,
  restoration,
} from './edit-arbitraries.ts';

const isChanged = ({ before, after }: { readonly before: string; readonly after: string }): boolean =>
  before !== after;

const differs = (one: ComparedSegments): boolean => isChanged(one) || areDividedDifferently(one);

const mergedOver = (last: string) =>
  between(
    [
      [0, 'two red'],
      [1, 'xx yy'],
      [2, last],
    ],
    [[0, 'two red boats']],
  );

const splitOver = (last: string) =>
  between(
    [[0, 'two red boats']],
    [
      [0, 'two red'],
      [8, 'xx yy'],
      [9, last],
    ],
  );

/** Compares segments, each an id with its text. */
const between = (original: readonly [number, string][], current: readonly [number, string][]) => {
  const [before, after] = [original, current].map((all) =>
    all.map(([id, text]) => ({ id, start: id, end: id + 1, text, speaker: null })),
  );
  return compareSegments(after!, before!).map((one) => [one.before, one.after]);
};

describe('segments', () => {
  const spoken = draftOf([
    { start: 0, end: 4, text: 'One net. Two nets.' },
    { start: 4, end: 6, text: 'Three boats' },
    { start: 8, end: 9, text: 'Four walls' },
  ]);
  const changes = (...operations: readonly StoredOperation[]) =>
    compareSegments(edited(spoken, spoken, operations).segments, spoken.segments)
      .filter(isChanged)
      .map(({ before, after }) => [before, after]);

  test('are compared one by one', () => {
    expect(changes()).toStrictEqual([]);
    expect(changes({ kind: 'set-text', segment: 1, text: 'Three ships' })).toStrictEqual([
      ['Three boats', 'Three ships'],
    ]);
    expect(changes({ kind: 'delete', segments: [1] })).toStrictEqual([['Three boats', '']]);
    expect(changes({ kind: 'delete', segments: [0, 1, 2] })).toStrictEqual([
      ['One net. Two nets.', ''],
      ['Three boats', ''],
      ['Four walls', ''],
    ]);
    expect(changes({ kind: 'insert', after: 0, text: 'New.', fillsGap: false })).toStrictEqual([
      ['', 'New.'],
    ]);
  });

  test('that were split or merged are compared together, which alone changes no words', () => {
    const split = { kind: 'split', segment: 0, offset: 9, atSeconds: 2 } as const;
    expect(changes(split, { kind: 'merge', segment: 1 })).toStrictEqual([]);
    const { segments } = edited(spoken, spoken, [split, { kind: 'merge', segment: 1 }]);
    const rows = compareSegments(segments, spoken.segments);
    expect(rows.map((row) => [row.original.length, row.current.length])).toStrictEqual([
      [1, 2],
      [2, 1],
    ]);
    expect(rows.map((row) => areDividedDifferently(row))).toStrictEqual([true, true]);
    // Other words alone do not divide anything differently.
    const rewritten = edited(spoken, spoken, [{ kind: 'set-text', segment: 1, text: 'Three ships' }]);
    expect(
      compareSegments(rewritten.segments, spoken.segments).some((row) => areDividedDifferently(row)),
    ).toBe(false);
    // The program has split off the second half.
    expect(rows.map((row) => areDividedDifferently(row, new Set([3])))).toStrictEqual([false, true]);
    expect(changes(split, { kind: 'set-text', segment: 3, text: 'Two boats.' })).toStrictEqual([
      ['One net. Two nets.', 'One net. Two boats.'],
    ]);
    expect(
      changes({ kind: 'merge', segment: 1 }, { kind: 'set-text', segment: 1, text: 'Three four walls' }),
    ).toStrictEqual([['Three boats Four walls', 'Three four walls']]);
    expect(changes(split, { kind: 'delete', segments: [3, 1] })).toStrictEqual([
      ['One net. Two nets.', 'One net.'],
      ['Three boats', ''],
    ]);
  });

  test.each([
    [
      'a new one at the beginning',
      [[0, 'One']],
      [
        [9, 'New'],
        [0, 'One'],
      ],
      [
        ['', 'New'],
        ['One', 'One'],
      ],
    ],
    [
      'a deleted one at the beginning',
      [
        [0, 'One'],
        [1, 'Two'],
      ],
      [[1, 'Two']],
      [
        ['One', ''],
        ['Two', 'Two'],
      ],
    ],
    [
      'a deleted one before a new one',
      [
        [0, 'One'],
        [1, 'Two'],
      ],
      [
        [0, 'One'],
        [9, 'New'],
      ],
      [
        ['One', 'One'],
        ['Two', ''],
        ['', 'New'],
      ],
    ],
    [
      'a rewritten one before a deleted one',
      [
        [0, 'One'],
        [1, 'Two'],
      ],
      [[0, 'New']],
      [
        ['One', 'New'],
        ['Two', ''],
      ],
    ],
    [
      'a rewritten one before a new one',
      [[0, 'One']],
      [
        [0, 'New'],
        [9, 'More'],
      ],
      [
        ['One', 'New'],
        ['', 'More'],
      ],
    ],
    [
      'two at the beginning that were replaced',
      [
        [0, 'One'],
        [1, 'Two'],
      ],
      [[9, 'New']],
      [
        ['One', ''],
        ['Two', ''],
        ['', 'New'],
      ],
    ],
    [
      'one that was replaced by a similar one',
      [[0, 'One net']],
      [[9, 'One nets']],
      [['One net', 'One nets']],
    ],
    [
      'a new one before the rest of a split one',
      [[0, 'Good morning all']],
      [
        [0, 'Good'],
        [9, 'New'],
        [8, 'morning all'],
      ],
      [['Good morning all', 'Good New morning all']],
    ],
    [
      'spaces around the text',
      [
        [0, ' One '],
        [1, ' Two'],
      ],
      [[0, ' One  Two ']],
      [['One Two', 'One  Two']],
    ],
    ['none', [], [], []],
  ] as const)('with %s are compared', (_, original, current, expected) => {
    expect(
      between(
        [...original].map(([id, text]) => [id, text]),
        [...current].map(([id, text]) => [id, text]),
      ),
    ).toStrictEqual(expected);
  });

  test('belong together if words were moved between adjacent ones', () => {
    const moved = between(
      [
        [0, 'two red'],
        [1, 'boats'],
        [2, 'on land'],
      ],
      [
        [0, 'two'],
        [1, 'red ships'],
        [2, 'on land'],
      ],
    );
    expect(moved).toStrictEqual([
      ['two red boats', 'two red ships'],
      ['on land', 'on land'],
    ]);
  });

  test('further apart belong together from a third of the letters that they share', () => {
    expect(mergedOver('boats abcde fghij')).toStrictEqual([
      ['two red xx yy boats abcde fghij', 'two red boats'],
    ]);
    expect(mergedOver('boats abcde fghijk')).toStrictEqual([
      ['two red', 'two red boats'],
      ['xx yy', ''],
      ['boats abcde fghijk', ''],
    ]);
    expect(splitOver('boats abcde fghij')).toStrictEqual([
      ['two red boats', 'two red xx yy boats abcde fghij'],
    ]);
    expect(splitOver('boats abcde fghijk')).toStrictEqual([
      ['two red boats', 'two red'],
      ['', 'xx yy'],
      ['', 'boats abcde fghijk'],
    ]);
  });

  test('count the letters of each for itself', () => {
    // Of the second, nothing is left; of the third, all.
    expect(
      between(
        [
          [0, 'red'],
          [1, 'boat'],
          [2, 'walls'],
        ],
        [[0, 'red walls']],
      ),
    ).toStrictEqual([['red boat walls', 'red walls']]);
    expect(
      between(
        [
          [0, 'red'],
          [1, 'walls'],
          [2, 'boat'],
        ],
        [[0, 'red walls']],
      ),
    ).toStrictEqual([
      ['red walls', 'red walls'],
      ['boat', ''],
    ]);
    expect(
      between(
        [[0, 'red walls']],
        [
          [0, 'red'],
          [8, 'walls'],
          [9, 'boat'],
        ],
      ),
    ).toStrictEqual([
      ['red walls', 'red walls'],
      ['', 'boat'],
    ]);
  });

  test('are restored with the time of those that they replace', () => {
    const context = { recordingSeconds: durationSeconds, original: () => spoken };
    const changed = edited(spoken, spoken, [
      { kind: 'merge', segment: 0 },
      { kind: 'set-text', segment: 0, text: 'One net. Three boats' },
      { kind: 'set-speaker', segments: [0], speaker: 1 },
      { kind: 'delete', segments: [2] },
      { kind: 'retime', factor: 1, offsetSeconds: 10 },
    ]);
    const restored = compareSegments(changed.segments, spoken.segments)
      .filter(isChanged)
      .reduce((after, one) => applyChange(after, changeOf(after, restoration(one), context)), changed);
    expect(restored.segments).toMatchObject([
      { id: 0, start: 10, end: 14, text: 'One net. Two nets.', speaker: 1 },
      { id: 1, start: 14, end: 16, text: 'Three boats', speaker: 1 },
      { id: 2, start: 18, end: 19, text: 'Four walls' },
    ]);
  });

  const refused = (current: readonly number[], original: readonly number[]) =>
    changeOf(
      spoken,
      { kind: 'restore', only: { current, original } },
      { recordingSeconds: durationSeconds, original: () => spoken },
    );

  test('of another draft than the one that was compared are not restored', () => {
    expect(refused([1], [0])).toStrictEqual([]);
    expect(refused([0, 2], [0])).toStrictEqual([]);
    expect(refused([7], [])).toStrictEqual([]);
    expect(refused([], [2])).toStrictEqual([]);
    expect(refused([1], [1])).toHaveLength(1);
  });

  test('are all compared exactly once, and restored one after the other, whatever was edited', () => {
    fc.assert(
      fc.property(
        fc.oneof(draft, draftWithWords).filter(({ text }) => text === null),
        fc.array(operation, { maxLength: 8 }),
        (original, operations) => {
          let now = edited(original, original, operations);
          const compare = () => compareSegments(now.segments, original.segments);
          const all = compare();
          expect(all.flatMap(({ current }) => current)).toStrictEqual(now.segments);
          const ids = all.flatMap((one) => one.original.map(({ id }) => id));
          expect(ids.toSorted((a, b) => a - b)).toStrictEqual(original.segments.map(({ id }) => id));
          for (let left = all.filter(differs).length; left > 0; left -= 1) {
            const next = compare().find(differs);
            if (next === undefined) break;
            now = edited(now, original, [restoration(next)]);
          }
          expect(compare().filter(differs)).toStrictEqual([]);
        },
      ),
    );
  });
});

const lines = fc
  .array(fc.constantFrom('One net.', 'Two nets.', '', 'Three', '日本語です', '\n'), { maxLength: 8 })
  .map((all) => all.join('\n'));

test('lines are all compared, and those that changed can be restored one by one', () => {
  fc.assert(
    fc.property(lines, lines, (original, current) => {
      const all = compareLines(current, original);
      expect(all.map(({ before }) => before).join('')).toBe(original);
      expect(all.map(({ after }) => after).join('')).toBe(current);
      for (const { at, after } of all) expect(current.slice(at, at + after.length)).toBe(after);
    }),
  );
  expect(compareLines('One\nTwo boats\nFour', 'One\nTwo nets\nThree\nFour').filter(isChanged)).toStrictEqual([
    { at: 3, before: '\nTwo nets\nThree', after: '\nTwo boats' },
  ]);
});

test('unchanged lines are alone, and each is where it is now', () => {
  expect(compareLines('One\nNew\nTwo\nThree', 'One\nTwo\nOld\nThree')).toStrictEqual([
    { at: 0, before: 'One', after: 'One' },
    { at: 3, before: '', after: '\nNew' },
    { at: 7, before: '\nTwo', after: '\nTwo' },
    { at: 11, before: '\nOld', after: '' },
    { at: 11, before: '\nThree', after: '\nThree' },
  ]);
});

describe('words', () => {
  test.each([
    ['the old net', 'the new net', 'the [-old-]{+new+} net'],
    ['the old net tore', 'the new boat tore', 'the [-old net-]{+new boat+} tore'],
    ['the very old net', 'the old net', 'the [-very -]old net'],
    ['we hauled nets', 'we pulled up nets', 'we [-hauled-]{+pulled up+} nets'],
    ['a net', 'a net, torn', 'a net{+, torn+}'],
    ['', 'new', '{+new+}'],
    ['今日はいい天気です', '今日は悪い天気です', '今日は[-いい-]{+悪い+}天気です'],
  ])('of %s and %s', (before, after, both) => {
    const brackets = { same: ['', ''], deleted: ['[-', '-]'], inserted: ['{+', '+}'] } as const;
    const text = diffWords(before, after).map((part) => brackets[part.kind].join(part.text));
    expect(text.join('')).toBe(both);
  });

  test('are all there, even of texts that have little in common', () => {
    const text = fc.oneof(
      lines,
      fc.string({ unit: 'grapheme' }),
      fc.array(fc.nat(), { minLength: 500, maxLength: 500 }).map((words) => words.join(' ')),
    );
    fc.assert(
      fc.property(text, text, (before, after) => {
        const parts = diffWords(before, after);
        const without = (kind: 'deleted' | 'inserted') =>
          parts.map((part) => (part.kind === kind ? '' : part.text)).join('');
        expect(without('inserted')).toBe(before);
        expect(without('deleted')).toBe(after);
        expect(parts.every((part) => part.text !== '')).toBe(true);
      }),
    );
  });
});
