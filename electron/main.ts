import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { app } from 'electron';
import { keepCompiledCode } from './shell/window/compiled-code.ts';

/**
 * Loads the program, compiled as it was at an earlier start: this file is all that is compiled each time. What was
 * compiled lies in the data folder, which nobody else can write to; there is none before the first start.
 *
 * Packages for macOS and Windows have their archive checked by Electron before it runs. What is compiled elsewhere would
 * go past that check, so they do without. So does an AppImage: its files are somewhere else at each start, and would be
 * taken for others.
 */

const isArchiveChecked = app.isPackaged && process.platform !== 'linux';
const isAppImage = process.env['APPIMAGE'] !== undefined;

const named = process.env['LONGHAND_DATA'];
const dataFolder = named === undefined || named === '' ? app.getPath('userData') : resolve(named);

if (!isArchiveChecked && !isAppImage && existsSync(join(dataFolder, 'longhand.db'))) {
  // Built, this file has the others' names in it, and these tell of their content: it stands for the whole build.
  const content = hash('sha256', readFileSync(import.meta.filename)).slice(0, 16);
  const build = `${process.versions.electron}-${content}`;
  app.once('will-quit', keepCompiledCode(join(dataFolder, 'compiled'), build));
}

// Awaited: Electron gets ready only after this module has run, and the program has to say some things before that.
await import('./program.ts');
