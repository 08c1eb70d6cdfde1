import type { Shortfall } from '../../contract/queue-commands.ts';

// Encoders pad the end, and services round: less than this does not indicate damage.
const minMissingSeconds = 10;
const minMissingPart = 0.05;

/**
 * Returns how much of a recording could not be read, if that is enough to be sure of it.
 *
 * @param readSeconds the duration according to the service; `null` if unknown
 * @param statedSeconds the duration that the file states; `null` if it does not
 */
export function shortfallOf(
  readSeconds: number | null,
  statedSeconds: number | null | undefined,
): Shortfall | null {
  if (readSeconds === null || statedSeconds === null || statedSeconds === undefined) return null;
  const missing = statedSeconds - readSeconds;
  return missing >= minMissingSeconds && missing >= statedSeconds * minMissingPart
    ? { readSeconds, statedSeconds }
    : null;
}
