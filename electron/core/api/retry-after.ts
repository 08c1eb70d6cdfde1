const minMs = 1_000;
const maxMs = 3_600_000;

/**
 * Parses a `Retry-After` header: seconds or an HTTP date (RFC 9110, section 10.2.3), clamped to 1 s .. 1 h.
 *
 * @returns Milliseconds to wait from `nowMs`; `null` if the header is absent or invalid.
 */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | null {
  const value = header?.trim() ?? '';
  if (value === '') return null;
  // oxlint-disable-next-line no-restricted-globals -- it parses a date and does not read the clock
  const wait = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value) - nowMs;
  if (Number.isNaN(wait)) return null;
  return Math.min(maxMs, Math.max(minMs, wait));
}
