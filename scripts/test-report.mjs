import { relative } from 'node:path';

/**
 * @typedef {object} TestCount
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 */

/**
 * Counts the tests of one report of vitest's JSON reporter. A file that fails without any failed test (it could not be
 * loaded, say) counts as one failure, so that a count without failures means that all is well.
 *
 * @param {string | null} json `null`: the run ended before it could report, which is a failure too.
 * @returns {TestCount}
 */
export function countTests(json) {
  if (json === null) return { passed: 0, failed: 1, skipped: 0 };
  /** @type {{ testResults: { status: string, assertionResults: { status: string }[] }[] }} */
  const report = JSON.parse(json);
  const count = { passed: 0, failed: 0, skipped: 0 };
  for (const { status, assertionResults } of report.testResults) {
    const outcomes = assertionResults.map((test) => test.status);
    const failures = outcomes.filter((outcome) => outcome === 'failed').length;
    const passes = outcomes.filter((outcome) => outcome === 'passed').length;
    count.passed += passes;
    count.skipped += outcomes.length - passes - failures;
    count.failed += status === 'failed' ? Math.max(failures, 1) : failures;
  }
  return count;
}

/**
 * What failed in one report of vitest's JSON reporter, for the end of a long log: each with its file, its full name and
 * the message of its first error.
 *
 * @param {string | null} json `null`: the run ended before it could report.
 * @param {string} folder The checkout; files are told relative to it.
 * @returns {readonly string[]} One text each, of one or more lines.
 */
export function failedTests(json, folder) {
  if (json === null) return ['(the run ended before it could report)'];
  /** @type {{ testResults: { name: string, status: string, message?: string, assertionResults: { status: string, fullName: string, failureMessages?: string[] }[] }[] }} */
  const report = JSON.parse(json);
  return report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(folder, name);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (failed.length === 0) return status === 'failed' ? [`${file}\n${message ?? ''}`] : [];
    return failed.map((test) => `${file} > ${test.fullName}\n${test.failureMessages?.[0] ?? ''}`);
  });
}

/**
 * @param {readonly TestCount[]} counts
 * @returns {string} `N passed, N failed`, followed by `, N skipped` when some were.
 */
export function summaryLine(counts) {
  const sum = (/** @type {keyof TestCount} */ kind) =>
    counts.reduce((total, count) => total + count[kind], 0);
  const skipped = sum('skipped');
  return `${sum('passed')} passed, ${sum('failed')} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`;
}
