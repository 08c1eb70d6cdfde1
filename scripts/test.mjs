/**
 * `npm test`: everything that must hold. Checks of the sources, then the build, then the suites; `--only` with `check`,
 * `fast`, `service` or `e2e` picks one.
 *
 * A failing stage does not stop the next ones. What failed is told again at the end; the last line counts the tests
 * and every other failure; the exit code is 0 only when every stage ended well.
 */
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readIfThere, root, SetupError } from './setup/common.mjs';
import { buildProgram, isProgramBuilt } from './setup/program.mjs';
import { runScript, setUp } from './setup.mjs';
import { openTestEnvironment } from './test-environment.mjs';
import { summarize, summaryLine } from './test-report.mjs';
import { runTool, runVitest } from './tools.mjs';

const checks = /** @type {const} */ ([
  ['types of electron/', 'tsc', ['-p', 'electron']],
  ['types of renderer/', 'tsc', ['-p', 'renderer']],
  ['types of test/ and scripts/', 'tsc', ['-p', 'test']],
  ['lint', 'oxlint', ['--quiet']],
  ['format', 'prettier', ['--check', '--log-level', 'warn', '.']],
  ['unused code', 'knip', ['--config', '.knip.json']],
]);
const suites = ['fast', 'service', 'e2e'];
const startedAt = Date.now();

await runScript(async () => {
  const { values } = parseArgs({ options: { only: { type: 'string' } } });
  const chosen = values.only === undefined ? ['check', ...suites] : [values.only];
  const chosenSuites = suites.filter((suite) => chosen.includes(suite));
  const withChecks = chosen.includes('check');
  if (chosenSuites.length === 0 && !withChecks)
    throw new SetupError('--only takes check, fast, service or e2e');

  const electron = await setUp({ forTests: chosenSuites.length > 0, program: false });
  const failedChecks = withChecks ? await runChecks() : [];
  const { failedSuites, failures, line } = await runSuites(electron.path, chosenSuites);
  const failed = [...failedChecks, ...failedSuites];
  announce(failed.length === 0 ? 'everything holds' : `FAILED: ${failed.join(', ')}`);
  for (const failure of failures) console.log(`\n-- ${failure}`);
  if (line !== null) console.log(line);
  process.exitCode = failed.length === 0 ? 0 : 1;
});

async function runChecks() {
  const failed = [];
  for (const [name, tool, args] of checks) {
    announce(name);
    if (!(await runTool(tool, args))) failed.push(name);
  }
  return failed;
}

/**
 * @param {string} electron
 * @param {readonly string[]} chosen
 * @returns {Promise<{ readonly failedSuites: readonly string[], readonly failures: readonly string[], readonly line: string | null }>}
 */
async function runSuites(electron, chosen) {
  if (chosen.length === 0) return { failedSuites: [], failures: [], line: null };
  const counts = [];
  const failedSuites = [];
  const failures = [];
  const environment = await openTestEnvironment();
  try {
    if (!isProgramBuilt()) buildProgram(electron);
    for (const suite of chosen) {
      announce(`suite ${suite}`);
      const report = resolve(root, `.cache/test-reports/${suite}.json`);
      rmSync(report, { force: true });
      const args = ['--project', suite, '--reporter=default', '--reporter=./scripts/test-reporter.mjs'];
      const variables = { ...environment.variables, LONGHAND_TEST_REPORT: report };
      const badEnd = await runVitest(electron, args, variables);
      const outcome = summarize(readIfThere(report), badEnd, root);
      counts.push(outcome.count);
      failures.push(...outcome.failures);
      if (outcome.failures.length > 0) failedSuites.push(`suite ${suite}`);
    }
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.error(error.message);
    failedSuites.push('build');
  } finally {
    environment.close();
  }
  return { failedSuites, failures, line: summaryLine(counts) };
}

/** @param {string} what */
function announce(what) {
  console.log(`\n== ${what} (${Math.round((Date.now() - startedAt) / 1000)} s)`);
}
