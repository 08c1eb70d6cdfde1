import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ReplacePreview, ReplaceTarget } from '../../../../../electron/contract/replace.ts';
import type { Query } from '../../../../../electron/contract/query.ts';
import { LibraryReplacer } from '../../../../../electron/core/library/replace/replace-in-all.ts';
import { LibrarySearcher } from '../../../../../electron/core/library/search/library-searcher.ts';
import Database from 'better-sqlite3';
import type { Store } from '../../../../../electron/core/store/store.ts';
import { foundIn } from '../../../../support/replace-preview.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../../support/temporary-folder.ts';
import { eagerClock } from '../../../../support/clocks/eager-clock.ts';
import { openStore, purge } from '../../store/store-kit.ts';
import { queryFor, saveTranscript, saveUntimed, firstPage } from '../library-kit.ts';
import { defaultTaskOptions } from '../../../../support/default-task-options.ts';

const worker = new URL('../../../../../electron/core/library/task/library-task-worker.ts', import.meta.url);
const query = (text: string, more: Partial<Query> = {}): Query => ({
  text,
  matchCase: false,
  wholeWords: false,
  ...more,
});

let folder: TemporaryFolder;
let store: Store;
let replacer: LibraryReplacer;
let told: number[];
const openReplacer = (): LibraryReplacer =>
  new LibraryReplacer({ store, clock: eagerClock, worker, onChange: (ids) => told.push(...ids) });

beforeEach(async () => {
  folder = await temporaryFolder();
  store = openStore(folder.path, { clock: eagerClock });
  told = [];
  replacer = openReplacer();
});
afterEach(async () => {
  await store.close();
  await folder.remove();
});

const textsOf = (id: number): readonly string[] =>
  store.edits.open(id)?.segments.map(({ text }) => text) ?? [];
const find = async (wanted: Query, ids: readonly number[] | null = null): Promise<ReplacePreview> =>
  foundIn(await replacer.find({ ...wanted, mode: 'text' }, ids, defaultTaskOptions));
const allOf = ({ groups }: ReplacePreview): readonly ReplaceTarget[] =>
  groups.map(({ id, matches, speakers }) => ({
    id,
    matches: matches.map(({ segment, offset }) => ({ segment, offset })),
    speakers: speakers.map(({ speaker }) => speaker),
  }));

/** The match of “net” in a segment “a net”. */
const firstNet = { segment: 0, offset: 2 };

describe('replacing in all transcripts', () => {
  it('is one edit each, indexed at once, and undone individually or all at once', async () => {
    const first = saveTranscript(store, 'First', ['Jon here.', 'And jon.'], 1);
    const second = saveTranscript(store, 'Second', ['Jon there.'], 2);
    const text = saveUntimed(store, 'Text', 'Jon said it.\nJon did.');
    const targets = allOf(await find(query('Jon')));
    const report = await replaceIn(query('Jon'), 'Joan $&', targets);
    expect(report).toEqual({
      run: 1,
      changed: 3,
      renamed: 0,
      merged: 0,
      unchanged: 0,
      tooLong: 0,
      outcome: 'finished',
    });
    expect(textsOf(first)).toEqual(['Joan $& here.', 'And Joan $&.']);
    expect(store.edits.open(text)?.text).toBe('Joan $& said it.\nJoan $& did.');
    expect(told.toSorted()).toEqual([first, second, text].toSorted());
    const reader = new Database(store.path, { readonly: true });
    const searcher = new LibrarySearcher(reader);
    expect(searcher.list(queryFor('joan'), firstPage(), () => false).total).toBe(3);
    expect(searcher.list(queryFor('jon'), firstPage(), () => false).total).toBe(0);
    reader.close();

    // One is undone by hand, one is edited further: that one stays unchanged and is named. One is in the trash.
    store.library.trash([text], 1);
    store.edits.undo(first, 1);
    expect(textsOf(first)).toEqual(['Jon here.', 'And jon.']);
    store.edits.edit(second, 1, { kind: 'set-text', segment: 0, text: 'Mine' });
    expect(await replacer.undo(1, defaultTaskOptions)).toEqual({
      undone: 1,
      kept: 1,
      edited: ['Second'],
      later: null,
      cancelled: false,
    });
    expect(store.edits.open(text)?.text).toBe('Jon said it.\nJon did.');
    expect(textsOf(second)).toEqual(['Mine']);
    // It is named also in the trash.
    store.library.trash([second], 1);
    expect(await replacer.undo(1, defaultTaskOptions)).toEqual({
      undone: 0,
      kept: 1,
      edited: ['Second'],
      later: null,
      cancelled: false,
    });
  });

  it('changes only what was chosen, whatever has changed since', async () => {
    const first = saveTranscript(store, 'First', ['a net', 'a net', 'a net'], 1);
    const second = saveTranscript(store, 'Second', ['a net'], 2);
    const third = saveTranscript(store, 'Third', ['a net'], 3);
    const fourth = saveTranscript(store, 'Fourth', ['a net'], 4);
    store.edits.edit(first, 0, { kind: 'set-text', segment: 0, text: 'no more' });
    store.edits.edit(second, 0, { kind: 'set-text', segment: 0, text: 'no more' });
    store.library.trash([third, fourth], 5);
    purge(store, [fourth]);
    const targets = [
      { id: first, matches: [firstNet, { segment: 2, offset: 2 }], speakers: [] },
      { id: second, matches: [firstNet], speakers: [] },
      { id: third, matches: [firstNet], speakers: [] },
      { id: fourth, matches: [firstNet], speakers: [] },
    ];
    const report = await replaceIn(query('net'), 'rope', targets);
    expect(report).toEqual({
      run: 1,
      changed: 1,
      renamed: 0,
      merged: 0,
      unchanged: 3,
      tooLong: 0,
      outcome: 'finished',
    });
    expect(textsOf(first)).toEqual(['no more', 'a net', 'a rope']);
    expect(textsOf(third)).toEqual(['a net']);
  });

  it('changes only the chosen matches of a segment, each shown with its context', async () => {
    const filler = 'The nets were dry, and nobody said a word about it. '.repeat(4);
    const text = `Jon began. ${filler}Then Jon went on.`;
    const id = saveTranscript(store, 'Talk', ['Jon.', text], 1);
    const preview = await find(query('Jon'));
    expect(preview.groups[0]?.matches.map((match) => match.text)).toEqual([
      'Jon.',
      expect.stringMatching(/^Jon began\. The nets .*…$/),
      expect.stringMatching(/^…said a word about it\. Then Jon went on\.$/),
    ]);
    const [target] = allOf(preview);
    const report = await replaceIn(query('Jon'), 'Joan', [
      { id, matches: target?.matches.slice(2) ?? [], speakers: [] },
    ]);
    expect(report.changed).toBe(1);
    expect(textsOf(id)).toEqual(['Jon.', text.replace('Then Jon', 'Then Joan')]);
  });

  it('changes only the chosen matches of a text without times, each shown with its context', async () => {
    const filler = 'The nets were dry, and nobody said a word about it. '.repeat(40);
    const text = `Jon began. ${filler}Then Jon went on. ${filler}Jon ended.`;
    const id = saveUntimed(store, 'Text', text);
    const preview = await find(query('Jon'));
    expect(preview.groups[0]?.matches.map((match) => match.text)).toEqual([
      expect.stringMatching(/^Jon began\. The nets .*…$/),
      expect.stringMatching(/^…said a word about it\. Then Jon went on\. The nets .*…$/),
      expect.stringMatching(/^…nobody said a word about it\. Jon ended\.$/),
    ]);
    const marked = preview.groups[0]?.matches.flatMap(({ text: shown, marks }) =>
      marks.map(({ start, end }) => shown.slice(start, end)),
    );
    expect(marked).toEqual(['Jon', 'Jon', 'Jon']);
    const [target] = allOf(preview);
    const targets = [{ id, matches: target?.matches.slice(1, 2) ?? [], speakers: [] }];
    const report = await replaceIn(query('Jon'), 'Joan', targets);
    expect(report.changed).toBe(1);
    expect(store.edits.open(id)?.text).toBe(text.replace('Then Jon', 'Then Joan'));
  });

  it('keeps completed replacements when the database fails, reports why, and undoes them together', async () => {
    const ids = Array.from({ length: 4 }, (_, index) => saveTranscript(store, `T${index}`, ['a net'], index));
    const targets = ids.map((id) => ({ id, matches: [firstNet], speakers: [] }));
    const other = new Database(store.path);
    other.exec(`CREATE TRIGGER no_room BEFORE INSERT ON replace_run_edits WHEN new.transcript_id = ${ids[2] ?? 0}
      BEGIN SELECT RAISE(ABORT, 'no room'); END`);
    expect(await replaceIn(query('net'), 'rope', targets)).toMatchObject({
      run: 1,
      changed: 2,
      outcome: { code: 'internal', detail: 'no room' },
    });
    expect(replacer.stored()).toMatchObject([{ run: 1, changed: 2, total: 4 }]);
    expect(await undoRun(1)).toMatchObject({ undone: 2, kept: 0 });
    expect(ids.flatMap(textsOf)).toEqual(ids.map(() => 'a net'));
    await expect(replaceIn(query('net'), 'rope', targets.slice(2))).rejects.toThrow('no room');
    other.close();
  });

  it('keeps completed replacements when cancelled, and undoes only those', async () => {
    const ids = Array.from({ length: 8 }, (_, index) => saveTranscript(store, `T${index}`, ['a net'], index));
    const abort = new AbortController();
    const targets = ids.map((id) => ({ id, matches: [firstNet], speakers: [] }));
    const report = await replacer.run(
      { query: query('net'), mode: 'text', replacement: 'rope', targets, mergesSpeakers: false },
      {
        signal: abort.signal,
        onProgress: ({ done }) => {
          if (done === 3) abort.abort();
        },
      },
    );
    expect(report).toEqual({
      run: 1,
      changed: 4,
      renamed: 0,
      merged: 0,
      unchanged: 0,
      tooLong: 0,
      outcome: 'cancelled',
    });
    expect(await undoRun(1)).toEqual({ undone: 4, kept: 0, edited: [], later: null, cancelled: false });
    expect(ids.flatMap((id) => textsOf(id))).toEqual(ids.map(() => 'a net'));
  });
});

const replaceEverywhere = async (text: string, replacement: string): Promise<number | null> => {
  const targets = allOf(await find(query(text)));
  return (await replaceIn(query(text), replacement, targets)).run;
};
const replaceIn = async (wanted: Query, replacement: string, targets: readonly ReplaceTarget[]) =>
  replacer.run(
    { query: wanted, mode: 'text', replacement, targets, mergesSpeakers: false },
    defaultTaskOptions,
  );
const undoRun = async (run: number) => replacer.undo(run, defaultTaskOptions);

it('a transcript that would become too long is reported as such, and searched after the others', async () => {
  const old = saveTranscript(store, 'Old', ['the net']);
  const long = saveUntimed(store, 'Long', 'net '.repeat(12_000));
  const replacement = 'r'.repeat(1_000);
  const found = await find(query('net'));
  expect(found.groups.map(({ id }) => id)).toEqual([long]);
  expect(await replaceIn(query('net'), replacement, allOf(found))).toMatchObject({
    changed: 0,
    unchanged: 0,
    tooLong: 1,
  });
  const rest = await find(query('net'));
  expect(rest.groups.map(({ id }) => id)).toEqual([old, long]);
  expect(await replaceIn(query('net'), replacement, allOf(rest))).toMatchObject({ changed: 1, tooLong: 1 });
  // Another text is searched for in the usual order.
  expect((await find(query('e'))).groups.map(({ id }) => id)).toEqual([long]);
});

describe('several replacements', () => {
  it('are undone individually, an earlier one after a later one of the same transcript', async () => {
    const both = saveTranscript(store, 'Both', ['A net by the harbor.'], 1);
    const first = saveTranscript(store, 'First', ['A net.'], 2);
    const second = saveTranscript(store, 'Second', ['A harbor.'], 3);
    expect(await replaceEverywhere('net', 'rope')).toBe(1);
    expect(await replaceEverywhere('nothing', 'rope')).toBe(null);
    expect(await replaceEverywhere('harbor', 'harbour')).toBe(2);
    expect(await undoRun(1)).toEqual({
      undone: 1,
      kept: 1,
      edited: [],
      later: { run: 2, text: 'harbor', replacement: 'harbour', count: 1 },
      cancelled: false,
    });
    expect([both, first, second].map((id) => textsOf(id)[0])).toEqual([
      'A rope by the harbour.',
      'A net.',
      'A harbour.',
    ]);
    expect(replacer.stored()).toMatchObject([
      { run: 1, text: 'net', replacement: 'rope', changed: 1, total: 2, interrupted: null },
      { run: 2, changed: 2 },
    ]);
    expect(await undoRun(2)).toEqual({ undone: 2, kept: 0, edited: [], later: null, cancelled: false });
    expect(await undoRun(1)).toEqual({ undone: 1, kept: 0, edited: [], later: null, cancelled: false });
    expect(textsOf(both)).toEqual(['A net by the harbor.']);
  });

  it('can be undone as long as they are among the last five', async () => {
    const id = saveTranscript(store, 'One', ['a0'], 1);
    for (let step = 0; step < 6; step += 1)
      expect(await replaceEverywhere(`a${step}`, `a${step + 1}`)).toBe(step + 1);
    for (const run of [6, 5, 4, 3, 2]) expect((await undoRun(run)).undone).toBe(1);
    expect(textsOf(id)).toEqual(['a1']);
    expect(await undoRun(1)).toEqual({ undone: 0, kept: 0, edited: [], later: null, cancelled: false });
  });
});

const speakersOf = (id: number): readonly string[] => store.edits.open(id)?.speakers ?? [];

/** Saves a transcript whose segments are assigned to speakers in turn. */
function saveSpoken(name: string, texts: readonly string[], names: readonly string[]): number {
  const id = saveTranscript(store, name, texts, 1);
  texts.forEach((_text, segment) => {
    const speaker = segment % names.length;
    store.edits.edit(id, segment, { kind: 'set-speaker', segments: [segment], speaker });
  });
  store.edits.edit(id, texts.length, { kind: 'name-speakers', names });
  return id;
}

describe('names of speakers', () => {
  it('are found by the same rules as the text, even where the text has no match', async () => {
    const both = saveSpoken('Both', ['Mbecki said.', 'No.'], ['Ann', 'Mbecki']);
    const named = saveSpoken('Named', ['No.', 'No.'], ['mbecki', 'Mbeckis']);
    saveSpoken('Neither', ['No.'], ['Ann']);
    const gone = saveSpoken('Gone', ['No.'], ['Mbecki']);
    store.library.trash([gone], 4);
    const { groups } = await find(query('Mbecki'));
    expect(groups.map(({ id, matches, speakers }) => [id, matches.length, speakers])).toEqual([
      [
        named,
        0,
        [
          { speaker: 0, text: 'mbecki', marks: [{ start: 0, end: 6 }] },
          { speaker: 1, text: 'Mbeckis', marks: [{ start: 0, end: 6 }] },
        ],
      ],
      [both, 1, [{ speaker: 1, text: 'Mbecki', marks: [{ start: 0, end: 6 }] }]],
    ]);
    const strict = await find(query('Mbecki', { matchCase: true, wholeWords: true }));
    expect(strict.groups.map(({ id, speakers }) => [id, speakers.length])).toEqual([[both, 1]]);
  });

  it('are changed with the text in one edit, merge with equal names on request, and are undone with it', async () => {
    const both = saveSpoken('Both', ['Mbecki said.', 'Yes.'], ['Mbeki', 'Mbecki']);
    const named = saveSpoken('Named', ['No.'], ['Thandi Mbecki']);
    const left = saveSpoken('Left', ['Mbecki.'], ['Mbecki']);
    const targets = allOf(await find(query('Mbecki'))).map((target) =>
      target.id === left ? { ...target, speakers: [] } : target,
    );
    const report = await replacer.run(
      { query: query('Mbecki'), mode: 'text', replacement: 'Mbeki', targets, mergesSpeakers: true },
      defaultTaskOptions,
    );
    expect(report).toEqual({
      run: 1,
      changed: 2,
      renamed: 2,
      merged: 1,
      unchanged: 0,
      tooLong: 0,
      outcome: 'finished',
    });
    expect(speakersOf(both)).toEqual(['Mbeki', '']);
    expect(store.edits.open(both)?.segments.map(({ text, speaker }) => [text, speaker])).toEqual([
      ['Mbeki said.', 0],
      ['Yes.', 0],
    ]);
    expect(speakersOf(named)).toEqual(['Thandi Mbeki']);
    expect([textsOf(left), speakersOf(left)]).toEqual([['Mbeki.'], ['Mbecki']]);

    expect(await replacer.undo(1, defaultTaskOptions)).toEqual({
      undone: 3,
      kept: 0,
      edited: [],
      later: null,
      cancelled: false,
    });
    expect(speakersOf(both)).toEqual(['Mbeki', 'Mbecki']);
    expect(store.edits.open(both)?.segments.map(({ text, speaker }) => [text, speaker])).toEqual([
      ['Mbecki said.', 0],
      ['Yes.', 1],
    ]);
    expect(speakersOf(named)).toEqual(['Thandi Mbecki']);
  });

  it('stay without that request where another speaker has or gets the new name', async () => {
    const has = saveSpoken('Has', ['No.', 'Yes.', 'So.'], ['Mbeki', 'Mbecki', 'Ann Mbecki']);
    const gets = saveSpoken('Gets', ['No.', 'Yes.'], ['Mbecki', 'mbecki']);
    const chain = saveSpoken('Chain', ['No.', 'Yes.', 'So.'], ['Mbeck', 'Mbecki', 'Mbeckii']);
    const { groups } = await find(query('Mbeck'));
    expect(groups.map(({ id, names }) => [id, names.length])).toEqual([
      [chain, 3],
      [gets, 2],
      [has, 3],
    ]);
    const named = groups.map(({ id }) => ({ id, matches: [], speakers: [0, 1, 2] }));
    const report = await replaceIn(query('Mbecki'), 'Mbeki', named.slice(1));
    expect(report).toEqual({
      run: 1,
      changed: 0,
      renamed: 1,
      merged: 0,
      unchanged: 1,
      tooLong: 0,
      outcome: 'finished',
    });
    expect(speakersOf(has)).toEqual(['Mbeki', 'Mbecki', 'Ann Mbeki']);
    expect(speakersOf(gets)).toEqual(['Mbecki', 'mbecki']);
    // The second would get the name that the third keeps, and the first the one that the second therefore keeps.
    const chained = { id: chain, matches: [], speakers: [0, 1] };
    expect((await replaceIn(query('Mbeck'), 'Mbecki', [chained])).renamed).toBe(0);
    expect(speakersOf(chain)).toEqual(['Mbeck', 'Mbecki', 'Mbeckii']);
  });

  it('stay if they would become too long', async () => {
    const id = saveSpoken('Long', ['Jo.'], ['Jo']);
    const targets = allOf(await find(query('Jo')));
    const report = await replacer.run(
      { query: query('Jo'), mode: 'text', replacement: 'o'.repeat(201), targets, mergesSpeakers: false },
      defaultTaskOptions,
    );
    expect(report).toEqual({
      run: 1,
      changed: 1,
      renamed: 0,
      merged: 0,
      unchanged: 0,
      tooLong: 0,
      outcome: 'finished',
    });
    expect(speakersOf(id)).toEqual(['Jo']);
  });
});
