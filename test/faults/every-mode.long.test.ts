import { describe, expect, it, vi } from 'vitest';
import { faultCases } from './matrix.ts';
import { runCase } from './run-case.ts';

vi.setConfig({ maxConcurrency: 12 });

/** `once` is in `once.test.ts`. */
const modes = ['three times', 'lasting', 'during recovery', 'restart in mid-request'] as const;

describe.concurrent.each(modes)('%s', (mode) => {
  it.each(faultCases)('$name', async (one) => {
    expect(await runCase(one, mode)).toEqual([]);
  });
});
