import type { AppInfo } from '../../../electron/contract/app-commands.ts';
import type { SpeakerModelsView } from '../../../electron/contract/speakers.ts';
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

/** The models that tell voices apart, before they are downloaded. */
export const defaultSpeakerModels: SpeakerModelsView = {
  isReady: false,
  ownFolder: null,
  parts: [
    {
      name: 'WeSpeaker ResNet34 (VoxCeleb)',
      licence: 'CC-BY-4.0',
      origin: 'github.com/k2-fsa/sherpa-onnx',
      sizeBytes: 26_530_550,
    },
    {
      name: 'pyannote segmentation 3.0',
      licence: 'MIT',
      origin: 'huggingface.co/csukuangfj/sherpa-onnx-pyannote-segmentation-3-0',
      sizeBytes: 5_992_913,
    },
  ],
  keptBytes: 0,
};

export const sampleSettings: Settings = {
  ...defaultSettings,
  service: 'on-device',
  autoExportFormats: ['srt'],
};
