import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { chromiumSwitches, programEnvironment } from './built-program.ts';

const project = resolve(import.meta.dirname, '../..');

export interface RunOptions {
  readonly dataFolder: string;
  /** The working directory. */
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** A script that runs in the main process before the program. */
  readonly preload?: string;
  /** A file that standard output goes to. */
  readonly redirect?: string;
}

export interface RunResult {
  /** `null` when it was killed. */
  readonly code: number | null;
  /** Standard output. */
  readonly output: string;
  /** Standard error. */
  readonly errors: string;
}

/** A running command of the built program. */
export interface RunningCommand {
  readonly pid: number | undefined;
  readonly ended: Promise<RunResult>;
  kill(signal: NodeJS.Signals): void;
  /** Resolves with the first line of standard output. */
  readonly firstLine: Promise<string>;
  /** Resolves once standard output contains a text. */
  readonly untilOutput: (text: string) => Promise<void>;
}

/** Starts a command of the built program, as in a shell without a display. */
export function startCommand(args: readonly string[], options: RunOptions): RunningCommand {
  const { dataFolder, folder, environment = {}, preload, redirect } = options;
  const switches = [...chromiumSwitches, '--ozone-platform=headless', '--log-level=3'];
  const preloadSwitches = preload === undefined ? [] : ['-r', preload];
  const programArguments = [...switches, ...preloadSwitches, project, ...args];
  const [program, words] =
    redirect === undefined
      ? [process.execPath, programArguments]
      : ['sh', ['-c', 'exec "$@" > "$0"', redirect, process.execPath, ...programArguments]];
  const child = spawn(program, words, {
    cwd: folder,
    env: programEnvironment({ LONGHAND_DATA: dataFolder, ...environment }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const untilOutput = (wanted: string): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => {
        if (printed.includes(wanted)) resolve();
      };
      child.stdout.on('data', check);
      check();
    });
  const firstLine = untilOutput('\n').then(() => printed.slice(0, printed.indexOf('\n')));
  const ended = Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]).then(
    ([[code], output, errors]) => ({ code: code as number | null, output, errors }),
  );
  return { pid: child.pid, ended, firstLine, untilOutput, kill: (signal) => void child.kill(signal) };
}

/** Runs a command of the built program until it exits. */
export function runCommand(args: readonly string[], options: RunOptions): Promise<RunResult> {
  return startCommand(args, options).ended;
}
