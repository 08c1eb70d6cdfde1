/**
 * A test runner for Stryker that loads the tests of a group once, in the runtime that ships, and runs them again for each
 * mutant of the code. vitest takes seconds to start for each, which thousands of mutants cannot afford.
 *
 * Nothing may depend on mutants that were active before in the same process: the caches of modules are emptied before each
 * (`module-caches.mjs`). A test that fails is run once more without the mutant; if it fails again, or if a mutant that
 * tests should reach was not reached, the process ends, and Stryker repeats the mutant in a new one.
 *
 * The fastest tests run first, and a test that reaches the mutant far more often than without it is ended: most mutants
 * are killed in milliseconds, and an endless loop ends by a count that does not depend on how busy the computer is.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { clearCaches, watchCaches } from './module-caches.mjs';

/**
 * @import { CollectedTest } from './collected-tests.mjs'
 *
 * @typedef {object} MutantRun Stryker's `MutantRunOptions`, as far as they are used.
 * @property {readonly string[]} [testFilter] IDs of tests.
 * @property {{ readonly id: string }} activeMutant
 * @property {'runtime' | 'static'} mutantActivation
 *
 * @typedef {{ readonly perTest: Readonly<Record<string, Readonly<Record<string, number>>>> }} Coverage How often each test
 *   reaches each change.
 *
 * @typedef {object} TestCost What a test takes without a change.
 * @property {number} ms
 * @property {Readonly<Record<string, number>>} hits How often it reaches each change.
 */

/** What the changed code reads and writes; see Stryker's instrumenter. */
const state =
  /** @type {{ activeMutant?: string, currentTestId?: string, hitCount?: number, hitLimit?: number, mutantCoverage?: Coverage }} */ (
    Reflect.get(globalThis, '__stryker__') ?? {}
  );
Reflect.set(globalThis, '__stryker__', state);

const vitestShim = new URL('collected-tests.mjs', import.meta.url).href;
const fewerRuns = new URL('fewer-runs.mjs', import.meta.url).href;
/** What replaces the tests' imports. @type {ReadonlyMap<string, string>} */
const replacements = new Map([
  ['vitest', vitestShim],
  ['fast-check', fewerRuns],
]);
registerHooks({
  resolve(specifier, context, next) {
    const url = replacements.get(specifier);
    const isImportOfTest =
      context.parentURL?.includes('/test/') === true &&
      ![...replacements.values()].includes(context.parentURL);
    return url !== undefined && isImportOfTest ? { url, shortCircuit: true } : next(specifier, context);
  },
});

/** Test files of the group, as globs; one with `!` excludes files. @type {readonly string[]} */
const patterns = JSON.parse(process.env['LONGHAND_MUTANT_TESTS'] ?? '[]');
const excluded = patterns.flatMap((pattern) => (pattern.startsWith('!') ? pattern.slice(1) : []));

/** The file in which the first run without changes leaves the cost of each test, by its ID, for later processes. */
const costFile = process.env['LONGHAND_MUTANT_COSTS'] ?? '';

/** A test that reaches the change this many times as often as without it, and a constant more, is in an endless loop. */
const hitFactor = 100;
const minHitLimit = 100_000;

class InProcessRunner {
  /** @type {readonly CollectedTest[]} */
  #tests = [];
  /** @type {Readonly<Record<string, TestCost>>} */
  #costs = {};
  /** How many changes this process has run. */
  #runs = 0;
  /** Whether a test failed even without a change: then this process must not run another one. */
  #isSpoiled = false;
  /** Thrown outside of any promise that a test waits for. @type {unknown} */
  #strayError;

  constructor() {
    const recordError = (/** @type {unknown} */ error) =>
      (this.#strayError = error ?? new Error('threw nothing'));
    process.on('unhandledRejection', recordError);
    process.on('uncaughtException', recordError);
    // Logs of mutated code are noise.
    for (const method of /** @type {const} */ (['log', 'info', 'warn', 'error'])) console[method] = () => {};
  }

  capabilities() {
    return { reloadEnvironment: false };
  }

  async #load() {
    if (this.#tests.length > 0) return;
    const stopWatching = watchCaches(`${resolve('electron')}/`);
    await import(resolve('test/property-seed.ts'));
    const { collectTests } = await import(vitestShim);
    /** @type {CollectedTest[]} */
    const tests = [];
    const included = patterns.filter((pattern) => !pattern.startsWith('!'));
    for (const path of globSync(included, { exclude: excluded }).sort())
      tests.push(...(await collectTests(resolve(path))));
    stopWatching();
    this.#tests = tests;
    if (existsSync(costFile)) this.#useCosts(JSON.parse(readFileSync(costFile, 'utf8')));
  }

  /**
   * Puts the fastest tests first.
   *
   * @param {Readonly<Record<string, TestCost>>} costs
   */
  #useCosts(costs) {
    this.#costs = costs;
    this.#tests = this.#tests.toSorted(
      (one, other) => (costs[one.id]?.ms ?? Infinity) - (costs[other.id]?.ms ?? Infinity) || 0,
    );
  }

  /** Returns Stryker's `DryRunResult`. */
  async dryRun() {
    await this.#load();
    const { runTests } = await import(vitestShim);
    /** @type {Map<string, number>} */
    const times = new Map();
    /** @type {object[]} */
    const results = [];
    let startedAt = 0;
    for (const tests of byFile(this.#tests))
      await runTests(
        tests,
        (/** @type {CollectedTest} */ { id }) => {
          state.currentTestId = id;
          startedAt = performance.now();
        },
        (/** @type {CollectedTest} */ { id, name, file }, /** @type {unknown} */ error) => {
          delete state.currentTestId;
          const timeSpentMs = performance.now() - startedAt;
          times.set(id, timeSpentMs);
          const base = { id, name, fileName: file, timeSpentMs };
          results.push(
            error === undefined
              ? { ...base, status: 0 }
              : { ...base, status: 1, failureMessage: String(error) },
          );
          return true;
        },
      );
    const { mutantCoverage } = state;
    const costs = Object.fromEntries(
      [...times].map(([id, ms]) => [id, { ms, hits: mutantCoverage?.perTest[id] ?? {} }]),
    );
    writeFileSync(costFile, JSON.stringify(costs));
    this.#useCosts(costs);
    return {
      status: 'complete',
      tests: results,
      ...(mutantCoverage === undefined ? {} : { mutantCoverage }),
    };
  }

  /**
   * Returns Stryker's `MutantRunResult`.
   *
   * @param {MutantRun} options
   */
  async mutantRun({ testFilter, activeMutant, mutantActivation }) {
    if (this.#isSpoiled) process.exit(1);
    if (mutantActivation === 'static') state.activeMutant = activeMutant.id;
    await this.#load();
    const { runTests } = await import(vitestShim);
    clearCaches();
    this.#runs += 1;
    let nrOfTests = 0;
    let hits = 0;
    /** @type {{ test: CollectedTest, error: unknown, reason?: string } | undefined} */
    let failure;
    const filtered = this.#tests.filter(({ id }) => testFilter === undefined || testFilter.includes(id));
    for (const tests of byFile(filtered)) {
      await runTests(
        tests,
        (/** @type {CollectedTest} */ { id }) => {
          nrOfTests += 1;
          state.activeMutant = activeMutant.id;
          state.hitCount = 0;
          state.hitLimit = minHitLimit + hitFactor * (this.#costs[id]?.hits[activeMutant.id] ?? 0);
        },
        (/** @type {CollectedTest} */ test, /** @type {unknown} */ error) => {
          const { hitCount = 0, hitLimit = 0 } = state;
          hits += hitCount;
          const thrown = error ?? this.#strayError;
          this.#strayError = undefined;
          if (thrown !== undefined) failure = { test, error: thrown };
          if (failure !== undefined && hitCount > hitLimit) failure.reason = `Hit limit (${hitCount})`;
          return failure === undefined;
        },
      );
      if (failure !== undefined) break;
    }
    delete state.hitCount;
    delete state.activeMutant;
    const isFirstRun = this.#runs === 1;
    if (failure === undefined) {
      if (hits === 0 && !isFirstRun && mutantActivation !== 'static') process.exit(1);
      return { status: 'survived', nrOfTests };
    }
    if (mutantActivation !== 'static' && !(await this.#passes(failure.test))) {
      if (!isFirstRun) process.exit(1);
      this.#isSpoiled = true;
    }
    const { test, error, reason } = failure;
    if (reason !== undefined) return { status: 'timeout', reason };
    return {
      status: 'killed',
      killedBy: [test.id],
      failureMessage: String(error),
      nrOfTests,
    };
  }

  /**
   * Returns whether a test passes without any change.
   *
   * @param {CollectedTest} test
   */
  async #passes(test) {
    const { runTests } = await import(vitestShim);
    clearCaches();
    let passed = false;
    await runTests(
      [test],
      () => {},
      (/** @type {CollectedTest} */ _, /** @type {unknown} */ error) => {
        passed = error === undefined;
        return true;
      },
    );
    return passed;
  }
}

/**
 * Returns the tests in their order, those of the same file that follow each other together.
 *
 * @param {readonly CollectedTest[]} tests
 */
function byFile(tests) {
  /** @type {CollectedTest[][]} */
  const pieces = [];
  for (const test of tests) {
    const last = pieces.at(-1);
    if (last?.[0]?.file === test.file) last.push(test);
    else pieces.push([test]);
  }
  return pieces;
}

export const strykerPlugins = [
  { kind: 'TestRunner', name: 'in-process', factory: () => new InProcessRunner() },
];
