import { resolve } from 'node:path';
import { app, dialog } from 'electron';
import { ProblemError } from './contract/problem.ts';
import { Words } from './core/words.ts';
import { Keychain } from './shell/keychain.ts';
import { parseLaunch, sortRecordings } from './shell/launch.ts';
import { fileLogger } from './shell/logger.ts';
import { registerPageScheme, servePages } from './shell/pages.ts';
import { findPlaces } from './shell/places.ts';
import { confineContents } from './shell/security.ts';
import { SettingsStore } from './shell/settings.ts';
import { WindowProgram, type Handover } from './shell/window-program.ts';

/** The composition root: finds out what this start is for, and does that. */

const places = findPlaces();
const launch = parseLaunch(ownArguments());
registerPageScheme();
confineContents();
// Not awaited: Electron gets ready only after this module has run.
void (launch.kind === 'window' ? runWindow(launch.recordings) : Promise.reject(new Error('no commands yet')));

/** The arguments that follow the executable and, in a checkout, the project's folder. */
function ownArguments(): readonly string[] {
  if (app.isPackaged) return process.argv.slice(1);
  const project = process.argv.findIndex((arg, index) => index > 0 && !arg.startsWith('-'));
  return process.argv.slice(project + 1);
}

async function runWindow(recordings: readonly string[]): Promise<void> {
  const handover: Handover = sortRecordings(recordings, (path) => resolve(path));
  if (!app.requestSingleInstanceLock(handover)) {
    app.exit(0);
    return;
  }
  let program: WindowProgram | null = null;
  app.on('second-instance', (_event, _args, _folder, given) => void program?.add(given as Handover));
  app.on('window-all-closed', () => app.quit());
  app.on('before-quit', (event) => {
    if (program === null) return;
    event.preventDefault();
    const closing = program;
    program = null;
    void closing.close().finally(() => app.quit());
  });
  await app.whenReady();
  servePages(places.pages);
  try {
    const logger = fileLogger(places.dataFolder, false);
    program = new WindowProgram({
      places,
      settings: new SettingsStore(places.dataFolder),
      secrets: new Keychain(logger, null),
      logger,
    });
    await program.add(handover);
  } catch (error) {
    await explain(error);
  }
}

/** The program cannot start: says why, in words. */
async function explain(error: unknown): Promise<void> {
  const words = await Words.load();
  const problem =
    error instanceof ProblemError ? error.problem : { code: 'internal' as const, detail: String(error) };
  dialog.showErrorBox('Longhand', [words.problem(problem), problem.detail].join('\n\n'));
  app.exit(1);
}
