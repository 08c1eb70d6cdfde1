const baseMs = 1_000;
const maxJitterMs = 60_000;
const maxJitteredAttempts = 8;
const slowRetryMs = 300_000;

/**
 * How long to wait before the next attempt: full jitter over an exponential ceiling,
 * `random(0, min(60 s, 1 s * 2^n))`, and after 8 attempts one each 5 minutes.
 *
 * @param attempts failed attempts so far, at least 1.
 * @param random a number in [0, 1).
 * @param floorMs what the service asked for by `Retry-After`, if it did.
 * @returns milliseconds.
 */
export function backoffMs(attempts: number, random: number, floorMs: number | null): number {
  const wait =
    attempts > maxJitteredAttempts ? slowRetryMs : random * Math.min(maxJitterMs, baseMs * 2 ** attempts);
  return Math.max(Math.round(wait), floorMs ?? 0);
}
