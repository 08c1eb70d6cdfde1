import log from 'electron-log/node.js';
import type { Logger } from '../core/ports.ts';
import { redactDetails } from './log-redaction.ts';
import { readFile, writeFile } from 'node:fs/promises';
import { arch, platform, release } from 'node:os';
import { join } from 'node:path';
import { format } from 'node:util';

/** The size of each of the two files that are kept. */
const maxFileBytes = 2 * 1024 * 1024;

/**
 * Writes the log file of the data folder. No code logs keys or texts; what error messages contain is redacted before it
 * is written, so that the file can be shared unchanged.
 */
export function fileLogger(folder: string): Logger {
  // electron-log requires a name even where it does not use it.
  log.transports.file.setAppName('Longhand');
  log.transports.file.resolvePathFn = () => logFile(folder, 'current');
  log.transports.file.level = 'info';
  log.transports.file.maxSize = maxFileBytes;
  log.transports.console.level = false;
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

const write =
  (level: keyof Logger) =>
  (message: string, details?: Readonly<Record<string, unknown>>): void => {
    if (level === 'debug' && log.transports.console.level === false) return;
    log[level](message, details === undefined ? '' : JSON.stringify(redactDetails(details)));
  };

/** Passes every line to `print` from now on, including debug messages, which the file does not get. */
export function printLog(print: (line: string) => void): void {
  log.transports.console.level = 'debug';
  log.transports.console.format = '{h}:{i}:{s}.{ms} {level} {text}';
  log.transports.console.writeFn = ({ message }) => print(format(...(message.data as unknown[])).trimEnd());
}

/** Returns the path of the log file of a data folder; electron-log keeps the one before it as `longhand.old.log`. */
const logFile = (dataFolder: string, which: 'current' | 'previous'): string =>
  join(dataFolder, 'logs', which === 'current' ? 'longhand.log' : 'longhand.old.log');

/**
 * Writes the log as one file for the user to share. Private data never gets into it; see {@link fileLogger}.
 *
 * @throws the system's error when the file cannot be written.
 */
export async function saveLog(dataFolder: string, target: string, version: string): Promise<void> {
  const read = (which: 'current' | 'previous'): Promise<string> =>
    readFile(logFile(dataFolder, which), 'utf8').catch(() => '');
  const [previous, current] = await Promise.all([read('previous'), read('current')]);
  const versions = `Electron ${process.versions['electron'] ?? '–'}, Node ${process.versions.node}`;
  const head = `Longhand ${version}, ${versions}, ${platform()} ${release()} ${arch()}\n\n`;
  await writeFile(target, head + previous + current);
}
