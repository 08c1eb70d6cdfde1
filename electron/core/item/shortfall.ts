import type { Shortfall } from '../../contract/queue-commands.ts';

// Encoders pad the end, and services round: less than this does not indicate damage.
const minMissingSeconds = 10;
const minMissingPart = 0.05;

/**
 * Returns how much of a recording could not be read, if that is enough to be sure of it.
 *
 * @param durationSeconds the duration according to the service; `null` if unknown
 * @param fileSeconds the duration that the file states; `null` if it does not
 * @param unreadableSeconds how much the service could not read, inside or outside of `durationSeconds`; `null` if it does not report that
 */
export function shortfallOf(
  durationSeconds: number | null,
  fileSeconds: number | null | undefined,
  unreadableSeconds: number | null | undefined,
): Shortfall | null {
  if (durationSeconds === null) return null;
  const statedSeconds = Math.max(durationSeconds, fileSeconds ?? 0);
  // Where players count frames, as in MP3, what is lost is not part of the duration, and must not count twice.
  const readSeconds = Math.max(0, Math.min(durationSeconds, statedSeconds - (unreadableSeconds ?? 0)));
  const missing = statedSeconds - readSeconds;
  return missing >= minMissingSeconds && missing >= statedSeconds * minMissingPart
    ? { readSeconds, statedSeconds }
    : null;
}
