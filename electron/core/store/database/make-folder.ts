import { existsSync, mkdirSync, type MakeDirectoryOptions } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and its missing parents. Node's recursive `mkdir` loops forever where the system reports a new
 * folder as missing, as it does below `/proc`.
 *
 * @throws the system's error.
 */
export function makeFolder(folder: string, options: Pick<MakeDirectoryOptions, 'mode'> = {}): void {
  const missing: string[] = [];
  for (let path = folder; !existsSync(path) && dirname(path) !== path; path = dirname(path))
    missing.push(path);
  for (const path of missing.toReversed()) makeOne(path, options);
}

/** Creates a folder, unless another process has done so meanwhile. */
function makeOne(path: string, options: Pick<MakeDirectoryOptions, 'mode'>): void {
  try {
    mkdirSync(path, options);
  } catch (error) {
    if (!existsSync(path)) throw error;
  }
}
