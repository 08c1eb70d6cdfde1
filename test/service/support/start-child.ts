import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Target } from './api.ts';

/** How the service is to run in its own process. */
export interface ChildOptions {
  readonly dataFolder: string;
  readonly key: string;
  readonly partBytes: number;
  /** How often a job may be in work when the service is killed before it is given up; as usual when absent. */
  readonly maxCrashes?: number;
  /** How long the double of the engine takes for each second of sound. */
  readonly msPerSecond?: number;
  /** The certificate of servers on this computer that links may lead to; else links lead nowhere but to the Internet. */
  readonly ca?: string;
}

/** The service in a process of its own. */
export interface ServiceChild extends Target {
  readonly pid: number;
  /** What its memory is used for, right after a collection, so that only what is still held counts. */
  memory(): Promise<NodeJS.MemoryUsage>;
  /** Kills it as a power cut would; safe to call again. */
  kill(): Promise<void>;
}

/** Credits of the account of a {@link ServiceChild}. */
export const childCredits = 1000;

/** Starts the service in a process of its own, and waits until it listens. */
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
  if (stdout === null) throw new Error('the child says nothing');
  const [baseUrl] = await once(createInterface(stdout), 'line');
  return {
    baseUrl: String(baseUrl),
    key: options.key,
    pid: child.pid ?? 0,
    async memory() {
      const told = once(child, 'message');
      child.send('memory');
      const [usage] = await told;
      return usage as NodeJS.MemoryUsage;
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
