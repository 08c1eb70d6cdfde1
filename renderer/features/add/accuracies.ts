import type { Accuracy } from '../../../electron/contract/choices.ts';

/** All accuracies, the quickest first. */
export const accuracies = ['fast', 'balanced', 'accurate'] as const satisfies readonly Accuracy[];
