import type { CommandLineSystem } from './command-line-system.ts';

/**
 * Replaces `-` among arguments with the lines of standard input, without empty ones. A list that contains the character
 * NUL is separated by it instead, as `find -print0` does, because names can contain line breaks.
 */
export async function expandStdinPaths(
  named: readonly string[],
  { input }: Pick<CommandLineSystem, 'input'>,
): Promise<readonly string[]> {
  if (!named.includes('-')) return named;
  const typed = await input.readAll();
  const lines = typed.split(typed.includes('\0') ? '\0' : /\r?\n/).filter((line) => line !== '');
  return named.flatMap((name) => (name === '-' ? lines : [name]));
}
