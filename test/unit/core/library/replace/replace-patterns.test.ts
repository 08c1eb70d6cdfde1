import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type {
  PatternProblem,
  ReplaceGroup,
  ReplacePreview,
  ReplaceQuery,
  ReplaceReport,
} from '../../../../../electron/contract/replace.ts';
import { findInAll } from '../../../../../electron/core/library/replace/find-in-all.ts';
import { LibraryReplacer } from '../../../../../electron/core/library/replace/replace-in-all.ts';
import type { Store } from '../../../../../electron/core/store/store.ts';
import { textHash } from '../../../../../electron/core/transcript/edit/text-operations.ts';
import { newSegment, withWords } from '../../../../../electron/core/transcript/segment.ts';
import { wordsOf } from '../../../../../electron/core/transcript/word-times.ts';
import { CancelledError } from '../../../../../electron/workers/protocol.ts';
import { replaceRequest } from '../../../../../renderer/features/library/replace/replace-choices.ts';
import { eagerClock } from '../../../../support/clocks/eager-clock.ts';
import { defaultTaskOptions } from '../../../../support/default-task-options.ts';
import { foundIn } from '../../../../support/replace-preview.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../../support/temporary-folder.ts';
import { openStore } from '../../store/store-kit.ts';
import { saveTranscript, saveUntimed } from '../library-kit.ts';

const worker = new URL('../../../../../electron/core/library/task/library-task-worker.ts', import.meta.url);
const pattern = (text: string): ReplaceQuery => ({
  text,
  matchCase: true,
  wholeWords: false,
  mode: 'pattern',
});
/** Never ends on a long word of a, followed by something else. */
const endless = pattern('(a+)+$');
const endlessText = `${'a'.repeat(60)}!`;

let folder: TemporaryFolder;
let store: Store;
let replacer: LibraryReplacer;
const openReplacer = (): LibraryReplacer =>
  new LibraryReplacer({ store, clock: eagerClock, worker, onChange: () => undefined });

beforeEach(async () => {
  folder = await temporaryFolder();
  store = openStore(folder.path, { clock: eagerClock });
  replacer = openReplacer();
});
afterEach(async () => {
  await store.close();
  await folder.remove();
});

const find = (query: ReplaceQuery): Promise<ReplacePreview | PatternProblem> =>
  replacer.find(query, null, defaultTaskOptions);
const textsOf = (id: number): readonly string[] => {
  const draft = store.edits.open(id);
  return draft === null || draft.text !== null ? [draft?.text ?? ''] : draft.segments.map(({ text }) => text);
};

/** Replaces as the window does. */
function replace(
  query: ReplaceQuery,
  replacement: string,
  groups: readonly ReplaceGroup[],
  options = defaultTaskOptions,
): Promise<ReplaceReport> {
  const request = replaceRequest(query, replacement, groups, false);
  if (request === null) throw new Error('too long');
  return replacer.run(request, options);
}

it('replaces the matches of a pattern in segments, texts and names, and undoes them together', async () => {
  const timed = saveTranscript(store, 'Timed', ['On 3 May, then on 12 June.', 'Never.']);
  const untimed = saveUntimed(store, 'Untimed', 'Notes\n7 July\nend');
  store.edits.edit(timed, 0, { kind: 'set-speaker', segments: [0], speaker: 0 });
  store.edits.edit(timed, 1, { kind: 'name-speakers', names: ['1 Ann'] });
  const query = pattern(String.raw`(?<day>\d+) (\p{Lu}\p{L}+)`);
  const { groups } = foundIn(await find(query));
  expect(await replace(query, '$2 $<day> ($&)', groups)).toMatchObject({ changed: 2, renamed: 1, run: 1 });
  expect(textsOf(timed)).toEqual(['On May 3 (3 May), then on June 12 (12 June).', 'Never.']);
  expect(textsOf(untimed)).toEqual(['Notes\nJuly 7 (7 July)\nend']);
  expect(store.edits.open(timed)?.speakers).toEqual(['Ann 1 (1 Ann)']);
  expect(await replacer.undo(1, defaultTaskOptions)).toMatchObject({ undone: 2, kept: 0 });
  expect(textsOf(timed)).toEqual(['On 3 May, then on 12 June.', 'Never.']);
  expect(store.edits.open(timed)?.speakers).toEqual(['1 Ann']);
});

it('keeps the times of the words that stay', async () => {
  const words = ['Nets', 'are', 'dry', 'now'].map((text, index) => {
    const from = [0, 5, 9, 13][index] ?? 0;
    return { from, to: from + text.length, start: index, end: index + 0.5, probability: null };
  });
  const id = saveTranscript(store, 'Spoken', [withWords(newSegment(0, 4, 'Nets are dry now'), words)]);
  const query = pattern('d(.)y');
  await replace(query, 'w$1t', foundIn(await find(query)).groups);
  const [segment] = store.edits.open(id)?.segments ?? [];
  expect(segment?.text).toBe('Nets are wrt now');
  const times = segment === undefined ? null : wordsOf(segment);
  expect(times?.map(({ start }) => start)).toEqual([0, 1, 2, 3]);
});

it('an empty match is not a place', async () => {
  saveTranscript(store, 'One', ['a net', 'none']);
  const { groups } = foundIn(await find(pattern('t*')));
  expect(groups.flatMap(({ matches }) => matches.map(({ offset }) => offset))).toEqual([4]);
});

it('a text that has changed since stays, and its transcript is counted', async () => {
  const query = pattern(String.raw`(?<=not )\w+`);
  const one = saveTranscript(store, 'One', ['not good', 'not bad']);
  const other = saveTranscript(store, 'Other', ['not good']);
  const { groups } = foundIn(await find(query));
  // The match is where it was, but the pattern does not match there any more.
  for (const id of [one, other]) store.edits.edit(id, 0, { kind: 'set-text', segment: 0, text: 'now good' });
  expect(await replace(query, '<$&>', groups)).toMatchObject({ changed: 1, unchanged: 1 });
  expect(textsOf(one)).toEqual(['now good', 'not <bad>']);
  expect(textsOf(other)).toEqual(['now good']);
});

it.each([
  ['an invalid pattern says what is wrong', pattern('(a'), { failure: 'group', transcript: null }],
  ['a pattern that takes too long names the transcript', endless, { failure: 'slow', transcript: 'Slow' }],
  [
    'a pattern that matches too much names the transcript',
    pattern(String.raw`[\s\S]+`),
    { failure: 'long', transcript: 'Long' },
  ],
] as const)('%s', async (_name, query, problem) => {
  saveTranscript(store, 'Quick', ['A net.'], 2);
  saveTranscript(store, 'Slow', [endlessText], 1);
  saveUntimed(store, 'Long', 'n'.repeat(100_001));
  expect(await find(query)).toEqual(problem);
});

it('a search can be cancelled within a match that never ends', async () => {
  saveTranscript(store, 'Slow', [endlessText]);
  const cancel = new AbortController();
  const search = replacer.find(endless, null, {
    signal: cancel.signal,
    // Called before the transcript is searched.
    onProgress: () => cancel.abort(),
  });
  await expect(search).rejects.toThrow(CancelledError);
});

it('an interrupted replacement is reported by the next start, and can be undone', async () => {
  const ids = ['One', 'Two', 'Three'].map((name) => saveTranscript(store, name, ['net 1']));
  const query = pattern(String.raw`\d`);
  const { groups } = foundIn(await find(query));
  const end = { ...defaultTaskOptions, onProgress: () => replacer.close() };
  expect(await replace(query, '<$&>', groups, end)).toMatchObject({ changed: 1, outcome: 'cancelled' });
  await store.close();
  store = openStore(folder.path, { clock: eagerClock });
  replacer = openReplacer();
  expect(replacer.stored()).toMatchObject([
    { text: String.raw`\d`, replacement: '<$&>', changed: 1, total: 3, interrupted: 'replacement' },
  ]);
  await replacer.undo(1, defaultTaskOptions);
  expect(ids.flatMap(textsOf)).toEqual(['net 1', 'net 1', 'net 1']);
});

it('captures a limited amount of text; what is not shown is not replaced', async () => {
  const long = 'n'.repeat(90_000);
  for (let index = 0; index < 40; index += 1) saveTranscript(store, `T${index}`, [`${long}.`, `${long}.`]);
  const preview = foundIn(await find(pattern('n+')));
  const count = preview.groups.reduce((sum, { matches }) => sum + matches.length, 0);
  expect(preview.isCapped).toBe(true);
  expect(count).toBe(Math.ceil(5_000_000 / 90_000));
});

/** A match in “the net”. */
const matchAt = (offset: number, length: number) => ({
  segment: 0,
  offset,
  length,
  replacement: '-',
  searchedHash: textHash('the net'),
});

it('matches that overlap others or are outside of the text are left out', async () => {
  const id = saveTranscript(store, 'One', ['the net']);
  const { mode: _mode, ...query } = pattern('.');
  const matches = [matchAt(4, 3), matchAt(0, 1), matchAt(3, 2), matchAt(0, 3), matchAt(6, 9)];
  await replacer.run(
    {
      mode: 'pattern',
      query,
      replacement: '-',
      targets: [{ id, matches, speakers: [] }],
      mergesSpeakers: false,
    },
    defaultTaskOptions,
  );
  expect(textsOf(id)).toEqual(['-he-et']);
});

/** A replacement, and a function that returns the same. */
const replacements = [
  ['[$1|$&]', (match: string, group: string | undefined) => `[${group ?? ''}|${match}]`],
  ['$$$9', () => '$$9'],
  ['', () => ''],
] as const;

it('the result equals String.replaceAll in each segment, for the chosen matches', async () => {
  const text = fc
    .array(
      fc.oneof(fc.constantFrom('net', 'nets', 'a', '12', '👩', 'é', '$&'), fc.string({ maxLength: 3 })),
      {
        maxLength: 6,
      },
    )
    .map((words) => words.join(' ').trim());
  const property = fc.asyncProperty(
    fc.array(text, { minLength: 1, maxLength: 4 }),
    fc.constantFrom(String.raw`(\w)s?`, String.raw`(\d)*`, '(.)$', '^(n)?.', String.raw`(?<=a) (\p{L}+)`),
    fc.constantFrom(...replacements),
    fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
    async (texts, source, [replacement, replaced], choices) => {
      const id = saveTranscript(store, 'Any', texts);
      const before = textsOf(id);
      const query = pattern(source);
      const search = { library: store.path, query, ids: [id], last: [] };
      const context = { throwIfCancelled: () => undefined, reportProgress: () => undefined };
      const { groups } = foundIn(findInAll(search, context));
      const isChosen = (index: number): boolean => choices[index % choices.length] ?? false;
      const chosen = groups.map((group) => ({
        ...group,
        matches: group.matches.filter((_match, index) => isChosen(index)),
      }));
      await replace(query, replacement, chosen);
      let index = -1;
      const expected = before.map((one) =>
        one.replaceAll(new RegExp(source, 'gmu'), (match: string, group: string | undefined) => {
          if (match === '') return match;
          index += 1;
          return isChosen(index) ? replaced(match, group) : match;
        }),
      );
      expect(textsOf(id)).toEqual(expected);
    },
  );
  await fc.assert(property, { numRuns: 200 });
});
