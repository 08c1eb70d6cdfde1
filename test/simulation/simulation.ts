import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BrokenRule } from './broken-rule.ts';
import { World } from './world.ts';

export interface Outcome {
  /** One line for each event. */
  readonly trace: readonly string[];
  /** The broken rule, or another error; `null` when all rules held. */
  readonly broken: string | null;
}

/** Memory where possible: commits are free, and a simulated crash loses no committed bytes in memory either. */
const fastFolder = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
const faultSteps = 150;
/** Items that have not ended after this many steps never will. */
const maxFinalSteps = 20_000;
/** How often the user retries failed and blocked items; after that they have to be done. */
const retryRounds = 4;

/** Runs one seed: random faults for a while, then no faults until nothing is left to do. */
export async function simulate(seed: number): Promise<Outcome> {
  const folder = await mkdtemp(join(fastFolder, 'longhand-simulation-'));
  const world = new World(seed, folder);
  try {
    for (let step = 0; step < faultSteps; step += 1) await world.runRandomEvent();
    await world.endFaults();
    let steps = 0;
    for (let round = 0; round < retryRounds; round += 1) {
      while (!world.isQuiet() && steps < maxFinalSteps) {
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
    await world.close();
    await rm(folder, { recursive: true, force: true });
  }
}
