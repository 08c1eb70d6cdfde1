import { hash } from 'node:crypto';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

/**
 * Returns the folder for what the program stores and later runs: compiled code and updates. It is in the user's own folder
 * for caches, and not in the data folder: that may be on a drive that others write to, or be somebody else's, and V8 runs
 * compiled code as it is.
 *
 * @param dataFolder each has its own caches, because Chromium's cannot be shared by programs that run at the same time.
 */
export function cacheFolder(dataFolder: string): string {
  return join(userCaches(), 'longhand', hash('sha256', resolve(dataFolder)).slice(0, 16));
}

function userCaches(): string {
  const { platform, env } = process;
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches');
  const named = env[platform === 'win32' ? 'LOCALAPPDATA' : 'XDG_CACHE_HOME'] ?? '';
  if (isAbsolute(named)) return named;
  return platform === 'win32' ? join(homedir(), 'AppData', 'Local') : join(homedir(), '.cache');
}
