import { constants, type Stats } from 'node:fs';
import { lstat, realpath, type FileHandle } from 'node:fs/promises';
import { relative } from 'node:path';
import { openRegularFile } from '../media/open-file.ts';

// Not defined on Windows, where only administrators can create links by default.
const noFollow = (constants as { readonly O_NOFOLLOW?: number }).O_NOFOLLOW ?? 0;

/**
 * Returns what is known of a regular file in a watched folder; `null` for anything else. The folder may be a link, but
 * none below it is followed: it could lead to recordings that the user did not mean to send.
 *
 * @param root the folder
 */
export async function statInside(root: string, path: string): Promise<Stats | null> {
  try {
    const stats = await lstat(path);
    if (!stats.isFile()) return null;
    const [realRoot, realFile] = await Promise.all([realpath(root), realpath(path)]);
    return relative(realRoot, realFile) === relative(root, path) ? stats : null;
  } catch {
    return null;
  }
}

/** Opens a regular file of a watched folder; `null` if it is not one, or was replaced while it was being opened. */
export async function openInside(root: string, path: string): Promise<FileHandle | null> {
  if ((await statInside(root, path)) === null) return null;
  const handle = await openRegularFile(path, noFollow);
  try {
    const [opened, now] = await Promise.all([handle.stat(), statInside(root, path)]);
    if (now !== null && now.dev === opened.dev && now.ino === opened.ino) return handle;
  } catch (error) {
    await handle.close().catch(() => undefined);
    throw error;
  }
  await handle.close();
  return null;
}
