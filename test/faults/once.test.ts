import { describe, expect, it, vi } from 'vitest';
import { faultCases } from './matrix.ts';
import { runCase } from './run-case.ts';

vi.setConfig({ maxConcurrency: 12 });

describe.concurrent('once', () => {
  it.each(faultCases)('$name', async (one) => {
    expect(await runCase(one, 'once')).toEqual([]);
  });
});
