import { z } from 'zod';
import { type Accuracy, accuracies, type ModelId, modelIds } from './choices.ts';
import { noInput, command, result } from './command.ts';
import type { Problem } from './problem.ts';

/** Where a ready model comes from: the program, a download, or a folder of the user. */
export type ModelOrigin = 'bundled' | 'downloaded' | 'own';

/** The state of a model on this computer. */
export type ModelState =
  | { readonly kind: 'ready'; readonly origin: ModelOrigin }
  /** Not installed, except for `keptBytes` of an interrupted download. */
  | { readonly kind: 'absent'; readonly keptBytes: number }
  | { readonly kind: 'downloading'; readonly doneBytes: number; readonly bytesPerSecond: number }
  /** The download failed; `keptBytes` are kept for the next one. */
  | { readonly kind: 'failed'; readonly problem: Problem; readonly keptBytes: number }
  /** The user's own folder cannot be used now. */
  | { readonly kind: 'unusable'; readonly problem: Problem };

/** How fast a model was on this computer when it was last measured. */
export interface ModelSpeed {
  /** Seconds of audio transcribed per second. */
  readonly timesRealTime: number;
  readonly source: SpeedSource;
}

/**
 * What a speed was measured with: a bundled `sample`, while nothing else was transcribed, or `recordings` of the user,
 * whatever else the computer did. Speeds from different sources cannot be compared.
 */
export type SpeedSource = 'sample' | 'recordings';

/** What a model heard in a recording whose text is known. */
export interface ModelCheck {
  readonly passed: boolean;
  /** What is said in the recording, and what the model heard; empty when it could not run. */
  readonly said: string;
  readonly heard: string;
  /** Wrong words divided by spoken words: 0 is perfect. */
  readonly errorRate: number;
  /** Seconds of audio per second; `null` when recordings were transcribed meanwhile, or when it could not run. */
  readonly timesRealTime: number | null;
  /** Why it could not run; `null` when it could. */
  readonly failure: string | null;
}

/** A published model that an accuracy can use. */
export interface ModelOption {
  readonly id: ModelId;
  /** "Whisper large-v3-turbo". */
  readonly name: string;
  readonly sizeBytes: number;
  readonly state: Exclude<ModelState, { readonly kind: 'unusable' }>;
  /** The last check on this computer; `null`: none since it was downloaded. */
  readonly check: ModelCheck | null;
  readonly checking: boolean;
  /** Seconds of audio per second on this computer: measured, otherwise expected; `null`: neither is known. */
  readonly timesRealTime: number | null;
  readonly isMeasured: boolean;
  /** How many languages it transcribes. */
  readonly languages: number;
  readonly canTranslate: boolean;
  /** The peak memory of the process that runs it. */
  readonly memoryBytes: number;
  /** As an SPDX identifier. */
  readonly licence: string;
  readonly attribution: string;
  /** Published word error rate for English in percent; `null`: none of the same kind is known. */
  readonly errorRate: number | null;
}

/** The published models, and the space for them. */
export interface ModelOptions {
  readonly options: readonly ModelOption[];
  /** Free bytes on the disk where models are downloaded to. */
  readonly freeBytes: number;
}

/** A model of the on-device service and the accuracy level that it is used for. */
export interface SpeechModelView {
  readonly accuracy: Accuracy;
  readonly id: ModelId;
  /** The name of the model used for translation if this one cannot translate; `null` if it can. */
  readonly translatesWith: string | null;
  /** "Whisper base". */
  readonly name: string;
  readonly sizeBytes: number;
  readonly state: ModelState;
  /** The name of the folder that the user chose for it; `null` if the published model is used. */
  readonly ownFolder: string | null;
  /** `null`: not measured yet. */
  readonly speed: ModelSpeed | null;
  /** Whether its speed is being measured now. */
  readonly measuring: boolean;
}

/** A model; if `model` is absent, the one that the accuracy level uses. */
const model = z.strictObject({ accuracy: z.enum(accuracies), model: z.enum(modelIds).optional() });

export const modelCommands = {
  'models.list': command({ input: noInput, result: result<readonly SpeechModelView[]>() }),
  /** Starts or resumes a download; `models.changed` reports its progress. */
  'models.download': command({ input: model, downloads: true }),
  /** Stops a download and keeps the received bytes, so that it can resume. */
  'models.stopDownload': command({ input: model }),
  /** Deletes a downloaded model. Bundled models and the user's own folder stay. */
  'models.delete': command({ input: model }),
  'models.options': command({ input: noInput, result: result<ModelOptions>() }),
  /**
   * Selects the model of an accuracy level: downloads it if necessary, tests it with a recording whose text is known, and
   * uses it if it passes. `models.changed` reports the progress.
   */
  'models.use': command({
    input: z.strictObject({ accuracy: z.enum(accuracies), model: z.enum(modelIds) }),
    downloads: true,
  }),
  /** Asks for a folder and uses the model in it; rejects a folder without a suitable model. */
  'models.chooseFolder': command({ input: model, result: result<{ readonly chosen: boolean }>() }),
  'models.forgetFolder': command({ input: model }),
  /** Measures the model's speed with a short recording; rejects while the model cannot be used. */
  'models.measure': command({ input: model }),
} as const;
