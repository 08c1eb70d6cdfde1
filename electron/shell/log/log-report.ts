import { readFile, writeFile } from 'node:fs/promises';
import { arch, platform, release } from 'node:os';
import { join } from 'node:path';

/** The log file of a data folder; electron-log keeps the one before it as `longhand.old.log`. */
export const logFile = (dataFolder: string, which: 'present' | 'before'): string =>
  join(dataFolder, 'logs', which === 'present' ? 'longhand.log' : 'longhand.old.log');

/**
 * Writes the log as one file that a person may send to somebody. What is private never got into it; see `logger.ts`.
 *
 * @throws the system's error when the file cannot be written.
 */
export async function saveLog(dataFolder: string, target: string, version: string): Promise<void> {
  const read = (which: 'present' | 'before'): Promise<string> =>
    readFile(logFile(dataFolder, which), 'utf8').catch(() => '');
  const [before, present] = await Promise.all([read('before'), read('present')]);
  const versions = `Electron ${process.versions['electron'] ?? '–'}, Node ${process.versions.node}`;
  const head = `Longhand ${version}, ${versions}, ${platform()} ${release()} ${arch()}\n\n`;
  await writeFile(target, head + before + present);
}
