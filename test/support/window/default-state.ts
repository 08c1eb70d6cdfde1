import type { AppInfo } from '../../../electron/contract/app-commands.ts';
import type { SpeechModel } from '../../../electron/contract/speech-models.ts';
import { defaultSettings, type Settings } from '../../../electron/contract/settings.ts';

/** The facts about the program, unless a test changes them. */
export const defaultApp: AppInfo = {
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

/** The models in their initial state. */
export const defaultModels: readonly SpeechModel[] = [
  model('fast', 'Whisper tiny', 43_000_000),
  model('balanced', 'Whisper base', 79_000_000),
  model('accurate', 'Whisper small', 252_000_000),
];

export const sampleSettings: Settings = {
  ...defaultSettings,
  service: 'on-device',
  autoExportFormats: ['srt'],
};
