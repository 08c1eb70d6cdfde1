import { expect, it } from 'vitest';
import { runSeeds } from './run-seeds.ts';
import { simulate } from './simulation.ts';

it('keeps every rule in 50 seeds', async () => {
  expect(await runSeeds(1, 50)).toEqual([]);
});

it('has the same trace for the same seed', async () => {
  for (const seed of [7, 77, 777]) {
    const [one, two] = [await simulate(seed), await simulate(seed)];
    expect(one.trace.length).toBeGreaterThan(50);
    expect(two).toEqual(one);
  }
});
