import { hash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { lstat, opendir, realpath } from 'node:fs/promises';
import { dirname, relative, sep } from 'node:path';
import { errorCode } from '../../contract/errors.ts';
import { ProblemError, type Problem } from '../../contract/problem.ts';
import { openInside, statInside } from '../media/file-inside.ts';
import { pathProblem } from '../media/open-file.ts';
import { ContentHashes, fingerprintOf } from '../media/fingerprint.ts';
import { inspectFile } from '../media/inspect-files.ts';
import { hasMediaExtension } from '../media/detect-media.ts';
import { isVisibleName } from '../media/walk.ts';
import { isSameContent } from '../queue/adding/duplicates.ts';
import type { KnownRecording } from '../store/items/items-by-content.ts';
import type { SeenFile } from '../store/watch-store.ts';
import type { StableFile } from './pending-files.ts';

/** Returns why a folder must not be or cannot be listed; `null` if it can be. @param path its real path */
export async function folderProblem(path: string): Promise<Problem | null> {
  try {
    await (await opendir(path)).close();
    return (await realpath(path)) === path ? null : { code: 'folder_is_link', params: { path } };
  } catch (error) {
    return pathProblem(path, error);
  }
}

/**
 * Returns the real path of a folder that the user has chosen: if a link leads elsewhere later, other recordings would be
 * sent.
 *
 * @throws ProblemError when there is none.
 */
export async function realFolder(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    throw new ProblemError(pathProblem(path, error));
  }
}

/** Whether nothing is in a folder, as far as is known. */
export async function isEmptyFolder(path: string): Promise<boolean> {
  try {
    const folder = await opendir(path);
    try {
      return (await folder.read()) === null;
    } finally {
      await folder.close();
    }
  } catch {
    return true;
  }
}

/** Whether a path of a folder, or one of its parents in the folder, is among the paths that could not be read. */
export function isBelowUnreadable(unreadable: ReadonlySet<string>, root: string, path: string): boolean {
  for (let parent = path; parent.length >= root.length; parent = dirname(parent)) {
    if (unreadable.has(parent)) return true;
    if (dirname(parent) === parent) return false;
  }
  return false;
}

/** Compares files in one check of a folder. Each is read at most once, however many have the same fingerprint. */
export class FileComparison {
  readonly #hashes: ContentHashes;
  readonly #fingerprints = new Map<string, string | null>();

  constructor(signal: AbortSignal) {
    this.#hashes = new ContentHashes(signal);
  }

  /**
   * Whether a file has the same content as one of `others`, which had its fingerprint when they were seen. One that is
   * gone or has changed since counts as the same if it is not known what was sent: what may have been paid for is not
   * added again.
   */
  async isKnown(
    { path, mtimeMs }: StableFile,
    fingerprint: string,
    others: readonly KnownRecording[],
  ): Promise<boolean> {
    for (const other of others) {
      const { location, contentHash } = other;
      if (contentHash === null && (await this.#fingerprintOf(location)) !== fingerprint) return true;
      if (await isSameContent({ kind: 'file', path, mtimeMs, fingerprint }, other, this.#hashes, true))
        return true;
    }
    return false;
  }

  async #fingerprintOf(path: string | null): Promise<string | null> {
    if (path === null) return null;
    const known = this.#fingerprints.get(path);
    if (known !== undefined) return known;
    const inspected = await inspectFile(path);
    const fingerprint = inspected.kind === 'rejected' ? null : inspected.fingerprint;
    this.#fingerprints.set(path, fingerprint);
    return fingerprint;
  }
}

/** Whether an error concerns a single entry, such as a symbolic link to itself. */
export const concernsOneEntry = (error: unknown): boolean =>
  ['ELOOP', 'ENAMETOOLONG'].includes(errorCode(error));

/** Whether something other than a link is or may be at a path. */
export async function mayExist(path: string): Promise<boolean> {
  try {
    return !(await lstat(path)).isSymbolicLink();
  } catch (error) {
    return errorCode(error) !== 'ENOENT';
  }
}

/** Reads a file that is already in a watched folder; `null` if it is gone, unreadable, a symbolic link or not a file. */
export async function readExisting(root: string, path: string): Promise<SeenFile | null> {
  const stats = await statInside(root, path).catch(() => null);
  if (stats === null) return null;
  const file = { path, sizeBytes: stats.size, mtimeMs: stats.mtimeMs };
  const fingerprint = await fingerprintInside(root, file);
  return fingerprint === null ? null : { ...file, fingerprint, itemId: null };
}

/** Returns the fingerprint of a file in a watched folder; `null` if it is gone, unreadable or a symbolic link. */
export async function fingerprintInside(
  root: string,
  { path, sizeBytes }: StableFile,
): Promise<string | null> {
  const handle = await openInside(root, path).catch(() => null);
  if (handle === null) return null;
  try {
    return await fingerprintOf(handle, sizeBytes);
  } catch {
    return null;
  } finally {
    // Closing a file on a drive that is gone may fail too.
    await handle.close().catch(() => undefined);
  }
}

/** Files that are not larger have no sample: it must not be in the header, which changes when a recording grows. */
const minSampledBytes = 128 * 1024;
const sampleBytes = 4096;

/**
 * Returns the hash of the middle of a file in a watched folder when it had `sizeBytes`: it stays the same while the file
 * only grows. `null` if it had too few, or cannot be read.
 */
export async function sampleInside(root: string, path: string, sizeBytes: number): Promise<string | null> {
  if (sizeBytes <= minSampledBytes) return null;
  const handle = await openInside(root, path).catch(() => null);
  if (handle === null) return null;
  try {
    const middle = Math.floor((sizeBytes - sampleBytes) / 2);
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(sampleBytes), 0, sampleBytes, middle);
    return bytesRead === sampleBytes ? hash('sha256', buffer) : null;
  } catch {
    return null;
  } finally {
    // Closing a file on a drive that is gone may fail too.
    await handle.close().catch(() => undefined);
  }
}

/** Whether to watch a path: not links, hidden entries, system files and files without the extension of a recording. */
export function isWatched(root: string, path: string, stats: Stats | undefined): boolean {
  const relativePath = relative(root, path);
  if (relativePath === '') return true;
  if (stats?.isSymbolicLink() === true || !relativePath.split(sep).every(isVisibleName)) return false;
  return stats?.isFile() !== true || hasMediaExtension(path);
}
