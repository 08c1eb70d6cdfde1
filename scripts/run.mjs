/**
 * The project's other commands, each after a set-up and in the runtime that it needs: `npm run build`,
 * `npm run format`, `npm run vitest -- ARGS` in the test environment, `npm run simulate -- --seeds N` or `-- --seed N`,
 * `npm run mutants`, and `npm run bench`, which writes the table of `docs/performance.md`, or a single benchmark such as
 * `npm run bench -- queue` followed by its options; `--help` lists them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { forgetResults, lastStartMs, publishResults, suite } from './bench-suite.mjs';
import { root, SetupError } from './setup/common.mjs';
import { runScript, setUp } from './setup.mjs';
import { openTestEnvironment } from './test-environment.mjs';
import { runProgram, runTool, runVitest } from './tools.mjs';

/**
 * Each returns its exit code.
 *
 * @type {Record<string, (args: readonly string[]) => Promise<number>>}
 */
const commands = {
  async build() {
    await setUp();
    return 0;
  },
  async format() {
    await setUp({ program: false });
    return (await runTool('prettier', ['--write', '--log-level', 'warn', '.'])).ok ? 0 : 1;
  },
  async vitest(args) {
    const { path } = await setUp({ forTests: true });
    const environment = await openTestEnvironment({ inMemory: true });
    try {
      return (await runVitest(path, args, environment.variables)) === null ? 0 : 1;
    } finally {
      await environment.close();
    }
  },
  async simulate(args) {
    if (isHelp(args)) return printHead('test/simulation/simulate.ts');
    const { path } = await setUp({ program: false });
    return runProgram(path, 'test/simulation/simulate.ts', args);
  },
  async conformance(args) {
    const { path } = await setUp({ program: false });
    return runProgram(path, 'test/service/conformance/run-checks.ts', args);
  },
  async mutants(args) {
    if (isHelp(args)) return printHead('scripts/mutants.mjs');
    const { path } = await setUp({ program: false });
    return runProgram(path, 'scripts/mutants.mjs', args);
  },
  async bench(args) {
    const firstOption = args.findIndex((argument) => argument.startsWith('-'));
    const names = firstOption === -1 ? args : args.slice(0, firstOption);
    const options = args.slice(names.length);
    const unknown = names.find((name) => !benches().includes(name));
    if (unknown !== undefined) {
      throw new SetupError(`there is no benchmark “${unknown}”, but there are ${benches().join(', ')}`);
    }
    const chosen = names.length > 0 ? names : benches();
    if (isHelp(options)) return Math.max(...chosen.map((name) => printHead(`test/bench/${name}.ts`)));
    const { path } = await setUp({ forTests: true });
    const environment = await openTestEnvironment({ inMemory: false });
    try {
      /** @type {(name: string, benchOptions: readonly string[]) => Promise<number>} */
      const run = (name, benchOptions) =>
        runProgram(path, `test/bench/${name}.ts`, benchOptions, environment.variables);
      if (args.length === 0) return await runSuite(run);
      for (const name of chosen) {
        const code = await run(name, options);
        if (code !== 0) return code;
      }
      return 0;
    } finally {
      await environment.close();
    }
  },
};

/**
 * Runs the benchmarks of the suite, and writes their table. A failed one is missing in it.
 *
 * @param {(name: string, options: readonly string[]) => Promise<number>} run Returns the exit code of a benchmark.
 */
async function runSuite(run) {
  forgetResults();
  const startedAt = performance.now();
  let failures = 0;
  for (const [name, options] of suite) {
    const elapsed = performance.now() - startedAt;
    console.log(`\n${name}, after ${Math.round(elapsed / 1000)} s`);
    if (elapsed > lastStartMs) console.log('left out: no time left');
    else if ((await run(name, options)) !== 0) failures += 1;
  }
  publishResults();
  await runTool('prettier', ['--write', '--log-level', 'warn', 'docs/performance.md']);
  console.log(`\n${Math.round((performance.now() - startedAt) / 1000)} s`);
  return failures === 0 ? 0 : 1;
}

/** @param {readonly string[]} args */
const isHelp = (args) => args.includes('--help') || args.includes('-h');

/**
 * Prints the comment at the head of a program. Needs no set-up.
 *
 * @param {string} file Relative to the checkout.
 */
function printHead(file) {
  const [, text = ''] = /\/\*\*\n?(.*?)\*\//s.exec(readFileSync(resolve(root, file), 'utf8')) ?? [];
  console.log(`${file}\n\n${text.replaceAll(/^ *\* ?/gm, '').trim()}\n`);
  return 0;
}

/** Returns the names of the benchmarks in `test/bench`; what they share is in its `support` folder. */
function benches() {
  const files = readdirSync(resolve(root, 'test/bench'), { withFileTypes: true });
  return files.filter((file) => file.isFile()).map(({ name }) => name.replace(/\.ts$/, ''));
}

await runScript(async () => {
  const [name = '', ...passed] = process.argv.slice(2);
  // npm removes `--` before a script's arguments; other runners pass it on.
  const args = passed[0] === '--' ? passed.slice(1) : passed;
  const command = commands[name];
  if (command === undefined) throw new SetupError(`there is no such command: ${name}`);
  process.exitCode = await command(args);
});
