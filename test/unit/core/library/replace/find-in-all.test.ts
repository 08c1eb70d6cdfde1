import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ReplacePreview, ReplaceQuery } from '../../../../../electron/contract/replace.ts';
import { findInAll } from '../../../../../electron/core/library/replace/find-in-all.ts';
import type { Store } from '../../../../../electron/core/store/store.ts';
import { CancelledError } from '../../../../../electron/workers/protocol.ts';
import { foundIn } from '../../../../support/replace-preview.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../../support/temporary-folder.ts';
import { openStore } from '../../store/store-kit.ts';
import { saveTranscript, saveUntimed } from '../library-kit.ts';

let folder: TemporaryFolder;
let store: Store;
beforeEach(async () => {
  folder = await temporaryFolder();
  store = openStore(folder.path);
});
afterEach(async () => {
  await store.close();
  await folder.remove();
});

const doNothing = (): void => {};
const cancelled = (): never => {
  throw new CancelledError();
};
const find = (
  query: Partial<ReplaceQuery>,
  ids: readonly number[] | null = null,
  throwIfCancelled = doNothing,
): ReplacePreview =>
  foundIn(
    findInAll(
      {
        library: store.path,
        query: { text: '', matchCase: false, wholeWords: false, mode: 'text', ...query },
        ids,
        last: [],
      },
      { throwIfCancelled, reportProgress: doNothing },
    ),
  );

describe('finding in all transcripts', () => {
  it('returns each match, newest transcript first, without the trash', () => {
    const old = saveTranscript(store, 'Old', ['Jon was here.', 'Nobody.', 'Jon, jon and Jonas.'], 1);
    const fresh = saveTranscript(store, 'New', ['jon'], 2);
    const gone = saveTranscript(store, 'Gone', ['Jon'], 3);
    store.library.trash([gone], 4);
    const text = saveUntimed(store, 'Text', 'Jon said it.\nJon did.');
    const { groups, isCapped } = find({ text: 'jon' });
    expect(find({ text: 'jon' }, [fresh]).groups).toEqual([groups[0]]);
    expect(isCapped).toBe(false);
    expect(groups.map(({ id }) => id)).toEqual([fresh, old, text]);
    expect(groups[2]?.matches).toMatchObject([
      { segment: null, start: null, offset: 0, marks: [{ start: 0, end: 3 }] },
      { segment: null, start: null, offset: 13, marks: [{ start: 13, end: 16 }] },
    ]);
    expect(groups[1]?.matches).toMatchObject([
      { segment: 0, start: 0, offset: 0, text: 'Jon was here.', marks: [{ start: 0, end: 3 }] },
      { segment: 2, start: 6, offset: 0, marks: [{ start: 0, end: 3 }] },
      { segment: 2, start: 6, offset: 5, marks: [{ start: 5, end: 8 }] },
      { segment: 2, start: 6, offset: 13, marks: [{ start: 13, end: 16 }] },
    ]);
    const strict = find({ text: 'Jon', matchCase: true, wholeWords: true });
    const found = strict.groups.flatMap(({ id, matches }) =>
      matches.map(({ segment, offset }) => [id, segment, offset]),
    );
    expect(found).toEqual([
      [old, 0, 0],
      [old, 2, 0],
      [text, null, 0],
      [text, null, 13],
    ]);
    expect(find({ text: '' }).groups).toEqual([]);
    expect(find({ text: '.*' }).groups).toEqual([]);
  });

  it('loads the text of a transcript only when it searches it', () => {
    const one = saveUntimed(store, 'One', 'Jon');
    const other = saveUntimed(store, 'Other', 'Jon');
    const database = new Database(store.path);
    // The text of one of them cannot be read.
    database.exec(`DROP VIEW timeless_texts;
      CREATE VIEW timeless_texts AS SELECT id AS transcript_id,
        CASE id WHEN ${other} THEN json_extract('malformed', '$') ELSE text END AS text FROM transcripts`);
    database.close();
    expect(find({ text: 'jon' }, [one]).groups.map(({ id }) => id)).toEqual([one]);
    expect(() => find({ text: 'jon' })).toThrow('malformed JSON');
    expect(() => find({ text: 'jon' }, null, cancelled)).toThrow(CancelledError);
  });

  it('limits the number of matches, and can be cancelled', () => {
    const many = Array.from({ length: 3_000 }, () => 'the net and the net');
    saveTranscript(store, 'First', many, 1);
    saveTranscript(store, 'Second', many, 2);
    saveTranscript(store, 'Third', many, 3);
    const { groups, isCapped } = find({ text: 'net' });
    expect(isCapped).toBe(true);
    expect(groups.map(({ name, matches }) => [name, matches.length])).toEqual([
      ['Third', 6_000],
      ['Second', 4_000],
    ]);
    expect(() => find({ text: 'net' }, null, cancelled)).toThrow(CancelledError);
  });
});
