import { simulate } from './simulation.ts';
import { parseArgs } from 'node:util';

/**
 * `npm run simulate -- --seeds 10000` runs this many seeds from `--from` on and prints those that break a rule;
 * `-- --seed N` replays one step by step.
 */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '500' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
  },
});

if (values.seed === undefined) {
  const first = Number(values.from);
  const last = first + Number(values.seeds) - 1;
  const failed: number[] = [];
  for (let seed = first; seed <= last; seed += 1) {
    const outcome = await simulate(seed);
    if (outcome.broken === null) continue;
    failed.push(seed);
    console.log(`seed ${seed}: ${outcome.broken}`);
  }
  console.log(`${last - first + 1} seeds, ${failed.length} broke a rule`);
  process.exitCode = failed.length === 0 ? 0 : 1;
} else {
  const { trace, broken } = await simulate(Number(values.seed));
  for (const line of trace) console.log(line);
  console.log(broken ?? 'all rules held');
  process.exitCode = broken === null ? 0 : 1;
}
