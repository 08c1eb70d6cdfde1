import { fork } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs this program again with more arguments, and returns what it sends to its parent: memory and processor time are
 * those of one measurement, and native modules are loaded once.
 */
export async function inOwnProcess<T>(args: readonly string[]): Promise<T> {
  const [, program = '', ...given] = process.argv;
  const child = fork(program, [...given, ...args]);
  let found: T | undefined;
  child.on('message', (message: T) => {
    found = message;
  });
  const [code] = await once(child, 'exit');
  if (code !== 0 || found === undefined) throw new Error(`The measurement with ${args.join(' ')} failed.`);
  return found;
}
