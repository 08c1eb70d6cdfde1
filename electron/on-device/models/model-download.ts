import { rmSync } from 'node:fs';
import { mkdir, rename, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Dispatcher } from 'undici';
import { isDiskFull } from '../../contract/errors.ts';
import { ProblemError } from '../../contract/problem.ts';
import type { Clock } from '../../core/ports.ts';
import { DownloadError, downloadFile, partialPath } from './download-file.ts';
import {
  modelCatalog,
  type ModelId,
  modelIds,
  modelSizeBytes,
  type PublishedFile,
  publishedFilesOf,
} from './model-catalog.ts';
import { downloadedModelFolder, newRecordsPath, sizeOf } from './model-files.ts';

export interface ModelDownloadOptions {
  /** Where downloaded models are kept. */
  readonly downloadFolder: string;
  readonly mirrors: readonly string[];
  readonly clock: Clock;
  /** Free bytes on the disk; the system's value unless given. */
  readonly freeBytes?: () => Promise<number>;
}

const idleMs = 30_000;
const maxRedirects = 5;
/** Bytes that must stay free for other programs. */
export const spareBytes = 64 * 1024 ** 2;

/** Returns the downloaded bytes of a model, including unfinished files. */
export function downloadedBytes(downloadFolder: string, model: ModelId): number {
  const folder = downloadedModelFolder(downloadFolder, model);
  return publishedFilesOf(model)
    .map(({ path }) => sizeOf(join(folder, path)) || sizeOf(partialPath(join(folder, path))))
    .reduce((sum, bytes) => sum + bytes, 0);
}

/** The name of a model's folder while its files are being deleted. */
const removedPath = (folder: string): string => `${folder}.removed`;

/**
 * Removes all downloaded files of a model. The folder is renamed first, so that a program that is killed meanwhile leaves no
 * incomplete model; {@link removeLeftovers} finishes.
 */
export async function removeDownload(downloadFolder: string, model: ModelId): Promise<void> {
  const folder = downloadedModelFolder(downloadFolder, model);
  const pathWhileRemoving = removedPath(folder);
  await rm(pathWhileRemoving, { recursive: true, force: true });
  // Where it cannot be renamed, it does not exist, or another program holds one of its files.
  const target = await rename(folder, pathWhileRemoving).then(
    () => pathWhileRemoving,
    () => folder,
  );
  await rm(target, { recursive: true, force: true });
}

/**
 * Deletes what a killed program has left: models that it was removing, and model records (`models.json`) that it was
 * writing. Only the process that has the lease on the data folder may call it, before it changes any model.
 */
export function removeLeftovers(downloadFolder: string): void {
  rmSync(newRecordsPath(downloadFolder), { force: true });
  for (const model of modelIds) {
    rmSync(removedPath(downloadedModelFolder(downloadFolder, model)), { recursive: true, force: true });
  }
}

/**
 * Downloads the missing files of a model and resumes an earlier download.
 *
 * @param onBytes called with the number of the model's bytes that are on the disk.
 * @throws ProblemError `disk_full`, `model_damaged` or `model_unreachable`; the signal's reason; an error of the disk.
 */
export async function downloadModel(
  model: ModelId,
  { downloadFolder, mirrors, clock, freeBytes }: ModelDownloadOptions,
  onBytes: (bytes: number) => void,
  signal: AbortSignal,
): Promise<void> {
  await mkdir(downloadFolder, { recursive: true });
  const missingBytes = modelSizeBytes(model) - downloadedBytes(downloadFolder, model);
  const availableBytes = await (freeBytes ?? (() => freeBytesOf(downloadFolder)))();
  if (availableBytes < missingBytes + spareBytes) throw new ProblemError({ code: 'disk_full' });

  const { dispatcher, close } = await openConnections();
  const folder = downloadedModelFolder(downloadFolder, model);
  let orderedMirrors = mirrors;
  let bytesBefore = 0;
  try {
    for (const file of filesToDownload(model)) {
      const target = join(folder, file.path);
      if (sizeOf(target) !== file.sizeBytes) {
        const bytesBeforeFile = bytesBefore;
        const expected = { ...file, urls: fileUrls(orderedMirrors, model, file) };
        const context = {
          dispatcher,
          clock,
          signal,
          onBytes: (bytes: number) => onBytes(bytesBeforeFile + bytes),
        };
        const mirror = await downloadFile(expected, target, context);
        // The mirror that had this file is tried first for the next one.
        orderedMirrors = [...orderedMirrors.slice(mirror), ...orderedMirrors.slice(0, mirror)];
      }
      bytesBefore += file.sizeBytes;
      onBytes(bytesBefore);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw downloadProblem(error);
  } finally {
    await close();
  }
}

/** Opens connections that follow redirects and have time limits. */
export async function openConnections(): Promise<{
  readonly dispatcher: Dispatcher;
  readonly close: () => Promise<void>;
}> {
  // Loaded on demand: it is large, and most starts download nothing.
  const { Agent, interceptors } = await import('undici');
  const agent = new Agent({ connect: { timeout: idleMs }, headersTimeout: idleMs, bodyTimeout: idleMs });
  const dispatcher = agent.compose(interceptors.redirect({ maxRedirections: maxRedirects }));
  return { dispatcher, close: () => agent.destroy() };
}

/** Converts an error of a download to a problem. Errors of the disk other than a full one are returned unchanged. */
export function downloadProblem(error: unknown): unknown {
  if (isDiskFull(error)) return new ProblemError({ code: 'disk_full' }, { cause: error });
  if (!(error instanceof DownloadError)) return error;
  const code = error.isWrongContent ? 'model_damaged' : 'model_unreachable';
  return new ProblemError({ code, detail: error.message }, { cause: error });
}

/** Returns the free bytes of a folder's disk. */
export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** The servers of the models, in the order in which they are tried. Every file is verified, whichever delivers it. */
export const publicMirrors: readonly string[] = ['https://huggingface.co', 'https://hf-mirror.com'];

/**
 * Returns the mirrors to try: those in `LONGHAND_MODEL_MIRRORS`, separated by commas, otherwise the public ones.
 */
export function modelMirrors(setting: string | undefined): readonly string[] {
  const givenMirrors = (setting ?? '').split(',').map((mirror) => mirror.trim().replace(/(?<!\/)\/+$/, ''));
  const validMirrors = givenMirrors.filter(
    (mirror) => URL.canParse(mirror) && /^https?:$/.test(new URL(mirror).protocol),
  );
  return validMirrors.length > 0 ? validMirrors : publicMirrors;
}

/** Returns the addresses of a model's file, one per mirror. */
function fileUrls(mirrors: readonly string[], model: ModelId, { path }: PublishedFile): readonly string[] {
  const { repository, revision } = modelCatalog[model];
  return mirrors.map((mirror) => `${mirror}/${repository}/resolve/${revision}/${path}`);
}

/** Returns a model's files, smallest first, so that a broken mirror shows before much has been transferred. */
function filesToDownload(model: ModelId): readonly PublishedFile[] {
  return publishedFilesOf(model).toSorted((a, b) => a.sizeBytes - b.sizeBytes);
}
