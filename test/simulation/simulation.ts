import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BrokenRule } from './broken-rule.ts';
import { World } from './world.ts';

export interface Outcome {
  /** Everything that happened, a line each. */
  readonly trace: readonly string[];
  /** The rule that was broken, or what else went wrong; `null`: all held. */
  readonly broken: string | null;
}

/** Where memory serves as a disk: a simulated crash loses no committed bytes there either, and commits cost nothing. */
const fastFolder = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
const chaosSteps = 150;
/** What is not over by then never will be. */
const lastSteps = 20_000;
/** So often the user tries again what failed or waits for them; then it has to be done. */
const retries = 4;

/** Runs one seed: chaos for a while, then fair weather until nothing happens any more. */
export async function simulate(seed: number): Promise<Outcome> {
  const folder = await mkdtemp(join(fastFolder, 'longhand-simulation-'));
  const world = new World(seed, folder);
  try {
    for (let step = 0; step < chaosSteps; step += 1) await world.chaos();
    await world.clearUp();
    let steps = 0;
    for (let round = 0; round < retries; round += 1) {
      while (!world.isQuiet() && steps < lastSteps) {
        await world.step();
        steps += 1;
      }
      await world.tryAgain();
    }
    world.checkEnd();
    return { trace: world.trace, broken: null };
  } catch (error) {
    const broken =
      error instanceof BrokenRule ? error.message : String(error instanceof Error ? error.stack : error);
    return { trace: world.trace, broken };
  } finally {
    await world.end();
    await rm(folder, { recursive: true, force: true });
  }
}
