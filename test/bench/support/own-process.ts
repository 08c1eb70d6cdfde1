import { fork } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs this program again with more arguments, and returns what it sends to its parent. So memory and processor time
 * are those of one measurement, and native modules are loaded once.
 */
export async function inOwnProcess<T>(args: readonly string[]): Promise<T> {
  const [, program = '', ...givenArgs] = process.argv;
  const child = fork(program, [...givenArgs, ...args]);
  let result: T | undefined;
  child.on('message', (message: T) => {
    result = message;
  });
  const [code] = await once(child, 'exit');
  if (code !== 0 || result === undefined) throw new Error(`The measurement with ${args.join(' ')} failed.`);
  return result;
}
