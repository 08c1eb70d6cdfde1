import type { CommandLineSystem } from './command-line-system.ts';

/**
 * Replaces `-` among arguments with the lines of standard input, without empty ones. A list that contains the character
 * NUL is separated by it instead, as `find -print0` does, because names can contain line breaks.
 */
export async function expandStdinPaths(
  paths: readonly string[],
  { input }: Pick<CommandLineSystem, 'input'>,
): Promise<readonly string[]> {
  if (!paths.includes('-')) return paths;
  const stdin = await input.readAll();
  const lines = stdin.split(stdin.includes('\0') ? '\0' : /\r?\n/).filter((line) => line !== '');
  return paths.flatMap((name) => (name === '-' ? lines : [name]));
}
