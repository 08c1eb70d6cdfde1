import { expect, it } from 'vitest';
import type {
  Change,
  Draft,
  DraftSegment,
  StoredOperation,
  OriginalTranscript,
} from '../../../../../electron/contract/transcript.ts';
import {
  applyChange,
  changedPosition,
  coalesceTyping,
  invertChange,
} from '../../../../../electron/core/transcript/edit/change.ts';
import { changeOf, draftOf } from '../../../../../electron/core/transcript/edit/edit.ts';
import { newSegment, withWords } from '../../../../../electron/core/transcript/segment.ts';
import { wordsOf } from '../../../../../electron/core/transcript/word-times.ts';
import { wordRanges } from '../../../../../electron/core/transcript/words-in-text.ts';

/** A segment whose words share its time evenly, with these probabilities. */
function spoken(start: number, end: number, text: string, probabilities: readonly (number | null)[] = []) {
  const ranges = wordRanges(text);
  const each = (end - start) / ranges.length;
  const words = ranges.map((range, at) => ({
    ...range,
    start: start + at * each,
    end: start + (at + 1) * each,
    probability: probabilities[at] ?? null,
  }));
  return withWords(newSegment(start, end, text), words);
}

const durationSeconds = 30;
const original: OriginalTranscript = {
  text: null,
  segments: [
    spoken(0, 4, 'The harbour is quiet.', [1, 0.25, null, 0.5]),
    spoken(4, 6, 'Nets dry.'),
    newSegment(8, 10, 'Anna ties the net.'),
    newSegment(10, 12, 'Ben waits.', { speakerConfidence: 0.5 }),
    spoken(15, 18, 'Then the boats leave.'),
    newSegment(20, 20, 'Done.'),
  ].map((segment) => ({ ...segment, speaker: null })),
};
const fresh = draftOf(original.segments);
const edited: Draft = {
  ...fresh,
  speakers: ['Anna', '', 'Ben'],
  segments: fresh.segments.map((segment, at) => ({
    ...segment,
    speaker: [0, 0, null, 2, 1, null][at] ?? null,
  })),
  notes: [
    { id: 6, atSeconds: 1, text: 'Early' },
    { id: 7, atSeconds: 9, text: 'Late' },
  ],
  nextId: 8,
};
/** Without its second and fourth segment, with a new one after the first, and one in place of two. */
const changed: Draft = {
  ...edited,
  segments: [
    edited.segments[0]!,
    { id: 9, start: 4.5, end: 5, text: 'New.', speaker: 1 },
    { ...edited.segments[2]!, end: 12, text: 'Anna ties the net. Ben waits.' },
    edited.segments[4]!,
    edited.segments[5]!,
  ],
  nextId: 10,
};
const unordered: Draft = {
  ...edited,
  segments: edited.segments.with(1, { ...edited.segments[1]!, start: 9, end: 9 }),
};
const timeless: Draft = {
  text: 'The harbour.\nAnna ties.',
  segments: [],
  speakers: [],
  notes: [],
  nextId: 0,
};
/** Each with the operations that are about it; `null`: all. */
const drafts: readonly (readonly [string, Draft, readonly StoredOperation['kind'][] | null])[] = [
  ['edited', edited, null],
  ['with other segments than the original', changed, ['restore', 'put-back', 'insert', 'delete']],
  ['out of order', unordered, ['set-times', 'move-word', 'insert', 'put-back']],
  ['without times', timeless, ['edit-text', 'replace', 'respell', 'put-back', 'restore', 'insert']],
];

const query = { text: 'the', matchCase: false, wholeWords: true };
const operations: readonly StoredOperation[] = [
  ...[0, 2, 99].map((segment) => ({
    kind: 'set-text' as const,
    segment,
    text: ' The  harbour\nis\u0007 loud. ',
  })),
  { kind: 'set-text', segment: 1, text: 'Nets dry.' },
  ...[0, 4, 12, 21].flatMap((offset) =>
    [null, 2, 25].map((atSeconds) => ({ kind: 'split' as const, segment: 0, offset, atSeconds })),
  ),
  { kind: 'split', segment: 2, offset: 5, atSeconds: null },
  { kind: 'split', segment: 5, offset: 2, atSeconds: 21 },
  ...[0, 1, 2, 3, 5, 99].map((segment) => ({ kind: 'merge' as const, segment })),
  ...[0, 3, 5, 99].map((through) => ({ kind: 'merge' as const, segment: 1, through })),
  ...[0, 1, 2, 5].flatMap((segment) =>
    (['start', 'end'] as const).flatMap((edge) =>
      [-1, 0, 4, 5, 6, 8, 10, 12.0004, 40].map((toSeconds) => ({
        kind: 'move-boundary' as const,
        segment,
        edge,
        toSeconds,
      })),
    ),
  ),
  ...[0, 1, 2, 4, 5, 99].flatMap((segment) =>
    (['start', 'end'] as const).flatMap((edge) =>
      ([-1, 1] as const).map((by) => ({ kind: 'move-word' as const, segment, edge, by })),
    ),
  ),
  ...[
    [0, 3],
    [1, 4],
    [4, 6],
    [4, 5],
    [3, 7],
    [7, 6],
    [8, 12],
    [0, 9],
    [29, 31],
    [-1, 2],
  ].flatMap(([start = 0, end = 0]) =>
    [0, 1, 2, 99].map((segment) => ({ kind: 'set-times' as const, segment, start, end })),
  ),
  ...[null, 0, 1, 4, 5, 99].flatMap((after) =>
    [false, true].map((fillsGap) => ({ kind: 'insert' as const, after, text: ' New  text. ', fillsGap })),
  ),
  ...[
    [6, 8],
    [0, 1],
    [8, 9],
    [11, 29],
    [25, 40],
    [9, 7],
  ].flatMap(([start = 0, end = 0]) =>
    [null, 2].map((speaker) => ({ kind: 'put-back' as const, start, end, text: 'Back.', speaker })),
  ),
  ...[[], [0], [1, 2], [0, 2, 5], [99]].map((segments) => ({ kind: 'delete' as const, segments })),
  ...[
    [1, 0],
    [1, 2.5],
    [1, -5],
    [2, 0],
    [0.5, 1],
  ].map(([factor = 1, offsetSeconds = 0]) => ({ kind: 'retime' as const, factor, offsetSeconds })),
  ...[[0], [0, 3], [1, 2], [99], []].flatMap((segments) =>
    [null, 0, 2].map((speaker) => ({ kind: 'set-speaker' as const, segments, speaker })),
  ),
  ...[
    ['Anna', '', 'Ben'],
    ['Ben', '', 'Anna'],
    [' Anna ', 'Anna', 'Anna'],
    ['', '', ''],
    ['Anna'],
    ['A', 'B', 'C', 'D'],
    ['Anna', 'Anna', '', 'Ben'],
  ].map((names) => ({ kind: 'name-speakers' as const, names })),
  {
    kind: 'assign-speakers',
    turns: [
      { start: 0, end: 2, speaker: 0, confidence: 0.9 },
      { start: 2, end: 5, speaker: 1, confidence: 0.8 },
      { start: 8, end: 12, speaker: 0, confidence: 0.7 },
    ],
  },
  ...[
    undefined,
    [{ segment: 0, offset: 0 }],
    [
      { segment: 2, offset: 10 },
      { segment: 4, offset: 5 },
    ],
    [
      { segment: 2, offset: 3 },
      { segment: 99, offset: 0 },
    ],
  ].flatMap((matches) =>
    ['a', '$&', 'the'].map((replacement) => ({
      kind: 'replace' as const,
      query,
      replacement,
      ...(matches === undefined ? {} : { matches }),
    })),
  ),
  { kind: 'replace', query: { ...query, text: '' }, replacement: 'x' },
  { kind: 'replace', query: { ...query, matchCase: true, wholeWords: false }, replacement: '' },
  ...[[13], [17], [0, 13]].map((offsets) => ({
    kind: 'replace' as const,
    query: { text: 'an', matchCase: false, wholeWords: false },
    replacement: 'en',
    matches: offsets.map((offset) => ({ segment: null, offset })),
  })),
  ...[
    { replacement: 'Ben', speakers: [0], mergesSpeakers: true },
    { replacement: 'Ben', speakers: [0, 1], mergesSpeakers: true },
    { replacement: 'Ben', speakers: [99], mergesSpeakers: true },
    { replacement: 'Ben', speakers: [0] },
    { replacement: 'Eve', speakers: [0] },
  ].map((more) => ({
    kind: 'replace' as const,
    query: { text: 'anna', matchCase: false, wholeWords: false },
    matches: [],
    ...more,
  })),
  {
    kind: 'set-texts',
    texts: [
      { segment: 1, before: 'Nets dry.', text: 'Nets  are wet.' },
      { segment: 2, before: 'Something else.', text: 'Not this.' },
      { segment: 3, before: 'Ben waits.', text: 'Ben waits.' },
    ],
  },
  { kind: 'respell', spellings: ['Anna', 'Ben', 'ann'], replacement: 'Ann' },
  { kind: 'respell', spellings: ['Ben', 'Anna'], replacement: 'Ben' },
  { kind: 'respell', spellings: ['ANNA'], replacement: 'Ann' },
  ...[
    [0, 'The'],
    [4, 'harbour'],
    [4, 'harbour is'],
    [4, 'harbour is quiet'],
    [12, 'is'],
    [14, ' quiet.'],
    [11, ' '],
    [4, 'haven'],
    [4, ''],
  ].flatMap(([from, text]) =>
    [0, 2, 99].map((segment) => ({
      kind: 'accept-words' as const,
      segment,
      from: Number(from),
      text: String(text),
    })),
  ),
  ...[-1, 0.0004, 5.5, 9, 20].map((atSeconds) => ({
    kind: 'add-note' as const,
    atSeconds,
    text: ' A  note ',
  })),
  ...[6, 7, 8].flatMap((note) =>
    ['Early', 'Late', ' Other '].map((text) => ({ kind: 'change-note' as const, note, text })),
  ),
  ...[6, 7, 8].map((note) => ({ kind: 'remove-note' as const, note })),
  ...[
    [0, 0, ''],
    [0, 3, 'A'],
    [12, 1, '\r\n'],
    [12, 0, '\r\u0000x'],
    [24, 5, '!'],
  ].map(([at, removed, inserted]) => ({
    kind: 'edit-text' as const,
    at: Number(at),
    removed: Number(removed),
    inserted: String(inserted),
  })),
  { kind: 'restore' },
  ...[
    [[], [1]],
    [[9], []],
    [[0], [0]],
    [[2], [2, 3]],
    [[9], [1]],
    [
      [0, 9],
      [0, 1],
    ],
    [[9, 0], [0]],
    [[4], [4]],
    [[5], [5]],
    [[], [5]],
    [[0, 2], [0]],
    [[], [99]],
    [[99], [1]],
    [[], []],
  ].map(([current = [], restored = []]) => ({
    kind: 'restore' as const,
    only: { current, original: restored },
  })),
];

function showSegment({ id, start, end, text, speaker, extras }: DraftSegment): string {
  const words = wordsOf({ start, end, text, ...(extras === undefined ? {} : { extras }) })?.map(
    (word) =>
      `${word.from}-${word.to} ${word.start}-${word.end}${word.probability === null ? '' : ` ${word.probability}`}`,
  );
  const { words: _words, ...others } = extras ?? {};
  return [
    `#${id} ${start}-${end} ${JSON.stringify(text)}`,
    ...(speaker === null ? [] : [`speaker ${speaker}`]),
    ...(Object.keys(others).length === 0 ? [] : [JSON.stringify(others)]),
    ...(words === undefined ? [] : [`(${words.join(', ')})`]),
  ].join(' ');
}

const showAll = (segments: readonly DraftSegment[]): string => segments.map(showSegment).join('; ') || 'none';

function showStep(step: Change[number]): string {
  switch (step.kind) {
    case 'splice':
      return `at ${step.at}: ${showAll(step.removed)} → ${showAll(step.inserted)}`;
    case 'replace':
      return step.pairs
        .map(({ at, before, after }) => `at ${at}: #${before.id} → ${showSegment(after)}`)
        .join('; ');
    default:
      return JSON.stringify(step);
  }
}

const showChange = (change: Change): string => change.map(showStep).join(' | ') || 'nothing';

// The table is to be read: it shows what each operation changes in each draft; what changes nothing is left out.
it('changes drafts as written in operation-table.txt', async () => {
  const lines: string[] = [];
  for (const [name, draft, kinds] of drafts) {
    lines.push(`## A transcript ${name}`, showAll(draft.segments));
    for (const operation of operations.filter(({ kind }) => kinds?.includes(kind) ?? true)) {
      const change = changeOf(draft, operation, {
        recordingSeconds: durationSeconds,
        original: () => original,
      });
      if (change.length === 0) continue;
      const after = applyChange(draft, change);
      expect(applyChange(after, invertChange(change))).toEqual({ ...draft, nextId: after.nextId });
      const position = JSON.stringify(changedPosition(after, change, 0));
      lines.push(JSON.stringify(operation), ...change.map((step) => `    ${showStep(step)}`));
      lines.push(`    next ID ${after.nextId}, visible at ${position}`);
    }
    lines.push('');
  }
  await expect(lines.join('\n')).toMatchFileSnapshot('operation-table.txt');
});

it('merges two changes of the same typing as written in typing-table.txt', async () => {
  const textOf = (draft: Draft, segment: number, text: string): Change =>
    changeOf(
      draft,
      { kind: 'set-text', segment, text },
      { recordingSeconds: durationSeconds, original: () => original },
    );
  const typed = (draft: Draft, at: number, removed: number, inserted: string): Change =>
    changeOf(
      draft,
      { kind: 'edit-text', at, removed, inserted },
      { recordingSeconds: durationSeconds, original: () => original },
    );
  const lines: string[] = [];
  const merge = (draft: Draft, first: Change, second: Change): void => {
    const after = applyChange(draft, first);
    const merged = coalesceTyping(after, first, second);
    lines.push(`${showChange(first)} & ${showChange(second)}`);
    lines.push(
      merged === null
        ? '    none'
        : `    ${showChange(merged.combined)}\n    ${showChange(merged.remaining)}`,
    );
    const results =
      merged === null ? [] : [applyChange(after, merged.remaining), applyChange(draft, merged.combined)];
    expect(results[0]).toEqual(results[1]);
  };
  const loud = textOf(edited, 0, 'The harbour is loud.');
  const afterLoud = applyChange(edited, loud);
  merge(edited, loud, textOf(afterLoud, 0, 'The harbour is very loud.'));
  merge(edited, loud, textOf(afterLoud, 0, 'The harbour is quiet.'));
  merge(edited, loud, textOf(afterLoud, 2, 'Anna ties a net.'));
  merge(edited, loud, []);
  merge(edited, [], textOf(edited, 2, 'Anna ties a net.'));
  const both = (['The', 'Anna'] as const).flatMap((text, at) => textOf(edited, at * 2, text));
  merge(edited, both, textOf(applyChange(edited, both), 0, 'Then'));
  const merged = changeOf(
    edited,
    { kind: 'merge', segment: 0 },
    { recordingSeconds: durationSeconds, original: () => original },
  );
  merge(edited, merged, textOf(applyChange(edited, merged), 0, 'The harbour.'));
  merge(
    edited,
    loud,
    changeOf(
      afterLoud,
      { kind: 'merge', segment: 0 },
      { recordingSeconds: durationSeconds, original: () => original },
    ),
  );
  const pairs = changeOf(
    edited,
    { kind: 'replace', query, replacement: 'a' },
    { recordingSeconds: durationSeconds, original: () => original },
  );
  merge(edited, pairs, textOf(applyChange(edited, pairs), 0, 'A harbour.'));
  merge(edited, [{ kind: 'replace', pairs: [] }], pairs);
  const insertion = typed(timeless, 12, 0, ' Gulls');
  merge(timeless, insertion, typed(applyChange(timeless, insertion), 18, 0, ' cry.'));
  merge(timeless, insertion, typed(applyChange(timeless, insertion), 12, 6, ''));
  merge(timeless, insertion, textOf(edited, 0, 'x'));
  await expect(lines.join('\n')).toMatchFileSnapshot('typing-table.txt');
});
