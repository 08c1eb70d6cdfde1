const firstMs = 1_000;
const ceilingMs = 60_000;
const patientAttempts = 8;
const patientMs = 300_000;

/**
 * How long to wait before the next attempt: full jitter over an exponential ceiling,
 * `random(0, min(60 s, 1 s * 2^n))`, and after 8 attempts one each 5 minutes.
 *
 * @param attempts failed attempts so far, at least 1.
 * @param chance a number in [0, 1).
 * @param floorMs what the service asked for by `Retry-After`, if it did.
 * @returns milliseconds.
 */
export function backoffMs(attempts: number, chance: number, floorMs: number | null): number {
  const wait = attempts > patientAttempts ? patientMs : chance * Math.min(ceilingMs, firstMs * 2 ** attempts);
  return Math.max(Math.round(wait), floorMs ?? 0);
}
