/**
 * `npm test` checks the sources, builds the program and runs the main tests; `npm run test:all` (`--all`) adds the long
 * ones. `--only` with `check`, `main` or `long` runs one stage.
 *
 * A failed stage does not stop the next ones. Failures are printed again at the end; the last line counts tests and
 * every other failure. The exit code is 0 only if every stage passed.
 */
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkWords } from './check-words.mjs';
import { checkLicences } from './package/licences.mjs';
import { readIfThere, root, SetupError } from './setup/common.mjs';
import { buildProgram, isProgramBuilt } from './setup/build-program.mjs';
import { runScript, setUp } from './setup.mjs';
import { openTestEnvironment } from './test-environment.mjs';
import { summarize, summaryLine } from './test-report.mjs';
import { runTool, runVitest } from './tools.mjs';

const cache = '.cache/prettier';
const checks = /** @type {const} */ ([
  ['format', 'prettier', ['--check', '--log-level', 'warn', '--cache', '--cache-location', cache, '.']],
  ['types of electron/', 'tsc', ['-p', 'electron']],
  ['types of renderer/', 'tsc', ['-p', 'renderer']],
  ['types of test/ and scripts/', 'tsc', ['-p', 'test']],
  ['lint', 'oxlint', ['--quiet']],
  ['unused code', 'knip', ['--config', '.knip.json']],
]);
/** Checks that run at the same time. */
const maxChecks = 2;
const startedAt = Date.now();

await runScript(async () => {
  const { values } = parseArgs({ options: { only: { type: 'string' }, all: { type: 'boolean' } } });
  const stages =
    values.only !== undefined ? [values.only] : ['check', 'main', ...(values.all ? ['long'] : [])];
  if (!stages.every((stage) => ['check', 'main', 'long'].includes(stage)))
    throw new SetupError('--only takes check, main or long');
  const projects = stages.filter((stage) => stage !== 'check');

  const electron = await setUp({
    forTests: projects.length > 0,
    forLongTests: projects.includes('long'),
    program: false,
  });
  const failedChecks = stages.includes('check') ? await runChecks() : [];
  const { failedSuites, failures, line } = await runTests(electron.path, projects);
  const failed = [...failedChecks, ...failedSuites];
  announce(failed.length === 0 ? 'everything passed' : `FAILED: ${failed.join(', ')}`);
  for (const failure of failures) console.log(`\n-- ${failure}`);
  if (line !== null) console.log(line);
  process.exitCode = failed.length === 0 ? 0 : 1;
});

/** Returns the names of the checks that failed. */
async function runChecks() {
  /** @type {string[]} */
  const failed = [];
  const waiting = [...checks];
  const work = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const [name, tool, args] = check;
      const { ok, output } = await runTool(tool, args, 'capture');
      announce(ok ? name : `${name}: FAILED`);
      if (!ok) {
        failed.push(name);
        console.log(output);
      }
    }
  };
  await Promise.all(Array.from({ length: maxChecks }, work));
  for (const [name, check] of /** @type {const} */ ([
    ['retired words', checkWords],
    ['licences', checkLicences],
  ])) {
    const ok = check();
    announce(ok ? name : `${name}: FAILED`);
    if (!ok) failed.push(name);
  }
  return failed;
}

/**
 * Runs the chosen projects of vitest together, so that no worker waits for the last file of a stage.
 *
 * @param {string} electron The executable.
 * @param {readonly string[]} projects
 * @returns {Promise<{ readonly failedSuites: readonly string[], readonly failures: readonly string[], readonly line: string | null }>}
 */
async function runTests(electron, projects) {
  if (projects.length === 0) return { failedSuites: [], failures: [], line: null };
  const environment = await openTestEnvironment({ inMemory: true });
  try {
    if (!isProgramBuilt()) buildProgram(electron);
    announce(`tests: ${projects.join(', ')}`);
    const report = resolve(root, '.cache/test-report.json');
    rmSync(report, { force: true });
    const args = [
      ...projects.flatMap((project) => ['--project', `${project}*`]),
      '--reporter=default',
      '--reporter=./scripts/test-reporter.mjs',
    ];
    const installed = projects.includes('long') ? { LONGHAND_TEST_INSTALLED: 'yes' } : {};
    const variables = { ...environment.variables, ...installed, LONGHAND_TEST_REPORT: report };
    const abnormalExit = await runVitest(electron, args, variables);
    const { count, failures } = summarize(readIfThere(report), abnormalExit, root);
    return { failedSuites: failures.length > 0 ? ['tests'] : [], failures, line: summaryLine([count]) };
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.error(error.message);
    return { failedSuites: ['build'], failures: [], line: null };
  } finally {
    await environment.close();
  }
}

/** @param {string} what */
function announce(what) {
  console.log(`== ${what} (${Math.round((Date.now() - startedAt) / 1000)} s)`);
}
