import type { Page } from 'playwright-core';
import type { ReplacePreview } from '../../../electron/contract/replace.ts';
import type { Scene } from './fake-main.ts';
import { sampleLibrary } from './sample-transcripts.ts';
import type { TestWindow } from './test-window.ts';
import { goTo } from './view.ts';

export const marks = [{ start: 0, end: 6 }];
export const match = { segment: 3, start: 9, offset: 0, text: 'Mbecki spoke.', marks };
export const speaker = { speaker: 1, text: 'Mbecki', marks };

/** Two matches in texts, and two in names of speakers. */
export const preview: ReplacePreview = {
  groups: [
    {
      id: 1,
      name: 'Both',
      durationSeconds: 60,
      matches: [match],
      speakers: [{ ...speaker }],
      names: ['Ann', 'Mbecki'],
    },
    {
      id: 2,
      name: 'Only speaker',
      durationSeconds: 60,
      matches: [],
      speakers: [{ ...speaker }],
      names: ['Ann', 'Mbecki'],
    },
    { id: 3, name: 'Only text', durationSeconds: 60, matches: [{ ...match }], speakers: [], names: [] },
  ],
  isCapped: false,
};

/** Opens the library and its dialog for replacements, and searches for “Mbecki”. */
export async function openReplaceDialog(
  app: TestWindow,
  found: ReplacePreview,
  answers: Scene['answers'] = {},
): Promise<Page> {
  const page = await app.open({
    transcripts: sampleLibrary(3),
    answers: { 'replace.find': () => found, ...answers },
  });
  await goTo('Library')(page);
  await startSearch(page);
  return page;
}

export async function startSearch(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More actions for the whole library' }).click();
  await page.getByRole('menuitem', { name: 'Replace in all transcripts…' }).click();
  await page.getByLabel('Find', { exact: true }).fill('Mbecki');
}
