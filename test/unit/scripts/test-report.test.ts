import { describe, expect, it } from 'vitest';
import { summarize, summaryLine } from '../../../scripts/test-report.mjs';

type Outcome = 'passed' | 'failed' | 'skipped' | 'pending';

/** A module with one test for each outcome, called `a`, `b` and so on. */
function moduleOf(file: string, outcomes: readonly Outcome[], problems: Partial<{ errors: string[] }> = {}) {
  return {
    file: `/checkout/test/${file}`,
    failed: outcomes.includes('failed') || problems.errors !== undefined,
    errors: problems.errors ?? [],
    tests: outcomes.map((state, at) => ({
      name: 'abcdef'.charAt(at),
      state,
      errors: state === 'failed' ? ['expected 1', 'and 2'] : [],
    })),
  };
}

function reportOf(modules: readonly ReturnType<typeof moduleOf>[], unhandledErrors: readonly string[] = []) {
  return JSON.stringify({ modules, unhandledErrors });
}

describe('summing up a run', () => {
  it('tells passed, failed and skipped tests apart, and names what failed with its first error', () => {
    const json = reportOf([
      moduleOf('one.test.ts', ['passed', 'passed', 'skipped']),
      moduleOf('two.test.ts', ['passed', 'failed']),
    ]);
    expect(summarize(json, 'exit code 1', '/checkout')).toEqual({
      count: { passed: 3, failed: 1, skipped: 1 },
      failures: ['test/two.test.ts > b\nexpected 1'],
    });
  });

  it('counts a file that could not be loaded as a failure', () => {
    const json = reportOf([moduleOf('x.test.ts', [], { errors: ['no such module'] })]);
    expect(summarize(json, 'exit code 1', '/checkout')).toEqual({
      count: { passed: 0, failed: 1, skipped: 0 },
      failures: ['test/x.test.ts\nno such module'],
    });
  });

  it('counts an error outside of all tests', () => {
    const json = reportOf([moduleOf('x.test.ts', ['passed'])], ['Unhandled Rejection\nlate']);
    expect(summarize(json, 'exit code 1', '/checkout')).toEqual({
      count: { passed: 1, failed: 1, skipped: 0 },
      failures: ['Unhandled Rejection\nlate'],
    });
  });

  it('counts a bad end that the report does not explain', () => {
    const json = reportOf([moduleOf('x.test.ts', ['passed'])]);
    const { count, failures } = summarize(json, 'SIGSEGV', '/checkout');
    expect(count).toEqual({ passed: 1, failed: 1, skipped: 0 });
    expect(failures).toEqual([expect.stringContaining('SIGSEGV')]);
  });

  it('counts a run without a report as a failure', () => {
    const { count, failures } = summarize(null, 'SIGKILL', '/checkout');
    expect(count).toEqual({ passed: 0, failed: 1, skipped: 0 });
    expect(failures).toEqual([expect.stringContaining('SIGKILL')]);
  });

  it('has nothing to tell of a run in which all is well', () => {
    const json = reportOf([moduleOf('x.test.ts', ['passed'])]);
    expect(summarize(json, null, '/checkout').failures).toEqual([]);
  });
});

describe('the last line', () => {
  it('adds the suites up', () => {
    const counts = [
      { passed: 3, failed: 1, skipped: 0 },
      { passed: 2, failed: 0, skipped: 0 },
    ];
    expect(summaryLine(counts)).toBe('5 passed, 1 failed');
  });

  it('names skipped tests only when there are some', () => {
    expect(summaryLine([{ passed: 1, failed: 0, skipped: 2 }])).toBe('1 passed, 0 failed, 2 skipped');
    expect(summaryLine([])).toBe('0 passed, 0 failed');
  });
});
