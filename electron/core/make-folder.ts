import { existsSync, mkdirSync, statSync, type MakeDirectoryOptions } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and its missing parents. Node's recursive `mkdir` loops forever where the system reports a new
 * folder as missing, as it does below `/proc`.
 *
 * @throws the system's error.
 */
export function makeFolder(folder: string, options: Pick<MakeDirectoryOptions, 'mode'> = {}): void {
  const missing = [folder];
  for (let path = dirname(folder); !existsSync(path) && dirname(path) !== path; path = dirname(path))
    missing.push(path);
  for (const path of missing.toReversed()) makeOneFolder(path, options);
}

/** Creates a folder, unless it exists. */
function makeOneFolder(path: string, options: Pick<MakeDirectoryOptions, 'mode'>): void {
  try {
    mkdirSync(path, options);
  } catch (error) {
    if (!(statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false)) throw error;
  }
}
