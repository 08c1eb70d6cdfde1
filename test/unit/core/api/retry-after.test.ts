import { describe, expect, it } from 'vitest';
import { parseRetryAfter } from '../../../../electron/core/api/retry-after.ts';

const now = Date.parse('2026-11-21T10:00:00Z');

describe('Retry-After', () => {
  it.each([
    ['seconds', '3', 3_000],
    ['seconds with fractions', '2.25', 2_250],
    ['seconds between spaces', ' 3 ', 3_000],
    ['an HTTP date', 'Sat, 21 Nov 2026 10:00:30 GMT', 30_000],
    ['an ISO date', '2026-11-21T10:00:30Z', 30_000],
    ['less than a second', '0', 1_000],
    ['a date gone by', 'Sat, 21 Nov 2026 09:00:00 GMT', 1_000],
    ['more than an hour', '86400', 3_600_000],
  ])('may be %s', (_what, header, expected) => {
    expect(parseRetryAfter(header, now)).toBe(expected);
  });

  it.each([[undefined], [''], ['soon'], ['-'], ['-3'], ['soon 5'], ['3 seconds'], ['1e3'], ['10:00']])(
    'is ignored as %s',
    (header) => {
      expect(parseRetryAfter(header, now)).toBeNull();
    },
  );
});
