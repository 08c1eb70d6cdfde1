import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { accuracies, type Accuracy, type ModelId, modelIds } from '../../contract/choices.ts';
import { spokenLanguages } from '../../contract/languages.ts';
import type { ModelSpeed } from '../../contract/speech-models.ts';
import type { SpeechOptions } from '../../contract/options.ts';

export { modelIds, type ModelId } from '../../contract/choices.ts';

/** How a model works, and with that the part of the engine that runs it. */
export type ModelFamily = 'whisper' | 'parakeet';

/** The files of a model by their role. Parakeet's decoder includes its joint network; it has no generation settings. */
export type ModelPart = 'encoder' | 'decoder' | 'vocabulary' | 'generation';

/** A published file, identified by its size and digest. */
export interface PublishedFile {
  /** Within the model's folder, with slashes. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** What is known about a model before it is on this computer. */
export interface CatalogEntry {
  readonly id: ModelId;
  readonly family: ModelFamily;
  /** "Whisper large-v3-turbo". */
  readonly name: string;
  /** The repository and revision on the model hub; a mirror has the same paths. */
  readonly repository: string;
  readonly revision: string;
  /** The folder of a downloaded model, within that of all downloads. */
  readonly folder: string;
  readonly files: Readonly<Partial<Record<ModelPart, PublishedFile>>>;
  /** ISO 639 codes of the languages that it transcribes. */
  readonly languages: readonly string[];
  /** Whether it can translate into English. */
  readonly canTranslate: boolean;
  /** The measured peak memory of the process that runs it. Models larger than Whisper small had made-up weights. */
  readonly memoryBytes: number;
  /**
   * Work per second of audio, as a multiple of that of Whisper base: measured (turbo with made-up weights) or, for
   * Parakeet, published.
   */
  readonly relativeCost: number;
  /** As an SPDX identifier. */
  readonly licence: string;
  /** Who made it. */
  readonly attribution: string;
  /** Word error rate for English on the Open ASR Leaderboard, as the model's card states it; `null` if it states none. */
  readonly errorRate: number | null;
}

const vocabulary: PublishedFile = {
  path: 'vocab.json',
  sizeBytes: 1_036_584,
  sha256: '50d6a919f0a0601d56a04eb583c780d18553aa388254ba3158eb6a00f13e2c1a',
};

const whisper = {
  family: 'whisper',
  languages: spokenLanguages,
  canTranslate: true,
  licence: 'MIT',
  attribution: 'OpenAI',
  errorRate: null,
} as const;

const parakeet = {
  family: 'parakeet',
  canTranslate: false,
  // Measured with graphs of the same size and other weights; without the Whisper models that may help it.
  memoryBytes: 1_700_000_000,
  // 62 and 31 times real time on 8 cores. Measured with made-up weights in windows of 20 s it is 1.3, but Whisper small,
  // with which it is compared, encodes 30 s for each of them.
  relativeCost: 2,
  licence: 'CC-BY-4.0',
  attribution: 'NVIDIA',
} as const;

/** The languages of Parakeet TDT 0.6B v3. */
const parakeetLanguages = 'bg cs da de el en es et fi fr hr hu it lt lv mt nl pl pt ro ru sk sl sv uk'.split(
  ' ',
);

/** From the fastest to the most accurate of each family. */
const publishedModels: Readonly<Record<ModelId, CatalogEntry>> = {
  tiny: {
    ...whisper,
    id: 'tiny',
    name: 'Whisper tiny',
    repository: 'Xenova/whisper-tiny',
    revision: '5332fcc35e32a33b86612b9a57a89be7906102b1',
    folder: 'whisper-tiny',
    files: {
      encoder: {
        path: 'onnx/encoder_model_quantized.onnx',
        sizeBytes: 10_124_910,
        sha256: 'fd9d995b9dcb0520f0dbf6cf68651af639fc385f594d9d876e69ca2802dc438e',
      },
      decoder: {
        path: 'onnx/decoder_model_merged_quantized.onnx',
        sizeBytes: 30_727_765,
        sha256: '6c0c125986b007d2e3734bec84c18bda0152071b90b87fadac6d7764499927a0',
      },
      vocabulary,
      generation: {
        path: 'generation_config.json',
        sizeBytes: 3716,
        sha256: '68ac791fcb4999461a313472125042934656240ba1cba7d1c2627fcbb19ac24c',
      },
    },
    memoryBytes: 454_000_000,
    relativeCost: 0.47,
  },
  base: {
    ...whisper,
    id: 'base',
    name: 'Whisper base',
    repository: 'Xenova/whisper-base',
    revision: '64da57285918e20ea79ea5c88eed7197933abaa8',
    folder: 'whisper-base',
    files: {
      encoder: {
        path: 'onnx/encoder_model_quantized.onnx',
        sizeBytes: 23_200_850,
        sha256: '3e345e977b55620a37c0c2b2af0644e019afdfad562dcf71eb929bb7274285f9',
      },
      decoder: {
        path: 'onnx/decoder_model_merged_quantized.onnx',
        sizeBytes: 53_707_539,
        sha256: 'a6beb6baabb66f00b6a686d828c95ffca6146d51900cbad0266cad38f64cf861',
      },
      vocabulary,
      generation: {
        path: 'generation_config.json',
        sizeBytes: 3776,
        sha256: '3bba359e33fdd6dc1c10f71846a477d339b0242f462f70ea1dd73274caa38d05',
      },
    },
    memoryBytes: 599_000_000,
    relativeCost: 1,
  },
  small: {
    ...whisper,
    id: 'small',
    name: 'Whisper small',
    repository: 'Xenova/whisper-small',
    revision: '2d67713f236afa48a18992566e7647f6ca848e13',
    folder: 'whisper-small',
    files: {
      encoder: {
        path: 'onnx/encoder_model_quantized.onnx',
        sizeBytes: 92_324_809,
        sha256: '969f5ac12974340386bf7a02ea6626003e5e2dee396ffc6ab0eec282bf55ba06',
      },
      decoder: {
        path: 'onnx/decoder_model_merged_quantized.onnx',
        sizeBytes: 156_780_950,
        sha256: 'fcfc6100dc7339e7507e10f8b274350be7c4f8d8b575f0293f94cc0e156d6d24',
      },
      vocabulary,
      generation: {
        path: 'generation_config.json',
        sizeBytes: 3837,
        sha256: '0b7407a4e53a677f826e03c75d409e6f830663932bf43dda3b08c5efa2223279',
      },
    },
    memoryBytes: 1_172_000_000,
    relativeCost: 2.8,
  },
  'large-v3-turbo': {
    ...whisper,
    id: 'large-v3-turbo',
    name: 'Whisper large-v3-turbo',
    repository: 'onnx-community/whisper-large-v3-turbo',
    revision: '360ebcde2559d60bb474678be3c1de9ef347d01a',
    folder: 'whisper-large-v3-turbo',
    files: {
      encoder: {
        path: 'onnx/encoder_model_quantized.onnx',
        sizeBytes: 644_822_195,
        sha256: 'd2f853dc3254fdc0079f55dd4433ea716ac98ec5574d3b475f288f2a77cebba9',
      },
      decoder: {
        path: 'onnx/decoder_model_merged_quantized.onnx',
        sizeBytes: 439_936_716,
        sha256: '61481bd3be3a445d5a4b9070e8f8b2c6cc4fbbbbdc9f0e7ed048a132b8b84e0d',
      },
      vocabulary: {
        path: 'vocab.json',
        sizeBytes: 1_036_558,
        sha256: 'e2aa043ef015641d363d8288e7c241c85e36a5c761fb303598e0710233344387',
      },
      generation: {
        path: 'generation_config.json',
        sizeBytes: 3897,
        sha256: '16f95291d2f47c944d3c2b19390bba7965666555c1ea2a0bdc850d1fab45612f',
      },
    },
    canTranslate: false,
    // Measured with graphs of the same size and other weights; most of it while loading.
    memoryBytes: 2_480_000_000,
    // Measured likewise: 1.8 times that of Whisper small.
    relativeCost: 5.1,
  },
  'parakeet-v3': {
    ...parakeet,
    id: 'parakeet-v3',
    name: 'Parakeet TDT 0.6B v3',
    repository: 'istupakov/parakeet-tdt-0.6b-v3-onnx',
    revision: '8f23f0c03c8761650bdb5b40aaf3e40d2c15f1ce',
    folder: 'parakeet-v3',
    files: {
      encoder: {
        path: 'encoder-model.int8.onnx',
        sizeBytes: 652_183_999,
        sha256: '6139d2fa7e1b086097b277c7149725edbab89cc7c7ae64b23c741be4055aff09',
      },
      decoder: {
        path: 'decoder_joint-model.int8.onnx',
        sizeBytes: 18_202_004,
        sha256: 'eea7483ee3d1a30375daedc8ed83e3960c91b098812127a0d99d1c8977667a70',
      },
      vocabulary: {
        path: 'vocab.txt',
        sizeBytes: 93_939,
        sha256: 'd58544679ea4bc6ac563d1f545eb7d474bd6cfa467f0a6e2c1dc1c7d37e3c35d',
      },
    },
    languages: parakeetLanguages,
    errorRate: 6.34,
  },
  'parakeet-v2': {
    ...parakeet,
    id: 'parakeet-v2',
    name: 'Parakeet TDT 0.6B v2',
    repository: 'istupakov/parakeet-tdt-0.6b-v2-onnx',
    revision: '0bbb45a3365852604aef28b538a8f066f4ccaa85',
    folder: 'parakeet-v2',
    files: {
      encoder: {
        path: 'encoder-model.int8.onnx',
        sizeBytes: 652_184_014,
        sha256: '3e0581fda6ab843888b51e56d7ee78b6d5bc3237ec113af1f732d1d5286aa155',
      },
      decoder: {
        path: 'decoder_joint-model.int8.onnx',
        sizeBytes: 8_998_286,
        sha256: 'a449f49acd68979d418651dd2dcb737cc0f1bf0225e009e29ee326354edbf7d3',
      },
      vocabulary: {
        path: 'vocab.txt',
        sizeBytes: 9384,
        sha256: 'ec182b70dd42113aff6c5372c75cac58c952443eb22322f57bbd7f53977d497d',
      },
    },
    languages: ['en'],
    errorRate: 6.05,
  },
};

const standInsSchema = z.partialRecord(
  z.enum(modelIds),
  z.record(z.string(), z.object({ sizeBytes: z.int().nonnegative(), sha256: z.string() })),
);

/**
 * Replaces sizes and digests by those in the JSON file that `LONGHAND_MODEL_FILES` names, for tests with stand-ins. Only
 * while all mirrors are on this computer: from others, nothing but the published files is ever accepted.
 */
function withStandIns(
  published: Readonly<Record<ModelId, CatalogEntry>>,
): Readonly<Record<ModelId, CatalogEntry>> {
  const { LONGHAND_MODEL_FILES: path = '', LONGHAND_MODEL_MIRRORS: mirrors = '' } = process.env;
  const isLocal = mirrors.split(',').every((mirror) => /^http:\/\/127\.0\.0\.1:\d+$/.test(mirror));
  if (path === '' || !isLocal) return published;
  const catalog = { ...published };
  for (const [id, parts] of Object.entries(standInsSchema.parse(JSON.parse(readFileSync(path, 'utf8'))))) {
    const entry = published[id as ModelId];
    const files = Object.entries(entry.files).map(
      ([part, file]) => [part, { ...file, ...parts[part] }] as const,
    );
    catalog[id as ModelId] = { ...entry, files: Object.fromEntries(files) };
  }
  return catalog;
}

export const modelCatalog = withStandIns(publishedModels);

/** The model of each accuracy, unless the user has chosen another one. */
export const defaultModels = { fast: 'tiny', balanced: 'base', accurate: 'small' } as const satisfies Record<
  Accuracy,
  ModelId
>;

/** The models that the user has chosen. */
export const modelChoicesSchema = z.partialRecord(z.enum(accuracies), z.enum(modelIds));
export type ModelChoices = Readonly<z.infer<typeof modelChoicesSchema>>;

/** The options of a request that decide which model serves it. */
export type ModelRequirements = Pick<SpeechOptions, 'accuracy' | 'translateToEnglish' | 'language'>;

/**
 * Returns the speed to expect of a model on this computer, in seconds of audio per second, from the measured speed of
 * another one; `null` when none is known.
 */
export function expectedSpeed(id: ModelId, measured: Readonly<Record<string, ModelSpeed>>): number | null {
  for (const measuredId of ['base', 'tiny', 'small'] as const) {
    const speed = measuredSpeed(measuredId, measured)?.timesRealTime;
    if (speed !== undefined)
      return (speed * modelCatalog[measuredId].relativeCost) / modelCatalog[id].relativeCost;
  }
  return null;
}

/**
 * Returns the measured speed of a model, but at least that of a model that takes more work: a computer that was busy
 * during a measurement makes a model look slower than it is, never faster. `null`: it was not measured.
 *
 * @param key the model, as a key of `measured`
 */
export function measuredSpeed(
  key: string,
  measured: Readonly<Record<string, ModelSpeed>>,
): ModelSpeed | null {
  const own = measured[key];
  if (own === undefined) return null;
  const cost = modelIds.some((id) => id === key) ? modelCatalog[key as ModelId].relativeCost : Infinity;
  return modelIds
    .filter((id) => modelCatalog[id].relativeCost > cost)
    .flatMap((id) => measured[id] ?? [])
    .reduce((best, speed) => (speed.timesRealTime > best.timesRealTime ? speed : best), own);
}

/** Whether a model can serve a request. A language that no model knows is detected, as with `auto`. */
function canServe(
  id: ModelId,
  { translateToEnglish, language }: ModelRequirements,
  nonTranslating: readonly ModelId[],
): boolean {
  const { languages } = modelCatalog[id];
  const canTranslate = modelCatalog[id].canTranslate && !nonTranslating.includes(id);
  // The tiny model transcribes even when it should translate.
  if (translateToEnglish && (!canTranslate || id === 'tiny')) return false;
  return languages.includes(language) || !spokenLanguages.includes(language);
}

/**
 * Returns the models for a request, the preferred one first. A chosen model that can serve the request is never
 * replaced. For one that cannot, any other model that can is used.
 *
 * @param nonTranslating models that are replaced by folders of the user with models that do not translate
 */
export function modelsFor(
  requirements: ModelRequirements,
  choices: ModelChoices = {},
  nonTranslating: readonly ModelId[] = [],
): readonly ModelId[] {
  const chosen = choices[requirements.accuracy] ?? defaultModels[requirements.accuracy];
  if (canServe(chosen, requirements, nonTranslating)) return [chosen];
  const others: readonly ModelId[] = [defaultModels[requirements.accuracy], 'base', 'small', 'tiny'];
  return [...new Set(others)].filter((id) => canServe(id, requirements, nonTranslating));
}

/** Returns all published files of a model. */
export const publishedFilesOf = (id: ModelId): readonly PublishedFile[] =>
  Object.values(modelCatalog[id].files);

/** Returns the total size of a model's files. */
export function modelSizeBytes(id: ModelId): number {
  return publishedFilesOf(id).reduce((sum, file) => sum + file.sizeBytes, 0);
}

/** A model's files are missing, or are not the published ones. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
}
