import type { Accuracy } from '../../../electron/contract/options.ts';

/** All accuracies, the quickest first. */
export const accuracies = ['fast', 'balanced', 'accurate'] as const satisfies readonly Accuracy[];
