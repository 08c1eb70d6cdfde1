import { expect, it } from 'vitest';
import { runSeeds } from './run-seeds.ts';

/** Seeds 1 to 50 are in `simulation.test.ts`. */
it.each([51, 101, 151, 201, 251, 301, 351, 401, 451])(
  'keeps every rule in 50 seeds from %i',
  async (first) => {
    expect(await runSeeds(first, 50)).toEqual([]);
  },
);
