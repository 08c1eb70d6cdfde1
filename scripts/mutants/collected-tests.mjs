/**
 * Stands in for `vitest` when tests run without it: collects tests and hooks instead of running them, and has vitest's
 * own `expect`. Only what the tests of the mutation groups use; importing anything else fails.
 */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { format } from 'node:util';

// vitest's `expect` works outside of its workers if it finds the state of one.
Object.assign(globalThis, {
  __vitest_worker__: { config: { expect: {}, chaiConfig: {} }, environment: { name: 'node' }, ctx: {} },
});
// The query tells the resolution that this is not a test's import; see in-process-runner.mjs.
const { expect } = await import('vitest');
export { expect };

/** @typedef {() => unknown} Work */
/**
 * @typedef {object} Suite
 * @property {string} name
 * @property {Suite | null} parent
 * @property {Record<'beforeAll' | 'afterAll' | 'beforeEach' | 'afterEach', Work[]>} hooks
 */
/**
 * @typedef {object} CollectedTest
 * @property {string} id Unique.
 * @property {string} name
 * @property {string} file
 * @property {Suite} suite
 * @property {Work} run
 */

/** @type {CollectedTest[]} */
const tests = [];
let suite = newSuite('', null);
let file = '';
/** Cleanups of the running test. @type {Work[]} */
let cleanups = [];

/**
 * @param {string} name
 * @param {Suite | null} parent
 * @returns {Suite}
 */
function newSuite(name, parent) {
  return { name, parent, hooks: { beforeAll: [], afterAll: [], beforeEach: [], afterEach: [] } };
}

/**
 * Imports a file and returns its tests.
 *
 * @param {string} path
 * @returns {Promise<readonly CollectedTest[]>}
 */
export async function collectTests(path) {
  file = path;
  suite = newSuite('', null);
  tests.length = 0;
  await import(path);
  return [...tests];
}

/** Replaces the snapshots of files, which belong to vitest's runner: nothing is written. */
expect.extend({
  toMatchFileSnapshot(/** @type {string} */ actual, /** @type {string} */ name) {
    const pass = readFileSync(resolve(dirname(running?.file ?? ''), name), 'utf8') === actual;
    return { pass, message: () => `differs from ${name}` };
  },
});

/** @type {CollectedTest | null} */
let running = null;

/**
 * Runs tests of one file, with their hooks.
 *
 * @param {readonly CollectedTest[]} fileTests
 * @param {(test: CollectedTest, error: unknown) => boolean} onDone Gets `undefined` as the error of a test that passed,
 *   and returns whether to continue.
 * @param {(test: CollectedTest) => void} onStart
 */
export async function runTests(fileTests, onStart, onDone) {
  /** @type {Suite[]} */
  const entered = [];
  for (const test of fileTests) {
    running = test;
    onStart(test);
    const suites = suitesOf(test.suite);
    /** @type {unknown} */
    let error;
    cleanups = [];
    try {
      for (const one of suites) {
        if (entered.includes(one)) continue;
        entered.push(one);
        for (const hook of one.hooks.beforeAll) keepCleanup(one.hooks.afterAll, await hook());
      }
      for (const hook of suites.flatMap(({ hooks }) => hooks.beforeEach)) keepCleanup(cleanups, await hook());
      await test.run();
    } catch (thrown) {
      error ??= thrown ?? new Error('threw nothing');
    }
    const after = suites.toReversed().flatMap(({ hooks }) => hooks.afterEach);
    for (const work of [...cleanups.toReversed(), ...after]) {
      try {
        await work();
      } catch (thrown) {
        error ??= thrown;
      }
    }
    if (!onDone(test, error)) break;
  }
  for (const one of entered.toReversed()) for (const hook of one.hooks.afterAll) await hook();
  running = null;
}

/**
 * Adds the result of a hook to the cleanups if it is a function: a hook may return what undoes it.
 *
 * @param {Work[]} list The cleanups.
 * @param {unknown} result
 */
function keepCleanup(list, result) {
  if (typeof result === 'function') list.push(/** @type {Work} */ (result));
}

/**
 * Returns the suites around a test, outermost first.
 *
 * @param {Suite | null} inner
 * @returns {readonly Suite[]}
 */
function suitesOf(inner) {
  return inner === null ? [] : [...suitesOf(inner.parent), inner];
}

/**
 * @param {string} name
 * @param {((...args: unknown[]) => unknown) | object} second
 * @param {((...args: unknown[]) => unknown) | number} [third]
 */
function addTest(name, second, third) {
  const work = /** @type {Work} */ (typeof second === 'function' ? second : third);
  const fullName = [...suitesOf(suite).map((one) => one.name), name]
    .filter((part) => part !== '')
    .join(' > ');
  const namesakes = tests.filter((test) => test.name === fullName).length;
  tests.push({ id: `${file}#${fullName}#${namesakes}`, name: fullName, file, suite, run: work });
}

/**
 * @param {string} name
 * @param {Work} define
 */
function addSuite(name, define) {
  suite = newSuite(name, suite);
  define();
  suite = suite.parent ?? suite;
}

/**
 * @param {(name: string, work: Work) => void} add
 * @returns {(cases: readonly unknown[]) => (name: string, work: (...args: unknown[]) => unknown) => void}
 */
const each = (add) => (cases) => (name, work) =>
  cases.forEach((one, index) => {
    const args = Array.isArray(one) ? one : [one];
    add(`${format(name, ...args).slice(0, 200)} ${index}`, () => work(...args));
  });

const newTest = () =>
  Object.assign((/** @type {Parameters<typeof addTest>} */ ...args) => addTest(...args), {
    each: each(addTest),
  });

export const it = newTest();
export const test = newTest();
export const describe = Object.assign(addSuite, { each: each(addSuite) });
/** @param {Work} work */
export const beforeAll = (work) => void suite.hooks.beforeAll.push(work);
/** @param {Work} work */
export const afterAll = (work) => void suite.hooks.afterAll.push(work);
/** @param {Work} work */
export const beforeEach = (work) => void suite.hooks.beforeEach.push(work);
/** @param {Work} work */
export const afterEach = (work) => void suite.hooks.afterEach.push(work);
/** @param {Work} work */
export const onTestFinished = (work) => void cleanups.push(work);
