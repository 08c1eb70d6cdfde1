import { flushCompileCache } from 'node:module';
import { join, resolve } from 'node:path';
import { app } from 'electron';
import type { ServeCommand } from './cli/cli-command.ts';
import { exitCode } from './cli/exit-code.ts';
import { runCommandLine } from './cli/run-command-line.ts';
import type { CommandLineSystem, StandaloneService } from './cli/command-line-system.ts';
import { makeFolder } from './core/make-folder.ts';
import { Translator } from './core/translator.ts';
import { openCore, openModels } from './shell/open-core.ts';
import { assertKeyForPublicHost } from './on-device/service-options.ts';
import { DecoderPage } from './shell/pages/decoder-page.ts';
import { waitUntilIdle, exitAtOnce, maxShutdownMs } from './shell/window/shutdown.ts';
import { handOverRecordings, takeReply, withdraw } from './shell/start/hand-over.ts';
import { Keychain } from './shell/keychain.ts';
import { fileLogger, printLog } from './shell/logger.ts';
import { startOnDeviceChild } from './shell/on-device/on-device-child.ts';
import { servePages } from './shell/pages/pages.ts';
import { downloadedModelsFolder, type AppPaths } from './shell/start/app-paths.ts';
import { SettingsStore } from './shell/settings-store.ts';
import { systemClock, systemRandom } from './core/system.ts';
import { readLeaseId } from './core/store/database/lease.ts';
import { terminalInput, terminalOutput } from './shell/start/terminal.ts';

/** A signal and a request to quit within this many milliseconds count as one request. */
const duplicateSignalMs = 1_000;

/**
 * Runs the command line in a process without a window, and ends the process with the exit code.
 *
 * @param environment the variables that the program was started with.
 */
export async function runWithoutWindow(
  args: readonly string[],
  environment: CommandLineSystem['environment'],
  appPaths: AppPaths,
): Promise<void> {
  const interrupted = new AbortController();
  let interruptedAt = 0;
  const interrupt = (): void => {
    const now = systemClock.now();
    // A second request exits at once; one request may arrive as a signal and as a quit.
    if (interrupted.signal.aborted && now - interruptedAt > duplicateSignalMs)
      exitAtOnce(exitCode.interrupted);
    if (interrupted.signal.aborted) return;
    interruptedAt = now;
    // A drive that hangs would block the exit. Everything worth keeping is always on disk.
    systemClock.schedule(maxShutdownMs, () => exitAtOnce(exitCode.interrupted));
    interrupted.abort(new Error('stopped by the user'));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
  // Electron turns the same signals into a request to quit.
  app.on('before-quit', (event) => {
    event.preventDefault();
    interrupt();
  });
  // The decoder's page is a window that opens and closes: its end must not end the program.
  app.on('window-all-closed', () => undefined);
  await app.whenReady();
  servePages(appPaths.pages);
  const output = { stdout: terminalOutput(process.stdout), stderr: terminalOutput(process.stderr) };
  const system = await commandLineSystem(environment, appPaths, interrupted.signal);
  const code = await runCommandLine(args, { ...system, ...output });
  await Promise.all([output.stdout.flush(), output.stderr.flush()]);
  const isIdle = await waitUntilIdle(systemClock);
  flushCompileCache();
  // Windows has no exit code otherwise. Elsewhere nothing of Chromium is torn down: soon after its start, that aborts the
  // process now and then, although the command is done.
  if (isIdle && process.platform === 'win32') app.exit(code);
  else exitAtOnce(code);
}

async function commandLineSystem(
  environment: CommandLineSystem['environment'],
  appPaths: AppPaths,
  interrupted: AbortSignal,
): Promise<Omit<CommandLineSystem, 'stdout' | 'stderr'>> {
  const logger = fileLogger(appPaths.dataFolder);
  // Otherwise Electron prints them to the terminal.
  process.on('unhandledRejection', (error) => logger.error('unhandled rejection', { error: String(error) }));
  let settings: SettingsStore | null = null;
  const readSettings = (): SettingsStore => (settings ??= new SettingsStore(appPaths.dataFolder));
  return {
    version: app.getVersion(),
    environment,
    workingFolder: process.cwd(),
    dataFolder: appPaths.dataFolder,
    translator: await Translator.load(),
    clock: systemClock,
    logger,
    printLog,
    random: systemRandom,
    workersFolder: appPaths.workersFolder,
    stdin: terminalInput,
    interrupted,
    secrets: new Keychain(logger),
    settings: () => ({ ...readSettings().get(), problem: readSettings().problem }),
    openCore: (secrets, overrides, onLeaseLost, canStartNew = true) =>
      openCore({
        appPaths,
        program: 'command-line',
        settings: readSettings(),
        secrets,
        overrides,
        logger,
        canStartNew: () => canStartNew,
        onLeaseLost,
      }),
    openModels: (access) => openModels(appPaths, logger, access),
    forwardToWindow: (recordings, choices) => {
      const window = readLeaseId(appPaths.dataFolder, systemClock);
      const reply = handOverRecordings(appPaths.dataFolder, { ...recordings, command: { window, choices } });
      return { takeReply: () => takeReply(reply), withdraw: () => withdraw(reply) };
    },
    serve: (command) => serve(command, appPaths),
  };
}

async function serve(command: ServeCommand, appPaths: AppPaths): Promise<StandaloneService> {
  // Before a key is generated: a service that other computers can reach needs a key that the user chose.
  assertKeyForPublicHost(command.host, command.key ?? '');
  const folder =
    command.dataFolder === null ? join(appPaths.dataFolder, 'serve') : resolve(command.dataFolder);
  makeFolder(folder, { mode: 0o700 });
  const decoder = new DecoderPage(appPaths);
  const child = startOnDeviceChild({
    entry: appPaths.onDeviceEntry,
    service: {
      host: command.host,
      port: command.port,
      dataFolder: folder,
      modelsFolder: appPaths.modelsFolder,
      downloadedModelsFolder: downloadedModelsFolder(appPaths),
      // Other programs can be its clients.
      embedded: false,
      // No other process outlives a stand-alone service to tell a crash from a normal exit, so every earlier end that left
      // a job in progress counts as a crash.
      interruption: 'crash',
      credits: command.credits,
      requestsPerMinute: command.requestsPerMinute,
      ...(command.key === null ? {} : { key: command.key }),
    },
    decoder,
    logger: fileLogger(appPaths.dataFolder),
  });
  const { baseUrl, key, credits } = await child.listening;
  return {
    address: baseUrl,
    key,
    credits,
    ended: child.ended.then(({ detail }) => detail),
    stop: async () => {
      await child.stop();
      decoder.close();
    },
  };
}
