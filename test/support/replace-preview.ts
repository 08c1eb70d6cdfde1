import { expect } from 'vitest';
import type { PatternProblem, ReplacePreview } from '../../electron/contract/replace.ts';

/** Returns what a search found that did not fail. */
export function foundIn(result: ReplacePreview | PatternProblem): ReplacePreview {
  if (!('groups' in result)) expect.fail(JSON.stringify(result));
  return result;
}
