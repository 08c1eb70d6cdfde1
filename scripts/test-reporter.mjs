import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** How long a test file may take. No time limit of vitest ends a test that never yields, such as an endless loop. */
const fileLimitMinutes = 40;

/**
 * A vitest reporter that writes what `npm test` prints at its end: the outcome of every test, and errors outside of
 * tests, which vitest's own JSON omits although they fail the run. It ends the run when a test file hangs.
 *
 * `LONGHAND_TEST_REPORT` is the file's path; its shape is `TestReport` in `test-report.mjs`.
 */
export default class TestReporter {
  /** @type {Map<string, import('vitest/node').TestModule>} By id; including those that have ended. */
  #modules = new Map();
  /** @type {Map<string, NodeJS.Timeout>} */
  #limits = new Map();

  /** @param {import('vitest/node').TestModule} module */
  onTestModuleStart(module) {
    this.#modules.set(module.id, module);
    const onHang = () => {
      const message = `${module.moduleId} did not end within ${fileLimitMinutes} minutes`;
      console.error(message);
      this.onTestRunEnd([...this.#modules.values()], [{ message }]);
      // vitest's watchdog then ends the workers.
      process.exit(1);
    };
    this.#limits.set(module.id, setTimeout(onHang, fileLimitMinutes * 60_000).unref());
  }

  /** @param {import('vitest/node').TestModule} module */
  onTestModuleEnd(module) {
    clearTimeout(this.#limits.get(module.id));
  }

  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly import('vitest').SerializedError[]} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    const path = process.env['LONGHAND_TEST_REPORT'];
    if (path === undefined) throw new Error('LONGHAND_TEST_REPORT must be the path of the report');
    /** @type {import('./test-report.mjs').TestReport} */
    const report = {
      modules: modules.map((module) => ({
        file: module.moduleId,
        failed: !module.ok(),
        errors: module.errors().map(errorText),
        tests: [...module.children.allTests()].map((test) => ({
          name: test.fullName,
          state: test.result().state,
          errors: (test.result().errors ?? []).map(errorText),
        })),
      })),
      unhandledErrors: unhandledErrors.map(unhandledErrorText),
    };
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(report));
  }
}

/** @param {import('vitest').SerializedError} error */
function errorText({ message, stack }) {
  return stack ?? message;
}

/**
 * Includes the test that was running, which is not necessarily the cause.
 *
 * @param {import('vitest').SerializedError} error
 */
function unhandledErrorText(error) {
  const during = [error['VITEST_TEST_PATH'], error['VITEST_TEST_NAME']].filter((part) => part !== undefined);
  return [error['type'] ?? 'Unhandled error', ...during].join(' > ') + `\n${errorText(error)}`;
}
