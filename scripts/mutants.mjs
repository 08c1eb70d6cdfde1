/**
 * Mutation testing with Stryker: changes the code in small ways and runs the tests that should notice. All groups, or
 * those that are named. Writes an HTML and a JSON report for each group to `.cache/mutants`, where it also keeps its
 * results: mutants whose code and tests have not changed since are not run again. Prints the changes that no test
 * notices, but those that `mutants/equivalent.json` lists with the reason why they change nothing; a listed one that a
 * test notices is an error.
 *
 *     npm run mutants -- [GROUP ...] [--force] [--vitest]
 *
 * `--force` runs all mutants again. `--vitest` starts vitest for each mutant, which takes seconds instead of milliseconds,
 * to check the results of `mutants/in-process-runner.mjs`.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { root } from './setup/common.mjs';

/** The lowest score of a group, in percent. */
const minScore = 90;

/**
 * Each group of modules with the tests that should notice a change of it; globs, relative to the checkout. Tests of
 * windows and of the whole program are left out: they would take days.
 *
 * @type {Readonly<Record<string, { readonly code: readonly string[], readonly tests: readonly string[] }>>}
 */
const groups = {
  'queue-machine': {
    code: ['electron/core/queue/machine/*.ts'],
    tests: ['test/unit/core/queue/machine/*.test.ts'],
  },
  'part-plan': {
    code: ['electron/core/api/part-plan.ts'],
    tests: ['test/unit/core/api/part-plan.test.ts'],
  },
  'retry-after': {
    code: ['electron/core/api/retry-after.ts'],
    tests: ['test/unit/core/api/retry-after.test.ts'],
  },
  gates: {
    code: ['electron/core/queue/services/service-gate.ts'],
    tests: ['test/unit/core/queue/services/*.test.ts'],
  },
  scheduling: {
    code: [
      'electron/core/queue/scheduling/{command-queue,create-request,due-requests,in-flight-requests}.ts',
      'electron/core/queue/scheduling/storage-backoff.ts',
    ],
    tests: [
      'test/unit/core/queue/scheduling/{command-queue,create-request,storage-backoff}.test.ts',
      'test/simulation/simulation.test.ts',
    ],
  },
  'wire-parsers': {
    code: ['electron/core/api/{read-words,wire,wire-values}.ts'],
    tests: ['test/unit/core/api/{read-words,wire,wire-table}.test.ts'],
  },
  'address-rules': {
    code: [
      'electron/core/api/base-url.ts',
      'electron/on-device/remote/{address-rules,remote-hosts,remote-url}.ts',
    ],
    tests: [
      'test/unit/core/api/check-account.test.ts',
      'test/unit/on-device/remote/{address-rules,remote-hosts,remote-url}.test.ts',
    ],
  },
  limits: {
    code: ['electron/contract/limits.ts', 'electron/on-device/http/admission.ts'],
    tests: ['test/unit/core/api/response-limits.test.ts', 'test/unit/on-device/http/admission.test.ts'],
  },
  'subtitle-layout': {
    code: ['electron/core/formats/layout/*.ts', '!electron/core/formats/layout/function-words.ts'],
    tests: ['test/unit/core/formats/layout/*.test.ts'],
  },
  'edit-operations': {
    code: ['electron/core/transcript/edit/*.ts', 'electron/core/transcript/segment.ts'],
    tests: [
      'test/unit/core/transcript/edit/*.test.ts',
      'test/unit/core/transcript/{note-time,word-edits}.test.ts',
    ],
  },
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { force: { type: 'boolean' }, vitest: { type: 'boolean' } },
});
const unknown = positionals.filter((name) => !(name in groups));
if (unknown.length > 0) {
  console.error(`there is no group ${unknown.join(', ')}, but there are ${Object.keys(groups).join(', ')}`);
  process.exit(1);
}

/**
 * A change that means the same as the code. `line` is the whole line, and `change` the changed code with its replacement.
 *
 * @typedef {{ readonly file: string, readonly line: string, readonly change: string, readonly reason: string }} Equivalent
 */
/** @type {readonly Equivalent[]} */
const equivalents = JSON.parse(readFileSync(resolve(root, 'scripts/mutants/equivalent.json'), 'utf8'));

/** @typedef {Awaited<ReturnType<InstanceType<typeof Stryker>['runMutationTest']>>[number]} Mutant */

/** @type {string[]} */
const summaries = [];
let isGood = true;
for (const [name, { code, tests }] of Object.entries(groups)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const folder = `.cache/mutants/${name}`;
  forgetMissedStatic(`${folder}/results.json`);
  // Stryker's option for test files would hide changes of what runs when a module is loaded.
  process.env['LONGHAND_MUTANT_TESTS'] = JSON.stringify(tests);
  const mutants = await new Stryker({
    mutate: [...code],
    testRunner: values.vitest === true ? 'vitest' : 'in-process',
    plugins: ['@stryker-mutator/vitest-runner', resolve(root, 'scripts/mutants/in-process-runner.mjs')],
    vitest: { configFile: 'test/vitest.mutants.config.ts', related: false },
    // Two at a time would share the displays and databases of the tests, and this is run beside other work.
    concurrency: 1,
    // The hit limit ends loops. On a busy computer, less than this would count changes as noticed that are not.
    timeoutMS: 20_000,
    coverageAnalysis: 'perTest',
    // Stryker adapts this file with an interface that TypeScript 7 no longer has; ours refers to no other file.
    tsconfigFile: 'none',
    ignorePatterns: ['out', 'dist', '.ci', 'docs'],
    tempDirName: '.cache/mutants/sandbox',
    incremental: true,
    force: values.force ?? false,
    incrementalFile: `${folder}/results.json`,
    reporters: ['progress-append-only', 'clear-text', 'html', 'json'],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
    htmlReporter: { fileName: `${folder}/report.html` },
    jsonReporter: { fileName: `${folder}/report.json` },
    thresholds: { high: 100, low: minScore, break: null },
  }).runMutationTest();
  summaries.push(judge(name, mutants));
}
for (const summary of summaries) console.log(summary);
process.exitCode = isGood ? 0 : 1;

/**
 * Prints the changes of a group that no test notices, and returns its summary. Those that do not compile do not count.
 *
 * @param {string} name
 * @param {readonly Mutant[]} mutants
 */
function judge(name, mutants) {
  const counted = mutants.filter(({ status }) => !['CompileError', 'Ignored'].includes(status));
  const missed = counted.filter(({ status }) => !['Killed', 'Timeout'].includes(status)).map(describe);
  const files = new Set(counted.map((mutant) => relative(root, resolve(root, mutant.fileName))));
  const listed = equivalents.filter(({ file }) => files.has(file));
  const unlisted = missed.filter((mutant) => !listed.some((one) => isSame(one, mutant)));
  const outdated = listed.filter((one) => !missed.some((mutant) => isSame(one, mutant)));
  for (const { at, line, change } of unlisted) console.log(`not noticed: ${at}: ${change}\n    ${line}`);
  for (const { file, line, change } of outdated)
    console.log(`listed as equivalent, but noticed or gone: ${file}: ${change}\n    ${line}`);
  const score = counted.length === 0 ? 100 : 100 - (100 * missed.length) / counted.length;
  isGood &&= score >= minScore && outdated.length === 0;
  return (
    `${name}: ${counted.length} changes, ${score.toFixed(1)} % noticed, ${missed.length - unlisted.length} equivalent, ` +
    `${unlisted.length} others; see ${resolve(root, '.cache/mutants', name, 'report.html')}`
  );
}

/**
 * Removes the missed changes of code that runs when it is loaded from the stored results: Stryker does not repeat them
 * when there are new tests.
 *
 * @param {string} path
 */
function forgetMissedStatic(path) {
  if (!existsSync(path)) return;
  /** @type {{ readonly files: Record<string, { mutants: readonly { readonly static?: boolean, readonly status: string }[] }> }} */
  const results = JSON.parse(readFileSync(path, 'utf8'));
  for (const file of Object.values(results.files))
    file.mutants = file.mutants.filter((mutant) => mutant.static !== true || mutant.status !== 'Survived');
  writeFileSync(path, JSON.stringify(results));
}

/**
 * @param {Equivalent} one
 * @param {Omit<Equivalent, 'reason'>} other
 */
function isSame(one, other) {
  return one.file === other.file && one.line === other.line && one.change === other.change;
}

/** @param {Mutant} mutant */
function describe({ fileName, location: { start, end }, replacement = '' }) {
  const path = resolve(root, fileName);
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .slice(start.line - 1, end.line);
  const [first = ''] = lines;
  const last = lines.pop() ?? '';
  const changed = [...lines, last.slice(0, end.column - 1)].join('\n').slice(start.column - 1);
  return {
    file: relative(root, path),
    at: `${relative(root, path)}:${start.line}`,
    line: first.trim(),
    change: `${oneLine(changed)} → ${oneLine(replacement)}`,
  };
}

/** @param {string} code */
function oneLine(code) {
  return code.replaceAll(/\s+/g, ' ');
}
