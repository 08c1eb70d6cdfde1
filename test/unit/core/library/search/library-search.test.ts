import { beforeEach, describe, expect, it } from 'vitest';
import { workerUrl } from '../../../../../electron/workers/registry.ts';
import type { LibraryQuery } from '../../../../../electron/contract/library-commands.ts';
import {
  LibrarySearch,
  SupersededSearchError,
} from '../../../../../electron/core/library/search/library-search.ts';
import { newSegment, withWords } from '../../../../../electron/core/transcript/segment.ts';
import { openReader } from '../../../../../electron/sqlite/open-database.ts';
import { chooseTranscripts } from '../../../../../electron/core/library/choose-transcripts.ts';
import { indexAll } from '../../../../support/index-all.ts';
import { purge } from '../../store/store-kit.ts';
import { queryFor, saveTranscript, saveUntimed, firstPage } from '../library-kit.ts';
import { useSearchedLibrary } from './searched-library.ts';

const foundInBoth = (said: readonly string[]) => [
  ['Timed', [], said],
  ['Untimed', [], said],
];

const searched = useSearchedLibrary();
const list = (query: string, more?: Partial<LibraryQuery>) => searched.list(query, more);
const names = (query: string, more?: Partial<LibraryQuery>) => list(query, more).rows.map(({ name }) => name);

describe('a search', () => {
  beforeEach(() => {
    saveTranscript(
      searched.store,
      'Mbeki',
      ['I heard it on the radio.', 'Thirty-one years at the harbour.'],
      1,
    );
    saveTranscript(searched.store, 'Harbour walk', ['Mind the rope.', 'The café is closed.'], 2);
    saveTranscript(searched.store, 'Okafor', ['The wall of the harbour, on the radio too.'], 3);
    saveTranscript(searched.store, '会議', ['東京の図書館で会いました。', 'resume the talk'], 4);
  });

  it('finds words in names and text, those in a name first', () => {
    expect(names('harbour')).toEqual(['Harbour walk', 'Mbeki', 'Okafor']);
    expect(names('HARB')).toHaveLength(3);
    expect(names('arbour')).toEqual([]);
  });

  it('returns the matching segment with its highlights', () => {
    const [row] = list('"the radio" mbeki').rows;
    expect(row?.nameMarks).toEqual([{ start: 0, end: 5 }]);
    const [passage] = list('heard radio').rows[0]?.passages ?? [];
    expect(passage).toMatchObject({ segment: 0, start: 0, text: 'I heard it on the radio.' });
    expect(passage?.marks.map(({ start, end }) => passage.text.slice(start, end))).toEqual([
      'heard',
      'radio',
    ]);
  });

  it('supports phrases, exclusions and whole words', () => {
    expect(names('"wall of the harbour" ')).toEqual(['Okafor']);
    expect(names('"harbour wall" ')).toEqual([]);
    expect(names('radio -heard')).toEqual(['Okafor']);
    expect(names('harb ')).toEqual([]);
  });

  it('lists transcripts without a word if the query only excludes it', () => {
    expect(names('-radio')).toEqual(['会議', 'Harbour walk']);
    expect(names('-harbour -"the talk"')).toEqual([]);
    expect(names('-radio', { sort: 'oldest' })).toEqual(['Harbour walk', '会議']);
    expect(searched.ids('-okafor')).toHaveLength(3);
    expect(searched.list('-radio')).toMatchObject({ total: 2, isComplete: true });
  });

  it('ignores accents unless they are typed', () => {
    expect(names('cafe ')).toEqual(['Harbour walk']);
    expect(names('café ')).toEqual(['Harbour walk']);
    expect(names('resume ')).toEqual(['会議']);
    expect(names('résumé ')).toEqual([]);
  });

  it('returns the position in a text without times', () => {
    const text =
      'We left at dawn with Mr. Berg. “Mind the rope!” she said.\nThe harbour was empty; the rope lay there.';
    const id = saveUntimed(searched.store, 'Notes', text);
    const [row] = list('"the rope"').rows;
    expect(row).toMatchObject({ name: 'Notes', passageCount: 2 });
    expect(row?.passages.map(({ text: said }) => said)).toEqual([
      '“Mind the rope!”',
      'The harbour was empty; the rope lay there.',
    ]);
    for (const { range, segment, start, text: said, marks } of row?.passages ?? []) {
      expect([segment, start]).toEqual([null, null]);
      expect(text.slice(range?.start, range?.end)).toBe(said);
      expect(marks.map((mark) => said.slice(mark.start, mark.end).toLowerCase())).toEqual(['the rope']);
    }
    expect(list('dawn berg').rows[0]?.passages).toMatchObject([{ text: 'We left at dawn with Mr. Berg.' }]);
    searched.store.edits.edit(id, 0, {
      kind: 'edit-text',
      at: 0,
      removed: text.length,
      inserted: 'Nothing is left of it.',
    });
    expect(names('"the rope"')).toEqual(['Harbour walk']);
  });

  it('has the same rules for texts without times', () => {
    const sentences = [
      ['The ferry left.', 'The budget was short.'],
      ['The ferry was over budget.', 'It was late.'],
      ['The ferry.', 'Late again.'],
    ];
    for (const said of sentences) {
      saveTranscript(searched.store, 'Timed', said);
      saveUntimed(searched.store, 'Untimed', said.join(' '));
    }
    const found = (query: string) =>
      list(query, { sort: 'oldest' }).rows.map(({ name, nameMarks, passages }) => [
        name,
        nameMarks,
        passages.map(({ text }) => text),
      ]);
    expect(found('ferry budget ')).toEqual(foundInBoth(['The ferry was over budget.']));
    expect(searched.ids('ferry budget ')).toHaveLength(2);
    expect(list('ferry budget ')).toMatchObject({ total: 2, passageTotal: 2, isComplete: true });
    expect(found('budget -ferry ')).toEqual(foundInBoth(['The budget was short.']));
    expect(searched.ids('budget -ferry ')).toHaveLength(2);
    expect(found('"left the budget"')).toEqual([]);
    expect(searched.ids('"left the budget"')).toEqual([]);
    expect(found('again ferry ')).toEqual(foundInBoth(['The ferry.', 'Late again.']));
    expect(found('untimed ferry late ')).toEqual([
      ['Untimed', [{ start: 0, end: 7 }], ['The ferry was over budget.', 'It was late.']],
      ['Untimed', [{ start: 0, end: 7 }], ['The ferry.', 'Late again.']],
    ]);
  });

  it('finds the matches in texts without times that are too long to be searched at once', async () => {
    for (const text of [
      'A ferry budget.',
      'The ferry. A budget.',
      `A ferry budget.${'\n'.repeat(1_000_000)}–`,
    ])
      saveUntimed(searched.store, 'Notes', text);
    await indexAll(searched.store);
    expect(list('ferry budget ')).toMatchObject({ total: 1, isCapped: true, isComplete: false });
    expect(list('ferry budget ', { sort: 'oldest' })).toMatchObject({ total: 2, isComplete: true });
    expect(searched.ids('ferry budget ')).toHaveLength(2);
  });

  it.each([
    ['mueller ', 'Herr Müller kommt.'],
    ['muel', 'Herr Müller kommt.'],
    ['treuepruefung ', 'Die Treueprüfung fällt aus.'],
    ['groesse ', 'Die Größe stimmt.'],
    ['müller ', 'Signed: Mueller.'],
    ['koebenhavn ', 'Vi er i København.'],
    ['aarhus ', 'Vi er i Århus.'],
    ['مدينة ', 'المدينة القديمة جميلة'],
    ['أخبار ', 'سمعت بالاخبار'],
    ['المدينة ', 'ذهبت للمدينة'],
    ['נמל ', 'אנחנו בנמל'],
    ['라디오 소식 ', '라디오에서 그 소식을 들었어요.'],
    ['りんご ', '赤いリンゴを食べた'],
    ['リンゴ', '赤いりんごを食べた'],
    ['ラーメン ', 'らーめんを食べた'],
  ])('finds %s in other spellings', (typed, said) => {
    saveTranscript(searched.store, 'Other', [said, 'muller koben arhus']);
    const [row] = list(typed).rows;
    expect(row?.passages).toHaveLength(1);
    expect(row?.passages[0]).toMatchObject({
      text: said,
      marks: [{}, ...(typed.includes(' 소') ? [{}] : [])],
    });
    expect(list(`"${typed.trim()}"`).total).toBe(0);
  });

  it.each([
    ['مدرسه ', 'هذه مدرسة كبيرة', 'مدرسة'],
    ['مدرسة ', 'هذه مدرسه كبيره', 'مدرسه'],
    ['"مدرسة كبيرة"', 'هذه مدرسه كبيره', 'مدرسه كبيره'],
    ['الي ', 'ذهبنا إلى البيت', 'إلى'],
    ['هد*', 'قالت هدى ذلك', 'هدى'],
    ['كتاب ', 'این کتاب است', 'کتاب'],
    ['ملى ', 'بانک ملی ایران', 'ملی'],
    ['λόγος ', 'Ο ΛΌΓΟΣ του', 'ΛΌΓΟΣ'],
    ['елка ', 'Вот ёлка стоит', 'ёлка'],
    ['istanbul ', 'Sonra İSTANBUL dedi', 'İSTANBUL'],
    ['ilik ', 'Su ılık oldu', 'ılık'],
    ['ışık ', 'Sonra IŞIK dedi', 'IŞIK'],
    ['GRÖSSE ', 'Die Größe stimmt', 'Größe'],
    ['Größe ', 'Die Grösse stimmt', 'Grösse'],
    ['tokyo ', 'In ＴＯＫＹＯ again', 'ＴＯＫＹＯ'],
    ['バス ', 'ここでﾊﾞｽを待つ', 'ﾊﾞｽ'],
  ])('equates the letters of %s and %s', (typed, said, marked) => {
    const text = `zebra ${said}`;
    const id = saveTranscript(searched.store, 'Other', [text]);
    const [passage] = list(typed).rows[0]?.passages ?? [];
    expect(passage?.marks.map(({ start, end }) => text.slice(start, end))).toEqual([marked]);
    expect(searched.ids(`zebra -${typed}`)).toEqual([]);
    expect(searched.ids('zebra -lion')).toEqual([id]);
  });

  it('finds parts of a text without spaces', () => {
    expect(names('図書館')).toEqual(['会議']);
    expect(names('書図')).toEqual([]);
    expect(list('図書館').rows[0]?.passages[0]?.marks).toEqual([{ start: 3, end: 6 }]);
  });

  it('finds transcripts with the words in different passages if none has them together', () => {
    const view = list('thirty radio ');
    expect(view.rows.map(({ name }) => name)).toEqual(['Mbeki']);
    expect(view.rows[0]?.passages.map(({ segment }) => segment)).toEqual([0, 1]);
    expect(names('okafor wall ')).toEqual(['Okafor']);
  });

  it('finds the current text after changes', () => {
    const [id = -1] = searched.ids('okafor');
    searched.store.library.rename(id, 'Dr Nwosu');
    expect(names('okafor')).toEqual([]);
    expect(names('nwosu')).toEqual(['Dr Nwosu']);
    searched.store.library.trash([id], 9);
    expect(names('nwosu')).toEqual([]);
    expect(names('nwosu', { trash: true })).toEqual(['Dr Nwosu']);
    purge(searched.store, [id]);
    expect(names('nwosu', { trash: true })).toEqual([]);
    expect(names('wall')).toEqual([]);
  });

  it('keeps its order while its transcripts are edited, until the query changes', () => {
    for (const [name, said] of [
      ['Best', 'Iron and iron water.'],
      ['Second', 'The water tasted of iron, as it did for all of the years that we lived at the river.'],
    ] as const)
      saveTranscript(searched.store, name, [said]);
    const [id = -1] = searched.ids('iron water ');
    expect(names('iron water ')).toEqual(['Best', 'Second']);
    const text = 'Iron, as everyone who lived at the river in those years will tell you, was in the water. ';
    searched.store.edits.edit(id, 0, { kind: 'set-text', segment: 0, text: text.repeat(2) });
    saveTranscript(searched.store, 'New', ['Iron water.']);
    expect(names('iron water ')).toEqual(['Best', 'Second', 'New']);
    expect(searched.ids('iron water ')[0]).toBe(id);
    expect(names('water')).toHaveLength(3);
    expect(names('iron water ')).toEqual(['New', 'Second', 'Best']);
  });

  it.each([
    ['harbor ', [{ query: 'harbour ', count: 3 }]],
    ['old harbuor', []],
    ['radio harbuor', [{ query: 'radio harbour', count: 1 }]],
    ['"at the harber"', [{ query: '"at the harbour"', count: 1 }]],
    ['mbecki ', [{ query: 'Mbeki ', count: 1 }]],
    ['okafur thrity', []],
    ['okafur waal', [{ query: 'Okafor wall', count: 1 }]],
    ['résumé ', [{ query: 'resume ', count: 1 }]],
    ['caffe ', [{ query: 'café ', count: 1 }]],
    ['rop', []],
    ['xyz', []],
    ['図書堂', []],
  ])('offers similar words for %s', (typed, similar) => {
    expect(list(typed).similar).toEqual(similar);
  });

  it('offers other spellings that find transcripts beside those that it finds', () => {
    saveTranscript(searched.store, 'American', ['The harbor wall and the center.']);
    expect(list('harbour').similar).toEqual([{ query: 'harbor', count: 1 }]);
    expect(list('harbor wall').similar).toEqual([{ query: 'harbour wall', count: 1 }]);
    expect(list('harb').similar).toEqual([]);
    saveTranscript(searched.store, 'British', ['The centre, and harbor or harbour.']);
    expect(list('centre ').similar).toEqual([{ query: 'center ', count: 1 }]);
    expect(list('harbour').similar).toEqual([{ query: 'harbor', count: 1 }]);
  });

  it('looks up other spellings of three words of a query', () => {
    for (const last of ['center', 'centre'])
      saveTranscript(searched.store, last, [`Carpenters, blacksmiths and fishermen in the ${last}.`]);
    expect(list('carpenters blacksmiths in centre ').similar).toEqual([
      { query: 'carpenters blacksmiths in center ', count: 1 },
    ]);
    expect(list('carpenters blacksmiths fishermen centre ').similar).toEqual([]);
  });

  it('offers only words that are found where it searches', () => {
    const [id = -1] = searched.ids('okafor');
    searched.store.library.tag([id], ['Story'], []);
    expect(list('harber ', { tag: 'story' }).similar).toEqual([{ query: 'harbour ', count: 1 }]);
    expect(list('mbecki ', { tag: 'story' }).similar).toEqual([]);
    expect(list('harbour ').similar).toEqual([]);
  });

  it('offers similar names for one that no transcript has', () => {
    saveTranscript(searched.store, 'Interview Maria Popescu.mp3', ['Okafor met Maria.']);
    const similarTo = (name: string) => {
      const database = openReader(searched.store.path);
      try {
        return chooseTranscripts(database, { kind: 'named', names: [name] }).unknown;
      } finally {
        database.close();
      }
    };
    const popescu = 'Interview Maria Popescu.mp3';
    expect(similarTo('Maria')).toEqual([{ name: 'Maria', similar: [popescu] }]);
    expect(similarTo('interview popesku')).toEqual([{ name: 'interview popesku', similar: [popescu] }]);
    expect(similarTo('rope')).toEqual([{ name: 'rope', similar: [] }]);
    expect(similarTo('okafor')).toEqual([]);
  });

  it('can be limited to a tag', () => {
    const [id = -1] = searched.ids('radio');
    searched.store.library.tag([id], ['Story'], []);
    expect(names('radio', { tag: 'story' })).toHaveLength(1);
  });

  it('is sorted as requested', () => {
    expect(names('the', { sort: 'oldest' })).toEqual(['Mbeki', 'Harbour walk', 'Okafor', '会議']);
    expect(names('the', { sort: 'name' }).slice(0, 2)).toEqual(['Harbour walk', 'Mbeki']);
  });

  it('finds a transcript without times by its text', () => {
    const id = saveUntimed(searched.store, 'Memo', 'Buy rope and tar.');
    expect(names('tar ')).toEqual(['Memo']);
    searched.store.library.rename(id, 'List');
    expect(names('list tar ')).toEqual(['List']);
  });

  it('ends when it is superseded', async () => {
    saveTranscript(
      searched.store,
      'Long',
      Array.from({ length: 200 }, () => 'again and again'),
    );
    await indexAll(searched.store);
    expect(() =>
      searched.searcher.list(queryFor('again'), firstPage(), () => {
        throw new Error('stale');
      }),
    ).toThrow('stale');
  });

  it('finds all matches, unranked ones last', () => {
    for (let number = 0; number < 120; number += 1) {
      saveTranscript(
        searched.store,
        `Talk ${number}`,
        ['again', 'and again', 'again', 'again', 'once more again'],
        number,
      );
    }
    const quick = list('again');
    expect(quick).toMatchObject({ total: 100, isCapped: true, isComplete: false });
    const whole = searched.list('again', {}, { offset: 80, all: true });
    expect(whole).toMatchObject({ total: 120, isCapped: true, isComplete: true });
    expect(whole.rows.slice(-3).map(({ name }) => name)).toEqual(['Talk 2', 'Talk 1', 'Talk 0']);
    expect(
      whole.rows.every(({ passages, passageCount }) => passages.length === 3 && passageCount === 5),
    ).toBe(true);
    const ids = searched.ids('again');
    expect(ids.slice(80)).toEqual(whole.rows.map(({ id }) => id));
    expect(new Set(ids).size).toBe(120);
    expect(list('again', { sort: 'oldest' })).toMatchObject({ total: 120, isComplete: true });
  });

  it('finds all matching names', () => {
    for (let number = 0; number < 510; number += 1)
      saveTranscript(searched.store, `Episode ${number}`, ['–'], number);
    expect(list('episode')).toMatchObject({ total: 500, isCapped: true, isComplete: false });
    expect(searched.ids('episode')).toHaveLength(510);
  });

  it('sorts names alphabetically, with numbers by value', () => {
    for (const name of ['Episode 10', 'zoo', 'Émile', 'Episode 9'])
      saveTranscript(searched.store, name, ['–']);
    expect(names('', { sort: 'name' })).toEqual([
      'Émile',
      'Episode 9',
      'Episode 10',
      'Harbour walk',
      'Mbeki',
      'Okafor',
      'zoo',
      '会議',
    ]);
  });

  it('reports that there are more matches than it ranks', async () => {
    saveTranscript(
      searched.store,
      'Long',
      Array.from({ length: 1200 }, () => 'again and again'),
    );
    expect(list('again')).toMatchObject({ total: 0, isIndexing: true });
    await indexAll(searched.store);
    const view = list('again');
    expect(view).toMatchObject({ isCapped: true, passageTotal: 500 });
    expect(view.rows[0]?.passages).toHaveLength(3);
    const whole = searched.list('again', {}, { all: true });
    expect(whole).toMatchObject({ isCapped: true, isComplete: true, passageTotal: 1200 });
  });

  it('shows when the first match of a passage is said, where opening it leads', () => {
    const segment = newSegment(10, 16, 'We lived at the old harbour.');
    const words = [...segment.text.matchAll(/\S+/g)].map(({ 0: word, index }, at) => ({
      from: index,
      to: index + word.length,
      start: 10 + at,
      end: 11 + at,
      probability: null,
    }));
    saveTranscript(searched.store, 'Words', [withWords(segment, words)]);
    expect(list('old harbour').rows[0]?.passages).toMatchObject([{ start: 14 }]);
  });
});

it('runs in a thread, and answers only the newest query', async () => {
  saveTranscript(searched.store, 'Mbeki', ['on the radio']);
  const search = new LibrarySearch({ path: searched.store.path, url: workerUrl('search') });
  const [older, newer] = await Promise.allSettled([
    search.list(queryFor('mbe'), firstPage()),
    search.list(queryFor('radio'), firstPage()),
  ]);
  expect(older).toMatchObject({ status: 'rejected', reason: expect.any(SupersededSearchError) });
  expect(newer).toMatchObject({ status: 'fulfilled', value: { total: 1 } });
  saveTranscript(searched.store, 'Second', ['on the radio']);
  expect((await search.list(queryFor('radio'), firstPage())).total).toBe(2);
  expect(await search.ids(queryFor('radio'))).toHaveLength(2);
  await search.close();
});
