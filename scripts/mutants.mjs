/**
 * Mutation testing with Stryker: changes the code in small ways and runs the tests that should notice. All groups, or
 * those that are named. Writes an HTML and a JSON report for each group to `.cache/mutants`, where it also keeps its
 * results: mutants whose code and tests have not changed since are not run again.
 *
 *     npm run mutants -- [GROUP ...] [--force]
 *
 * `--force` runs all mutants again.
 */
import { resolve } from 'node:path';
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
    code: ['electron/core/formats/layout/*.ts'],
    tests: ['test/unit/core/formats/layout/*.test.ts'],
  },
  'edit-operations': {
    code: ['electron/core/transcript/edit/*.ts', 'electron/core/transcript/segment.ts'],
    tests: ['test/unit/core/transcript/edit/*.test.ts', 'test/unit/core/transcript/segment-literals.test.ts'],
  },
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { force: { type: 'boolean' } },
});
const unknown = positionals.filter((name) => !(name in groups));
if (unknown.length > 0) {
  console.error(`there is no group ${unknown.join(', ')}, but there are ${Object.keys(groups).join(', ')}`);
  process.exit(1);
}

/** @type {Map<string, number>} */
const scores = new Map();
for (const [name, { code, tests }] of Object.entries(groups)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const folder = `.cache/mutants/${name}`;
  // Stryker's option for test files would hide changes of what runs when a module is loaded.
  process.env['LONGHAND_MUTANT_TESTS'] = JSON.stringify(tests);
  const mutants = await new Stryker({
    mutate: [...code],
    testRunner: 'vitest',
    vitest: { configFile: 'test/vitest.mutants.config.ts', related: false },
    // Two at a time would share the displays and databases of the tests, and this is run beside other work.
    concurrency: 1,
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
  scores.set(name, scoreOf(mutants.map(({ status }) => status)));
}

for (const [name, score] of scores) {
  console.log(`${name}: ${score.toFixed(1)} %, see ${resolve(root, '.cache/mutants', name, 'report.html')}`);
}
process.exitCode = [...scores.values()].every((score) => score >= minScore) ? 0 : 1;

/**
 * Returns the share of mutants that the tests notice, in percent; mutants that do not compile, or that a comment in the
 * code excludes, do not count.
 *
 * @param {readonly string[]} statuses
 */
function scoreOf(statuses) {
  const noticed = statuses.filter((status) => status === 'Killed' || status === 'Timeout').length;
  const missed = statuses.filter((status) => status === 'Survived' || status === 'NoCoverage').length;
  return noticed + missed === 0 ? 100 : (100 * noticed) / (noticed + missed);
}
