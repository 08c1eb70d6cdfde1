import type { TFunction } from 'i18next';
import type { Problem } from '../../electron/contract/problem.ts';

/** A problem in plain words: what happened, and the one thing to do. Never the bare code. */
export const problemWords = (t: TFunction, problem: Problem): string =>
  t(`problem.${problem.code}`, { ...problem.params });
