import type { Shortfall } from '../../contract/queue-commands.ts';

// Encoders pad the end, and services round: less than this does not indicate damage.
const minMissingSeconds = 10;
const minMissingPart = 0.05;
/** The service does not round the seconds that it could not read, so fewer of them are enough. */
const minUnreadableSeconds = 5;

/**
 * Returns how much of a recording was read and how long it is, if it is certain that something is missing; otherwise
 * `null`.
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
 * Returns how long the recording would be if it were intact: what the file states, or what the service read and omitted
 * together if that is more; `null` if neither is known.
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
