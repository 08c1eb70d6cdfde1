/**
 * Another program on the same computer, in a process of its own: sixty times a second it has a few milliseconds to work,
 * like a window that is drawn. It is asked for what it did with any message, and ends when the other side does.
 */
import { setTimeout as sleep } from 'node:timers/promises';

const frameMs = 1000 / 60;
const workMs = 4;

/** How late each piece of work was done, in milliseconds after it could have been with the computer to itself. */
export type Lateness = readonly number[];

const steps = calibrate();
let late: number[] = [];
process.on('message', () => {
  process.send?.(late satisfies Lateness);
  late = [];
});
process.on('disconnect', () => process.exit());
process.send?.([] satisfies Lateness);
for (let due = performance.now() + frameMs; ; due = Math.max(due + frameMs, performance.now())) {
  await sleep(Math.max(due - performance.now(), 0));
  work(steps);
  late.push(performance.now() - due - workMs);
}

/** How many steps take as long as the work should, by the quickest of several tries. */
function calibrate(): number {
  const tried = 2_000_000;
  const times = Array.from({ length: 10 }, () => {
    const start = performance.now();
    work(tried);
    return performance.now() - start;
  });
  return Math.round((tried * workMs) / Math.min(...times));
}

function work(count: number): number {
  let state = 1;
  for (let i = 0; i < count; i++) state = Math.imul(state, 1_664_525) + 1_013_904_223;
  return state;
}
