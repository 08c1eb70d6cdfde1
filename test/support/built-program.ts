import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';

const project = resolve(import.meta.dirname, '../..');

/** The running program with its window on the tests' own display. */
export interface RunningProgram {
  readonly app: ElectronApplication;
  readonly page: Page;
  /** Kills it without a clean shutdown. */
  kill(): Promise<void>;
  /** Quits it unless it has exited already. */
  close(): Promise<void>;
}

/** The switches that Chromium needs in the test environment. */
export const chromiumSwitches = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ...(process.platform === 'linux' ? ['--disable-gpu'] : []),
];

/** Returns the environment of the program: it does not run as Node, and of Longhand's variables has only those of `more`. */
export function programEnvironment(more: Readonly<Record<string, string>>): Record<string, string> {
  const { ELECTRON_RUN_AS_NODE: _asNode, NODE_OPTIONS: _options, ...rest } = process.env;
  const defined = Object.entries(rest).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { ...Object.fromEntries(defined.filter(([name]) => !name.startsWith('LONGHAND_'))), ...more };
}

/** How to start the program. */
export interface StartOptions {
  /** A script that runs in the main process before the program; a package accepts none. */
  readonly preload?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** `checkout`: a package would ignore what the test sets, so the program of the checkout is started. */
  readonly needs?: 'checkout';
}

/**
 * Returns what opens the window: the program that `npm run test:all` has installed from a package, see
 * `test/installed-program.ts`, or else the built program of this checkout.
 */
function windowCommand({ preload, needs }: StartOptions): readonly [string, ...string[]] {
  const installed = process.env['LONGHAND_TEST_PROGRAM'];
  if (installed !== undefined && preload === undefined && needs === undefined)
    return [installed, ...chromiumSwitches];
  if (!existsSync(resolve(project, 'out/main/main.js')))
    throw new Error('The program is not built: npm run build');
  return [process.execPath, ...chromiumSwitches, ...(preload === undefined ? [] : ['-r', preload]), project];
}

/** Starts the program on a data folder, and waits for its window. */
export async function startProgram(dataFolder: string, options: StartOptions = {}): Promise<RunningProgram> {
  const [executablePath, ...args] = windowCommand(options);
  const app = await _electron.launch({
    executablePath,
    args,
    env: programEnvironment({ LONGHAND_DATA: dataFolder, ...options.environment }),
    timeout: 60_000,
  });
  // Playwright does not notice that a program has exited, so closing it may fail.
  const child = app.process();
  const page = await app.firstWindow();
  // V8's inspector drops an evaluation in the main process during which a minor garbage collection runs ("Resulting promise
  // was garbage collected"), and loading the modules causes one. Once the page has content, they are loaded.
  await page.locator('#root > *').first().waitFor({ state: 'attached' });
  return {
    app,
    page,
    kill: async () => {
      const ended = new Promise<void>((done) => {
        child.once('exit', () => done());
      });
      child.kill('SIGKILL');
      await ended;
    },
    close: async () => {
      if (child.exitCode === null && child.signalCode === null) await app.close();
    },
  };
}

/** Sends a command as the window does. Takes any name and input, because tests of refusals need it. */
export const invokeIn = (page: Page, name: string, input: unknown = undefined): Promise<unknown> =>
  page.evaluate(([command, value]) => window.longhand.invoke(command as never, value as never), [
    name,
    input,
  ] as const);

/** Gives files to the window, as dropping them does, so that commands may name them. They need not exist. */
export async function giveFiles(page: Page, files: readonly string[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { result } = await session.send('Runtime.evaluate', {
    expression: "Object.assign(document.createElement('input'), { type: 'file', multiple: true })",
  });
  const { objectId } = result;
  if (objectId === undefined) throw new Error('the page made no field for files');
  await session.send('DOM.setFileInputFiles', { files: [...files], objectId });
  await session.send('Runtime.callFunctionOn', {
    functionDeclaration: 'function () { for (const file of this.files) window.longhand.pathForFile(file); }',
    objectId,
  });
  await session.detach();
}

/** Copies a text as if the user had switched to another program, copied it there and come back. */
export const copyInOtherProgram = (app: ElectronApplication, text: string): Promise<void> =>
  app.evaluate(async ({ clipboard, BrowserWindow }, copied) => {
    for (const window of BrowserWindow.getAllWindows()) window.emit('blur');
    await clipboard.readText();
    await clipboard.writeText(copied);
    for (const window of BrowserWindow.getAllWindows()) window.emit('focus');
  }, text);

/**
 * Answers the questions that the main process asks in native dialogs, which cannot be driven, from now on.
 *
 * @param answer `no`: the first button; `yes`: the second
 */
export const answerQuestions = (app: ElectronApplication, answer: 'no' | 'yes'): Promise<void> =>
  app.evaluate(
    ({ dialog }, response) => {
      const asked: unknown[] = [];
      Object.assign(globalThis, { asked });
      dialog.showMessageBox = (async (_window: unknown, options: { detail?: string }) => {
        asked.push(options.detail);
        return { response, checkboxChecked: false };
      }) as typeof dialog.showMessageBox;
    },
    Number(answer === 'yes'),
  );

/** Returns the details of the questions that were asked since the last {@link answerQuestions}. */
export const askedQuestions = (app: ElectronApplication): Promise<unknown> =>
  app.evaluate(() => Reflect.get(globalThis, 'asked') as unknown);

/** Adds recordings to the queue, as the window does with what was dropped; a question is asked about links. */
export async function addRecordings(
  page: Page,
  paths: readonly string[],
  links: readonly string[] = [],
): Promise<void> {
  await giveFiles(page, paths);
  await invokeIn(page, 'queue.add', { paths, links });
}

/** Continues from the first start to the settings. */
export async function openSettings(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
}

/** Starts the program again on the same data folder, and returns its exit code. */
export async function startSecondInstance(
  dataFolder: string,
  ...args: readonly string[]
): Promise<number | null> {
  const [command, ...before] = windowCommand({});
  const child = spawn(command, [...before, ...args], {
    env: programEnvironment({ LONGHAND_DATA: dataFolder }),
    stdio: 'ignore',
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

/** Drops files on the window, as a file manager does. */
export async function dropFiles(page: Page, files: readonly string[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [...files], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: 400, y: 300, data });
  }
  await session.detach();
}

/**
 * Answers the next save dialogs with `path`.
 *
 * @throws where the program would replace a file without a question of a dialog of Linux
 */
export async function answerSaveDialog(app: ElectronApplication, path: string): Promise<void> {
  await app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = (async (_window: unknown, { properties = [] }: Electron.SaveDialogOptions) => {
      if (!properties.includes('showOverwriteConfirmation')) throw new Error('The dialog may replace files.');
      return { canceled: false, filePath };
    }) as typeof dialog.showSaveDialog;
  }, path);
}

/** Answers the next open dialogs with `path`. */
export async function answerOpenDialog(app: ElectronApplication, path: string): Promise<void> {
  await app.evaluate(({ dialog }, filePath) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [filePath] });
  }, path);
}
