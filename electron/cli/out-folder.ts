import { constants } from 'node:fs';
import { access, mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { errorCode } from '../contract/errors.ts';
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
    await makeFolders(path);
    await access(path, constants.W_OK);
    return path;
  } catch (error) {
    throw exportProblem(folder, path, error);
  }
}

/**
 * Does what `makeFolder` does, for the same reason, without blocking: on a drive that hangs, the command must be
 * interruptible.
 */
async function makeFolders(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT' && (await isMissing(dirname(path)))) {
      await makeFolders(dirname(path));
      await makeFolders(path);
    } else if (!(await stat(path).catch(() => null))?.isDirectory()) throw error;
  }
}

const isMissing = (path: string): Promise<boolean> =>
  stat(path).then(
    () => false,
    (error: unknown) => errorCode(error) === 'ENOENT',
  );
