const minMs = 1_000;
const maxMs = 3_600_000;

/**
 * Parses a `Retry-After` header: seconds or an HTTP date (RFC 9110, section 10.2.3), clamped to 1 s .. 1 h.
 *
 * @returns Milliseconds to wait from `nowMs`; `null` if the header is absent or invalid.
 */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  const value = header.trim();
  const waitMs = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : parseDate(value) - nowMs;
  if (Number.isNaN(waitMs)) return null;
  return Math.min(maxMs, Math.max(minMs, waitMs));
}

/** Returns Unix milliseconds, or NaN. V8 finds a date in nearly any text with a number, as in `-3`: a time of day is required. */
// oxlint-disable-next-line no-restricted-globals -- it parses a date and does not read the clock
const parseDate = (text: string): number => (/\d:\d/.test(text) ? Date.parse(text) : Number.NaN);
