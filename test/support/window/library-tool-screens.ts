import type { Page } from 'playwright-core';
import type { TaskProgress } from '../../../electron/contract/library-task.ts';
import type { ReplacePreview } from '../../../electron/contract/replace.ts';
import { findInSample, sampleLibrary } from './sample-transcripts.ts';
import type { Scene } from './fake-main.ts';
import { goTo, type View } from './view.ts';

/** Chooses a tool for the whole library from the menu. */
const chooseTool = (name: string) => async (page: Page) => {
  await goTo('Library')(page);
  await page.getByRole('button', { name: 'More actions for the whole library' }).click();
  await page.getByRole('menuitem', { name }).click();
};

/** Sends the progress of a task until the window shows it, which it does not for short tasks. */
export async function showProgress(page: Page, progress: TaskProgress): Promise<void> {
  await page.waitForFunction((reported) => {
    window.fakeEvent('library.progress', { task: window.fakeTask, isWaiting: false, ...reported });
    return document.querySelector('[role=dialog] [role=progressbar]') !== null;
  }, progress);
}

/** Never ends. */
const endless = (): Promise<never> => new Promise(() => undefined);

const backup = {
  name: 'Longhand library 2026-11-19.longhand',
  createdAt: Date.UTC(2026, 10, 19, 18, 40),
  total: 1204,
  missing: 37,
  known: 1164,
  trashed: 12,
  differing: 3,
};

const preview = (text: string): ReplacePreview => ({
  groups: sampleLibrary(40)
    .flatMap((transcript) => findInSample(transcript, text) ?? [])
    .map((group, index) =>
      index > 0
        ? group
        : {
            ...group,
            speakers: [{ speaker: 0, text: `${text} master`, marks: [{ start: 0, end: text.length }] }],
            names: [`${text} master`, 'harbor master'],
          },
    ),
  isCapped: false,
});

/** The same matches as those of a pattern, with a group. */
const byPattern = (text: string): ReplacePreview => ({
  ...preview(text),
  groups: preview(text).groups.map(({ matches, ...group }) => ({
    ...group,
    matches: matches.map((match) => ({
      ...match,
      captures: { groups: [text, text.slice(0, 4)], named: null, searchedHash: 0 },
    })),
    speakers: [],
    names: [],
  })),
});

/** The tools for the whole library: backup, restore, replace. */
export const libraryToolViews = (season: Scene): Readonly<Record<string, View>> => ({
  'library-tools': {
    scene: season,
    reach: async (page) => {
      await goTo('Library')(page);
      await page.getByRole('button', { name: 'More actions for the whole library' }).click();
      await page.getByRole('menuitem', { name: 'Back up library…' }).waitFor();
    },
  },
  'library-backing-up': {
    scene: { ...season, answers: { 'backup.write': endless } },
    reach: async (page) => {
      await chooseTool('Back up library…')(page);
      await showProgress(page, { done: 460, total: 1204 });
    },
  },
  'library-backed-up': {
    scene: {
      ...season,
      answers: {
        'backup.write': () => ({ name: backup.name, path: '', count: 1204, sizeBytes: 214_000_000 }),
      },
    },
    reach: async (page) => {
      await chooseTool('Back up library…')(page);
      await page.getByRole('button', { name: 'Show in folder' }).waitFor();
    },
  },
  'library-restore': {
    scene: { ...season, answers: { 'backup.open': () => backup } },
    reach: async (page) => {
      await chooseTool('Restore from backup…')(page);
      await page.getByRole('button', { name: 'Add 40 transcripts' }).waitFor();
    },
  },
  'library-restore-known': {
    scene: {
      ...season,
      answers: { 'backup.open': () => ({ ...backup, missing: 0, known: 1204, differing: 0 }) },
    },
    reach: async (page) => {
      await chooseTool('Restore from backup…')(page);
      await page.getByText('Everything in it is already here.').waitFor();
    },
  },
  'library-restoring': {
    scene: { ...season, answers: { 'backup.open': () => backup, 'backup.restore': endless } },
    reach: async (page) => {
      await chooseTool('Restore from backup…')(page);
      await page.getByRole('button', { name: 'Add 40 transcripts' }).click();
      await showProgress(page, { done: 12, total: 40 });
    },
  },
  'library-backup-broken': {
    scene: { ...season, refused: { 'backup.open': 'backup_damaged' } },
    reach: async (page) => {
      await chooseTool('Restore from backup…')(page);
      await page.getByText('This backup is damaged').first().waitFor();
    },
  },
  'library-replace': {
    scene: { ...season, answers: { 'replace.find': ({ query }) => preview(query.text) } },
    reach: async (page) => {
      await chooseTool('Replace in all transcripts…')(page);
      await page.getByLabel('Find', { exact: true }).fill('harbour');
      await page.getByLabel('Replace with').fill('harbor');
      await page.getByRole('grid', { name: 'Matches' }).waitFor();
    },
  },
  'library-replace-pattern': {
    scene: { ...season, answers: { 'replace.find': ({ query }) => byPattern(query.text) } },
    reach: async (page) => {
      await chooseTool('Replace in all transcripts…')(page);
      await page.getByRole('checkbox', { name: 'Regular expression' }).check();
      await page.getByLabel('Find', { exact: true }).fill('harbour');
      await page.getByLabel('Replace with').fill('the $& ($1)');
      await page.getByRole('grid', { name: 'Matches' }).waitFor();
    },
  },
  'library-replace-slow': {
    scene: {
      ...season,
      answers: { 'replace.find': () => ({ failure: 'slow', transcript: 'Episode 12 – The harbour master' }) },
    },
    reach: async (page) => {
      await chooseTool('Replace in all transcripts…')(page);
      await page.getByRole('checkbox', { name: 'Regular expression' }).check();
      await page.getByLabel('Find', { exact: true }).fill('(a+)+$');
      await page.getByRole('dialog').getByRole('alert').waitFor();
    },
  },
  'library-replace-nothing': {
    scene: season,
    reach: async (page) => {
      await chooseTool('Replace in all transcripts…')(page);
      await page.getByLabel('Find', { exact: true }).fill('zeppelin');
      await page.getByText('Not found in any transcript.').waitFor();
    },
  },
  'library-replacing': {
    scene: {
      ...season,
      answers: { 'replace.find': ({ query }) => preview(query.text), 'replace.run': endless },
    },
    reach: async (page) => {
      await chooseTool('Replace in all transcripts…')(page);
      await page.getByLabel('Find', { exact: true }).fill('harbour');
      await page.getByLabel('Replace with').fill('port');
      await page.getByRole('button', { name: /^Replace \d+ matches$/ }).click();
      await showProgress(page, { done: 17, total: 40 });
    },
  },
  'library-importing': {
    scene: { ...season, answers: { 'library.pickImport': () => ['/texts'], 'library.import': endless } },
    reach: async (page) => {
      await chooseTool('Import folder…')(page);
      await showProgress(page, { done: 740, total: 2000, unit: 'files' });
    },
  },
  'library-importing-beside': {
    scene: { ...season, answers: { 'library.pickImport': () => ['/texts'], 'library.import': endless } },
    reach: async (page) => {
      await chooseTool('Import folder…')(page);
      await showProgress(page, { done: 740, total: 2000, unit: 'files' });
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: /^Show “/ }).waitFor();
    },
  },
  'library-import-stopped': {
    scene: {
      ...season,
      answers: {
        'library.pickImport': () => ['/texts'],
        'library.import': () => ({
          added: Array.from({ length: 740 }, (_, index) => ({ id: 90_000 + index, name: `Talk ${index}` })),
          guessed: [],
          known: 12,
          trashed: [],
          rejected: [
            { name: 'cut.srt', problem: { code: 'transcript_broken', params: { path: 'cut.srt', line: 6 } } },
          ],
          unread: 1248,
        }),
      },
    },
    reach: async (page) => {
      await chooseTool('Import folder…')(page);
      await page.getByText('Stopped: 740 transcripts imported').first().waitFor();
    },
  },
  'library-recordings-found': {
    scene: {
      ...season,
      answers: { 'library.findRecordings': () => ({ missing: 4, found: 3, cancelled: false }) },
    },
    reach: async (page) => {
      await chooseTool('Find missing recordings…')(page);
      await page.getByText('The recordings of 3 transcripts were found').first().waitFor();
    },
  },
});
