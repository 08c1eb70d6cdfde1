import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { maxHighlightedRanges, type Segment } from '../../../../electron/contract/segment-schema.ts';
import type { StoredOperation } from '../../../../electron/contract/transcript.ts';
import { applyChange } from '../../../../electron/core/transcript/edit/change.ts';
import { changeOf, draftOf } from '../../../../electron/core/transcript/edit/edit.ts';
import { onlyHighlights } from '../../../../electron/core/formats/content.ts';
import { labelledSegments } from '../../../../electron/core/formats/layout/subtitles.ts';
import { documentParts } from '../../../../electron/core/formats/write/paragraphs.ts';
import {
  highlightedRanges,
  highlightOf,
  highlightsInPlaceOf,
  isRangeHighlighted,
  withRanges,
} from '../../../../electron/core/transcript/highlights.ts';
import { oneLine } from '../../../../electron/core/transcript/plain-text.ts';
import {
  highlightedPassages,
  mergeSegments,
  newSegment,
  splitSegment,
  withHighlight,
  withText,
} from '../../../../electron/core/transcript/segment.ts';

const sentence = 'The harbour is quiet, and the nets dry.';

/** A segment in which these texts are highlighted. */
const marked = (text: string, ...parts: readonly string[]): Segment =>
  parts.reduce(
    (segment, part) => {
      const from = text.indexOf(part);
      return withHighlight(segment, withRanges(segment, [{ from, to: from + part.length }], true));
    },
    newSegment(0, 10, text),
  );

/** The highlighted texts of a segment. */
const partsOf = (segment: Segment): readonly string[] =>
  highlightedRanges(segment).map(({ from, to }) => segment.text.slice(from, to));

const afterText = (text: string, parts: readonly string[], after: string): readonly string[] =>
  partsOf(withText(marked(text, ...parts), after));

test('a highlight is one of whole words', () => {
  expect(partsOf(marked(sentence, 'arbo'))).toStrictEqual(['harbour']);
  expect(partsOf(marked(sentence, 'r is q'))).toStrictEqual(['harbour is quiet,']);
  expect(marked(sentence, ' ').extras).toBeUndefined();
  expect(marked(sentence, sentence).extras).toStrictEqual({ highlight: true });
  expect(partsOf(marked(sentence, 'The', 'is', 'harbour'))).toStrictEqual(['The harbour is']);
});

test('a part of a highlight is removed, from a whole segment too', () => {
  const whole = marked(sentence, sentence);
  const from = sentence.indexOf('quiet');
  const rest = withHighlight(whole, withRanges(whole, [{ from, to: from + 3 }], false));
  expect(partsOf(rest)).toStrictEqual(['The harbour is', 'and the nets dry.']);
  expect(isRangeHighlighted(rest, { from: 0, to: 5 })).toBe(true);
  expect(isRangeHighlighted(rest, { from: 0, to: from + 1 })).toBe(false);
});

test.each<readonly [string, string, readonly string[]]>([
  ['a word before it', 'Now the harbour is quiet, and the nets dry.', ['quiet, and']],
  ['a word in it', 'The harbour is quiet, cold and the nets dry.', ['quiet, cold and']],
  ['a word right before it', 'The harbour is very quiet, and the nets dry.', ['quiet, and']],
  ['a word right after it', 'The harbour is quiet, and now the nets dry.', ['quiet, and']],
  ['letters at its end', 'The harbour is quiet, andante the nets dry.', ['quiet, andante']],
  ['letters at its start', 'The harbour is unquiet, and the nets dry.', ['unquiet, and']],
  ['its first word', 'The harbour is silent, and the nets dry.', ['silent, and']],
  ['all of its words', 'The harbour is still. But the nets dry.', ['still. But']],
  ['words of it and others', 'The harbour is quiet yet some nets dry.', ['quiet yet some']],
  ['nothing of it left', 'The harbour is the nets dry.', []],
])('a highlight follows its words: %s', (_name, after, parts) => {
  expect(afterText(sentence, ['quiet, and'], after)).toStrictEqual(parts);
});

test('a highlight follows its words when segments are split and merged', () => {
  const [first, second] = splitSegment(marked(sentence, 'quiet, and'), sentence.indexOf('and'), 5);
  expect([first, second].map(partsOf)).toStrictEqual([['quiet,'], ['and']]);
  expect(partsOf(mergeSegments(first, second))).toStrictEqual(['quiet, and']);
  const merged = mergeSegments(newSegment(0, 5, ' The harbour'), marked(' is quiet. ', 'is'));
  expect(merged.text).toBe('The harbour is quiet.');
  expect(partsOf(merged)).toStrictEqual(['is']);
});

test('what is restored has the highlights of what it replaces', () => {
  const current = [
    marked('The harbor', 'harbor'),
    marked('is quiet,', 'is quiet,'),
    newSegment(0, 1, 'now.'),
  ];
  const texts = ['The harbour is', 'quiet, now.'];
  const restored = highlightsInPlaceOf(current, texts).map((highlight, index) =>
    partsOf(withHighlight(newSegment(0, 1, texts[index] ?? ''), highlight)),
  );
  expect(restored).toStrictEqual([['harbour is'], ['quiet,']]);
});

test('passages have the times of their words, and continue in the next segment', () => {
  const segments = [
    { ...marked('One two three four', 'One', 'three four'), start: 0, end: 9 },
    { ...marked('five six.', 'five'), start: 10, end: 12 },
  ];
  const passages = highlightedPassages(segments);
  expect(passages.map((parts) => parts.map(({ text }) => text))).toStrictEqual([
    ['One'],
    ['three four', 'five'],
  ]);
  expect(passages.flat().map(({ start, end }) => [start, end])).toStrictEqual([
    [0, 9 * (3 / 15)],
    [9 * (6 / 15), 9],
    [10, 10 + 2 * (4 / 8)],
  ]);
});

test('ranges of all of a text are a passage like all of it: a file may state them', () => {
  const segment = withHighlight(newSegment(0, 9, 'One two'), [{ from: 0, to: 7 }]);
  expect(highlightedPassages([segment])).toStrictEqual([
    [marked('One two', 'One two')].map((one) => ({ ...one, end: 9 })),
  ]);
});

test('passages that do not follow each other are not one paragraph', () => {
  const content = {
    name: 'a.mp3',
    language: 'en',
    durationSeconds: 10,
    createdAt: 0,
    text: sentence,
    segments: [marked(sentence, 'The', 'is', 'dry.')],
  };
  const only = onlyHighlights(content);
  const parts = only === null ? [] : documentParts(only, { times: false });
  expect(parts.map(({ text }) => text)).toStrictEqual(['The', 'is', 'dry.']);
  expect(
    documentParts(content, { times: false }).map((part) => (part.kind === 'note' ? [] : part.passages)),
  ).toStrictEqual([
    [
      { text: 'The', isHighlighted: true },
      { text: ' harbour ', isHighlighted: false },
      { text: 'is', isHighlighted: true },
      { text: ' quiet, and the nets ', isHighlighted: false },
      { text: 'dry.', isHighlighted: true },
    ],
  ]);
});

test('each passage names its speaker: the words of others may have been between them', () => {
  const segments = [{ ...marked(sentence, 'The', 'is'), speaker: 'Ann' }];
  const content = {
    name: 'a.mp3',
    language: 'en',
    durationSeconds: 10,
    createdAt: 0,
    text: sentence,
    segments,
  };
  const only = onlyHighlights(content) ?? content;
  const speakers = documentParts(only, { times: false }).map((part) => part.kind !== 'note' && part.speaker);
  expect(speakers).toStrictEqual(['Ann', 'Ann']);
  expect(labelledSegments(only).map(({ label }) => label)).toStrictEqual(['Ann:', 'Ann:']);
});

test('a highlight follows its segment through every edit, and is removed like any other', () => {
  const two = draftOf([
    { start: 0, end: 4, text: 'One net. Two nets.' },
    { start: 4, end: 8, text: 'A boat.' },
  ]);
  const context = { recordingSeconds: 10, original: () => ({ segments: two.segments, text: null }) };
  const highlighted = (...operations: readonly StoredOperation[]) =>
    [{ kind: 'set-highlight' as const, segments: [0], isHighlighted: true }, ...operations]
      .reduce((draft, operation) => applyChange(draft, changeOf(draft, operation, context)), two)
      .segments.map(({ text, extras }) => [text, extras?.highlight ?? false]);
  expect(highlighted({ kind: 'split', segment: 0, offset: 9, atSeconds: null })).toStrictEqual([
    ['One net.', true],
    ['Two nets.', true],
    ['A boat.', false],
  ]);
  expect(highlighted({ kind: 'merge', segment: 0 })).toStrictEqual([
    ['One net. Two nets. A boat.', [{ from: 0, to: 18 }]],
  ]);
  expect(highlighted({ kind: 'move-word', segment: 0, edge: 'end', by: -1 })).toStrictEqual([
    ['One net. Two', true],
    ['nets. A boat.', [{ from: 0, to: 5 }]],
  ]);
  expect(highlighted({ kind: 'set-text', segment: 0, text: 'None.' })).toStrictEqual([
    ['None.', true],
    ['A boat.', false],
  ]);
  expect(highlighted({ kind: 'set-text', segment: 0, text: 'None.' }, { kind: 'restore' })).toStrictEqual([
    ['One net. Two nets.', true],
    ['A boat.', false],
  ]);
  const only = { current: [0], original: [0] };
  expect(highlighted({ kind: 'set-text', segment: 0, text: 'No.' }, { kind: 'restore', only })).toStrictEqual(
    [
      ['One net. Two nets.', true],
      ['A boat.', false],
    ],
  );
  expect(highlighted({ kind: 'set-highlight', segments: [0, 1, 7], isHighlighted: false })).toStrictEqual([
    ['One net. Two nets.', false],
    ['A boat.', false],
  ]);
  const passages = [
    { segment: 0, from: 5, text: 'et. T' },
    { segment: 1, from: 0, text: 'a' },
  ];
  const isHighlighted = false;
  expect(highlighted({ kind: 'highlight-words', passages, isHighlighted })).toStrictEqual([
    [
      'One net. Two nets.',
      [
        { from: 0, to: 3 },
        { from: 13, to: 18 },
      ],
    ],
    ['A boat.', false],
  ]);
});

/** Whether the highlighted ranges of a segment are in order, apart from each other and within its text. */
function isValid(one: Segment): boolean {
  const { highlight } = one.extras ?? {};
  if (highlight === undefined || highlight === true) return true;
  return (
    highlight.length > 0 &&
    isDeepStrictEqual(highlightOf(one.text, highlight), highlight) &&
    highlight.every(
      ({ from, to }, index) =>
        from > (highlight[index - 1]?.to ?? -1) && one.text.slice(from, to).trim().length === to - from,
    )
  );
}

describe('for any text and ranges', () => {
  const text = fc
    .array(
      fc.oneof(
        fc.constantFrom('harbour', ' ', '  ', '\u3000', 'é', '港の網', 'x', '.'),
        fc.string({ maxLength: 4 }),
      ),
      { maxLength: 12 },
    )
    .map((pieces) => pieces.join(''));
  const range = fc.record({ from: fc.nat({ max: 40 }), to: fc.nat({ max: 40 }) });
  const segment = fc
    .tuple(text, fc.array(range, { maxLength: 5 }))
    .map(([words, ranges]) => withHighlight(newSegment(0, 10, words), highlightOf(words, ranges)));

  it('ranges stay in order, apart and within the text', () => {
    const edited = fc
      .tuple(segment, text, range, fc.boolean(), fc.nat({ max: 40 }))
      .map(([one, other, chosen, isOn, at]) => {
        const changed = withHighlight(one, withRanges(one, [chosen], isOn));
        const halves = splitSegment(changed, Math.min(at, one.text.length), 5);
        return [one, changed, withText(changed, other), ...halves, mergeSegments(changed, one)];
      });
    fc.assert(
      fc.property(edited, (segments) => {
        expect(segments.filter((one) => !isValid(one))).toStrictEqual([]);
      }),
    );
  });

  it('words are highlighted or not after that was chosen', () => {
    const chosen = fc
      .tuple(segment, range)
      .filter(([{ text: all }, { from, to }]) => all.slice(from, to).trim() !== '');
    fc.assert(
      fc.property(chosen, fc.boolean(), ([one, words], isOn) => {
        const changed = withHighlight(one, withRanges(one, [words], isOn));
        expect(isRangeHighlighted(changed, words)).toBe(isOn);
      }),
    );
  });

  it('a split and a merge between words restore them', () => {
    const cut = segment.map((one) => ({ one, offset: one.text.search(/(?<=[a-z]) (?=[a-z])/u) }));
    const trimmed = cut.filter(({ one, offset }) => offset > 0 && one.text.trim() === one.text);
    fc.assert(
      fc.property(trimmed, ({ one, offset }) => {
        expect(mergeSegments(...splitSegment(one, offset, 5))).toStrictEqual(one);
      }),
    );
  });

  it('paragraphs keep the text', () => {
    const content = { name: '', language: null, durationSeconds: 1, createdAt: 0, text: '' };
    fc.assert(
      fc.property(segment, (one) => {
        const parts = documentParts({ ...content, segments: [one] }, { times: false });
        const texts = parts.flatMap((part) => (part.kind === 'note' ? [] : part.passages.map((p) => p.text)));
        expect(texts.join('')).toBe(oneLine(one.text));
      }),
    );
  });

  it('there are never too many of them', () => {
    const words = 'a b '.repeat(2 * maxHighlightedRanges);
    const ranges = [...words.matchAll(/a/gu)].map(({ index }) => ({ from: index, to: index + 1 }));
    expect(highlightOf(words, ranges)).toHaveLength(maxHighlightedRanges);
  });
});

describe('with as many ranges as a segment may have', () => {
  const pair = 'one two x ';
  const words = pair.repeat(maxHighlightedRanges);
  const ranges = Array.from({ length: maxHighlightedRanges }, (_, index) => ({
    from: index * pair.length,
    to: index * pair.length + 'one two'.length,
  }));
  const wide = { from: words.length + 'much '.length, to: words.length + 'much a'.length };
  const text = `${words}much a longer`;
  const last = { from: ranges.at(-1)?.from ?? 0, to: text.length };
  const full = withHighlight(newSegment(0, 10, text), highlightOf(text, [...ranges.slice(0, -1), last]));

  it('a word is removed, and the shorter rest of its range with it', () => {
    const changed = withHighlight(full, withRanges(full, [wide], false));
    expect(isRangeHighlighted(changed, wide)).toBe(false);
    expect(highlightedRanges(changed)).toStrictEqual([
      ...ranges.slice(0, -1),
      { from: last.from, to: wide.from - 1 },
    ]);
  });

  it('removing many words highlights none, and each of them is removed', () => {
    const whole = withHighlight(newSegment(0, 10, words), true);
    const removed = [...words.matchAll(/two|x/gu)].map(({ index, 0: { length } }) => ({
      from: index,
      to: index + length,
    }));
    const changed = withHighlight(whole, withRanges(whole, removed, false));
    expect(highlightedRanges(changed).length).toBeLessThanOrEqual(maxHighlightedRanges);
    expect(removed.filter((one) => isRangeHighlighted(changed, one))).toStrictEqual([]);
  });
});
