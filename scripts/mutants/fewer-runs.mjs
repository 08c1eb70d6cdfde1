/**
 * Stands in for `fast-check` in the tests of a group whose properties take seconds: a change that no test notices costs
 * all of their runs. Properties run a share of them, but at least a few.
 */
import * as fc from 'fast-check';

export * from 'fast-check';

const share = Number(process.env['LONGHAND_MUTANT_RUNS'] ?? 1);
const minRuns = 5;
/** How often fast-check runs a property by default. */
const defaultRuns = 100;

/**
 * @template Ts
 * @param {fc.IRawProperty<Ts>} property
 * @param {fc.Parameters<Ts>} [options]
 */
export function assert(property, options) {
  const runs = options?.numRuns ?? defaultRuns;
  const numRuns = Math.min(runs, Math.max(minRuns, Math.round(runs * share)));
  return fc.assert(property, { ...options, numRuns });
}

export default { ...fc, assert };
