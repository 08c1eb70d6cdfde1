import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { backupFolderOf, backupsOf } from './backups.ts';

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
