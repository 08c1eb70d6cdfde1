import type { Scene } from './fake-main.ts';
import { sampleLibrary } from './sample-transcripts.ts';
import { goTo, type View } from './view.ts';

/** Two accounts, neither of them the default, and one that was removed, with copies of transcripts in the trash. */
export const copiesAtServices = {
  settings: {
    service: 'on-device',
    accounts: ['https://cloud.example', 'https://studio.example'],
    accountNames: { 'https://studio.example': 'Studio' },
  },
  answers: {
    'library.copies': () => [
      { service: 'https://cloud.example', count: 2 },
      { service: 'https://studio.example', count: 1 },
      { service: 'https://old.example', count: 1 },
    ],
  },
} as const satisfies Scene;

/** More tags than a line can show. */
const manyTags = Array.from({ length: 24 }, (_, index) => `Harbour story ${index + 1}`);

/** The library: full, searched, with a selection, without matches, its trash and its tags; and empty. */
export const libraryViews = (season: Scene): Readonly<Record<string, View>> => ({
  library: {
    scene: {
      ...season,
      tags: { 1: ['Harbour story'], 2: ['Podcast'], 3: ['Podcast', 'To correct'], 5: ['Lectures'] },
    },
    reach: async (page) => {
      await goTo('Library')(page);
      await page.getByRole('button', { name: 'Harbour story' }).waitFor();
    },
  },
  'library-search-help': {
    scene: season,
    reach: async (page) => {
      await goTo('Library')(page);
      await page.getByRole('button', { name: 'Search help' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  'library-search': {
    scene: season,
    reach: async (page) => {
      await goTo('Library')(page);
      await page.getByRole('searchbox', { name: 'Search names and text' }).fill('harbour');
      await page.locator('mark').first().waitFor();
    },
  },
  'library-selected': {
    scene: season,
    reach: async (page) => {
      await goTo('Library')(page);
      await page.getByRole('row', { name: 'Two rivers' }).click({ modifiers: ['ControlOrMeta'] });
      await page.getByRole('row', { name: 'Lecture 4' }).click({ modifiers: ['Shift'] });
      await page.getByText('4 selected').waitFor();
    },
  },
  'library-not-found': {
    scene: { ...season, tags: { 2: ['Podcast'] } },
    reach: async (page) => {
      await goTo('Library')(page);
      await page.getByRole('button', { name: 'Podcast' }).click();
      await page.getByRole('searchbox', { name: 'Search names and text' }).fill('"zeppelin over"');
      await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    },
  },
  'library-trash': {
    scene: { transcripts: sampleLibrary(9).slice(3), trash: sampleLibrary(3) },
    reach: async (page) => {
      await goTo('Library')(page);
      await page.getByRole('button', { name: 'Trash' }).click();
      await page.getByRole('row', { name: 'Two rivers' }).click({ modifiers: ['ControlOrMeta'] });
      await page.getByText('1 selected').waitFor();
    },
  },
  'library-purge': {
    scene: { transcripts: sampleLibrary(9).slice(3), trash: sampleLibrary(3), ...copiesAtServices },
    reach: async (page) => {
      await goTo('Library')(page);
      await page.getByRole('button', { name: 'Trash' }).click();
      await page.getByRole('row', { name: 'Two rivers' }).waitFor();
      await page.getByRole('grid').press('ControlOrMeta+a');
      await page.getByText('3 selected').waitFor();
      await page.getByRole('grid').press('Delete');
      await page.getByRole('checkbox', { name: 'Also delete 2 of them from cloud.example' }).check();
    },
  },
  'library-many-tags': {
    scene: { ...season, tags: { 1: manyTags, 2: ['Podcast'], 3: ['Podcast'] } },
    reach: async (page) => {
      await goTo('Library')(page);
      await page.getByRole('button', { name: 'All 25 tags' }).waitFor();
    },
  },
  'library-tags': {
    scene: { ...season, tags: { 1: ['Harbour story'], 2: ['Podcast'], 3: ['Podcast'] } },
    reach: async (page) => {
      await goTo('Library')(page);
      await page.getByRole('row', { name: 'Two rivers' }).click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Tags…' }).click();
      await page.getByRole('checkbox', { name: 'Podcast' }).waitFor();
    },
  },
  'library-empty': { scene: {}, reach: goTo('Library') },
});
