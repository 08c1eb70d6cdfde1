/**
 * Mutation testing with Stryker, of all groups or of those that are named: changes the code in small ways and runs the
 * tests that should notice. Writes an HTML and a JSON report for each group to `.cache/mutants`, where it also keeps its
 * results: mutants whose code and tests have not changed since are not run again. Prints the changes that no test
 * notices, except those that `mutants/equivalent.json` lists with the reason why they change nothing; a listed one that a
 * test notices is an error.
 *
 *     npm run mutants -- [GROUP ...] [--force] [--vitest]
 *
 * `--force` runs all mutants again. `--vitest` starts vitest for each mutant, which takes seconds instead of milliseconds,
 * to check the results of `mutants/in-process-runner.mjs`.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { root } from './setup/common.mjs';

/** The lowest score of a group, in percent. */
const minScore = 90;

/**
 * Each group of modules with the tests that should notice a change of it; globs, relative to the checkout. Tests of
 * windows, of the whole program and of huge inputs are left out: they would take days. `runs` is the fraction of its
 * default runs that each property gets, in groups whose properties would take seconds.
 *
 * @typedef {{ readonly code: readonly string[], readonly tests: readonly string[], readonly runs?: number }} Group
 * @type {Readonly<Record<string, Group>>}
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
      'electron/core/queue/scheduling/storage-pause.ts',
    ],
    tests: [
      'test/unit/core/queue/scheduling/{command-queue,create-request,due-requests}.test.ts',
      'test/unit/core/queue/scheduling/{in-flight-requests,storage-pause}.test.ts',
    ],
    runs: 0.05,
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
  'subtitle-parts': {
    code: ['electron/core/formats/layout/{atoms,columns,cue-times,flows,measured-text,speech}.ts'],
    tests: [
      'test/unit/core/formats/layout/{atoms,columns,cue-times,flows,line-breaks,measured-text,speech}.test.ts',
    ],
    runs: 0.02,
  },
  'subtitle-layout': {
    code: ['electron/core/formats/layout/{layout,line-breaks,minimize-violations}.ts'],
    tests: ['test/unit/core/formats/layout/{flows,labels,layout,line-breaks,minimize-violations}.test.ts'],
    runs: 0.02,
  },
  'subtitle-cues': {
    code: ['electron/core/formats/layout/{cue,cue-preview,cue-quality,subtitles,word-timestamps}.ts'],
    tests: [
      'test/unit/core/formats/layout/{cue-preview,cue-quality,labels,subtitles}.test.ts',
      'test/unit/core/formats/write/timed-words.test.ts',
    ],
    runs: 0.05,
  },
  'edit-operations': {
    code: ['electron/core/transcript/edit/*.ts', 'electron/core/transcript/segment.ts'],
    tests: [
      'test/unit/core/transcript/edit/*.test.ts',
      '!test/unit/core/transcript/edit/huge-transcripts.test.ts',
      'test/unit/core/transcript/{note-time,word-edits}.test.ts',
      'test/renderer/quote.test.ts',
    ],
    runs: 0.05,
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
let hasPassed = true;
for (const [name, { code, tests, runs = 1 }] of Object.entries(groups)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const folder = `.cache/mutants/${name}`;
  forgetUnsettled(`${folder}/results.json`);
  // Stryker's option for test files would hide changes of what runs when a module is loaded.
  process.env['LONGHAND_MUTANT_TESTS'] = JSON.stringify(tests);
  process.env['LONGHAND_MUTANT_RUNS'] = String(runs);
  mkdirSync(resolve(root, folder), { recursive: true });
  process.env['LONGHAND_MUTANT_COSTS'] = resolve(root, folder, 'costs.json');
  const mutants = await new Stryker({
    mutate: [...code],
    testRunner: values.vitest === true ? 'vitest' : 'in-process',
    plugins: ['@stryker-mutator/vitest-runner', resolve(root, 'scripts/mutants/in-process-runner.mjs')],
    vitest: { configFile: 'test/vitest.mutants.config.ts', related: false },
    // Two at a time would share the displays and databases of the tests, and this is run beside other work.
    concurrency: 1,
    // The runner ends most endless loops much earlier.
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
  summaries.push(summarizeGroup(name, mutants));
}
for (const summary of summaries) console.log(summary);
process.exitCode = hasPassed ? 0 : 1;

/**
 * Prints the surviving mutants of a group, and returns its summary. Those that do not compile do not count.
 *
 * @param {string} name
 * @param {readonly Mutant[]} mutants
 */
function summarizeGroup(name, mutants) {
  const counted = mutants.filter(({ status }) => !['CompileError', 'Ignored'].includes(status));
  const timedOut = counted.filter(hasTimedOut).map(describe);
  const missed = counted
    .filter((mutant) => !['Killed', 'Timeout'].includes(mutant.status) || hasTimedOut(mutant))
    .map(describe);
  const files = new Set(counted.map((mutant) => relative(root, resolve(root, mutant.fileName))));
  const listed = equivalents.filter(({ file }) => files.has(file));
  const unlisted = missed.filter((mutant) => !listed.some((one) => isSame(one, mutant)));
  const outdated = listed.filter((one) => !missed.some((mutant) => isSame(one, mutant)));
  for (const { at, line, change } of unlisted) console.log(`survived: ${at}: ${change}\n    ${line}`);
  for (const { at, line, change } of timedOut) console.log(`timed out: ${at}: ${change}\n    ${line}`);
  for (const { file, line, change } of outdated)
    console.log(`listed as equivalent, but killed or gone: ${file}: ${change}\n    ${line}`);
  const score = counted.length === 0 ? 100 : 100 - (100 * missed.length) / counted.length;
  hasPassed &&= score >= minScore && outdated.length === 0;
  return (
    `${name}: ${counted.length} mutants, ${score.toFixed(1)} % killed, ${missed.length - unlisted.length} equivalent, ` +
    `${unlisted.length} others, ${timedOut.length} of which timed out; see ${resolve(root, '.cache/mutants', name, 'report.html')}`
  );
}

/**
 * Whether a mutant timed out. That may be an endless loop or a busy computer, so it does not count as killed; the
 * runner gives a reason for the loops that it ends itself.
 *
 * @param {{ readonly status: string, readonly statusReason?: string | undefined }} mutant
 */
function hasTimedOut({ status, statusReason }) {
  return status === 'Timeout' && statusReason === undefined;
}

/**
 * Removes from the stored results the mutants that timed out, and the missed ones of code that runs when it is
 * loaded: Stryker does not repeat them when there are new tests.
 *
 * @param {string} path
 */
function forgetUnsettled(path) {
  if (!existsSync(path)) return;
  /** @typedef {{ readonly static?: boolean, readonly status: string, readonly statusReason?: string }} Stored */
  /** @type {{ readonly files: Record<string, { mutants: readonly Stored[] }> }} */
  const results = JSON.parse(readFileSync(path, 'utf8'));
  for (const file of Object.values(results.files))
    file.mutants = file.mutants.filter(
      (mutant) => !hasTimedOut(mutant) && (mutant.static !== true || mutant.status !== 'Survived'),
    );
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
