import { describe, expect, it, vi } from 'vitest';
import { faultCases } from './matrix.ts';
import { runCase } from './run-case.ts';

vi.setConfig({ maxConcurrency: 12, testTimeout: 60_000 });

describe.concurrent('restart in mid-request', () => {
  it.each(faultCases)('$name', async (one) => {
    expect(await runCase(one, 'restart in mid-request')).toEqual([]);
  });
});
