import { join } from 'node:path';
import log from 'electron-log/node.js';
import type { Logger } from '../core/ports.ts';

/** Writes the log file of the data folder. Nobody logs keys or texts. */
export function fileLogger(folder: string): Logger {
  // It asks for a name even where it is not used.
  log.transports.file.setAppName('Longhand');
  log.transports.file.resolvePathFn = () => join(folder, 'logs', 'longhand.log');
  log.transports.file.level = 'info';
  log.transports.console.level = false;
  return {
    debug: (message, details) => log.debug(message, details ?? ''),
    info: (message, details) => log.info(message, details ?? ''),
    warn: (message, details) => log.warn(message, details ?? ''),
    error: (message, details) => log.error(message, details ?? ''),
  };
}
