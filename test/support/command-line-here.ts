import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { defaultExportChoices } from '../../electron/contract/export.ts';
import { presetRules } from '../../electron/contract/subtitle-rules.ts';
import { defaultSettings } from '../../electron/contract/settings.ts';
import type { ExitCode } from '../../electron/cli/exit-code.ts';
import { runCommandLine } from '../../electron/cli/run-command-line.ts';
import type { CommandLineSystem, CommandSettings } from '../../electron/cli/command-line-system.ts';
import {
  autoExportStyleFor,
  defaultAutoExports,
} from '../../electron/core/library/export/auto-export-writer.ts';
import type { Longhand } from '../../electron/core/longhand.ts';
import type { Diarize } from '../../electron/core/library/speaker-identification.ts';
import { ProblemError } from '../../electron/contract/problem.ts';
import type { Clock } from '../../electron/core/ports.ts';
import { Translator } from '../../electron/core/translator.ts';
import { systemClock, systemRandom } from '../../electron/core/system.ts';
import { ModelManager } from '../../electron/on-device/models/model-manager.ts';
import { workerUrl } from '../../electron/workers/registry.ts';
import { OwnFolderInspector } from '../../electron/on-device/models/own-folder-inspector.ts';
import { memorySecrets, openCore, quietLogger } from './core.ts';
import { jsonLines } from './json-lines.ts';
import { modelsFolder } from './speech/speech-audio.ts';
import { startOnDevice, type TestService, type TestServiceOptions } from './servers/on-device.ts';
import { testFolder } from './test-folder.ts';

const acceleration = 20;
/** Real milliseconds. */
const maxStepMs = 50;
let time = Date.now();
let lastRealTime = performance.now();

/**
 * Time that passes twenty times as fast, so that no poll takes three seconds. It hardly passes while a busy computer does not
 * run this process: one real second would become twenty, after which a program counts as dead.
 */
export const acceleratedClock: Clock = {
  now: () => {
    const realTime = performance.now();
    time += Math.min(realTime - lastRealTime, maxStepMs) * acceleration;
    lastRealTime = realTime;
    // Whole milliseconds, like every other clock.
    return Math.floor(time);
  },
  schedule: (delayMs, callback) => {
    const due = acceleratedClock.now() + delayMs;
    const timer = setTimeout(() => {
      time = Math.max(time, due);
      callback();
    }, delayMs / acceleration);
    return () => clearTimeout(timer);
  },
};

/** The settings of a user who has changed none. */
export const sampleSettings: CommandSettings = { ...defaultSettings, problem: null };

export interface CommandResult {
  readonly code: ExitCode;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output, parsed as one JSON object per line, each of which is in the schema. */
  readonly json: readonly Readonly<Record<string, unknown>>[];
}

export interface CommandOptions extends Partial<CommandLineSystem> {
  /** Standard input. */
  readonly typed?: string;
  /** Whether standard error is a terminal. */
  readonly terminal?: boolean;
  /** Finds out who speaks when; without it there are no models for that. */
  readonly diarize?: Diarize;
}

/**
 * The command line in this process on its own folder, with the real core and, over real HTTP, the real on-device
 * service. For the built program see `built-command.ts`.
 */
export interface CommandLine {
  /** The folder for recordings, which is also the working directory. */
  readonly folder: string;
  readonly dataFolder: string;
  readonly service: TestService;
  run(args: readonly string[], options?: CommandOptions): Promise<CommandResult>;
}

/** Speech and decoder are doubles; see `quick-speech.ts`. */
export async function startCommandLine(serviceOptions: TestServiceOptions = {}): Promise<CommandLine> {
  const root = await testFolder();
  const folder = join(root, 'work');
  await mkdir(folder);
  const dataFolder = join(root, 'data');
  let current: Longhand | null = null;
  const service = await startOnDevice({
    onFault: (problem) => current?.setBlockingProblem('on-device', problem),
    ...serviceOptions,
  });
  onTestFinished(() => service.stop());
  const translator = await Translator.load();
  const secrets = memorySecrets();

  const run = async (args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> => {
    const { typed = '', terminal = false, diarize, ...rest } = options;
    const createDiarizer = (): Diarize => {
      if (diarize === undefined) throw new ProblemError({ code: 'speaker_models_missing' });
      return diarize;
    };
    let stdout = '';
    let stderr = '';
    const system: CommandLineSystem = {
      version: '1.2.3',
      environment: {},
      workingFolder: folder,
      dataFolder,
      translator,
      clock: acceleratedClock,
      logger: quietLogger,
      printLog: () => undefined,
      random: systemRandom,
      stdin: { isTerminal: false, readAll: async () => typed, readHidden: async () => typed },
      stdout: {
        isTerminal: false,
        columns: 80,
        write: (text) => void (stdout += text),
        clearLine: () => undefined,
      },
      stderr: {
        isTerminal: terminal,
        columns: 80,
        write: (text) => void (stderr += text),
        clearLine: () => void (stderr += '\r\u001b[K'),
      },
      interrupted: new AbortController().signal,
      secrets,
      settings: () => sampleSettings,
      openCore: (keyStore, overrides, onLeaseLost, canStartNew = true) => {
        const longhand = openCore(dataFolder, {
          secrets: keyStore,
          onLeaseLost,
          canStartNew: () => canStartNew,
          defaultAutoExports: (chosen) => defaultAutoExports(system.settings(), chosen),
          hasAccount: async (address) =>
            system.settings().accounts.includes(address) || (await keyStore.get(address)) !== null,
          clock: acceleratedClock,
          createDiarizer,
          autoExportStyle: () =>
            autoExportStyleFor({ ...defaultExportChoices, ...overrides }, presetRules.broadcast),
        });
        current = longhand;
        return {
          longhand,
          startOnDevice: () => longhand.services.openOnDevice(service.baseUrl, service.key),
          createDiarizer: async () => createDiarizer(),
          checkModel: () => Promise.reject(new Error('not in this test')),
          close: () => longhand.close(),
        };
      },
      openModels: (access) =>
        new ModelManager({
          access,
          bundledFolder: modelsFolder,
          downloadFolder: join(dataFolder, 'models'),
          mirrors: [],
          clock: acceleratedClock,
          logger: quietLogger,
          ownFolders: new OwnFolderInspector(systemClock, workerUrl('own-folder')),
        }),
      forwardToWindow: () => {
        throw new Error('no window in this test');
      },
      serve: async () => {
        throw new Error('not in this test');
      },
      ...rest,
    };
    const code = await runCommandLine(args, system);
    return {
      code,
      stdout,
      stderr,
      get json() {
        return jsonLines(stdout);
      },
    };
  };
  return { folder, dataFolder, service, run };
}
