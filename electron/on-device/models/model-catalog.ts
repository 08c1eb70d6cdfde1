import type { JobOptions } from '../../contract/options.ts';

/** The Whisper models that the service runs, from the fastest to the most accurate. */
export const modelNames = ['tiny', 'base', 'small'] as const;
export type ModelName = (typeof modelNames)[number];

const modelOf = { fast: 'tiny', balanced: 'base', accurate: 'small' } as const satisfies Record<
  JobOptions['accuracy'],
  ModelName
>;

/**
 * Returns the model for a request. A translation takes at least the base model, since the tiny one transcribes even when
 * it should translate.
 */
export function modelFor(options: Pick<JobOptions, 'accuracy' | 'translateToEnglish'>): ModelName {
  const model = modelOf[options.accuracy];
  return options.translateToEnglish && model === 'tiny' ? 'base' : model;
}

/** The files of a model by their role. */
export type ModelPart = 'encoder' | 'decoder' | 'vocabulary' | 'generation';

/** A published file, identified by its size and digest. */
export interface PublishedFile {
  /** Within the model's folder, with slashes. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

const vocabulary: PublishedFile = {
  path: 'vocab.json',
  sizeBytes: 1_036_584,
  sha256: '50d6a919f0a0601d56a04eb583c780d18553aa388254ba3158eb6a00f13e2c1a',
};

/** The files as Xenova published them (whisper-tiny at 5332fcc, whisper-base at 64da572, whisper-small at 2d67713). */
const publishedFiles: Readonly<Record<ModelName, Readonly<Record<ModelPart, PublishedFile>>>> = {
  tiny: {
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
  base: {
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
  small: {
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
};

/** The repository and revision of each model on the model hub. */
export const publishedAt: Readonly<
  Record<ModelName, { readonly repository: string; readonly revision: string }>
> = {
  tiny: { repository: 'Xenova/whisper-tiny', revision: '5332fcc35e32a33b86612b9a57a89be7906102b1' },
  base: { repository: 'Xenova/whisper-base', revision: '64da57285918e20ea79ea5c88eed7197933abaa8' },
  small: { repository: 'Xenova/whisper-small', revision: '2d67713f236afa48a18992566e7647f6ca848e13' },
};

/** Returns the published files of a model. */
export function filesOf(model: ModelName): Readonly<Record<ModelPart, PublishedFile>> {
  return publishedFiles[model];
}

/** Returns the total size of a model's files. */
export function modelSizeBytes(model: ModelName): number {
  return Object.values(publishedFiles[model]).reduce((sum, file) => sum + file.sizeBytes, 0);
}

/** A model's files are missing, or are not the published ones. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
}
