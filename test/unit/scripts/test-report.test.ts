import { describe, expect, it } from 'vitest';
import { countTests, summaryLine } from '../../../scripts/test-report.mjs';

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
