import type { CommandLineSystem } from './command-line-system.ts';

/**
 * Replaces `-` among arguments with the lines of standard input, without empty ones. A list that contains the character
 * NUL is separated by it instead, as `find -print0` does, because names can contain line breaks.
 */
export async function expandStdinPaths(
  paths: readonly string[],
  { stdin }: Pick<CommandLineSystem, 'stdin'>,
): Promise<readonly string[]> {
  if (!paths.includes('-')) return paths;
  const text = await stdin.readAll();
  const lines = text.split(text.includes('\0') ? '\0' : /\r?\n/).filter((line) => line !== '');
  return paths.flatMap((name) => (name === '-' ? lines : [name]));
}
