import { existsSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join, resolve } from 'node:path';
import { app } from 'electron';

/**
 * Loads the program, compiled as it was at an earlier start: this file is all that is compiled each time. What was
 * compiled lies in the data folder, which nobody else can write to; there is none before the first start.
 *
 * Packages for macOS and Windows have their archive checked by Electron before it runs. What is compiled elsewhere would
 * go past that check, so they do without.
 */

const isArchiveChecked = app.isPackaged && process.platform !== 'linux';

const named = process.env['LONGHAND_DATA'];
const dataFolder = named === undefined || named === '' ? app.getPath('userData') : resolve(named);

if (!isArchiveChecked && existsSync(join(dataFolder, 'longhand.db'))) {
  enableCompileCache(join(dataFolder, 'compiled'));
  app.once('will-quit', () => flushCompileCache());
}

// Awaited: Electron gets ready only after this module has run, and the program has to say some things before that.
await import('./program.ts');
