import log from 'electron-log/node.js';
import type { Logger } from '../../core/ports.ts';
import { cleanDetails } from './log-cleaning.ts';
import { logFile } from './log-report.ts';

/** Two files of this size are kept. */
const largestBytes = 2 * 1024 * 1024;

/**
 * Writes the log file of the data folder. Nobody logs keys or texts; what comes by way of an error message is cut out
 * before it is written, so that the file may be sent to somebody as it is.
 */
export function fileLogger(folder: string): Logger {
  // It asks for a name even where it is not used.
  log.transports.file.setAppName('Longhand');
  log.transports.file.resolvePathFn = () => logFile(folder, 'present');
  log.transports.file.level = 'info';
  log.transports.file.maxSize = largestBytes;
  log.transports.console.level = false;
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

const write = (level: keyof Logger) => (message: string, details?: Readonly<Record<string, unknown>>) =>
  log[level](message, details === undefined ? '' : JSON.stringify(cleanDetails(details)));
