import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { ProblemError } from '../../contract/problem.ts';
import { publishedFilesOf } from './model-catalog.ts';
import { sizeOf } from './model-files.ts';

/** A model in a folder of the user. */
export interface OwnModel {
  /** From its configuration, otherwise the folder's name. */
  readonly name: string;
  readonly sizeBytes: number;
}

const configSchema = z
  .object({
    model_type: z.string(),
    num_mel_bins: z.int(),
    vocab_size: z.int(),
    _name_or_path: z.string().optional(),
  })
  .transform(({ model_type: kind, num_mel_bins: melBins, vocab_size: vocabulary, _name_or_path: name }) => ({
    kind,
    melBins,
    vocabulary,
    name,
  }));

/** What the engine supports: multilingual models before large-v3, and large-v3 with its descendants. */
const supportedVariants = [
  { melBins: 80, vocabulary: 51_865 },
  { melBins: 128, vocabulary: 51_866 },
] as const;

/**
 * Inspects a folder of the user that should replace a model: a multilingual Whisper model for ONNX with 8-bit weights, in the
 * layout of the model hub.
 *
 * @throws ProblemError `model_folder_empty`, `model_folder_unsuitable` or `model_folder_incomplete`.
 */
export async function inspectOwnModel(folder: string): Promise<OwnModel> {
  const params = { folder: basename(folder) };
  const noModelError = (detail: string): ProblemError =>
    new ProblemError({ code: 'model_folder_empty', params, detail });

  const config = await readConfig(folder).catch((error: unknown) => {
    throw noModelError(String(error));
  });
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
  };
}

/** Returns the display name: "Whisper medium" for "openai/whisper-medium". */
function nameOf(modelName: string): string {
  const last = modelName.split('/').at(-1) ?? modelName;
  return last.replace(/^whisper-/, 'Whisper ');
}

async function readConfig(folder: string): Promise<z.infer<typeof configSchema>> {
  return configSchema.parse(JSON.parse(await readFile(join(folder, 'config.json'), 'utf8')));
}
