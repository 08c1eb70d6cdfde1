import { simulate } from './simulation.ts';

/**
 * Simulates consecutive seeds.
 *
 * @returns The command and the broken rule of each failed seed.
 */
export async function runSeeds(first: number, count: number): Promise<readonly string[]> {
  const failures: string[] = [];
  for (let seed = first; seed < first + count; seed += 1) {
    const outcome = await simulate(seed);
    if (outcome.broken !== null) failures.push(`npm run simulate -- --seed ${seed}: ${outcome.broken}`);
  }
  return failures;
}
