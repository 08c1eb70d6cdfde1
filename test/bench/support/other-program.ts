/**
 * Another program on the same computer, in its own process: sixty times a second it works for a few milliseconds, like a
 * window that is drawn. It responds to any message with its delays, and exits when its parent does.
 */
import { setTimeout as sleep } from 'node:timers/promises';

const frameMs = 1000 / 60;
const workMs = 4;

/** The delay of each piece of work, in milliseconds compared with an idle computer. */
export type Lateness = readonly number[];

const steps = calibrate();
let delays: number[] = [];
process.on('message', () => {
  process.send?.(delays satisfies Lateness);
  delays = [];
});
process.on('disconnect', () => process.exit());
process.send?.([] satisfies Lateness);
for (let dueAt = performance.now() + frameMs; ; dueAt = Math.max(dueAt + frameMs, performance.now())) {
  await sleep(Math.max(dueAt - performance.now(), 0));
  work(steps);
  delays.push(performance.now() - dueAt - workMs);
}

/** Returns how many steps take as long as the work should, from the fastest of several runs. */
function calibrate(): number {
  const testedSteps = 2_000_000;
  const times = Array.from({ length: 10 }, () => {
    const start = performance.now();
    work(testedSteps);
    return performance.now() - start;
  });
  return Math.round((testedSteps * workMs) / Math.min(...times));
}

function work(count: number): number {
  let state = 1;
  for (let i = 0; i < count; i++) state = Math.imul(state, 1_664_525) + 1_013_904_223;
  return state;
}
