import type { AppInfo } from '../../../electron/contract/app.ts';
import { defaultExportChoices } from '../../../electron/contract/export.ts';
import type { SpeechModel } from '../../../electron/contract/speech-models.ts';
import type { Settings } from '../../../electron/contract/settings.ts';
import { presetRules } from '../../../electron/contract/subtitle-rules.ts';
import { defaultJobOptions } from '../../../electron/contract/options.ts';

/** The program as it is when a test says nothing else about it. */
export const usualApp: AppInfo = {
  version: '0.1.0',
  platform: 'linux',
  startProblems: [],
  firstStart: false,
};

const model = (accuracy: SpeechModel['accuracy'], name: string, sizeBytes: number): SpeechModel => ({
  accuracy,
  name,
  sizeBytes,
  state: { kind: 'ready', origin: 'bundled' },
  ownFolder: null,
  timesRealTime: null,
  measuring: false,
});

/** The models as they come with the program. */
export const usualModels: readonly SpeechModel[] = [
  model('fast', 'Whisper tiny', 43_000_000),
  model('balanced', 'Whisper base', 79_000_000),
  model('accurate', 'Whisper small', 252_000_000),
];

export const usualSettings: Settings = {
  service: 'on-device',
  options: defaultJobOptions,
  accounts: [],
  addWithoutAsking: false,
  parallelUploads: 2,
  uploadLimit: null,
  theme: 'system',
  language: 'system',
  saveBeside: ['srt'],
  exporting: defaultExportChoices,
  ownSubtitleRules: presetRules.broadcast,
  exportFolder: null,
  saveFolder: null,
  notifications: true,
  keepAwake: true,
  closeKeepsWorking: true,
};
