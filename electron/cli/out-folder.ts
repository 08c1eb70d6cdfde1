import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { exportProblem } from '../core/library/export/write-files.ts';

/**
 * Creates the folder of `--out` before any work is done for it.
 *
 * @param folder as it was typed; `null`: none was given
 * @returns its absolute path
 * @throws ProblemError when it is not a folder or cannot be written to.
 */
export async function openOutFolder(folder: string | null, workingFolder: string): Promise<string | null> {
  if (folder === null) return null;
  const path = resolve(workingFolder, folder);
  try {
    await mkdir(path, { recursive: true });
    await access(path, constants.W_OK);
    return path;
  } catch (error) {
    throw exportProblem(folder, path, error);
  }
}
