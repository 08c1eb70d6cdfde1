import { execFile } from 'node:child_process';
import { constants, existsSync } from 'node:fs';
import { access, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { errorMessage } from '../../contract/errors.ts';
import { ProblemError } from '../../contract/problem.ts';
import { delay } from '../../core/delay.ts';
import { readLeaseProgram } from '../../core/store/database/lease.ts';
import type { DoctorCommand } from '../cli-command.ts';
import type { CommandLineSystem } from '../command-line-system.ts';
import { modelMirrors } from '../../on-device/models/model-download.ts';
import { EnvironmentKey, checkKey, defaultService } from '../environment.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';
import { writeJson } from '../reporting/json-reporter.ts';
import { printable } from '../reporting/wording.ts';

/** The outcome of a check: what works, what is missing but not needed by everyone, and what stops the program. */
interface CheckResult {
  readonly result: 'ok' | 'advice' | 'failed';
  /** Below `cli.doctor` in the locale. */
  readonly messageKey: string;
  readonly values?: Readonly<Record<string, string | number>>;
}

type Check = (system: CommandLineSystem) => Promise<CheckResult>;

const bytesInGigabyte = 1_000_000_000;
/** Free bytes below which the disk may become full during a long recording, and below which nothing starts. */
const lowSpaceBytes = 5 * bytesInGigabyte;
const minSpaceBytes = bytesInGigabyte / 5;
/** Milliseconds that a server or a program may take to respond, and a user to unlock the keychain. */
const maxResponseMs = 10_000;
const maxKeychainMs = 60_000;

/** `longhand doctor`: checks what the program needs, and says what to do about what is missing. */
export async function doctor({ json }: DoctorCommand, system: CommandLineSystem): Promise<ExitCode> {
  const { stdout, translator } = system;
  let code: ExitCode = exitCode.done;
  for (const [name, check] of Object.entries<Check>(checks)) {
    const { result, messageKey, values } = await check(system).catch((error: unknown): CheckResult => ({
      result: 'failed',
      messageKey: 'broken',
      values: { reason: errorMessage(error) },
    }));
    if (system.interrupted.aborted) return exitCode.interrupted;
    if (result === 'failed') code = exitCode.someFailed;
    const message = translator.translate(`cli.doctor.${messageKey}`, { ...values });
    if (json) writeJson(stdout, { type: 'check', check: name, result, message });
    else stdout.write(`${translator.translate(`cli.doctor.${result}`).padEnd(7)} ${printable(message)}\n`);
  }
  return code;
}

const checks = {
  display: async ({ environment }) => {
    const hasDisplay =
      process.platform !== 'linux' ||
      Boolean(environment['DISPLAY']) ||
      Boolean(environment['WAYLAND_DISPLAY']);
    return hasDisplay
      ? { result: 'ok', messageKey: 'display' }
      : { result: 'advice', messageKey: 'display-none' };
  },
  permissions: async ({ dataFolder, clock }) => {
    const folder = nearestExistingFolder(dataFolder);
    const values = { folder: dataFolder };
    try {
      // With the dot, a file instead of the folder fails, too.
      await access(`${folder}/.`, constants.R_OK | constants.W_OK | constants.X_OK);
    } catch {
      return { result: 'failed', messageKey: 'folder-denied', values };
    }
    const program = readLeaseProgram(dataFolder, clock);
    return program === null
      ? { result: 'ok', messageKey: 'folder', values }
      : { result: 'ok', messageKey: 'folder-in-use', values };
  },
  disk: async ({ dataFolder }) => {
    const { bavail, bsize } = await statfs(nearestExistingFolder(dataFolder));
    const free = bavail * bsize;
    const values = { count: Math.floor(free / (bytesInGigabyte / 10)) / 10 };
    if (free < minSpaceBytes) return { result: 'failed', messageKey: 'disk-full', values };
    return free < lowSpaceBytes
      ? { result: 'advice', messageKey: 'disk-little', values }
      : { result: 'ok', messageKey: 'disk', values };
  },
  keychain: async ({ secrets, clock, interrupted }) => {
    // Only writing shows whether it works.
    const address = 'https://doctor.invalid';
    const isStored = async (): Promise<boolean> => {
      const { keptIn } = await secrets.set(address, 'test');
      await secrets.remove(address);
      return keptIn === 'keychain';
    };
    // A keychain that is locked may wait for a password that nobody enters.
    const answered = new AbortController();
    const ended = AbortSignal.any([interrupted, answered.signal]);
    const timeout = delay(clock, maxKeychainMs, ended).then(() => false);
    return (await Promise.race([isStored(), timeout]).finally(() => answered.abort()))
      ? { result: 'ok', messageKey: 'keychain' }
      : { result: 'advice', messageKey: 'keychain-none' };
  },
  ffmpeg: async () => {
    try {
      const { stdout } = await promisify(execFile)('ffmpeg', ['-version'], { timeout: maxResponseMs });
      return {
        result: 'ok',
        messageKey: 'ffmpeg',
        values: { version: /version (\S+)/.exec(stdout)?.[1] ?? '?' },
      };
    } catch {
      return { result: 'advice', messageKey: 'ffmpeg-none' };
    }
  },
  models: async (system) => {
    const models = system.openModels('read');
    try {
      const list = await models.list();
      const missing = list.filter(({ state }) => state.kind !== 'ready');
      const names = (entries: typeof list): string =>
        [...new Set(entries.map(({ name }) => name))].join(', ');
      if (missing.length === 0) return { result: 'ok', messageKey: 'models', values: { names: names(list) } };
      const result = missing.length === list.length ? 'failed' : 'advice';
      const values = { names: names(missing), model: missing[0]?.id ?? '' };
      return { result, messageKey: 'models-missing', values };
    } finally {
      await models.close();
    }
  },
  engine: async (system) => {
    const dataFolder = await mkdtemp(join(tmpdir(), 'longhand-doctor-'));
    try {
      const serving = await system.serve({
        kind: 'serve',
        host: '127.0.0.1',
        port: 0,
        dataFolder,
        key: null,
        credits: null,
        requestsPerMinute: null,
      });
      await serving.stop();
      return { result: 'ok', messageKey: 'engine' };
    } catch (error) {
      return { result: 'failed', messageKey: 'engine-failed', values: { reason: errorMessage(error) } };
    } finally {
      await rm(dataFolder, { recursive: true, force: true });
    }
  },
  network: async ({ interrupted, environment }) => {
    const address = modelMirrors(environment['LONGHAND_MODEL_MIRRORS'])[0] ?? '';
    const values = { address };
    try {
      const signal = AbortSignal.any([interrupted, AbortSignal.timeout(maxResponseMs)]);
      await fetch(address, { method: 'HEAD', signal });
      return { result: 'ok', messageKey: 'network', values };
    } catch {
      return { result: 'advice', messageKey: 'network-none', values };
    }
  },
  service: async (system) => {
    const service = defaultService(system);
    if (service === 'on-device') return { result: 'ok', messageKey: 'on-device' };
    const values = { service };
    const keys = new EnvironmentKey(system);
    keys.address = service;
    const key = await keys.get(service);
    if (key === null) return { result: 'failed', messageKey: 'service-key', values };
    try {
      await checkKey(system, service, key, maxResponseMs);
      return { result: 'ok', messageKey: 'service', values };
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      const reason = system.translator.problem(error.problem);
      return { result: 'failed', messageKey: 'service-failed', values: { ...values, reason } };
    }
  },
} as const satisfies Readonly<Record<string, Check>>;

/** Returns a folder or the nearest one above it that exists. */
function nearestExistingFolder(folder: string): string {
  const parent = dirname(folder);
  return existsSync(folder) || parent === folder ? folder : nearestExistingFolder(parent);
}
