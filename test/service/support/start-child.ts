import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Interruption } from '../../../electron/on-device/jobs/work-log.ts';
import type { Target } from './api.ts';

/** Options of the service's process. */
export interface ChildOptions {
  readonly dataFolder: string;
  readonly key: string;
  readonly partBytes: number;
  /** How many crashes during a job make it fail; the default when absent. */
  readonly maxCrashes?: number;
  /** What ended the previous run; a crash of the service when absent. */
  readonly interruption?: Interruption;
  /** Milliseconds that the engine double takes per second of audio. */
  readonly msPerSecond?: number;
  /** How many sentences of a second each the engine double returns; see `sentencesOf`. */
  readonly sentences?: number;
  /** The certificate of servers on this computer that links may lead to; without it, links only lead to the Internet. */
  readonly ca?: string;
}

/** The service in its own process. */
export interface ServiceChild extends Target {
  readonly pid: number;
  /** Its memory right after a garbage collection, so that only retained memory counts. */
  memory(): Promise<NodeJS.MemoryUsage>;
  /** Kills it like a power cut; safe to call twice. */
  kill(): Promise<void>;
}

/** Credits of the account of a {@link ServiceChild}. */
export const childCredits = 1000;

/** Starts the service in its own process, and waits until it listens. */
export async function startChild(options: ChildOptions): Promise<ServiceChild> {
  const child = spawn(
    process.execPath,
    ['--expose-gc', join(import.meta.dirname, 'service-child.ts'), JSON.stringify(options)],
    {
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    },
  );
  const exited = once(child, 'exit');
  const { stdout } = child;
  if (stdout === null) throw new Error('the child has no standard output');
  const [baseUrl] = await once(createInterface(stdout), 'line');
  return {
    baseUrl: String(baseUrl),
    key: options.key,
    pid: child.pid ?? 0,
    async memory() {
      const response = once(child, 'message');
      child.send('memory');
      const [usage] = await response;
      return usage as NodeJS.MemoryUsage;
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
