import { relative } from 'node:path';

/**
 * What `test-reporter.mjs` writes of one run. Errors are texts of one or more lines.
 *
 * @typedef {object} TestReport
 * @property {readonly ReportedModule[]} modules
 * @property {readonly string[]} unhandledErrors Of no test: vitest fails the run for them.
 *
 * @typedef {object} ReportedModule
 * @property {string} file Its absolute path.
 * @property {boolean} failed Also when it could not be loaded, or when its process ended before it did.
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
 * How one run of vitest came out.
 *
 * @typedef {object} RunOutcome
 * @property {TestCount} count Without failures only when all is well.
 * @property {readonly string[]} failures What to tell of each: where, and the first error.
 */

/**
 * Sums one run up. A file that fails without any failed test (it could not be loaded, say), an error outside of the
 * tests, and a run that ended badly for none of these each count as one failure.
 *
 * @param {string | null} json What the reporter wrote; `null`: the run ended before it could.
 * @param {string | null} badEnd How the runner ended, such as `exit code 1`; `null` when it ended well.
 * @param {string} folder The checkout; files are told relative to it.
 * @returns {RunOutcome}
 */
export function summarize(json, badEnd, folder) {
  if (json === null) {
    const failures = [`the run ended before it could report (${badEnd ?? 'exit code 0'})`];
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
  if (failures.length === 0 && badEnd !== null) {
    failures.push(`the run ended with ${badEnd}, though nothing in its report failed`);
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
  return module.failed ? [`${file}\n${module.errors[0] ?? 'it did not come to its end'}`] : [];
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
