import { join } from 'node:path';
import fc from 'fast-check';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import type { EditOperation, TranscriptDocument } from '../../../../../electron/contract/model/transcript.ts';
import { ProblemError } from '../../../../../electron/contract/problem.ts';
import { LibrarySearcher } from '../../../../../electron/core/library/search/library-searcher.ts';
import { inOrder } from '../../../../../electron/core/library/edit/segment-pieces.ts';
import { pieceLength } from '../../../../../electron/core/store/library/draft-reader.ts';
import { migrations } from '../../../../../electron/core/store/migrations.ts';
import type { Store } from '../../../../../electron/core/store/store.ts';
import { openDatabase } from '../../../../../electron/sqlite/open-database.ts';
import { temporaryFolder } from '../../../../support/recordings.ts';
import { operation } from '../../library/edit/arbitraries.ts';
import { asking } from '../../library/library-kit.ts';
import { openStore } from '../store-kit.ts';

const segments = [
  { start: 0, end: 4, text: 'One net. Two nets.' },
  { start: 4, end: 6, text: 'Three' },
  { start: 8, end: 9, text: 'Four' },
];
const originalText = 'One net. Two nets. Three Four';

let jobs = 0;

function save(store: Store): number {
  jobs += 1;
  const transcript = { text: originalText, segments, language: 'en' };
  return store.transcripts.save({
    itemId: null,
    service: 'on-device',
    jobId: `job-${jobs}`,
    name: 'nets.mp3',
    durationSeconds: 60,
    transcript,
    recording: null,
    createdAt: 1,
  }).id;
}

const opened = (store: Store, id: number): TranscriptDocument => {
  const transcript = store.edits.open(id);
  if (transcript === null) throw new Error('it is not there');
  return transcript;
};

const seen = ({ segments: shown, speakers, notes }: TranscriptDocument) => ({
  segments: shown,
  speakers,
  notes,
});

/** Makes edits one after the other. Returns the last revision. */
function make(store: Store, id: number, operations: readonly EditOperation[]): number {
  let { revision } = opened(store, id);
  for (const one of operations) ({ revision } = store.edits.edit(id, revision, one));
  return revision;
}

const split: EditOperation = { kind: 'split', segment: 0, offset: 8, atSeconds: null };

/** The code of the problem that something is refused with. */
function refused(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof ProblemError) return error.problem.code;
    throw error;
  }
  return 'taken';
}

describe('an edit', () => {
  test('is what everything else reads: text, segments, word count, search', async () => {
    const store = openStore(await temporaryFolder());
    const id = save(store);
    make(store, id, [split, { kind: 'set-text', segment: 1, text: 'Three fishing boats' }]);
    const transcript = store.transcripts.get(id);
    expect(transcript?.segments.map(({ text }) => text)).toStrictEqual([
      'One net.',
      'Two nets.',
      'Three fishing boats',
      'Four',
    ]);
    expect(transcript?.text).toBe('One net. Two nets. Three fishing boats Four');
    expect(transcript?.wordCount).toBe(8);
    const reader = new Database(store.path, { readonly: true });
    const search = new LibrarySearcher(reader);
    expect(search.ids(asking('fishing boats '), () => false)).toEqual([id]);
    reader.close();
    await store.close();
  });

  test('leaves the original as it was', async () => {
    const store = openStore(await temporaryFolder());
    const id = save(store);
    expect(store.edits.original(id)).toStrictEqual({ segments, text: null });
    make(store, id, [split, { kind: 'delete', segments: [1, 2] }]);
    expect(store.edits.original(id)).toStrictEqual({ segments, text: null });
    make(store, id, [{ kind: 'restore' }]);
    expect(store.transcripts.get(id)?.segments).toStrictEqual(segments);
    await store.close();
  });

  test('can be taken back and made again after the program was closed, without end', async () => {
    const folder = await temporaryFolder();
    let store = openStore(folder);
    const id = save(store);
    const before = seen(opened(store, id));
    make(store, id, [
      split,
      { kind: 'merge', segment: 1 },
      { kind: 'name-speaker', speaker: 0, name: 'Piet' },
    ]);
    const after = seen(opened(store, id));
    await store.close();

    store = openStore(folder);
    let state = opened(store, id);
    expect(seen(state)).toStrictEqual(after);
    while (state.canUndo) {
      store.edits.undo(id, state.revision);
      state = opened(store, id);
    }
    expect(seen(state)).toStrictEqual(before);
    expect(store.transcripts.get(id)?.wordCount).toBe(6);
    while (state.canRedo) {
      store.edits.redo(id, state.revision);
      state = opened(store, id);
    }
    expect(seen(state)).toStrictEqual(after);
    await store.close();
  });

  test('on top of one that was taken back begins anew; nothing of the old branch comes again', async () => {
    const store = openStore(await temporaryFolder());
    const id = save(store);
    const revision = make(store, id, [{ kind: 'set-text', segment: 1, text: 'Drei' }]);
    store.edits.undo(id, revision);
    const made = make(store, id, [{ kind: 'set-text', segment: 1, text: 'Trois' }]);
    expect(opened(store, id).canRedo).toBe(false);
    const undone = store.edits.undo(id, made);
    expect(store.edits.redo(id, undone.revision).change).toMatchObject([
      { pairs: [{ after: { text: 'Trois' } }] },
    ]);
    await store.close();
  });

  test('on what is no longer there is refused, and changes nothing', async () => {
    const store = openStore(await temporaryFolder());
    const id = save(store);
    make(store, id, [split]);
    const before = seen(opened(store, id));
    expect(refused(() => store.edits.edit(id, 0, split))).toBe('transcript_changed');
    expect(refused(() => store.edits.undo(id, 7))).toBe('transcript_changed');
    expect(refused(() => store.edits.edit(999, 0, split))).toBe('transcript_gone');
    expect(seen(opened(store, id))).toStrictEqual(before);
    await store.close();
  });

  test('that does nothing leaves no trace', async () => {
    const store = openStore(await temporaryFolder());
    const id = save(store);
    make(store, id, [{ kind: 'merge', segment: 2 }]);
    expect(opened(store, id)).toMatchObject({ revision: 0, edited: false, canUndo: false });
    await store.close();
  });

  test('again and again at the same place keeps the order', async () => {
    const store = openStore(await temporaryFolder());
    const id = save(store);
    let { revision } = opened(store, id);
    for (let count = 0; count < 60; count += 1) {
      ({ revision } = store.edits.edit(id, revision, {
        kind: 'insert',
        after: 0,
        text: String(count),
        fillsGap: false,
      }));
    }
    const kept = opened(store, id).segments.map(({ text }) => text);
    expect(store.transcripts.get(id)?.segments.map(({ text }) => text)).toStrictEqual(kept);
    expect(kept.slice(1, 61)).toStrictEqual(Array.from({ length: 60 }, (_, index) => String(59 - index)));
    await store.close();
  });
});

describe('a text without times', () => {
  const text = 'One net.\nTwo nets.';
  const saveText = (store: Store): number =>
    store.transcripts.save({
      itemId: null,
      service: 'on-device',
      jobId: 'timeless',
      name: 'nets.mp3',
      durationSeconds: 60,
      transcript: { text, segments: [], language: 'en' },
      recording: null,
      createdAt: 1,
    }).id;

  test('is edited, found, counted and taken back as one', async () => {
    const store = openStore(await temporaryFolder());
    const id = saveText(store);
    const reader = new Database(store.path, { readonly: true });
    const found = (words: string) => new LibrarySearcher(reader).ids(asking(words), () => false);
    expect(found('nets ')).toEqual([id]);
    const { revision, wordCount } = store.edits.edit(id, 0, {
      kind: 'edit-text',
      at: 9,
      removed: 8,
      inserted: 'Three wooden boats',
    });
    expect(opened(store, id)).toMatchObject({ text: 'One net.\nThree wooden boats.', segments: [] });
    expect([wordCount, store.transcripts.get(id)?.wordCount]).toStrictEqual([5, 5]);
    expect(store.transcripts.get(id)?.text).toBe('One net.\nThree wooden boats.');
    expect(store.library.list(asking(''), 0, 5)).toMatchObject({
      rows: [{ wordCount: 5, excerpt: 'One net. Three wooden boats.' }],
    });
    expect([found('boats '), found('nets ')]).toEqual([[id], [id]]);
    expect(found('two ')).toEqual([]);
    expect(store.edits.original(id)).toStrictEqual({ segments: [], text });
    store.edits.undo(id, revision);
    expect(opened(store, id)).toMatchObject({ text, wordCount: 4, canRedo: true });
    expect([found('boats '), found('two ')]).toEqual([[], [id]]);
    reader.close();
    await store.close();
  });
});

test('what an older version has edited keeps its original, its words and its history', async () => {
  const folder = await temporaryFolder();
  const old = openDatabase(
    join(folder, 'longhand.db'),
    migrations.filter(({ version }) => version < 13),
  );
  for (const name of ['search_plain', 'search_accented']) old.function(name, (words) => words);
  old.function('search_is_deferred', () => 0);
  old.exec(`
    INSERT INTO transcripts (id, service, job_id, name, word_count, text, created_at)
      VALUES (1, 'on-device', 'a', 'nets.mp3', 7, 'Eine Two Three Four', 1);
    INSERT INTO segments (transcript_id, number, start_seconds, end_seconds, text)
      VALUES (1, 0, 0, 4, 'Eine'), (1, 1, 4, 6, 'Two');
    INSERT INTO original_segments VALUES (1, 0, 0, 4, 'One'), (1, 1, 4, 6, 'Two');
    INSERT INTO edits VALUES (1, 1, NULL, 1, '{}', '[{"kind":"replace","pairs":[{"at":0,
      "before":{"id":0,"start":0,"end":4,"text":"One","speaker":null},
      "after":{"id":0,"start":0,"end":4,"text":"Eine","speaker":null}}]}]');
    INSERT INTO edit_states VALUES (1, 1, 1, 2, '[]', '[]');`);
  old.close();
  const store = openStore(folder);
  expect(opened(store, 1)).toMatchObject({ wordCount: 7, text: null, canUndo: true });
  make(store, 1, [{ kind: 'set-text', segment: 1, text: 'Zwei' }]);
  expect(store.transcripts.get(1)?.text).toBe('Eine Zwei');
  expect(store.edits.original(1).segments.map((one) => one.text)).toStrictEqual(['One', 'Two']);
  store.edits.undo(1, 2);
  store.edits.undo(1, 3);
  expect(opened(store, 1).segments.map((one) => one.text)).toStrictEqual(['One', 'Two']);
  await store.close();
});

test('what is stored is always what the edits make of the original', async () => {
  const folder = await temporaryFolder();
  const store = openStore(folder);
  fc.assert(
    fc.property(
      fc.array(fc.oneof(operation, fc.constantFrom('undo', 'redo')), { maxLength: 15 }),
      (steps) => {
        const id = save(store);
        for (const step of steps) {
          const { revision } = opened(store, id);
          if (step === 'undo' || step === 'redo') store.edits[step](id, revision);
          else if (typeof step !== 'string') store.edits.edit(id, revision, step);
        }
        // What is in memory and what is in the database.
        const held = seen(opened(store, id));
        store.edits.open(save(store));
        expect(seen(opened(store, id))).toStrictEqual(held);
        expect(store.edits.original(id)).toStrictEqual({ segments, text: null });
        let state = opened(store, id);
        while (state.canUndo) {
          store.edits.undo(id, state.revision);
          state = opened(store, id);
        }
        expect(state.segments.map(({ start, end, text }) => ({ start, end, text }))).toStrictEqual(segments);
        expect([state.speakers, state.notes]).toStrictEqual([[], []]);
      },
    ),
    { numRuns: 40 },
  );
  await store.close();
});

describe('typing that is stored in parts', () => {
  const typed = (text: string): EditOperation => ({ kind: 'set-text', segment: 1, text });

  test('is one edit, which is taken back and made again at once', async () => {
    const store = openStore(await temporaryFolder());
    const id = save(store);
    let { revision } = store.edits.edit(id, 0, typed('Three b'));
    ({ revision } = store.edits.edit(id, revision, typed('Three boa'), true));
    ({ revision } = store.edits.edit(id, revision, typed('Three boats'), true));
    expect(opened(store, id).segments[1]?.text).toBe('Three boats');
    const undone = store.edits.undo(id, revision);
    expect(undone).toMatchObject({ canUndo: false, canRedo: true });
    expect(opened(store, id).segments[1]?.text).toBe('Three');
    store.edits.redo(id, undone.revision);
    expect(opened(store, id).segments[1]?.text).toBe('Three boats');
    await store.close();
  });

  test('is none when it comes to nothing', async () => {
    const store = openStore(await temporaryFolder());
    const id = save(store);
    const { revision } = store.edits.edit(id, 0, typed('Three b'));
    const ended = store.edits.edit(id, revision, typed('Three'), true);
    expect(ended).toMatchObject({ revision: 2, canUndo: false, canRedo: false });
    await store.close();
  });

  test('of a text without times is one edit as well', async () => {
    const store = openStore(await temporaryFolder());
    const { id } = store.transcripts.save({
      itemId: null,
      service: 'on-device',
      jobId: 'timeless',
      name: 'net.txt',
      durationSeconds: null,
      transcript: { text: 'A net.', segments: [], language: 'en' },
      recording: null,
      createdAt: 1,
    });
    const put = (at: number, removed: number, inserted: string): EditOperation => ({
      kind: 'edit-text',
      at,
      removed,
      inserted,
    });
    const { revision } = store.edits.edit(id, 0, put(2, 3, 'bo'));
    const ended = store.edits.edit(id, revision, put(4, 0, 'at'), true);
    expect(opened(store, id).text).toBe('A boat.');
    store.edits.undo(id, ended.revision);
    expect(opened(store, id).text).toBe('A net.');
    await store.close();
  });

  test('goes on with nothing but the last edit, and with typing in the same segment', async () => {
    const store = openStore(await temporaryFolder());
    const id = save(store);
    expect(refused(() => store.edits.edit(id, 0, typed('Three b'), true))).toBe('transcript_changed');
    const revision = make(store, id, [typed('Three b'), { kind: 'set-text', segment: 2, text: 'Four b' }]);
    expect(refused(() => store.edits.edit(id, revision, typed('Three bo'), true))).toBe('transcript_changed');
    store.edits.undo(id, revision);
    expect(refused(() => store.edits.edit(id, revision + 1, typed('Three bo'), true))).toBe(
      'transcript_changed',
    );
    expect(opened(store, id).segments.map(({ text }) => text)).toStrictEqual([
      'One net. Two nets.',
      'Three b',
      'Four',
    ]);
    await store.close();
  });
});

describe('a long transcript', () => {
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

test('accepted findings stay accepted', async () => {
  const folder = await temporaryFolder();
  let store = openStore(folder);
  const id = save(store);
  store.edits.setAccepted(id, 'fast:1', true);
  store.edits.setAccepted(id, 'fast:1', true);
  store.edits.setAccepted(id, 'gap:2', true);
  store.edits.setAccepted(id, 'gap:2', false);
  await store.close();
  store = openStore(folder);
  expect(opened(store, id).accepted).toStrictEqual(['fast:1']);
  await store.close();
});
