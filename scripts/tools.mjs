/**
 * The project's tools, each in a runtime in which it works: vitest needs a newer Node than some machines have and runs
 * in Electron's, which is also the runtime that ships; knip's parser allocates more memory at once than Electron allows.
 */
import { resolve } from 'node:path';
import { runProcess } from './launch.mjs';
import { root } from './setup/common.mjs';

const tools = {
  tsc: 'typescript/bin/tsc',
  oxlint: 'oxlint/bin/oxlint',
  prettier: 'prettier/bin/prettier.cjs',
  knip: 'knip/bin/knip.js',
  'electron-builder': 'electron-builder/cli.js',
};

/**
 * Runs a tool in this machine's Node until it exits.
 *
 * @param {keyof typeof tools} tool
 * @param {readonly string[]} args
 * @param {'inherit' | 'capture'} [streams]
 * @returns {Promise<{ readonly ok: boolean, readonly output: string }>} The output is empty unless it was captured.
 */
export async function runTool(tool, args, streams = 'inherit') {
  const file = resolve(root, 'node_modules', tools[tool]);
  const { code, output } = await runProcess(process.execPath, [file, ...args], process.env, streams);
  return { ok: code === 0, output };
}

/**
 * Runs vitest in Electron's Node with this process's streams until it exits. Node keeps the sources that threads and
 * programs of tests load, so that it strips their types once and not at each start.
 *
 * @param {string} electron The executable.
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} environment Added to this process's own.
 * @returns {Promise<string | null>} `null` on success, else how it ended: `exit code 1`, `SIGSEGV`.
 */
export async function runVitest(electron, args, environment) {
  const vitest = resolve(root, 'node_modules/vitest/vitest.mjs');
  const { code, signal } = await runProcess(
    electron,
    [vitest, 'run', '--config', 'test/vitest.config.ts', ...args],
    {
      ...process.env,
      ...environment,
      ELECTRON_RUN_AS_NODE: '1',
      NODE_COMPILE_CACHE: resolve(root, '.cache/compiled'),
    },
  );
  return code === 0 ? null : (signal ?? `exit code ${code}`);
}

/**
 * Runs one of the project's own programs in Electron's Node with this process's streams until it exits.
 *
 * @param {string} electron The executable.
 * @param {string} file Relative to the checkout.
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [environment] Added to this process's own.
 * @returns {Promise<number>} Its exit code.
 */
export async function runProgram(electron, file, args, environment = {}) {
  const { code } = await runProcess(electron, [resolve(root, file), ...args], {
    ...process.env,
    ...environment,
    ELECTRON_RUN_AS_NODE: '1',
  });
  return code ?? 1;
}
