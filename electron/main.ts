import { app, dialog } from 'electron';
import { runCommand } from './command-line.ts';
import { ProblemError, type Problem } from './contract/problem.ts';
import { sortRecordings, type NamedRecordings } from './core/media/links.ts';
import { Words } from './core/words.ts';
import { isHeadless, relaunchWithoutDisplay } from './shell/headless.ts';
import { Keychain } from './shell/keychain.ts';
import { ownArguments, parseLaunch } from './shell/launch.ts';
import { fileLogger } from './shell/logger.ts';
import { registerPageScheme, servePages } from './shell/pages.ts';
import { findPlaces } from './shell/places.ts';
import { confineContents } from './shell/security.ts';
import { SettingsStore } from './shell/settings.ts';
import { WindowProgram } from './shell/window-program.ts';

/** The composition root: finds out what this start is for, and does that. */

relaunchWithoutDisplay();
const launch = parseLaunch(ownArguments(process.argv, app.isPackaged), !isHeadless());
const places = findPlaces(launch.kind);
registerPageScheme();
confineContents();
// Not awaited: Electron gets ready only after this module has run.
void (launch.kind === 'command' ? runCommand(launch.args, places) : runWindow(launch.recordings)).catch(
  explain,
);

async function runWindow(given: readonly string[]): Promise<void> {
  const recordings = sortRecordings(given, process.cwd());
  if (!app.requestSingleInstanceLock(recordings)) {
    // The first start has taken them over.
    app.exit(0);
    return;
  }
  let program: WindowProgram | null = null;
  app.on('second-instance', (_event, _args, _folder, handedOver) => {
    void program?.add(handedOver as NamedRecordings);
  });
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
  const logger = fileLogger(places.dataFolder, false);
  program = new WindowProgram({
    places,
    settings: new SettingsStore(places.dataFolder),
    secrets: new Keychain(logger),
    logger,
  });
  await program.add(recordings);
}

/** The program cannot start: says why, in words. */
async function explain(error: unknown): Promise<void> {
  const problem: Problem =
    error instanceof ProblemError ? error.problem : { code: 'internal', detail: String(error) };
  const words = (await Words.load()).problem(problem);
  dialog.showErrorBox('Longhand', problem.detail === undefined ? words : `${words}\n\n${problem.detail}`);
  app.exit(1);
}
