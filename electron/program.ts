import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import { app, crashReporter, dialog, Menu, session } from 'electron';
import { exitCode } from './cli/exit-code.ts';
import { isCommand, optionNames } from './cli/command-table.ts';
import { ProblemError, type Problem } from './contract/problem.ts';
import { windowLanguage } from './contract/languages.ts';
import { splitRecordings, type RecordingInputs } from './core/media/links.ts';
import { makeFolder } from './core/make-folder.ts';
import { readLeaseProgram } from './core/store/database/lease.ts';
import { endsWithin } from './core/delay.ts';
import { storageProblem } from './core/storage-problem.ts';
import { systemClock } from './core/system.ts';
import type { Translator } from './core/translator.ts';
import { openCommandChannel } from './shell/commands/command-channel.ts';
import {
  isHeadless,
  userArguments,
  parseLaunch,
  refusedSwitch,
  relaunchWithoutDisplay,
} from './shell/start/launch-arguments.ts';
import { restrictWebContents, registerPageScheme, servePages, serveRecordings } from './shell/pages/pages.ts';
import { findAppPaths } from './shell/start/app-paths.ts';
import { openWindow } from './shell/window/window.ts';
import type { WindowProgram } from './shell/window/window-program.ts';

/**
 * The composition root: finds out what this start is for, and does that. What is loaded here is loaded before the window
 * opens; the rest is loaded while its page loads.
 */

/** The lock's message carries the whole command line; beyond 32 KiB it fails for both processes. */
const maxLockMessageBytes = 16 * 1024;
/** Milliseconds that the program waits for each step of its page. */
const maxPageWaitMs = 500;

/**
 * Variables that our dependencies act on: the keychain's loader runs any file, and chokidar polls folders at any interval.
 * The case does not matter on Windows.
 */
const steersDependencies = /^(?:NAPI_RS|CHOKIDAR)_/i;

const refused = refusedSwitch(process.argv.slice(1), optionNames, app.isPackaged);
if (refused !== null) {
  process.stderr.write(`Longhand does not start with ${refused}. Leave this option out.\n`);
  process.exit(exitCode.wrongUsage);
}
relaunchWithoutDisplay();
const environment = { ...process.env };
// Child processes and threads inherit the variables of this one, but must not get the key.
delete process.env['LONGHAND_API_KEY'];
// Otherwise Node.js accepts any certificate. Other programs need this variable, so the user may have set it everywhere.
delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
for (const name of Object.keys(process.env)) if (steersDependencies.test(name)) delete process.env[name];
// Later versions of ONNX Runtime for Linux and macOS send telemetry without it; see docs/security.md for Windows.
process.env['ORT_DISABLE_TELEMETRY'] = '1';
// Otherwise the processes and threads of a package run compiled code from a folder that others may write to. Tests use one.
if (app.isPackaged) delete process.env['NODE_COMPILE_CACHE'];
// Otherwise Windows looks for programs, such as ffmpeg, in the working folder before the PATH: a recording that is opened
// in a folder of somebody else would start theirs.
process.env['NoDefaultCurrentDirectoryInExePath'] = '1';
const launch = parseLaunch(userArguments(process.argv, app.isPackaged), !isHeadless(), (first) =>
  isCommand(first, existsSync),
);
const appPaths = findAppPaths(launch.kind);
// Otherwise Chromium stores a key, which encrypts nothing here, in the keychain; without a keychain, the system asks the
// user at the first start to create one.
if (process.platform === 'linux') app.commandLine.appendSwitch('password-store', 'basic');
// Crash dumps stay on this computer; Chromium deletes old ones.
app.setPath('crashDumps', join(appPaths.dataFolder, 'crashes'));
crashReporter.start({ uploadToServer: false });
// Electron would show its own dialog, in English, and continue in an unknown state.
process.on('uncaughtException', (error) => void reportFatalError(error));
// Notifications and the taskbar on Windows know the program by the id of its shortcut.
app.setAppUserModelId('app.longhand');
registerPageScheme({ cachesCode: appPaths.cacheFolder !== null });
restrictWebContents();
// The program sets its own menu; without this, Electron would create one first.
Menu.setApplicationMenu(null);
// Not awaited: Electron becomes ready only after this module has run.
void start().catch(reportFatalError);

async function start(): Promise<void> {
  if (launch.kind !== 'command') return runWindow(launch.recordings);
  const { runWithoutWindow } = await import('./command-line.ts');
  await runWithoutWindow(launch.args, environment, appPaths);
}

async function runWindow(inputs: readonly string[]): Promise<void> {
  // First, because the lock below needs a folder that can be written to.
  assertWritable(appPaths.dataFolder);
  const recordings = splitRecordings(inputs, process.cwd());
  const isRunning = readLeaseProgram(appPaths.dataFolder, systemClock) === 'window';
  if (isRunning || !app.requestSingleInstanceLock()) return handOver(recordings, isRunning);
  let program: WindowProgram | null = null;
  let state: 'running' | 'asking' | 'closing' | 'closed' = 'running';
  const isOpen = (): boolean => state === 'running' || state === 'asking';
  let restartsAfterClose = false;
  const showOrRestart = (): void => {
    // A program that is closing has no window to show: it starts again once it has closed.
    if (isOpen()) program?.show();
    else restartsAfterClose = true;
  };
  app.on('second-instance', showOrRestart);
  const openedFiles: string[] = [];
  // macOS passes files this way, even before the program is ready.
  app.on('open-file', (event, path) => {
    event.preventDefault();
    if (program === null) openedFiles.push(path);
    else if (isOpen()) void program.add({ paths: [path], links: [] });
    else {
      // A program that is closing adds nothing more: the next one does.
      restartsAfterClose = true;
      void leaveForWindow({ paths: [path], links: [] });
    }
  });
  app.on('activate', showOrRestart);
  // The program ends with its window (`shell/window/window-lifecycle.ts`), not with the decoder's page.
  app.on('window-all-closed', () => undefined);
  app.on('before-quit', (event) => {
    if (program === null || state === 'closed') return;
    event.preventDefault();
    if (state === 'running') void close(program);
  });
  const close = async (opened: WindowProgram): Promise<void> => {
    state = 'asking';
    if (!(await opened.prepareToQuit())) {
      state = 'running';
      return;
    }
    state = 'closing';
    await opened.close().finally(() => {
      state = 'closed';
      if (restartsAfterClose) restart();
      app.quit();
    });
  };
  await app.whenReady();
  // By default it is among Chromium's own files in the data folder.
  if (appPaths.cacheFolder !== null)
    session.defaultSession.setCodeCachePath(join(appPaths.cacheFolder, 'page'));
  const page = Promise.withResolvers<void>();
  const script = Promise.withResolvers<void>();
  servePages(appPaths.pages, (path) => (path.endsWith('.js') ? script : page).resolve());
  const setCommandHandler = openCommandChannel();
  const setRecordingLookup = serveRecordings();
  const opened = openWindow({ preload: appPaths.windowPreload, icon: join(appPaths.pages, 'window.png') });
  try {
    // In turn with the page, which needs the same processor: the modules are loaded while the page's process starts, and
    // the data is opened while the page's script runs.
    await endsWithin(page.promise, maxPageWaitMs, systemClock);
    const { startWindow } = await import('./window-start.ts');
    await endsWithin(script.promise, maxPageWaitMs, systemClock);
    const onLeaseLost = (problem: Problem): void => void reportFatalError(new ProblemError(problem));
    program = await startWindow({ opened, setCommandHandler, setRecordingLookup, appPaths, onLeaseLost });
  } catch (error) {
    opened.window.destroy();
    throw error;
  }
  // The page keeps only its reading positions, in `localStorage`; nothing deletes what a page stores elsewhere.
  void session.defaultSession.clearStorageData({ storages: ['cachestorage', 'filesystem', 'indexdb'] });
  hasTakenRecordings = true;
  await program.add({ ...recordings, paths: [...recordings.paths, ...openedFiles] });
}

/**
 * Hands recordings to the window that is open already, brings it to the front, and ends this process.
 *
 * @param isRunning whether the lease on the data folder has shown that a window is open; if so, the lock was not requested.
 */
async function handOver(recordings: RecordingInputs, isRunning: boolean): Promise<void> {
  if (recordings.paths.length + recordings.links.length > 0) await leaveForWindow(recordings);
  const fitsMessage = Buffer.byteLength(process.argv.join(' ')) < maxLockMessageBytes;
  // The failed request for the lock brings the other window to the front.
  if (isRunning && fitsMessage) app.requestSingleInstanceLock();
  app.exit(0);
}

/** Leaves recordings for the window that is open, or for the next one. */
async function leaveForWindow(recordings: RecordingInputs): Promise<void> {
  const { handOverRecordings } = await import('./shell/start/hand-over.ts');
  handOverRecordings(appPaths.dataFolder, { ...recordings, command: null });
}

/** @throws ProblemError `data_folder_unwritable`. */
function assertWritable(folder: string): void {
  try {
    makeFolder(folder, { mode: 0o700 });
    accessSync(folder, constants.W_OK);
  } catch (cause) {
    throw new ProblemError(
      { code: 'data_folder_unwritable', params: { folder }, detail: String(cause) },
      { cause },
    );
  }
}

let isEnding = false;
/** Whether the window has been given the recordings that the program was started with. */
let hasTakenRecordings = false;

/** Shows why the program cannot start or continue, and exits. Nothing is lost: everything worth keeping is on disk. */
async function reportFatalError(error: unknown): Promise<void> {
  // Errors after the first one are its consequences.
  if (isEnding) return;
  isEnding = true;
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const known = storageProblem(error);
  const problem: Problem = known.code === 'internal' ? { code: 'internal', detail } : known;
  const translator = await systemTranslator();
  const message = translator.problem(problem);
  const text = problem.detail === undefined ? message : `${message}\n\n${problem.detail}`;
  const { fileLogger } = await import('./shell/logger.ts');
  fileLogger(appPaths.dataFolder).error('the program ends', { code: problem.code, error: detail });
  if (launch.kind === 'command') {
    const { printableOutput } = await import('./cli/reporting/wording.ts');
    const { terminalOutput } = await import('./shell/start/terminal.ts');
    printableOutput(terminalOutput(process.stderr)).write(`${text}\n`);
  } else if (problem.code === 'internal' || !app.isReady()) dialog.showErrorBox('Longhand', text);
  else if (asksToTryAgain(translator, message, problem.detail)) restart();
  // As a command that meets it elsewhere: standard output may be a file on a full disk.
  app.exit(problem.code === 'internal' || launch.kind !== 'command' ? 1 : exitCode.needsUser);
}

/** Shows a problem that the user can solve; returns whether to try again. Blocks, like an error box: nothing may continue meanwhile. */
function asksToTryAgain(translator: Translator, message: string, detail = ''): boolean {
  const response = dialog.showMessageBoxSync({
    type: 'error',
    title: 'Longhand',
    message,
    detail,
    buttons: [translator.translate('action.tryAgain'), translator.translate('menu.quit')],
    defaultId: 0,
    cancelId: 1,
    noLink: true,
  });
  return response === 0;
}

/** Starts the program again once this process has ended, without the recordings that it has taken. */
function restart(): void {
  const taken = hasTakenRecordings && launch.kind !== 'command' ? launch.recordings : [];
  app.relaunch({ args: process.argv.slice(1).filter((arg) => !taken.includes(arg)) });
}

/** Returns a translator for the system's language, and not that of the settings, which may be unreadable. */
async function systemTranslator(): Promise<Translator> {
  const { Translator } = await import('./core/translator.ts');
  const preferred = app.isReady() ? app.getPreferredSystemLanguages() : [];
  return Translator.load(launch.kind === 'command' ? 'en' : windowLanguage('system', preferred));
}
