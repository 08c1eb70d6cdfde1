import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { maxRows, storedLimits } from '../../../../../electron/contract/limits.ts';
import type { StoredOperation } from '../../../../../electron/contract/transcript.ts';
import { defaultJobOptions } from '../../../../../electron/contract/options.ts';
import type { Store } from '../../../../../electron/core/store/store.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../../support/temporary-folder.ts';
import { queryFor, saveTranscript } from '../../library/library-kit.ts';
import { newLink, openStore, purge } from '../store-kit.ts';

let folder: TemporaryFolder;
let store: Store;
let ids: readonly number[];

beforeEach(async () => {
  folder = await temporaryFolder();
  store = openStore(folder.path);
  ids = ['Beta', 'alpha', 'Gamma'].map((name, index) =>
    saveTranscript(store, name, [`Hello ${name}.`], index),
  );
});
afterEach(async () => {
  await store.close();
  await folder.remove();
});

const names = (more: Parameters<typeof queryFor>[1] = {}) =>
  store.library.list(queryFor('', more), 0, 50).rows.map(({ name }) => name);

/** Returns names of tags. */
const tags = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `tag ${from + at}`);

describe('the library', () => {
  it('lists its transcripts in each order', () => {
    expect(names()).toEqual(['Gamma', 'alpha', 'Beta']);
    expect(names({ sort: 'oldest' })).toEqual(['Beta', 'alpha', 'Gamma']);
    expect(names({ sort: 'name' })).toEqual(['alpha', 'Beta', 'Gamma']);
    expect(store.library.list(queryFor(''), 1, 1)).toMatchObject({
      total: 3,
      rows: [{ name: 'alpha', excerpt: 'Hello alpha.', tags: [], trashedAt: null }],
    });
  });

  it('tells transcripts of the same name apart', () => {
    const options = { ...defaultJobOptions, accuracy: 'accurate' as const };
    const [itemId = null] = store.items.add([{ ...newLink('https://a.example/1'), options }]);
    const again = store.transcripts.save({
      itemId,
      service: 'on-device',
      jobId: 'again',
      name: 'beta',
      durationSeconds: 3,
      recording: null,
      createdAt: 5,
      transcript: { language: 'en', text: 'Hello', segments: [{ start: 0, end: 3, text: 'Hello' }] },
    }).id;
    const distinctions = () =>
      Object.fromEntries(
        store.library.list(queryFor(''), 0, 50).rows.map(({ name, distinction }) => [name, distinction]),
      );
    const [first = -1] = ids;
    const identified: StoredOperation = {
      kind: 'assign-speakers',
      turns: [{ start: 0, end: 3, speaker: 0, confidence: 1 }],
    };
    store.edits.edit(first, 0, identified);
    expect(distinctions()).toEqual({
      alpha: null,
      Beta: { accuracy: null, isEdited: false },
      beta: { accuracy: 'accurate', isEdited: false },
      Gamma: null,
    });
    store.edits.edit(first, 1, { kind: 'set-text', segment: 0, text: 'Goodbye' });
    expect(distinctions()).toMatchObject({ Beta: { isEdited: true }, beta: { isEdited: false } });
    store.library.trash([again], 50);
    expect(distinctions()).toMatchObject({ Beta: null });
  });

  it('knows the languages of its latest transcripts, the most frequent first', () => {
    expect(store.library.recentLanguages()).toEqual(['en']);
    ids.slice(1).forEach((id) => store.library.setLanguage(id, 'yo'));
    expect(store.library.recentLanguages()).toEqual(['yo', 'en']);
    store.library.setLanguage(ids[0] ?? -1, null);
    expect(store.library.recentLanguages()).toEqual(['yo']);
  });

  it('keeps transcripts in the trash and restores them', () => {
    store.library.trash(ids.slice(0, 2), 50);
    expect(store.library.counts()).toEqual({ total: 1, trashed: 2 });
    expect(names()).toEqual(['Gamma']);
    expect(names({ trash: true })).toEqual(['alpha', 'Beta']);
    expect(store.library.restore(ids.slice(0, 1))).toBe(1);
    expect(names()).toEqual(['Gamma', 'Beta']);
    purge(store, ids);
    expect(store.library.counts()).toEqual({ total: 2, trashed: 0 });
    expect(store.transcripts.get(ids[1] ?? -1)).toBeNull();
    expect(store.library.restore(ids)).toBe(0);
    expect(store.library.trash(ids.slice(0, 2), 60)).toBe(1);
    expect(store.library.trash(ids.slice(0, 2), 70)).toBe(0);
  });

  it('saves a job once, and beside the transcript of a backup that took its number', () => {
    const deliver = (text: string, service = 'https://service.example', jobId = '1') =>
      store.transcripts.save({
        itemId: null,
        service,
        jobId,
        name: text,
        durationSeconds: 3,
        recording: null,
        createdAt: 9,
        transcript: { language: 'en', text, segments: [{ start: 0, end: 3, text }] },
      }).id;
    const foreign = deliver('Foreign');
    // Also if the backup foresaw what the foreign one is called from then on.
    deliver('Blocking', 'restored', JSON.stringify(['https://service.example', '1', foreign, 0]));
    const paid = deliver('Paid');
    expect(deliver('Paid')).toBe(paid);
    expect(store.transcripts.get(paid)?.text).toBe('Paid');
    expect(store.transcripts.get(foreign)?.text).toBe('Foreign');
    expect(names()).toEqual(['Paid', 'Blocking', 'Foreign', 'Gamma', 'alpha', 'Beta']);
  });

  it('exports the segments of a transcript whose stored text says something else', () => {
    const { id } = store.transcripts.save({
      itemId: null,
      service: 'imported',
      jobId: 'contradicting',
      name: 'Boats',
      durationSeconds: 3,
      recording: null,
      createdAt: 9,
      transcript: {
        language: 'en',
        text: 'Two boats.',
        segments: [{ start: 0, end: 3, text: 'Ten boats.' }],
      },
    });
    expect(store.exportSources.content(id)?.text).toBe('Ten boats.');
    expect(store.transcripts.get(id)?.text).toBe('Ten boats.');
  });

  it('sets the language of a transcript, which everything reads from then on', () => {
    const id = ids[0] ?? -1;
    store.library.setLanguage(id, 'he');
    expect(store.edits.open(id)?.language).toBe('he');
    expect(store.transcripts.get(id)?.language).toBe('he');
    expect(store.library.list(queryFor('', { sort: 'oldest' }), 0, 1).rows[0]?.language).toBe('he');
    store.library.setLanguage(id, null);
    expect(store.edits.open(id)?.language).toBeNull();
    expect(() => store.library.setLanguage(999, 'he')).toThrow('transcript_gone');
  });

  it('tags transcripts, and deletes unused tags', () => {
    store.library.tag(ids, ['Story', 'Ümlaut'], []);
    store.library.tag(ids.slice(0, 1), ['story'], ['Ümlaut']);
    expect(store.library.tags()).toEqual([
      { name: 'Story', count: 3 },
      { name: 'Ümlaut', count: 2 },
    ]);
    expect(names({ tag: 'Ümlaut' })).toEqual(['Gamma', 'alpha']);
    expect(store.library.renameTag('STORY', 'üMLAUT')).toMatchObject({ name: 'Ümlaut', isMerge: true });
    expect(store.library.tags()).toEqual([{ name: 'Ümlaut', count: 3 }]);
    expect(store.library.renameTag('Ümlaut', 'ÜMLAUT')).toMatchObject({ name: 'ÜMLAUT', isMerge: false });
    store.library.tag(ids.slice(0, 1), ['Ümlaut'], []);
    expect(store.library.tags()).toEqual([{ name: 'ÜMLAUT', count: 3 }]);
    store.library.tag(ids, [], ['ümlaut']);
    expect(store.library.tags()).toEqual([]);
  });

  it('undoes each change of tags exactly, even in the trash', () => {
    const [first = -1, second = -1, third = -1] = ids;
    const tagsOfEach = (): readonly (readonly string[])[] =>
      ids.map((id) => store.library.tagsOf([id]).flatMap(({ name, count }) => (count > 0 ? [name] : [])));
    const { library } = store;
    library.tag([first, second], ['harbour', 'Port'], []);
    library.tag([second, third], ['Sea'], []);
    library.trash([second], 9);
    const before = [['harbour', 'Port'], ['harbour', 'Port', 'Sea'], ['Sea']];
    expect(tagsOfEach()).toEqual(before);
    const changes = [
      () => library.removeTag('HARBOUR'),
      () => library.renameTag('harbour', 'Quay').undo,
      () => library.renameTag('harbour', 'Harbour').undo,
      () => library.renameTag('Sea', 'port').undo,
      () => library.tag(ids, ['Port', 'Boats'], ['sea']),
    ];
    for (const change of changes) {
      const undo = change();
      const after = tagsOfEach();
      expect(after).not.toEqual(before);
      const redo = library.changeTags(undo);
      expect(tagsOfEach()).toEqual(before);
      library.changeTags(library.changeTags(redo));
      expect(tagsOfEach()).toEqual(before);
    }
    // What was tagged meanwhile stays tagged.
    const { undo } = library.renameTag('Port', 'Sea');
    library.tag([first], ['Boats'], []);
    library.changeTags(undo);
    expect(tagsOfEach()).toEqual([['Boats', 'harbour', 'Port'], ...before.slice(1)]);
  });

  it('has a limit of tags, beyond which a change adds none', () => {
    const tooMany = expect.objectContaining({ problem: expect.objectContaining({ code: 'too_many_tags' }) });
    const [first = 0, second = 0] = ids;
    store.library.tag([first], tags(0, storedLimits.tagsOfTranscript), []);
    expect(() => store.library.tag([second, first], ['one more'], [])).toThrow(tooMany);
    expect(store.library.tags()).toHaveLength(storedLimits.tagsOfTranscript);
    const { remove, add } = store.library.tag([first], ['one more'], ['tag 0']);
    expect([remove, add]).toMatchObject([[{ name: 'one more' }], [{ name: 'tag 0' }]]);
    const others = Array.from({ length: storedLimits.tags / storedLimits.tagsOfTranscript - 1 }, (_, at) =>
      saveTranscript(store, `Other ${at}`, ['Words.'], 10 + at),
    );
    others.forEach((id, at) => store.library.tag([id], tags(100 * (at + 1), 100 * (at + 2)), []));
    expect(store.library.tags()).toHaveLength(storedLimits.tags);
    expect(() => store.library.tag([second], ['too many'], [])).toThrow(tooMany);
    store.library.tag([second], ['tag 1'], []);
  });

  it('refuses at once to change more tags than those of a large selection', () => {
    const tooMany = expect.objectContaining({ problem: expect.objectContaining({ code: 'too_many_tags' }) });
    const many = Array.from({ length: maxRows }, (_, index) => index + 1_000_000);
    expect(() => store.library.tag(many, tags(0, 6), [])).toThrow(tooMany);
    expect(() => store.library.tag(many, [], tags(0, 6))).toThrow(tooMany);
    store.library.tag([...many.slice(0, -ids.length), ...ids], ['one', 'two'], []);
    expect(store.library.tags()).toMatchObject(['one', 'two'].map((name) => ({ name, count: ids.length })));
  });

  it('orders tags alphabetically, with numbers by value', () => {
    store.library.tag(ids, ['part 10', 'Zoo', 'part 9', 'émile'], []);
    const ordered = ['émile', 'part 9', 'part 10', 'Zoo'];
    expect(store.library.tags().map(({ name }) => name)).toEqual(ordered);
    expect(store.library.tagsOf(ids).map(({ name }) => name)).toEqual(ordered);
    expect(store.library.list(queryFor(''), 0, 1).rows[0]?.tags).toEqual(ordered);
    store.library.removeTag('ÉMILE');
    expect(store.library.tags()).toHaveLength(3);
  });
});
