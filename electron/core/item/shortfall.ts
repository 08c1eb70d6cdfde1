import type { Shortfall } from '../../contract/queue-commands.ts';

// Encoders pad the end, and services round: less than this does not indicate damage.
const minMissingSeconds = 10;
const minMissingPart = 0.05;
/** What the service reports as unreadable was not rounded. */
const minUnreadableSeconds = 5;

/**
 * Returns how much of a recording could not be read, if that is enough to be sure of it.
 *
 * @param durationSeconds the duration according to the service; `null` if unknown
 * @param fileSeconds the duration that the file states; `null` if it does not
 * @param unreadableSeconds how much of `durationSeconds` the service could not read; `null` if it does not report that
 */
export function shortfallOf(
  durationSeconds: number | null,
  fileSeconds: number | null | undefined,
  unreadableSeconds: number | null | undefined,
): Shortfall | null {
  if (durationSeconds === null) return null;
  const statedSeconds = Math.max(durationSeconds, fileSeconds ?? 0);
  const readSeconds = Math.max(0, durationSeconds - (unreadableSeconds ?? 0));
  const missing = statedSeconds - readSeconds;
  const isSure =
    (unreadableSeconds ?? 0) >= minUnreadableSeconds ||
    (missing >= minMissingSeconds && missing >= statedSeconds * minMissingPart);
  return isSure ? { readSeconds, statedSeconds } : null;
}

/**
 * Returns the duration of the intact recording: what the file states, or more if the service left out more of it; `null` if
 * neither is known.
 */
export function intactSeconds(
  fileSeconds: number | null | undefined,
  {
    durationSeconds,
    omittedSeconds,
  }: { readonly durationSeconds: number | null; readonly omittedSeconds?: number | undefined },
): number | null {
  if (omittedSeconds === undefined || durationSeconds === null) return fileSeconds ?? null;
  return Math.max(fileSeconds ?? 0, durationSeconds + omittedSeconds);
}
