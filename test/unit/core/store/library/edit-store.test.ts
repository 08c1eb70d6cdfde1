import { join } from 'node:path';
import fc from 'fast-check';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import type {
  Change,
  ChangeStep,
  DraftSegment,
  EditOperation,
  TranscriptDocument,
} from '../../../../../electron/contract/transcript.ts';
import { LibrarySearcher } from '../../../../../electron/core/library/search/library-searcher.ts';
import { importService } from '../../../../../electron/core/store/library/transcript-tables.ts';
import { migrations } from '../../../../../electron/core/store/migrations.ts';
import type { TranscriptId } from '../../../../../electron/contract/identifiers.ts';
import type { Store } from '../../../../../electron/core/store/store.ts';
import { unsureRanges } from '../../../../../electron/core/transcript/review/unsure-words.ts';
import { newSegment } from '../../../../../electron/core/transcript/segment.ts';
import { openDatabase } from '../../../../../electron/sqlite/open-database.ts';
import { ManualClock } from '../../../../support/clocks/manual-clock.ts';
import { segmentWithUnsureWords } from '../../../../support/segment-with-unsure-words.ts';
import { testFolder } from '../../../../support/test-folder.ts';
import { operation } from '../../transcript/edit/edit-arbitraries.ts';
import { queryFor } from '../../library/library-kit.ts';
import { openStore } from '../store-kit.ts';
import { make, opened, refused, save, segments, split } from './edit-kit.ts';

const seen = ({ segments: shown, speakers, notes }: TranscriptDocument) => ({
  segments: shown,
  speakers,
  notes,
});

const originalSegments = (store: Store, id: TranscriptId) =>
  store.edits.original(id).segments.map(({ speaker: _speaker, ...segment }) => segment);

const draftSegment = (id: number): DraftSegment => ({ ...newSegment(0, 1, 'x'), id, speaker: null });
const note = { id: 1, atSeconds: 1, text: 'x' };
const replacing = (at: number, id: number): ChangeStep => ({
  kind: 'replace',
  pairs: [{ at, before: draftSegment(id), after: draftSegment(id) }],
});

const assign = (segment: number, speaker: number): EditOperation => ({
  kind: 'set-speaker',
  segments: [segment],
  speaker,
});

describe('an edit', () => {
  test('moves the times of an imported transcript later than its last one, as no recording limits them', async () => {
    const store = openStore(await testFolder());
    const id = store.transcripts.save({
      itemId: null,
      service: importService,
      jobId: 'imported',
      name: 'nets.srt',
      durationSeconds: 9,
      transcript: { text: '', segments, language: null },
      recording: null,
      createdAt: 1,
    }).id;
    expect(opened(store, id)).toMatchObject({ durationSeconds: 9, recordingSeconds: null });
    make(store, id, [{ kind: 'retime', factor: 1, offsetSeconds: 1.5 }]);
    expect(opened(store, id).segments.at(-1)).toMatchObject({ start: 9.5, end: 10.5 });
  });

  test('affects every reader: text, segments, word count, search', async () => {
    const store = openStore(await testFolder());
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
    expect(search.ids(queryFor('fishing boats '), () => false)).toEqual([id]);
    reader.close();
    await store.close();
  });

  test('does not change the original', async () => {
    const store = openStore(await testFolder());
    const id = save(store);
    expect(originalSegments(store, id)).toStrictEqual(segments);
    make(store, id, [split, { kind: 'delete', segments: [1, 2] }]);
    expect(originalSegments(store, id)).toStrictEqual(segments);
    make(store, id, [{ kind: 'restore' }]);
    expect(store.transcripts.get(id)?.segments).toStrictEqual(segments);
    await store.close();
  });

  test('that deletes segments keeps their speakers for when they are restored', async () => {
    const store = openStore(await testFolder());
    const id = save(store);
    const speakers = () => opened(store, id).segments.map(({ speaker }) => speaker);
    make(store, id, [{ kind: 'name-speakers', names: ['Ada', 'Bo'] }, assign(0, 0), assign(1, 1)]);
    // Changed once with another speaker, then deleted with this one.
    make(store, id, [{ kind: 'set-text', segment: 0, text: 'Changed' }, assign(0, 1)]);
    const before = speakers();
    expect(before.slice(0, 2)).toEqual([1, 1]);
    make(store, id, [{ kind: 'delete', segments: [0, 1] }]);
    make(store, id, [{ kind: 'restore', only: { current: [], original: [0, 1] } }]);
    expect(speakers()).toEqual(before);
    make(store, id, [{ kind: 'delete', segments: [0, 1] }, { kind: 'restore' }]);
    expect(speakers()).toEqual(before);
    await store.close();
  });

  test('can be undone and redone without limit, even after a restart', async () => {
    const folder = await testFolder();
    let store = openStore(folder);
    const id = save(store);
    const before = seen(opened(store, id));
    make(store, id, [split, { kind: 'merge', segment: 1 }, { kind: 'name-speakers', names: ['Piet'] }]);
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

  test('that accepts or corrects unsure words is kept after a restart, until it is undone', async () => {
    const folder = await testFolder();
    let store = openStore(folder);
    const id = save(store, [segmentWithUnsureWords(0, 'the old net tore', ['old', 'tore'])]);
    const flagged = () =>
      opened(store, id).segments.flatMap((segment) =>
        unsureRanges(segment).map(({ from, to }) => segment.text.slice(from, to)),
      );
    make(store, id, [
      { kind: 'accept-words', segment: 0, from: 4, text: 'old' },
      { kind: 'respell', spellings: ['tore', 'torn'], replacement: 'torn' },
    ]);
    await store.close();

    store = openStore(folder);
    expect(flagged()).toStrictEqual([]);
    store.edits.undo(id, opened(store, id).revision);
    expect(flagged()).toStrictEqual(['tore']);
    store.edits.undo(id, opened(store, id).revision);
    expect(flagged()).toStrictEqual(['old', 'tore']);
    await store.close();
  });

  test('after an undo starts a new branch; the old one cannot be redone', async () => {
    const store = openStore(await testFolder());
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

  test('of an outdated or deleted transcript is rejected and changes nothing', async () => {
    const store = openStore(await testFolder());
    const id = save(store);
    make(store, id, [split]);
    const before = seen(opened(store, id));
    expect(refused(() => store.edits.edit(id, 0, split))).toBe('transcript_changed');
    expect(refused(() => store.edits.undo(id, 7))).toBe('transcript_changed');
    expect(refused(() => store.edits.edit(999, 0, split))).toBe('transcript_gone');
    expect(seen(opened(store, id))).toStrictEqual(before);
    await store.close();
  });

  test.each<[string, Change]>([
    ['replaces a segment far beyond the end', [replacing(4_294_967_294, 0)]],
    ['replaces another segment than it names', [replacing(0, 1)]],
    [
      'removes segments that are not there',
      [{ kind: 'splice', at: 0, removed: [], inserted: [draftSegment(7)] }],
    ],
    [
      'inserts a segment twice',
      [{ kind: 'splice', at: 0, removed: [draftSegment(0), draftSegment(0)], inserted: [] }],
    ],
    ['has times of other segments', [{ kind: 'times', before: [1], after: [2] }]],
    ['has times beyond any recording', [{ kind: 'times', before: [1e308, 1e308], after: [0, 0] }]],
    ['changes a text that is not there', [{ kind: 'text', at: 9e15, removed: 'a', inserted: 'b' }]],
    [
      'has more notes than anyone writes',
      [{ kind: 'notes', before: Array.from({ length: 30_000 }, () => note), after: [] }],
    ],
    ['is not a change', [{ kind: 'unknown' } as never]],
  ])('of a foreign history that %s is refused, and nothing changes', async (_what, change) => {
    const store = openStore(await testFolder());
    const id = save(store);
    const revision = make(store, id, [{ kind: 'set-text', segment: 1, text: 'Drei' }]);
    const file = new Database(store.path);
    file.prepare('UPDATE edits SET change = ?').run(JSON.stringify(change));
    file.close();
    const before = opened(store, id);
    expect(refused(() => store.edits.undo(id, revision))).toBe('history_damaged');
    expect(opened(store, id)).toStrictEqual(before);
    make(store, id, [split]);
    await store.close();
  });

  test('without effect is not logged', async () => {
    const store = openStore(await testFolder());
    const id = save(store);
    make(store, id, [{ kind: 'merge', segment: 2 }]);
    expect(opened(store, id)).toMatchObject({ revision: 0, edited: false, canUndo: false });
    await store.close();
  });

  test('repeated at the same position keeps the order', async () => {
    const store = openStore(await testFolder());
    // Each insertion takes time from the first one.
    const id = save(store, [newSegment(0, 400, 'First'), newSegment(400, 401, 'Last')]);
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
  const saveText = (store: Store, written = text): number =>
    store.transcripts.save({
      itemId: null,
      service: 'on-device',
      jobId: 'timeless',
      name: 'nets.mp3',
      durationSeconds: 60,
      transcript: { text: written, segments: [], language: 'en' },
      recording: null,
      createdAt: 1,
    }).id;

  test('is indexed in the background in short steps if it is long, whole and after each edit', async () => {
    const store = openStore(await testFolder());
    const words = Array.from({ length: 10_000 }, (_, at) => `word${at}`);
    const id = saveText(store, words.join(' '));
    const clock = new ManualClock();
    store.searchIndex.startBackgroundIndexing(
      clock,
      () => undefined,
      (error) => expect.unreachable(String(error)),
    );
    const reader = new Database(store.path, { readonly: true });
    const isFound = (word: string) =>
      new LibrarySearcher(reader).ids(queryFor(`${word} `), () => false).length === 1;
    const steps = () => {
      let count = 0;
      for (; store.searchIndex.isBehind; count += 1) clock.advance(1);
      return count;
    };
    expect(steps()).toBeGreaterThan(4);
    // Also those where one step ends and the next one begins.
    expect(words.filter((word, at) => at % 53 === 0 && !isFound(word))).toEqual([]);
    store.edits.edit(id, 0, { kind: 'edit-text', at: 0, removed: 5, inserted: 'Breakwater' });
    expect(steps()).toBeGreaterThan(4);
    expect(isFound('breakwater')).toBe(true);
    store.library.rename(id, 'lighthouse.mp3');
    steps();
    expect(isFound('lighthouse')).toBe(true);
    reader.close();
    await store.close();
  });

  test('is edited, found, counted and undone as one', async () => {
    const store = openStore(await testFolder());
    const id = saveText(store);
    const reader = new Database(store.path, { readonly: true });
    const found = (words: string) => new LibrarySearcher(reader).ids(queryFor(words), () => false);
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
    expect(store.library.list(queryFor(''), 0, 5)).toMatchObject({
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

test('a transcript edited by an older version keeps its original, its text and its history', async () => {
  const folder = await testFolder();
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

test('a transcript opens with as many accepted findings as it can have, whatever is stored', async () => {
  const store = openStore(await testFolder());
  const id = save(store);
  store.edits.setAccepted(id, 'a finding', true);
  const database = new Database(store.path);
  database
    .prepare(
      `INSERT INTO accepted_findings WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
       SELECT ?, 'finding ' || i FROM n UNION ALL SELECT ?, printf('%.*c', 1000000, 'x')`,
    )
    .run(id, id);
  database.close();
  const { accepted } = opened(store, id);
  expect(accepted).toContain('a finding');
  expect(accepted).toHaveLength(50_000);
  expect(accepted.every(({ length }) => length <= 500)).toBe(true);
  await store.close();
});

test('the stored transcript always equals the original with the edits applied', async () => {
  const folder = await testFolder();
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
        // The cached and the stored state.
        const held = seen(opened(store, id));
        store.edits.open(save(store));
        expect(seen(opened(store, id))).toStrictEqual(held);
        expect(originalSegments(store, id)).toStrictEqual(segments);
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

test('accepted findings stay accepted', async () => {
  const folder = await testFolder();
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
