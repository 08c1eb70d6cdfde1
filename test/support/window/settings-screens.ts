import type { SpeechModel } from '../../../electron/contract/speech-models.ts';
import type { WatchedFolder } from '../../../electron/contract/watched-folder-commands.ts';
import { defaultModels } from './default-state.ts';
import { goTo, type View } from './view.ts';

const cloud = 'https://api.example.com';

/** The default models with a change to each. */
const modelsWith = (...changes: readonly Partial<SpeechModel>[]): readonly SpeechModel[] =>
  defaultModels.map((one, i) => ({ ...one, ...changes[i] }));

const modelsOfEveryState = modelsWith(
  { timesRealTime: 31.2 },
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
    timesRealTime: 1.7,
  },
);

const folder = { polled: false, addedCount: 0, unfinishedCount: 0 } as const;

/** Watched folders in every state. */
const watchedFolders: readonly WatchedFolder[] = [
  {
    ...folder,
    id: 1,
    name: 'Interviews',
    path: '/home/ann/Documents/Interviews',
    state: { kind: 'watching' },
    addedCount: 140,
    unfinishedCount: 2,
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
  'settings-cloud': {
    scene: {
      settings: {
        service: cloud,
        uploadLimit: 1_500_000,
        autoExportFolder: '/home/ann/Documents/Transcripts',
      },
      accounts: [
        { address: cloud, keyStatus: 'this-run', unfinishedCount: 0 },
        { address: 'https://speech.example.org/eu', keyStatus: 'keychain', unfinishedCount: 3 },
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
  'failed-saves': {
    scene: {
      failedSaves: {
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
  'settings-watch': {
    scene: { folders: watchedFolders },
    reach: async (page) => {
      await goTo('Settings')(page);
      await page.getByRole('heading', { name: 'Watched folders' }).scrollIntoViewIfNeeded();
      await page.getByText('/media/ann/RECORDER/VOICE').waitFor();
    },
  },
};
