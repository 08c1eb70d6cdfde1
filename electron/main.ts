import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { app } from 'electron';
import { openCacheFolder } from './shell/start/cache-folder.ts';
import { cacheCompiledCode } from './shell/window/compiled-code.ts';

/**
 * Loads the program from the compile cache of an earlier start: only this file is compiled each time. There is none
 * before the first start.
 *
 * Electron checks the archive of packages for macOS and Windows before it runs. A cache would bypass that check, so it is
 * disabled there, and in an AppImage, whose files have another path at each start, so that it would never match.
 */

const isArchiveChecked = app.isPackaged && process.platform !== 'linux';
const isAppImage = process.env['APPIMAGE'] !== undefined;

const override = process.env['LONGHAND_DATA'];
const dataFolder = override === undefined || override === '' ? app.getPath('userData') : resolve(override);

if (!isArchiveChecked && !isAppImage && existsSync(join(dataFolder, 'longhand.db'))) {
  // The names of all built files contain a hash of their content, and are in this file: its hash identifies the build.
  const content = hash('sha256', readFileSync(import.meta.filename)).slice(0, 16);
  const build = `${process.versions.electron}-${content}`;
  const cacheFolder = openCacheFolder(dataFolder);
  if (cacheFolder !== null) app.once('will-quit', cacheCompiledCode(join(cacheFolder, 'compiled'), build));
}

// Awaited: Electron becomes ready only after this module has run, and the program must configure it before that.
await import('./program.ts');
