import { closeSync, fstatSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { ProblemError } from '../../contract/problem.ts';
import { openRegularFileSync } from '../../core/media/open-file.ts';
import { publishedFilesOf } from './model-catalog.ts';
import { sizeOf } from './model-files.ts';

/** A model in a folder of the user. */
export interface OwnModel {
  /** From its configuration, otherwise the folder's name. */
  readonly name: string;
  readonly sizeBytes: number;
  /**
   * Whether it can translate: models with fewer decoder than encoder layers (turbo and distilled ones) were trained
   * without translations. A configuration that does not state its layers counts as one of a model that translates.
   */
  readonly canTranslate: boolean;
}

const configSchema = z
  .object({
    model_type: z.string(),
    num_mel_bins: z.int(),
    vocab_size: z.int(),
    _name_or_path: z.string().optional(),
    encoder_layers: z.int().optional().catch(undefined),
    decoder_layers: z.int().optional().catch(undefined),
  })
  .transform(({ model_type: kind, num_mel_bins: melBins, vocab_size: vocabulary, ...config }) => {
    const { _name_or_path: name, encoder_layers: encoders = 0, decoder_layers: decoders = Infinity } = config;
    return { kind, melBins, vocabulary, name, canTranslate: decoders >= encoders };
  });

/** Real configurations have a few kilobytes. */
const maxConfigBytes = 1024 ** 2;

/** What the engine supports: multilingual models before large-v3, and large-v3 with its descendants. */
const supportedVariants = [
  { melBins: 80, vocabulary: 51_865 },
  { melBins: 128, vocabulary: 51_866 },
] as const;

/**
 * Inspects a folder of the user that should replace a model: a multilingual Whisper model for ONNX with 8-bit weights, in the
 * layout of the model hub. Synchronous, for a thread of its own: the folder may be on a drive that does not respond.
 *
 * @throws ProblemError `model_folder_empty`, `model_folder_unsuitable` or `model_folder_incomplete`.
 */
export function inspectOwnModel(folder: string): OwnModel {
  const params = { folder: basename(folder) };
  const noModelError = (detail: string): ProblemError =>
    new ProblemError({ code: 'model_folder_empty', params, detail });

  let config: z.infer<typeof configSchema>;
  try {
    config = readConfig(join(folder, 'config.json'));
  } catch (error) {
    throw noModelError(String(error));
  }
  if (config.kind !== 'whisper') throw noModelError(`a model of the kind ${config.kind}`);
  const isSupported = supportedVariants.some(
    ({ melBins, vocabulary }) => config.melBins === melBins && config.vocabulary === vocabulary,
  );
  if (!isSupported) {
    const detail = `${config.melBins} bands, ${config.vocabulary} tokens`;
    throw new ProblemError({ code: 'model_folder_unsuitable', params, detail });
  }
  const sizes = publishedFilesOf('tiny').map(({ path }) => ({
    path,
    bytes: sizeOf(join(folder, path)),
  }));
  const missingPaths = sizes.filter(({ bytes }) => bytes === 0).map(({ path }) => path);
  if (missingPaths.length > 0) {
    const detail = `missing: ${missingPaths.join(', ')}`;
    throw new ProblemError({ code: 'model_folder_incomplete', params, detail });
  }
  return {
    name: nameOf(config.name ?? basename(folder)),
    sizeBytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0),
    canTranslate: config.canTranslate,
  };
}

/** Returns the display name: "Whisper medium" for "openai/whisper-medium". */
function nameOf(modelName: string): string {
  const last = modelName.split('/').at(-1) ?? modelName;
  return last.replace(/^whisper-/, 'Whisper ');
}

function readConfig(path: string): z.infer<typeof configSchema> {
  const file = openRegularFileSync(path);
  try {
    const { size } = fstatSync(file);
    if (size > maxConfigBytes) throw new RangeError(`${path} has ${size} bytes`);
    return configSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } finally {
    closeSync(file);
  }
}
