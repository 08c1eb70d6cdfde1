import { constants, type Stats } from 'node:fs';
import { lstat, realpath, type FileHandle } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';
import { NotAFileError, openRegularFile } from './open-file.ts';

// `O_NOFOLLOW` is not defined on Windows, where only administrators can create links by default.
const noFollow = (constants as { readonly O_NOFOLLOW?: number }).O_NOFOLLOW ?? 0;

/**
 * Returns the stats of a regular file in a watched folder; `null` if something else is at its path. No symbolic link is followed,
 * neither the folder itself nor one below it: it could lead to recordings that the user did not mean to send.
 *
 * @param root the folder's real path
 * @throws the system's error, even for a missing file: a drive that fails for a moment must not look like another file.
 */
export async function statInside(root: string, path: string): Promise<Stats | null> {
  const stats = await lstat(path);
  if (!stats.isFile()) return null;
  return isBelow(root, path) && (await realpath(path)) === path ? stats : null;
}

/**
 * Opens a regular file of a watched folder.
 *
 * @throws NotAFileError if it is not one, is reached through a symbolic link, or was replaced while it was being
 *   opened; or the system's error.
 */
export async function openInside(root: string, path: string): Promise<FileHandle> {
  if ((await statInside(root, path)) === null) throw new NotAFileError(path);
  const handle = await openRegularFile(path, noFollow);
  try {
    const [opened, atPath] = await Promise.all([handle.stat(), statInside(root, path)]);
    if (atPath !== null && atPath.dev === opened.dev && atPath.ino === opened.ino) return handle;
    throw new NotAFileError(path);
  } catch (error) {
    await handle.close().catch(() => undefined);
    throw error;
  }
}

/** Whether a path is below a folder, judged by the paths alone: links are not resolved. */
export function isBelow(root: string, path: string): boolean {
  const below = relative(root, path);
  return below !== '' && below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below);
}
