import { constants, setPriority } from 'node:os';

/**
 * Lets the window and the main process have the processors first: for a thread whose result nobody waits for at every
 * moment. Linux alone knows priorities of threads; elsewhere it would be the whole process that steps back.
 */
export function stepBack(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Not allowed here: it works at the usual priority then.
  }
}
