import type { Page } from 'playwright-core';
import { defaultExportChoices } from '../../../electron/contract/export.ts';
import { defaultJobOptions } from '../../../electron/contract/options.ts';
import type { Scene } from './fake-main.ts';
import type { WaitReason } from '../../../electron/contract/queue-commands.ts';
import { libraryViews } from './library-screens.ts';
import { libraryToolViews } from './library-tool-screens.ts';
import { defaultModels } from './default-state.ts';
import { transcriptViews } from './transcript-screens.ts';
import { settingsViews } from './settings-screens.ts';
import { goTo, typeInFocus, type View } from './view.ts';
import { seasonAddSheet } from './sample-add-sheet.ts';
import { sampleJobs } from './sample-jobs.ts';
import { rowsOfEveryReason, rowsOfEveryState, sampleRow, seasonQueue } from './sample-rows.ts';
import { sampleLibrary, sampleTranscript, segmentsOf } from './sample-transcripts.ts';

const cloud = 'https://api.example.com';

const season: Scene = {
  rows: seasonQueue(cloud),
  settings: { service: cloud },
  accounts: [{ address: cloud, keyStatus: 'keychain', unfinishedItemCount: 92, folderCount: 0 }],
  service: { balanceCredits: 1240, activeJobs: 48 },
  summary: {
    bytesPerSecond: 11_200_000,
    speed: 43.4,
    timeLeftSeconds: 7980,
    pendingCosts: [{ service: cloud, recordings: 98, credits: 5524, unknownDurations: 1 }],
    stalled: [{ service: cloud, recordings: 98, credits: 5524, unknownDurations: 1 }],
  },
  transcripts: sampleLibrary(1204),
};

/** {@link season} while nothing progresses, because of the service or the account. */
const stalledSeason = (waitsFor: WaitReason): Scene => ({
  ...season,
  rows: seasonQueue(cloud).map((row) => {
    if (row.state.kind === 'waiting') return { ...row, state: { ...row.state, waitsFor, position: null } };
    return row.state.kind === 'uploading' ? { ...row, state: { ...row.state, bytesPerSecond: 0 } } : row;
  }),
  summary: { ...season.summary, bytesPerSecond: 0, speed: null, timeLeftSeconds: null },
});

/** Opens the export sheet of the first transcript in the library, and waits for its preview. */
async function openExport(page: Page): Promise<void> {
  await goTo('Library')(page);
  await page.getByRole('row', { name: 'Interview' }).first().click();
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('button', { name: /^Save [\d,]+ files$/ }).waitFor();
}

/** Opens the export sheet with all options, and waits for what the layout of subtitles achieves. */
async function openAllExportOptions(page: Page): Promise<void> {
  await openExport(page);
  await page.getByText('More options').click();
  await page.getByText('After layout:').waitFor();
}
/** Goes to the jobs of the service, through the library. */
export async function goToJobs(page: Page): Promise<void> {
  await goTo('Library')(page);
  await page.getByRole('button', { name: 'On the service' }).click();
}

const heldByService: Scene = { ...season, jobs: [sampleJobs(cloud)] };

/** Every screen: empty, full and broken. */
export const views: Readonly<Record<string, View>> = {
  welcome: { scene: { settings: { service: null } } },
  'welcome-refused': {
    scene: { settings: { service: null }, refused: { 'service.connect': 'invalid_api_key' } },
    reach: async (page) => {
      await page.getByRole('radio', { name: 'Cloud account' }).click();
      await page.getByLabel('Address').fill(cloud);
      await page.getByLabel('API key').fill('key');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').waitFor();
    },
  },
  'welcome-measured': {
    scene: {
      settings: { service: null },
      models: defaultModels.map((one) => ({
        ...one,
        speed: { timesRealTime: 12.4, source: 'sample' as const },
      })),
    },
  },
  live: {
    scene: {
      rows: [
        sampleRow({
          id: 1,
          name: 'Interview Mbeki, town hall.m4a',
          durationSeconds: 4867,
          state: {
            kind: 'transcribing',
            status: 'processing',
            progress: 34,
            latestText: '…and that was the first thing he told me.',
          },
        }),
      ],
      live: { 1: segmentsOf(120) },
      itemRecordings: {
        1: {
          kind: 'ready',
          media: 'audio',
          url: 'media://item/1',
          sizeBytes: 1_000_000,
          stamp: '0'.repeat(32),
        },
      },
    },
    reach: async (page) => {
      await page.getByRole('row', { name: 'Interview' }).click();
      await page.getByRole('region', { name: 'Transcript so far' }).waitFor();
    },
  },
  'queue-empty': { scene: {} },
  queue: {
    scene: { ...season, service: { ...season.service, activeJobs: 50 } },
    reach: async (page) => {
      await page
        .getByRole('row', { name: 'Interview Mbeki, town hall' })
        .click({ modifiers: ['ControlOrMeta'] });
      await page.getByRole('row', { name: 'Interview Mbeki, part 2' }).click({ modifiers: ['Shift'] });
      await page.getByRole('heading', { name: 'Queue' }).click();
    },
  },
  'queue-states': { scene: { rows: rowsOfEveryState }, screenshotHeight: 1300 },
  'queue-reasons': { scene: { rows: rowsOfEveryReason }, screenshotHeight: 2000 },
  'queue-selected': {
    scene: { rows: rowsOfEveryState },
    reach: async (page) => {
      await page.getByRole('grid').focus();
      await page.keyboard.press('ControlOrMeta+a');
      await page.getByText(`${rowsOfEveryState.length} selected`).waitFor();
    },
  },
  'queue-stopped': {
    scene: {
      ...stalledSeason('service'),
      accounts: [{ address: cloud, keyStatus: 'none', unfinishedItemCount: 92, folderCount: 0 }],
      app: { startProblems: [{ code: 'database_damaged' }] },
      service: { ...season.service, condition: { kind: 'stopped', problem: { code: 'key_missing' } } },
    },
  },
  'queue-no-credits': {
    scene: {
      ...stalledSeason('credits'),
      service: {
        activeJobs: 2,
        balanceCredits: 12,
        condition: { kind: 'no-credits', problem: { code: 'insufficient_credits' } },
      },
    },
  },
  'queue-offline': {
    scene: { ...stalledSeason('service'), service: { ...season.service, condition: { kind: 'offline' } } },
  },
  'queue-menu': {
    scene: { rows: rowsOfEveryState },
    reach: (page) => page.getByRole('row', { name: 'waiting.wav' }).click({ button: 'right' }),
  },
  'queue-details': {
    scene: { rows: rowsOfEveryState },
    reach: async (page) => {
      await page.getByRole('row', { name: 'waiting.wav' }).click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Details…' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  'queue-options': {
    scene: { rows: rowsOfEveryState },
    reach: async (page) => {
      await page.getByRole('row', { name: 'waiting.wav' }).click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Change options…' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  links: {
    scene: {},
    reach: (page) => page.getByRole('button', { name: 'Enter links…' }).click(),
  },
  'left-out': {
    scene: {
      ...season,
      answers: {
        'queue.pick': () => ({
          added: 12,
          firstAdded: 'Episode 1.wav',
          rejected: [
            { name: 'notes.mp3', problem: { code: 'not_media' } },
            { name: 'Episode 139 – Two rivers.mp3', problem: { code: 'already_queued' } },
            { name: 'Empty folder', problem: { code: 'folder_empty' } },
          ],
        }),
      },
    },
    reach: async (page) => {
      await page.getByRole('button', { name: 'Add recordings' }).click();
      await page.getByRole('menuitem', { name: 'Files…' }).click();
      await page.getByRole('button', { name: 'Details' }).click();
      await page.getByRole('dialog', { name: '3 were skipped' }).waitFor();
    },
  },
  batch: { scene: { ...season, addSheet: { rows: seasonAddSheet } } },
  'add-sheet-on-device': {
    scene: {
      addSheet: {
        rows: seasonAddSheet.map((row) => ({ ...row, measuring: row.id > 40 && row.source === 'file' })),
        summary: { phase: 'measuring', canUseLastOptions: true },
      },
    },
  },
  'add-sheet-duplicates': {
    scene: { ...season, addSheet: { rows: seasonAddSheet } },
    reach: (page) => page.getByRole('button', { name: 'Duplicates 3' }).click(),
  },
  'add-sheet-rejected': {
    scene: { addSheet: { rows: seasonAddSheet, summary: { skippedFiles: 412 } } },
    reach: (page) => page.getByRole('button', { name: 'Skipped 3' }).click(),
  },
  'add-sheet-of-transcripts': {
    scene: {
      ...season,
      addSheet: {
        rows: [],
        summary: { transcripts: { toImport: 38, imported: 0 } },
      },
    },
  },
  'add-sheet-language': {
    scene: { ...season, addSheet: { rows: seasonAddSheet } },
    reach: async (page) => {
      await page.getByRole('row', { name: 'Episode 103.wav' }).click();
      await page.getByRole('row', { name: 'Episode 104.wav' }).click({ modifiers: ['Shift'] });
      await page.getByRole('combobox', { name: 'Spoken language' }).click();
      await typeInFocus(page, 'ger');
      await page.getByRole('option', { name: 'German' }).waitFor();
    },
  },
  'add-sheet-formats': {
    scene: { ...season, addSheet: { rows: seasonAddSheet } },
    reach: async (page) => {
      await page.locator('#saved-formats-button').click();
      await page.getByRole('menuitemcheckbox').first().waitFor();
    },
  },
  'add-sheet-speakers': {
    scene: {
      ...season,
      addSheet: {
        rows: seasonAddSheet,
        summary: { options: { ...defaultJobOptions, speakers: 'automatic' } },
      },
    },
    reach: async (page) => {
      await page.locator('[class*="modelsNote"] [role="status"]').waitFor();
    },
  },
  ...libraryViews(season),
  ...libraryToolViews(season),
  jobs: { scene: heldByService, reach: goToJobs },
  'jobs-empty': { scene: { settings: { accounts: [cloud] } }, reach: goToJobs },
  'jobs-offline': { scene: { ...heldByService, refused: { 'jobs.refresh': 'offline' } }, reach: goToJobs },
  'jobs-delete': {
    scene: heldByService,
    reach: async (page) => {
      await goToJobs(page);
      await page.getByRole('row', { name: 'Interview Okafor' }).click();
      await page.keyboard.press('Delete');
      await page.getByRole('dialog').waitFor();
    },
  },
  'jobs-after-loss': {
    scene: {
      ...heldByService,
      app: { startProblems: [{ code: 'database_damaged' }] },
      jobs: [{ ...sampleJobs(cloud), recoveredFromBackup: true }],
    },
  },
  ...transcriptViews,
  export: {
    scene: { transcripts: [sampleTranscript({ id: 1 })] },
    reach: openExport,
  },
  'export-own-rules': {
    scene: {
      transcripts: [sampleTranscript({ id: 1 })],
      settings: {
        exportFolder: '/home/anna/Films/The harbour/Subtitles',
        exporting: {
          ...defaultExportChoices,
          formats: ['srt', 'txt', 'docx'],
          subtitles: 'own',
          template: '{folder}/{date} {name}',
          where: 'folder',
        },
      },
      answers: {
        'export.preview': () => ({
          files: 3600,
          examples: [
            'Season 9/2026-11-19 Interview Mbeki, town hall.srt',
            'Season 9/2026-11-19 Interview Mbeki, town hall.txt',
            'Season 9/2026-11-19 Interview Mbeki, town hall.docx',
            'Season 9/2026-11-19 Interview Mbeki, part 2.srt',
          ],
          folder: 'Subtitles',
          existing: 48,
          withoutRecording: 0,
          withoutHighlights: 0,
          estimated: 0,
        }),
      },
    },
    reach: openAllExportOptions,
  },
  'export-done': {
    scene: {
      transcripts: [sampleTranscript({ id: 1 })],
      answers: {
        'export.run': () => ({
          run: 1,
          count: 48,
          written: Array.from({ length: 48 }, (_, index) => `Episode ${100 + index} – The ferry.srt`),
          skippedCount: 1,
          skipped: ['Episode 99 – Two rivers.srt'],
          failed: [
            { name: 'Memo.m4a', problem: { code: 'recording_unknown' } },
            { name: 'Episode 98.srt', problem: { code: 'export_failed' } },
          ],
          withoutHighlights: 0,
          estimated: 0,
          cancelled: false,
        }),
      },
    },
    reach: async (page) => {
      await openExport(page);
      await page.getByRole('button', { name: 'Save 2 files' }).click();
      await page.getByRole('heading', { name: /^48 of \d+ files saved$/ }).waitFor();
    },
  },
  ...settingsViews,
  shortcuts: {
    scene: season,
    reach: async (page) => {
      await page.keyboard.press('F1');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    },
  },
};
