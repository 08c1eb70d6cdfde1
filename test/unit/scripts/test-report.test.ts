import { describe, expect, it } from 'vitest';
import { countTests, failedTests, summaryLine } from '../../../scripts/test-report.mjs';

function reportOf(...files: { status: string; outcomes: string[] }[]): string {
  return JSON.stringify({
    testResults: files.map(({ status, outcomes }) => ({
      status,
      assertionResults: outcomes.map((outcome) => ({ status: outcome })),
    })),
  });
}

describe('counting the tests of a report', () => {
  it('tells passed, failed and skipped ones apart', () => {
    const json = reportOf(
      { status: 'passed', outcomes: ['passed', 'passed', 'skipped', 'todo'] },
      { status: 'failed', outcomes: ['passed', 'failed'] },
    );
    expect(countTests(json)).toEqual({ passed: 3, failed: 1, skipped: 2 });
  });

  it('counts a file that could not be loaded as a failure', () => {
    expect(countTests(reportOf({ status: 'failed', outcomes: [] }))).toEqual({
      passed: 0,
      failed: 1,
      skipped: 0,
    });
  });

  it('counts a run without a report as a failure', () => {
    expect(countTests(null)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });
});

describe('what failed, told again at the end of the log', () => {
  it('names file, test and first error, and nothing that passed', () => {
    const json = JSON.stringify({
      testResults: [
        {
          name: '/checkout/test/unit/a.test.ts',
          status: 'failed',
          assertionResults: [
            { status: 'passed', fullName: 'group holds' },
            { status: 'failed', fullName: 'group breaks', failureMessages: ['expected 1', 'and 2'] },
          ],
        },
        { name: '/checkout/test/unit/b.test.ts', status: 'passed', assertionResults: [] },
      ],
    });
    expect(failedTests(json, '/checkout')).toEqual(['test/unit/a.test.ts > group breaks\nexpected 1']);
  });

  it('names a file that could not be loaded, and a run without a report', () => {
    const json = JSON.stringify({
      testResults: [
        { name: '/checkout/x.test.ts', status: 'failed', message: 'no such module', assertionResults: [] },
      ],
    });
    expect(failedTests(json, '/checkout')).toEqual(['x.test.ts\nno such module']);
    expect(failedTests(null, '/checkout')).toHaveLength(1);
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
