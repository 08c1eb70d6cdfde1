import { hash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { makeFolder } from '../../core/make-folder.ts';

/**
 * Creates and returns the folder for what the program stores and later runs: compiled code and updates. It is in the
 * user's own folder for caches, and not in the data folder: that may be on a drive that others write to, or be somebody
 * else's, and V8 runs compiled code as it is.
 *
 * @param dataFolder each has its own caches, because Chromium's cannot be shared by programs that run at the same time.
 * @returns `null` if another user can write there, or it cannot be created: then no code may be stored.
 */
export function openCacheFolder(dataFolder: string): string | null {
  const folder = join(userCaches(), 'longhand', hash('sha256', resolve(dataFolder)).slice(0, 16));
  try {
    makeFolder(folder, { mode: 0o700 });
    return isPrivate(folder) && isPrivate(dirname(folder)) ? folder : null;
  } catch {
    return null;
  }
}

/** Permissions of groups and others to write. */
const writableByOthers = 0o022;

/**
 * Whether only this user can write to a folder that the program makes: the user's folder for caches may be a shared one,
 * where somebody else could have made it. Windows has other permissions, which are inherited from the user's own folders.
 */
function isPrivate(folder: string): boolean {
  const { uid, mode } = lstatSync(folder);
  return process.getuid === undefined || (uid === process.getuid() && (mode & writableByOthers) === 0);
}

function userCaches(): string {
  const { platform, env } = process;
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches');
  const named = env[platform === 'win32' ? 'LOCALAPPDATA' : 'XDG_CACHE_HOME'] ?? '';
  if (isAbsolute(named)) return named;
  return platform === 'win32' ? join(homedir(), 'AppData', 'Local') : join(homedir(), '.cache');
}
