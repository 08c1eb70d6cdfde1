import { expect, it } from 'vitest';
import { simulate } from './simulation.ts';

const seeds = 500;
/** One test for so many, so that each stays within its time. */
const together = 50;

it.each(Array.from({ length: seeds / together }, (_, index) => index * together + 1))(
  'holds every rule in the seeds from %i on',
  async (first) => {
    const broken: string[] = [];
    for (let seed = first; seed < first + together; seed += 1) {
      const outcome = await simulate(seed);
      if (outcome.broken !== null) broken.push(`npm run simulate -- --seed ${seed}: ${outcome.broken}`);
    }
    expect(broken).toEqual([]);
  },
  300_000,
);

it('goes the same way again for the same seed', async () => {
  for (const seed of [7, 77, 777]) {
    const [one, two] = [await simulate(seed), await simulate(seed)];
    expect(one.trace.length).toBeGreaterThan(50);
    expect(two).toEqual(one);
  }
});
