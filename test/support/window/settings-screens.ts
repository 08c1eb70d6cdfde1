import type { Page } from 'playwright-core';
import type { ModelOption, SpeechModelView } from '../../../electron/contract/speech-models.ts';
import type { WatchedFolder } from '../../../electron/contract/watched-folder-commands.ts';
import { defaultModelOptions, defaultModels } from './default-state.ts';
import { goTo, type View } from './view.ts';

const cloud = 'https://api.example.com';

/** The default models with a change to each. */
const modelsWith = (...changes: readonly Partial<SpeechModelView>[]): readonly SpeechModelView[] =>
  defaultModels.map((one, i) => ({ ...one, ...changes[i] }));

const modelsOfEveryState = modelsWith(
  { speed: { timesRealTime: 31.2, source: 'recordings' } },
  { state: { kind: 'downloading', doneBytes: 31_000_000, bytesPerSecond: 4_200_000 } },
  { state: { kind: 'failed', problem: { code: 'model_unreachable' }, keptBytes: 120_000_000 } },
);

const ownModels = modelsWith(
  { measuring: true },
  { state: { kind: 'absent', keptBytes: 0 } },
  {
    name: 'Whisper medium',
    sizeBytes: 790_000_000,
    state: { kind: 'ready', origin: 'own' },
    ownFolder: 'whisper-medium-onnx',
    speed: { timesRealTime: 1.7, source: 'sample' },
  },
);

const heard = 'And so my fellow Americans ask not what your country can do for you';
const check = {
  passed: true,
  said: 'And so, my fellow Americans, ask not what your country can do for you',
  heard,
  errorRate: 0,
  timesRealTime: 1.2,
  failure: null,
} as const;

/** The published models with a change to each. */
const optionsWith = (...changes: readonly Partial<ModelOption>[]): readonly ModelOption[] =>
  defaultModelOptions.map((one, i) => ({ ...one, ...changes[i] }));

const optionsOfEveryState = optionsWith(
  { checking: true },
  {},
  { state: { kind: 'ready', origin: 'downloaded' }, check },
  { state: { kind: 'downloading', doneBytes: 310_000_000, bytesPerSecond: 4_200_000 } },
  {
    state: { kind: 'ready', origin: 'downloaded' },
    check: { ...check, passed: false, heard: 'And the the the', errorRate: 0.91 },
  },
  { state: { kind: 'failed', problem: { code: 'model_unreachable' }, keptBytes: 120_000_000 } },
);

/** Opens the choice of models for an accuracy. */
const openChoice = async (page: Page): Promise<void> => {
  await goTo('Settings')(page);
  await page.getByRole('button', { name: 'Change model…: Accurate' }).click();
  await page.getByRole('dialog', { name: 'Model for “Accurate”' }).waitFor();
};

const folder = {
  service: 'on-device',
  polled: false,
  addedCount: 0,
  incompleteCount: 0,
  creditLimit: null,
  postponedCount: 0,
  tooExpensiveCount: 0,
  unmeasuredCount: 0,
  duplicateCount: 0,
} as const;

/** Watched folders in every state. */
const watchedFolders: readonly WatchedFolder[] = [
  {
    ...folder,
    id: 1,
    name: 'Interviews',
    path: '/home/ann/Documents/Interviews',
    state: { kind: 'watching' },
    addedCount: 140,
    incompleteCount: 2,
    service: cloud,
    creditLimit: 600,
    postponedCount: 3,
    tooExpensiveCount: 1,
    unmeasuredCount: 2,
    duplicateCount: 1,
  },
  {
    ...folder,
    id: 2,
    name: 'VOICE',
    path: '/media/ann/RECORDER/VOICE',
    polled: true,
    state: { kind: 'unavailable', problem: { code: 'path_missing' } },
  },
  { ...folder, id: 3, name: 'Studio', path: '/mnt/studio', state: { kind: 'scanning' } },
  { ...folder, id: 4, name: 'Phone', path: '/home/ann/Phone', state: { kind: 'paused' }, addedCount: 9 },
];

/** The settings: initially, with accounts, and with models and watched folders in every state. */
export const settingsViews: Readonly<Record<string, View>> = {
  settings: { scene: {}, reach: goTo('Settings') },
  'settings-speakers': {
    scene: {
      answers: {
        'speakers.voices': () => [
          { name: 'Mbeki', rememberedAt: Date.UTC(2026, 10, 3) },
          { name: 'Thandeka Lindqvist', rememberedAt: Date.UTC(2026, 10, 12) },
        ],
      },
      speakers: {
        current: { name: 'Town hall meeting, 12 November.mp4', secondsDone: 1260, seconds: 5400 },
        waiting: 3,
        failed: {
          count: 2,
          name: 'Interview with Mbeki.wav',
          problem: { code: 'speaker_models_missing' },
        },
      },
    },
    reach: async (page) => {
      await goTo('Settings')(page);
      await page.getByRole('combobox', { name: 'Speakers' }).scrollIntoViewIfNeeded();
      await page.getByText('CC-BY-4.0').first().waitFor();
    },
  },
  'speakers-running': {
    scene: {
      speakers: {
        current: { name: 'Town hall meeting, 12 November.mp4', secondsDone: 1260, seconds: 5400 },
        waiting: 3,
      },
    },
    reach: async (page) => {
      await page.getByRole('button', { name: /Identifying speakers/ }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  'settings-cloud': {
    scene: {
      settings: {
        service: cloud,
        uploadLimit: 1_500_000,
        autoExportFolder: '/home/ann/Documents/Transcripts',
      },
      accounts: [
        { address: cloud, keyStatus: 'this-run', unfinishedItemCount: 0, folderCount: 0 },
        {
          address: 'https://speech.example.org/eu',
          keyStatus: 'keychain',
          unfinishedItemCount: 3,
          folderCount: 0,
        },
      ],
    },
    reach: goTo('Settings'),
  },
  'settings-models': {
    scene: { models: modelsOfEveryState },
    reach: async (page) => {
      await goTo('Settings')(page);
      await page.getByRole('heading', { name: 'Models on this computer' }).scrollIntoViewIfNeeded();
    },
  },
  'settings-models-own': {
    scene: { models: ownModels },
    reach: async (page) => {
      await goTo('Settings')(page);
      await page.getByRole('button', { name: 'More actions for Accurate' }).click();
      await page.getByRole('menuitem', { name: 'Use the default model again' }).waitFor();
    },
  },
  'settings-model-choice': { scene: {}, reach: openChoice },
  'settings-model-choice-states': { scene: { modelOptions: optionsOfEveryState }, reach: openChoice },
  'failed-saves': {
    scene: {
      failedAutoExports: {
        count: 12,
        folder: 'VOICE',
        problem: {
          code: 'export_failed',
          params: { name: 'Interview Mbeki', folder: '/media/ann/RECORDER/VOICE' },
          detail: "EROFS: read-only file system, open '/media/ann/RECORDER/VOICE/.longhand-1-0-1.tmp'",
        },
      },
    },
  },
  'update-offered': {
    scene: {
      answers: { 'updates.state': () => ({ kind: 'offered', version: '0.2.0', how: 'website' }) },
    },
    reach: async (page) => {
      await goTo('Settings')(page);
      await page.getByRole('checkbox', { name: 'Look for new versions' }).scrollIntoViewIfNeeded();
    },
  },
  'update-failed': {
    scene: {
      answers: {
        'updates.state': () => ({
          kind: 'failed',
          version: '0.2.0',
          problem: { code: 'update_damaged', detail: 'sha512 checksum mismatch' },
        }),
      },
    },
  },
  'settings-watch': {
    scene: {
      folders: watchedFolders,
      accounts: [{ address: cloud, keyStatus: 'keychain', unfinishedItemCount: 0, folderCount: 1 }],
    },
    reach: async (page) => {
      await goTo('Settings')(page);
      await page.getByRole('heading', { name: 'Watched folders' }).scrollIntoViewIfNeeded();
      await page.getByText('/media/ann/RECORDER/VOICE').waitFor();
    },
  },
};
