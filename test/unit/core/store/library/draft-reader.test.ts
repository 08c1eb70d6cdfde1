import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import type { SegmentExtras } from '../../../../../electron/contract/segment-schema.ts';
import type {
  DraftSegment,
  EditOperation,
  SegmentPiece,
} from '../../../../../electron/contract/transcript.ts';
import { orderSegments } from '../../../../../electron/core/transcript/edit/draft.ts';
import {
  initialSegmentCount,
  segmentsPerPiece,
} from '../../../../../electron/core/store/library/draft-reader.ts';
import { newSegment } from '../../../../../electron/core/transcript/segment.ts';
import type { Store } from '../../../../../electron/core/store/store.ts';
import { testFolder } from '../../../../support/test-folder.ts';
import { openStore } from '../store-kit.ts';
import { make, opened, refused, save, split } from './edit-kit.ts';

/** Reads a transcript in pieces. */
const pieced = (store: Store, id: number) => {
  const { isComplete: _isComplete, ...document } = store.edits.openBeginning(id)!;
  const pieces: (readonly DraftSegment[])[] = [];
  let numbers: SegmentPiece['order'] = null;
  for (let from: number | null = 0; from !== null;) {
    const piece: SegmentPiece = store.edits.piece(id, document.revision, from);
    pieces.push(piece.segments);
    ({ next: from, order: numbers } = piece);
  }
  return { count: pieces.length, document: { ...document, segments: orderSegments(pieces.flat(), numbers) } };
};

describe('a long transcript', () => {
  test('is read in pieces, with its edits', async () => {
    const folder = await testFolder();
    let store = openStore(folder);
    const id = save(store, segmentsPerPiece + 3);
    expect(pieced(store, id)).toStrictEqual({ count: 2, document: opened(store, id) });
    make(store, id, [
      { kind: 'split', segment: 4, offset: 4, atSeconds: null },
      { kind: 'delete', segments: [7, segmentsPerPiece] },
    ]);
    await store.close();
    // Nothing of it is cached.
    store = openStore(folder);
    const { count, document } = pieced(store, id);
    expect(count).toBe(2);
    expect(document.segments.slice(4, 6).map(({ text }) => text)).toStrictEqual(['Net', '4, repaired']);
    expect(document).toStrictEqual(opened(store, id));
    await store.close();
  });

  test.each([
    ['skips', [0, 2]],
    ['repeats', [0, 1, 1, 2]],
    ['starts again while another reads', [0, 1, 0, 2, 1, 2]],
  ])('is edited as it is after a reader who %s pieces', async (_how, pieces) => {
    const folder = await testFolder();
    let store = openStore(folder);
    const id = save(store, 2 * segmentsPerPiece + 3);
    const { revision } = opened(store, id);
    await store.close();
    // Nothing of it is cached.
    store = openStore(folder);
    for (const piece of pieces) store.edits.piece(id, revision, piece * segmentsPerPiece);
    const document = opened(store, id);
    expect(document.segments.map((segment) => segment.id)).toStrictEqual(
      Array.from({ length: 2 * segmentsPerPiece + 3 }, (_, number) => number),
    );
    await store.close();
  });

  test('is opened with its first segments, with edits', async () => {
    const folder = await testFolder();
    let store = openStore(folder);
    const id = save(store, initialSegmentCount + 1);
    const begins = (): readonly [boolean, boolean] => {
      const { isComplete, segments } = store.edits.openBeginning(id)!;
      expect(segments).toStrictEqual(opened(store, id).segments.slice(0, initialSegmentCount));
      return [isComplete, segments.length === initialSegmentCount];
    };
    expect(begins()).toStrictEqual([false, true]);
    // Segments inserted at the start have the highest numbers.
    make(store, id, [
      { kind: 'split', segment: 0, offset: 4, atSeconds: null },
      { kind: 'split', segment: 3, offset: 4, atSeconds: null },
    ]);
    await store.close();
    // Nothing of it is cached.
    store = openStore(folder);
    expect(begins()).toStrictEqual([false, true]);
    expect(begins()).toStrictEqual([false, true]);
    make(store, id, [{ kind: 'delete', segments: [5, 6, 7] }]);
    expect(begins()).toStrictEqual([true, true]);
    await store.close();
  });

  test('that was changed or deleted meanwhile has no more pieces', async () => {
    const store = openStore(await testFolder());
    const id = save(store);
    const { revision } = store.edits.openBeginning(id)!;
    make(store, id, [split]);
    expect(refused(() => store.edits.piece(id, revision, 1))).toBe('transcript_changed');
    expect(refused(() => store.edits.piece(id + 1, 0, 1))).toBe('transcript_gone');
    await store.close();
  });
});

test('the extras of segments are read as they were saved', async () => {
  const store = openStore(await testFolder());
  const odd = ['', 'ADAAA', 'a"}', '"}', '\\', 'a\\"}', '\u2028', '","x":"'];
  const extras: readonly SegmentExtras[] = [
    ...odd.map((words) => ({ words })),
    ...odd.map((one) => ({ words: 'A', other: one })),
    ...odd.map((one) => ({ other: [one], words: one })),
    {},
    { other: null },
  ];
  const segments = extras.map((one, index) => newSegment(index, index + 1, `Net ${index}`, one));
  expect(opened(store, save(store, segments)).segments.map((segment) => segment.extras)).toEqual(extras);
  await store.close();
});

const assign = (segment: number, speaker: number): EditOperation => ({
  kind: 'set-speaker',
  segments: [segment],
  speaker,
});

test('the speakers before a person changed them are known, but none from a damaged history', async () => {
  const store = openStore(await testFolder());
  const id = save(store);
  const before = () =>
    store.edits
      .comparisonBase(id)
      .speakersBefore.map(({ segment, speaker, isSplitOff }) => [segment, speaker, isSplitOff]);
  expect(before()).toStrictEqual([]);
  const turns = [
    { start: 0, end: 2, speaker: 0, confidence: 0.9 },
    { start: 2, end: 6, speaker: 1, confidence: 0.8 },
    { start: 8, end: 9, speaker: 2, confidence: 0.8 },
  ];
  store.edits.edit(id, make(store, id, [assign(2, 3)]), { kind: 'assign-speakers', turns });
  expect(opened(store, id).segments.map(({ id: segment, speaker }) => [segment, speaker])).toStrictEqual([
    [0, 0],
    [3, 1],
    [1, 1],
    [2, 3],
  ]);
  const identified = [
    [2, null, false],
    [1, 1, false],
    [0, 0, false],
    [3, 1, true],
  ];
  expect(before()).toStrictEqual(identified);
  const by = { kind: 'split', segment: 1, offset: 2, atSeconds: null } as const;
  make(store, id, [assign(1, 2), by, { kind: 'delete', segments: [3] }, assign(0, 2)]);
  expect(before()).toStrictEqual([...identified, [4, 1, false]]);
  store.edits.undo(id, opened(store, id).revision);
  expect(before()).toStrictEqual([...identified, [4, 1, false]]);

  // An operation that is too long to be parsed, as a backup may have.
  const pad = (bytes: number): void =>
    void new Database(store.path).exec(
      `UPDATE edits SET operation = json_set(operation, '$.padding', printf('%.*c', ${bytes}, 'x')) WHERE number = 3`,
    );
  pad(33 * 1024 * 1024);
  expect(before()).toStrictEqual([]);
  pad(1);
  expect(before()).toStrictEqual([...identified, [4, 1, false]]);

  new Database(store.path).exec(`UPDATE edits SET change = '[1]' WHERE number = 1`);
  expect(before()).toStrictEqual([]);
  expect(store.edits.comparisonBase(id).segments).toHaveLength(3);
  await store.close();
});
