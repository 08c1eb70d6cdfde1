import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, type MakeDirectoryOptions } from 'node:fs';
import { dirname, join } from 'node:path';
import { backupFolderOf, backupsOf } from './backups.ts';

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

/** The sticky bit; it marks folders that everyone may write to, such as /tmp. */
const stickyBit = 0o1000;
const databaseFile = /^longhand\.db(-wal|-shm)?$/;

/**
 * Lets only this user read a data folder, its database and its backups, which may have been created by other means. A
 * folder of another user, or on a drive without permissions, stays unchanged. Windows has other permissions, which are
 * inherited from the user's own folders.
 */
export function restrictToOwner(folder: string): void {
  if (process.platform === 'win32') return;
  const names = readdirSync(folder).filter((name) => databaseFile.test(name));
  const files = [...names.map((name) => join(folder, name)), ...readableBackups(folder)];
  for (const [path, mode] of [
    [folder, 0o700] as const,
    [backupFolderOf(folder), 0o700] as const,
    ...files.map((path) => [path, 0o600] as const),
  ]) {
    try {
      if ((statSync(path).mode & stickyBit) === 0) chmodSync(path, mode);
    } catch {
      // Not ours to change.
    }
  }
}

/** A backup folder that cannot be read must not prevent a start. */
function readableBackups(folder: string): readonly string[] {
  try {
    return backupsOf(folder);
  } catch {
    return [];
  }
}
