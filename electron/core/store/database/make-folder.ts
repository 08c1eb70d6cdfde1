import { existsSync, mkdirSync, type MakeDirectoryOptions } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it that are not there. Node's own way of doing so goes round and round for ever where
 * the system says of a new folder that it is not there, as it does below `/proc`.
 *
 * @throws the system's error.
 */
export function makeFolder(folder: string, options: Pick<MakeDirectoryOptions, 'mode'> = {}): void {
  const missing: string[] = [];
  for (let path = folder; !existsSync(path) && dirname(path) !== path; path = dirname(path))
    missing.push(path);
  for (const path of missing.toReversed()) makeOne(path, options);
}

/** Another process may have made it meanwhile. */
function makeOne(path: string, options: Pick<MakeDirectoryOptions, 'mode'>): void {
  try {
    mkdirSync(path, options);
  } catch (error) {
    if (!existsSync(path)) throw error;
  }
}
