import type { Problem } from '../../contract/problem.ts';
import type { Words } from '../../core/words.ts';
import { shown } from './shown.ts';

/** What went wrong with something of this name, as lines for people. */
export function problemLines(name: string, problem: Problem, words: Words): readonly string[] {
  const line = `${shown(name)}: ${words.problem(problem)}`;
  return problem.detail === undefined ? [line] : [line, `  ${shown(problem.detail)}`];
}
