import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { exportProblem } from '../core/library/export/write-files.ts';

/** Returns the absolute path of the folder of `--out` as it was typed; `null` without one. */
export const outFolderPath = (folder: string | null, workingFolder: string): string | null =>
  folder === null ? null : resolve(workingFolder, folder);

/**
 * Creates the folder of `--out`. Call it before any work, so that an unusable folder is reported early, but after the
 * checks that may refuse the command, which would leave an empty folder.
 *
 * @param folder as it was typed; `null`: none was given
 * @returns its absolute path
 * @throws ProblemError when it is not a folder or cannot be written to.
 */
export async function openOutFolder(folder: string | null, workingFolder: string): Promise<string | null> {
  const path = outFolderPath(folder, workingFolder);
  if (folder === null || path === null) return null;
  try {
    // Not `makeFolder`, which blocks: on a drive that hangs, the command must be interruptible.
    await mkdir(path, { recursive: true });
    await access(path, constants.W_OK);
    return path;
  } catch (error) {
    throw exportProblem(folder, path, error);
  }
}
