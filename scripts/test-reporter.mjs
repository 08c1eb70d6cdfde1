import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * A reporter of vitest that writes what `npm test` tells at its end: every test with its outcome, and what failed
 * outside of any test, which vitest's own JSON leaves out although the run fails for it.
 *
 * The file's path comes in `LONGHAND_TEST_REPORT`; its shape is `TestReport` of `test-report.mjs`.
 */
export default class TestReporter {
  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly import('vitest').SerializedError[]} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    const path = process.env['LONGHAND_TEST_REPORT'];
    if (path === undefined) throw new Error('LONGHAND_TEST_REPORT has to name the file to write');
    /** @type {import('./test-report.mjs').TestReport} */
    const report = {
      modules: modules.map((module) => ({
        file: module.moduleId,
        failed: !module.ok(),
        errors: module.errors().map(textOf),
        tests: [...module.children.allTests()].map((test) => ({
          name: test.fullName,
          state: test.result().state,
          errors: (test.result().errors ?? []).map(textOf),
        })),
      })),
      unhandledErrors: unhandledErrors.map(unhandledTextOf),
    };
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(report));
  }
}

/** @param {import('vitest').SerializedError} error */
function textOf({ message, stack }) {
  return stack ?? message;
}

/**
 * With what was running then, which need not be what is to blame.
 *
 * @param {import('vitest').SerializedError} error
 */
function unhandledTextOf(error) {
  const during = [error['VITEST_TEST_PATH'], error['VITEST_TEST_NAME']].filter((part) => part !== undefined);
  return [error['type'] ?? 'Unhandled error', ...during].join(' > ') + `\n${textOf(error)}`;
}
