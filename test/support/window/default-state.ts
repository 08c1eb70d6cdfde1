import type { ServiceAddress, ServiceStatus } from '../../../electron/contract/service.ts';
import type { AppInfo } from '../../../electron/contract/app-commands.ts';
import type { SpeakerModelsView, SpeakerQueueView } from '../../../electron/contract/speakers.ts';
import type { ModelOption, SpeechModelView } from '../../../electron/contract/speech-models.ts';
import { defaultSettings, type Settings } from '../../../electron/contract/settings.ts';

/** The facts about the program, unless a test changes them. */
export const defaultApp: AppInfo = {
  version: '0.1.0',
  platform: 'linux',
  startProblems: [],
};

/** Nothing is identified, and nothing waits for it. */
export const idleSpeakers: SpeakerQueueView = { current: null, waiting: 0, postponedBy: null, failed: null };

const model = (
  accuracy: SpeechModelView['accuracy'],
  id: SpeechModelView['id'],
  sizeBytes: number,
): SpeechModelView => ({
  accuracy,
  id,
  translatesWith: null,
  name: `Whisper ${id}`,
  sizeBytes,
  state: { kind: 'ready', origin: 'bundled' },
  ownFolder: null,
  speed: null,
  measuring: false,
});

/** The models in their initial state. */
export const defaultModels: readonly SpeechModelView[] = [
  model('fast', 'tiny', 43_000_000),
  model('balanced', 'base', 79_000_000),
  model('accurate', 'small', 252_000_000),
];

const option = (
  id: ModelOption['id'],
  name: string,
  sizeBytes: number,
  change: Partial<ModelOption> = {},
): ModelOption => ({
  id,
  name,
  sizeBytes,
  state: { kind: 'ready', origin: 'bundled' },
  check: null,
  checking: false,
  timesRealTime: null,
  isMeasured: false,
  languages: 99,
  canTranslate: true,
  memoryBytes: 600_000_000,
  licence: 'MIT',
  attribution: 'OpenAI',
  errorRate: null,
  ...change,
});

const absent = {
  state: { kind: 'absent', keptBytes: 0 },
  canTranslate: false,
  memoryBytes: 1_500_000_000,
} as const;
const parakeet = { ...absent, licence: 'CC-BY-4.0', attribution: 'NVIDIA' } as const;

/** The published models in their initial state. */
export const defaultModelOptions: readonly ModelOption[] = [
  option('tiny', 'Whisper tiny', 43_000_000),
  option('base', 'Whisper base', 79_000_000, { timesRealTime: 14.5, isMeasured: true }),
  option('small', 'Whisper small', 252_000_000, { timesRealTime: 5.2 }),
  option('large-v3-turbo', 'Whisper large-v3-turbo', 1_085_000_000, { ...absent, timesRealTime: 1.3 }),
  option('parakeet-v3', 'Parakeet TDT 0.6B v3', 670_000_000, {
    ...parakeet,
    timesRealTime: 7.3,
    languages: 25,
    errorRate: 6.26,
  }),
  option('parakeet-v2', 'Parakeet TDT 0.6B v2', 661_000_000, {
    ...parakeet,
    timesRealTime: 7.3,
    languages: 1,
    errorRate: 6.05,
  }),
];

/** The models that distinguish voices, before they are downloaded. */
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

/** The status of a service that works. */
export const readyStatus = (service: ServiceAddress): ServiceStatus => ({
  service,
  condition: { kind: 'ready' },
  balanceCredits: null,
  activeJobs: 0,
});
