import { relative } from 'node:path';

/**
 * What `test-reporter.mjs` writes about a run. Errors are texts of one or more lines.
 *
 * @typedef {object} TestReport
 * @property {readonly ReportedModule[]} modules
 * @property {readonly string[]} unhandledErrors Outside of tests; vitest fails the run for them.
 *
 * @typedef {object} ReportedModule
 * @property {string} file Its absolute path.
 * @property {boolean} failed Also if it could not be loaded, or if its process ended early.
 * @property {readonly string[]} errors Outside of its tests.
 * @property {readonly { readonly name: string, readonly state: 'passed' | 'failed' | 'skipped' | 'pending', readonly errors: readonly string[] }[]} tests
 */

/**
 * @typedef {object} TestCount
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 */

/**
 * The outcome of one run of vitest.
 *
 * @typedef {object} RunOutcome
 * @property {TestCount} count No failures only if everything passed.
 * @property {readonly string[]} failures Each failure's location and first error.
 */

/**
 * Summarizes a run. A file that fails without a failed test (because it could not be loaded, for example), an error
 * outside of tests, and a run that failed for neither reason each count as one failure.
 *
 * @param {string | null} json What the reporter wrote; `null` if the run ended before that.
 * @param {string | null} abnormalExit How the runner ended, such as `exit code 1`; `null` on success.
 * @param {string} folder The checkout; paths are relative to it.
 * @returns {RunOutcome}
 */
export function summarize(json, abnormalExit, folder) {
  if (json === null) {
    const failures = [`the run ended before it could report (${abnormalExit ?? 'exit code 0'})`];
    return { count: { passed: 0, failed: 1, skipped: 0 }, failures };
  }
  /** @type {TestReport} */
  const report = JSON.parse(json);
  const tests = report.modules.flatMap((module) => module.tests);
  const passed = tests.filter((test) => test.state === 'passed').length;
  const failures = [
    ...report.modules.flatMap((module) => failuresOf(module, folder)),
    ...report.unhandledErrors,
  ];
  if (failures.length === 0 && abnormalExit !== null) {
    failures.push(`the run ended with ${abnormalExit}, though nothing in its report failed`);
  }
  const skipped = tests.filter((test) => test.state === 'skipped' || test.state === 'pending').length;
  return { count: { passed, failed: failures.length, skipped }, failures };
}

/**
 * @param {ReportedModule} module
 * @param {string} folder
 * @returns {readonly string[]}
 */
function failuresOf(module, folder) {
  const file = relative(folder, module.file);
  const failed = module.tests.filter((test) => test.state === 'failed');
  if (failed.length > 0) return failed.map((test) => `${file} > ${test.name}\n${test.errors[0] ?? ''}`);
  return module.failed ? [`${file}\n${module.errors[0] ?? 'it ended before it could report'}`] : [];
}

/**
 * @param {readonly TestCount[]} counts
 * @returns {string} `N passed, N failed`, followed by `, N skipped` if there are any.
 */
export function summaryLine(counts) {
  const sum = (/** @type {keyof TestCount} */ kind) =>
    counts.reduce((total, count) => total + count[kind], 0);
  const skipped = sum('skipped');
  return `${sum('passed')} passed, ${sum('failed')} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`;
}
