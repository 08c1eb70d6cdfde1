import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ProblemError } from '../../../electron/contract/problem.ts';
import type { PatternProblem, ReplacePreview } from '../../../electron/contract/replace.ts';
import type { Scene } from '../../support/window/fake-main.ts';
import {
  marks,
  match,
  openReplaceDialog,
  preview,
  speaker,
  startSearch,
} from '../../support/window/replace-dialog.ts';
import { setUpTestWindow } from '../../support/window/test-window.ts';

const app = setUpTestWindow();
const openDialog = (found: ReplacePreview, answers?: Scene['answers']): Promise<Page> =>
  openReplaceDialog(app, found, answers);

const position = { segment: 3, offset: 0 };
const searchedCount = () => app.main.callsOf('replace.find').at(-1)?.ids?.length;
const stopped = () => app.main.callsOf('replace.stopFinding').length;
const targetsOf = () => app.main.callsOf('replace.run').map(({ targets }) => targets);

test('a search that fails says why', async () => {
  const page = await openDialog(preview, {
    'replace.find': () => {
      throw new ProblemError({ code: 'internal' });
    },
  });
  const status = page.getByRole('dialog').getByRole('status');
  await expect.poll(() => status.textContent()).toContain('Something went wrong inside Longhand.');
});

test('speakers whose names match are renamed with the text, except where a transcript is excluded', async () => {
  const page = await openDialog(preview);
  await page.getByLabel('Replace with').fill('Mbeki');
  await page.getByText('2 matches in 2 transcripts').waitFor();
  await page.getByText('Found in the names of speakers in 2 transcripts').waitFor();
  await page.getByRole('checkbox', { name: 'Replace in Both' }).click();
  await page.getByText('1 match in 1 transcript').waitFor();
  await page.getByRole('button', { name: 'Replace 1 match' }).click();
  await page.getByText('Speakers renamed in 1 transcript').first().waitFor();
  expect(targetsOf()).toStrictEqual([
    [
      { id: 2, matches: [], speakers: [1] },
      { id: 3, matches: [position], speakers: [] },
    ],
  ]);
});

test('speakers keep their names on request', async () => {
  const page = await openDialog(preview);
  await page.getByLabel('Replace with').fill('Mbeki');
  const list = page.getByRole('grid', { name: 'Matches' });
  await list.getByText('Only speaker').waitFor();
  await page.getByRole('checkbox', { name: 'Rename these speakers too' }).uncheck();
  await list.getByText('Only speaker').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Replace 2 matches' }).click();
  await expect.poll(targetsOf).toStrictEqual([
    [
      { id: 1, matches: [position], speakers: [] },
      { id: 3, matches: [position], speakers: [] },
    ],
  ]);
});

test('speakers who would get the name of another one are merged only on request', async () => {
  const names = ['Mbeki', 'Mbecki', 'Ann Mbecki'];
  const ann = { speaker: 2, text: 'Ann Mbecki', marks: [{ start: 4, end: 10 }] };
  const group = { id: 1, name: 'Both', durationSeconds: 60, matches: [match], names };
  const page = await openDialog({ groups: [{ ...group, speakers: [speaker, ann] }], isCapped: false });
  const merges = page.getByRole('checkbox', { name: 'Merge speakers who get the same name' });
  const list = page.getByRole('grid', { name: 'Matches' });
  await page.getByLabel('Replace with').fill('Mbek');
  await expect.poll(() => list.getByText('Speaker', { exact: true }).count()).toBe(2);
  expect(await merges.count()).toBe(0);
  await page.getByLabel('Replace with').fill('Mbeki');
  await page.getByText('In 1 transcript, the new name is that of another speaker').waitFor();
  expect(await merges.isChecked()).toBe(false);
  await expect.poll(() => list.getByText('Speaker', { exact: true }).count()).toBe(1);
  await merges.check();
  await list.getByText('Speaker, merged').waitFor();
  await page.getByRole('button', { name: 'Replace 1 match' }).click();
  await page.getByText('Speakers merged in 1 transcript').first().waitFor();
  expect(app.main.callsOf('replace.run')).toMatchObject([
    { mergesSpeakers: true, targets: [{ id: 1, matches: [position], speakers: [1, 2] }] },
  ]);

  await startSearch(page);
  await page.getByLabel('Replace with').fill('Mbeki');
  await page.getByRole('button', { name: 'Replace 1 match' }).click();
  await expect
    .poll(() => app.main.callsOf('replace.run').slice(1))
    .toMatchObject([{ mergesSpeakers: false, targets: [{ id: 1, matches: [position], speakers: [2] }] }]);
});

test('the message counts transcripts by what was changed in them, as the dialog does', async () => {
  const page = await openDialog(preview);
  await page.getByLabel('Replace with').fill('Mbeki');
  await page.getByText('2 matches in 2 transcripts').waitFor();
  await page.getByRole('button', { name: 'Replace 2 matches' }).click();
  await page.getByText('“Mbecki” replaced by “Mbeki” in 2 transcripts').first().waitFor();
  await page.getByText('Speakers renamed in 2 transcripts').first().waitFor();
  expect(targetsOf().map((targets) => targets.length)).toStrictEqual([3]);
});

test('a deletion changes the names of speakers only on request', async () => {
  const page = await openDialog(preview);
  const renames = page.getByRole('checkbox', { name: 'Rename these speakers too' });
  await page.getByRole('button', { name: 'Delete 2 matches' }).waitFor();
  expect(await renames.isChecked()).toBe(false);
  await renames.check();
  await page.getByRole('grid', { name: 'Matches' }).getByText('Only speaker').waitFor();
});

test('a text that only names of speakers have can be replaced there', async () => {
  const page = await openDialog({ groups: preview.groups.slice(1, 2), isCapped: false });
  await page.getByText('Not found in the text of any transcript.').waitFor();
  await page.getByLabel('Replace with').fill('Mbeki');
  await page.getByRole('button', { name: 'Rename 1 speaker' }).click();
  await page.getByText('Speakers renamed in 1 transcript').first().waitFor();
  expect(targetsOf()).toStrictEqual([[{ id: 2, matches: [], speakers: [1] }]]);
});

/** Returns a match at each offset. */
const matchesIn = (segment: number | null, offsets: readonly number[]) =>
  offsets.map((offset) => ({
    segment,
    start: segment === null ? null : 9,
    offset,
    text: `Mbecki at ${offset}`,
    marks,
  }));

test('each match of a segment, or of a text without times, has a line and can be excluded', async () => {
  const group = { durationSeconds: null, speakers: [], names: [] };
  const page = await openDialog({
    groups: [
      { ...group, id: 1, name: 'Talk', matches: matchesIn(3, [0, 40]) },
      { ...group, id: 2, name: 'Notes', matches: matchesIn(null, [4, 60, 900]) },
    ],
    isCapped: false,
  });
  await page.getByLabel('Replace with').fill('Mbeki');
  await page.getByText('5 matches in 2 transcripts').waitFor();
  await page.getByRole('row').filter({ hasText: 'at 0' }).getByRole('checkbox').click();
  await page.getByRole('row').filter({ hasText: 'at 60' }).getByRole('checkbox').click();
  await page.getByRole('button', { name: 'Replace 3 matches' }).click();
  await expect.poll(targetsOf).toStrictEqual([
    [
      { id: 1, matches: [{ segment: 3, offset: 40 }], speakers: [] },
      {
        id: 2,
        matches: [
          { segment: null, offset: 4 },
          { segment: null, offset: 900 },
        ],
        speakers: [],
      },
    ],
  ]);
});

test('replaces in what is selected or found, and in all transcripts on request', async () => {
  let matches = preview;
  const page = await openDialog(preview, { 'replace.find': () => matches });
  await expect.poll(() => app.main.callsOf('replace.find').at(-1)?.ids).toBe(null);
  expect(await page.getByText(/^Only in/).count()).toBe(0);
  await page.getByRole('button', { name: 'Cancel' }).click();
  const list = page.getByRole('grid', { name: 'Saved transcripts' });
  await list.press('ControlOrMeta+a');
  await page.getByText('3 selected').waitFor();
  await startSearch(page);
  const only = page.getByRole('checkbox', { name: 'Only in the 3 selected transcripts' });
  await page.getByRole('dialog', { name: 'Replace in 3 transcripts' }).waitFor();
  await only.waitFor();
  await expect.poll(searchedCount).toBe(3);
  await only.uncheck();
  await expect.poll(() => app.main.callsOf('replace.find').at(-1)?.ids).toBe(null);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await list.press('Escape');
  await page.getByRole('searchbox').fill('mbeki');
  await page.getByText('1 transcript found').waitFor();
  await startSearch(page);
  await page.getByRole('checkbox', { name: 'Only in the transcript that was found' }).waitFor();
  await expect.poll(searchedCount).toBe(1);
  matches = { groups: [], isCapped: false };
  await page.getByLabel('Find', { exact: true }).fill('nowhere');
  await page.getByText('Not found in the only transcript that was searched.').waitFor();
});

/** A match of `(\w+) spoke` and one in the name of a speaker, as the library finds them. */
const byPattern: ReplacePreview = {
  groups: [
    {
      id: 1,
      name: 'Both',
      durationSeconds: 60,
      matches: [
        {
          ...match,
          marks: [{ start: 0, end: 12 }],
          captures: { groups: ['Mbecki spoke', 'Mbecki'], named: null, searchedHash: 7 },
        },
      ],
      speakers: [{ ...speaker, captures: [{ start: 0, end: 6, groups: ['Mbecki', null], named: null }] }],
      names: ['Ann', 'Mbecki'],
    },
  ],
  isCapped: false,
};

test('a regular expression shows what each match becomes, and replaces exactly that', async () => {
  const page = await openDialog(byPattern);
  await page.getByRole('checkbox', { name: 'Whole words' }).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await expect.poll(() => app.main.callsOf('replace.find').at(-1)?.query.mode).toBe('pattern');
  const replacement = page.getByLabel('Replace with');
  expect(await replacement.getAttribute('title')).toBe('$1 is the first group, $& the whole match');
  await replacement.fill('$& ($1)');
  const inserted = page.getByRole('grid', { name: 'Matches' }).locator('ins');
  await expect.poll(() => inserted.allTextContents()).toStrictEqual(['Mbecki ()', 'Mbecki spoke (Mbecki)']);
  // Another replacement needs no other search.
  const searches = app.main.callsOf('replace.find').length;
  await replacement.fill('$1');
  await expect.poll(() => inserted.allTextContents()).toStrictEqual(['Mbecki']);
  expect(app.main.callsOf('replace.find').length).toBe(searches);
  await replacement.fill('Dr $1');
  await page.getByRole('button', { name: 'Replace 1 match' }).click();
  await expect.poll(targetsOf).toStrictEqual([
    [
      {
        id: 1,
        matches: [{ ...position, length: 12, replacement: 'Dr Mbecki', searchedHash: 7 }],
        speakers: [{ speaker: 1, before: 'Mbecki', name: 'Dr ' }],
      },
    ],
  ]);
});

test('what is wrong with a regular expression is said as in the find bar, and where it takes too long', async () => {
  let problem: PatternProblem = { failure: 'group', transcript: null };
  const page = await openDialog(preview, {
    'replace.find': ({ query }) => (query.mode === 'pattern' ? problem : preview),
  });
  await page.getByRole('button', { name: 'Delete 2 matches' }).waitFor();
  await page.getByRole('checkbox', { name: 'Regular expression' }).check();
  const alert = page.getByRole('dialog').getByRole('alert');
  await expect.poll(() => alert.textContent()).toBe('A group is not closed: add a ) at its end.');
  const field = page.getByLabel('Find', { exact: true });
  expect(await field.getAttribute('aria-invalid')).toBe('true');
  expect(await page.getByRole('button', { name: 'Delete', exact: true }).isDisabled()).toBe(true);
  problem = { failure: 'slow', transcript: 'Talk' };
  await field.fill('(a+)+$');
  await expect.poll(() => alert.textContent()).toMatch(/^“Talk”: This expression takes too long/);
});

test('a search ends when the text changes and when the dialog closes', async () => {
  const page = await openDialog(preview);
  await page.getByRole('button', { name: 'Delete 2 matches' }).waitFor();
  const before = stopped();
  await page.getByLabel('Find', { exact: true }).fill('Mbeki');
  await expect.poll(stopped).toBe(before + 1);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect.poll(stopped).toBe(before + 2);
});
