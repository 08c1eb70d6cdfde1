import type { Problem } from '../../contract/problem.ts';
import type { Words } from '../../core/words.ts';
import { printable } from './printable.ts';

/** What went wrong with something of this name, as lines for people. */
export function problemLines(name: string, problem: Problem, words: Words): readonly string[] {
  const line = `${printable(name)}: ${words.problem(problem)}`;
  return problem.detail === undefined ? [line] : [line, `  ${printable(problem.detail)}`];
}
