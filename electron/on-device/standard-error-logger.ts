import type { Logger } from '../core/ports.ts';

/** One line of JSON for each message on standard error, which the main process reads. */
export const standardErrorLogger: Logger = {
  debug: () => undefined,
  info: (message, details) => write('info', message, details),
  warn: (message, details) => write('warn', message, details),
  error: (message, details) => write('error', message, details),
};

function write(level: string, message: string, details?: Readonly<Record<string, unknown>>): void {
  process.stderr.write(`${JSON.stringify({ level, message, ...details }, errorAsText)}\n`);
}

/** JSON would make nothing of an error. */
function errorAsText(_key: string, value: unknown): unknown {
  return value instanceof Error ? (value.stack ?? String(value)) : value;
}
