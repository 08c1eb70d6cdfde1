import { app, dialog } from 'electron';
import { runCommand } from './command-line.ts';
import { ProblemError, type Problem } from './contract/problem.ts';
import { windowLanguage } from './contract/window-language.ts';
import { sortRecordings } from './core/media/links.ts';
import { programAt } from './core/store/folder-holder.ts';
import { systemClock } from './core/system.ts';
import { Words } from './core/words.ts';
import { closeOrGiveUp } from './shell/ending.ts';
import { leaveRecordings } from './shell/hand-over.ts';
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

/** The lock's message carries the whole command line and breaks beyond 32 KiB, for whoever holds it as well. */
const lockMessageBytes = 16 * 1024;

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
  // Opened first: it tells of a folder that cannot be written.
  const settings = new SettingsStore(places.dataFolder);
  const recordings = sortRecordings(given, process.cwd());
  const isRunning = programAt(places.dataFolder, systemClock) === 'window';
  if (isRunning || !app.requestSingleInstanceLock()) {
    if (given.length > 0) leaveRecordings(places.dataFolder, { ...recordings, ask: true });
    const fits = Buffer.byteLength(process.argv.join(' ')) < lockMessageBytes;
    // Asked for in vain, the lock brings the other window to the front.
    if (isRunning && fits) app.requestSingleInstanceLock();
    app.exit(0);
    return;
  }
  let program: WindowProgram | null = null;
  let end: 'not yet' | 'closing' | 'closed' = 'not yet';
  let wantedAgain = false;
  app.on('second-instance', () => {
    // While it closes there is nothing to show any more: it opens once more when it has.
    if (end === 'not yet') program?.show();
    else wantedAgain = true;
  });
  const opened: string[] = [];
  // macOS hands files over so, also before the program is ready.
  app.on('open-file', (event, path) => {
    event.preventDefault();
    if (program === null) opened.push(path);
    else void program.add({ paths: [path], links: [] });
  });
  app.on('activate', () => program?.show());
  // The program ends with its window, not with the last one: see there.
  app.on('window-all-closed', () => undefined);
  app.on('before-quit', (event) => {
    if (program === null || end === 'closed') return;
    event.preventDefault();
    if (end === 'closing') return;
    end = 'closing';
    const running = program;
    void closeOrGiveUp(() => running.close(), { clock: systemClock, logger }).finally(() => {
      end = 'closed';
      if (wantedAgain) app.relaunch({ args: process.argv.slice(1).filter((arg) => !given.includes(arg)) });
      app.quit();
    });
  });
  await app.whenReady();
  servePages(places.pages);
  const logger = fileLogger(places.dataFolder);
  process.on('unhandledRejection', (error) => logger.error('unhandled rejection', { error: String(error) }));
  const words = await Words.load(windowLanguage(settings.get().language, app.getPreferredSystemLanguages()));
  program = new WindowProgram({
    places,
    settings,
    secrets: new Keychain(logger),
    logger,
    words,
    onLost: (problem) => void explain(new ProblemError(problem)),
  });
  await program.add({ ...recordings, paths: [...recordings.paths, ...opened] });
}

/** The program cannot go on: says why, in words. */
async function explain(error: unknown): Promise<void> {
  const problem: Problem =
    error instanceof ProblemError ? error.problem : { code: 'internal', detail: String(error) };
  const words = (await spokenWords()).problem(problem);
  const text = problem.detail === undefined ? words : `${words}\n\n${problem.detail}`;
  if (launch.kind === 'command') process.stderr.write(`${text}\n`);
  else dialog.showErrorBox('Longhand', text);
  app.exit(1);
}

/** The words of somebody for whom no settings could be read. */
function spokenWords(): Promise<Words> {
  const preferred = app.isReady() ? app.getPreferredSystemLanguages() : [];
  return Words.load(launch.kind === 'command' ? 'en' : windowLanguage('system', preferred));
}
