import { describe, expect, test } from 'vitest';
import { inOrder } from '../../../../../electron/core/library/edit/segment-pieces.ts';
import { pieceLength } from '../../../../../electron/core/store/library/draft-reader.ts';
import type { Store } from '../../../../../electron/core/store/store.ts';
import { temporaryFolder } from '../../../../support/recordings.ts';
import { openStore } from '../store-kit.ts';
import { make, opened, refused, save, split } from './edit-kit.ts';

/** What comes piece by piece. */
const pieced = (store: Store, id: number) => {
  const { next, order, ...document } = store.edits.begin(id)!;
  const pieces = [document.segments];
  let numbers = order;
  for (let from = next; from !== null;) {
    const piece = store.edits.piece(id, document.revision, from);
    pieces.push(piece.segments);
    ({ next: from, order: numbers } = piece);
  }
  return { count: pieces.length, document: { ...document, segments: inOrder(pieces.flat(), numbers) } };
};

describe('a long transcript', () => {
  test('is read in pieces, as it stands', async () => {
    const folder = await temporaryFolder();
    let store = openStore(folder);
    const { id } = store.transcripts.save({
      itemId: null,
      service: 'on-device',
      jobId: 'long',
      name: 'long.mp3',
      durationSeconds: pieceLength + 3,
      transcript: {
        text: '',
        segments: Array.from({ length: pieceLength + 3 }, (_, at) => ({
          start: at,
          end: at + 1,
          text: `Net ${at}, mended`,
        })),
        language: 'en',
      },
      recording: null,
      createdAt: 1,
    });
    expect(pieced(store, id)).toStrictEqual({ count: 2, document: opened(store, id) });
    make(store, id, [
      { kind: 'split', segment: 4, offset: 4, atSeconds: null },
      { kind: 'delete', segments: [7, pieceLength] },
    ]);
    await store.close();
    // Nothing of it is in memory.
    store = openStore(folder);
    const { count, document } = pieced(store, id);
    expect(count).toBe(2);
    expect(document.segments.slice(4, 6).map(({ text }) => text)).toStrictEqual(['Net', '4, mended']);
    expect(document).toStrictEqual(opened(store, id));
    await store.close();
  });

  test('that was changed or is gone meanwhile has no more pieces', async () => {
    const store = openStore(await temporaryFolder());
    const id = save(store);
    const { revision } = store.edits.begin(id)!;
    make(store, id, [split]);
    expect(refused(() => store.edits.piece(id, revision, 1))).toBe('transcript_changed');
    expect(refused(() => store.edits.piece(id + 1, 0, 1))).toBe('transcript_gone');
    await store.close();
  });
});
