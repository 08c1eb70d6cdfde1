/**
 * A test runner for Stryker that loads the tests of a group once, in the runtime that ships, and runs them again for each
 * change of the code. vitest takes seconds to start for each, which thousands of changes cannot afford.
 *
 * Nothing may depend on changes that were active before in the same process. A test that fails is run once more without
 * the change; if it fails again, or if a change that tests should reach was not reached (its result may be cached), the
 * process ends, and Stryker repeats the change in a new one.
 */
import { globSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { resolve } from 'node:path';

/**
 * @import { CollectedTest } from './collected-tests.mjs'
 *
 * @typedef {object} MutantRun Stryker's `MutantRunOptions`, as far as they are used.
 * @property {readonly string[]} [testFilter] IDs of tests.
 * @property {number} [hitLimit]
 * @property {{ readonly id: string }} activeMutant
 * @property {'runtime' | 'static'} mutantActivation
 */

/** What the changed code reads and writes; see Stryker's instrumenter. */
const state =
  /** @type {{ activeMutant?: string, currentTestId?: string, hitCount?: number, hitLimit?: number, mutantCoverage?: never }} */ (
    Reflect.get(globalThis, '__stryker__') ?? {}
  );
Reflect.set(globalThis, '__stryker__', state);

const standIn = new URL('collected-tests.mjs', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vitest' && context.parentURL !== standIn && context.parentURL?.includes('/test/') === true
      ? { url: standIn, shortCircuit: true }
      : next(specifier, context),
});

/** Test files of the group, as globs. @type {readonly string[]} */
const patterns = JSON.parse(process.env['LONGHAND_MUTANT_TESTS'] ?? '[]');

class InProcessRunner {
  /** By file, the fastest tests first. @type {Map<string, CollectedTest[]>} */
  #tests = new Map();
  /** How many changes this process has run. */
  #runs = 0;
  #isSpoiled = false;
  /** Thrown outside of any promise that a test waits for. @type {unknown} */
  #strayError;

  constructor() {
    const note = (/** @type {unknown} */ error) => (this.#strayError = error ?? new Error('threw nothing'));
    process.on('unhandledRejection', note);
    process.on('uncaughtException', note);
    // Logs of mutated code are noise.
    for (const method of /** @type {const} */ (['log', 'info', 'warn', 'error'])) console[method] = () => {};
  }

  capabilities() {
    return { reloadEnvironment: false };
  }

  async #load() {
    if (this.#tests.size > 0) return;
    await import(resolve('test/property-seed.ts'));
    const { collectTests } = await import(standIn);
    for (const path of patterns.flatMap((pattern) => globSync(pattern)).sort())
      this.#tests.set(path, [...(await collectTests(resolve(path)))]);
  }

  /** Returns Stryker's `DryRunResult`. */
  async dryRun() {
    await this.#load();
    const { runTests } = await import(standIn);
    /** @type {object[]} */
    const results = [];
    for (const tests of this.#tests.values()) {
      let startedAt = 0;
      await runTests(
        tests,
        (/** @type {CollectedTest} */ { id }) => {
          state.currentTestId = id;
          startedAt = performance.now();
        },
        (/** @type {CollectedTest} */ { id, name, file }, /** @type {unknown} */ error) => {
          delete state.currentTestId;
          const timeSpentMs = performance.now() - startedAt;
          const base = { id, name, fileName: file, timeSpentMs };
          results.push(
            error === undefined
              ? { ...base, status: 0 }
              : { ...base, status: 1, failureMessage: String(error) },
          );
          return true;
        },
      );
    }
    const { mutantCoverage } = state;
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
  async mutantRun({ testFilter, hitLimit, activeMutant, mutantActivation }) {
    if (this.#isSpoiled) process.exit(1);
    if (mutantActivation === 'static') state.activeMutant = activeMutant.id;
    await this.#load();
    const { runTests } = await import(standIn);
    this.#runs += 1;
    state.hitCount = 0;
    if (hitLimit === undefined) delete state.hitLimit;
    else state.hitLimit = hitLimit;
    let nrOfTests = 0;
    /** @type {{ test: CollectedTest, error: unknown } | undefined} */
    let failure;
    for (const all of this.#tests.values()) {
      const tests = all.filter(({ id }) => testFilter === undefined || testFilter.includes(id));
      await runTests(
        tests,
        () => {
          nrOfTests += 1;
          state.activeMutant = activeMutant.id;
        },
        (/** @type {CollectedTest} */ test, /** @type {unknown} */ error) => {
          const thrown = error ?? this.#strayError;
          this.#strayError = undefined;
          if (thrown !== undefined) failure = { test, error: thrown };
          return failure === undefined;
        },
      );
      if (failure !== undefined) break;
    }
    const hits = state.hitCount;
    delete state.hitCount;
    delete state.activeMutant;
    const isNew = this.#runs === 1;
    if (failure === undefined) {
      if (hits === 0 && !isNew && mutantActivation !== 'static') process.exit(1);
      return { status: 'survived', nrOfTests };
    }
    if (mutantActivation !== 'static' && !(await this.#passes(failure.test))) {
      if (!isNew) process.exit(1);
      this.#isSpoiled = true;
    }
    if (hitLimit !== undefined && hits > hitLimit)
      return {
        status: 'timeout',
        reason: `Hit limit (${hits}/${hitLimit})`,
      };
    const { test, error } = failure;
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
    const { runTests } = await import(standIn);
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

export const strykerPlugins = [
  { kind: 'TestRunner', name: 'in-process', factory: () => new InProcessRunner() },
];
