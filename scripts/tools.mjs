/**
 * The project's tools, each in a runtime that it works in: vitest asks for a newer Node than some machines have and
 * runs in Electron's own, which is also the runtime that ships; the parser of knip needs more memory in one piece than
 * Electron gives.
 */
import { resolve } from 'node:path';
import { runToTheEnd } from './launch.mjs';
import { root } from './setup/common.mjs';

const tools = {
  tsc: 'typescript/bin/tsc',
  oxlint: 'oxlint/bin/oxlint',
  prettier: 'prettier/bin/prettier.cjs',
  knip: 'knip/bin/knip.js',
  'electron-builder': 'electron-builder/cli.js',
};

/**
 * Runs a tool to its end in this machine's Node, with this process's streams.
 *
 * @param {keyof typeof tools} tool
 * @param {readonly string[]} args
 * @returns {Promise<boolean>} Whether it ended well.
 */
export async function runTool(tool, args) {
  const { code } = await runToTheEnd(
    process.execPath,
    [resolve(root, 'node_modules', tools[tool]), ...args],
    process.env,
  );
  return code === 0;
}

/**
 * Runs the test runner to its end in Electron's Node, with this process's streams.
 *
 * @param {string} electron The executable.
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} environment Beside this process's own.
 * @returns {Promise<string | null>} `null` when all is well, else how it ended: `exit code 1`, `SIGSEGV`.
 */
export async function runVitest(electron, args, environment) {
  const vitest = resolve(root, 'node_modules/vitest/vitest.mjs');
  const { code, signal } = await runToTheEnd(
    electron,
    [vitest, 'run', '--config', 'test/vitest.config.ts', ...args],
    {
      ...process.env,
      ...environment,
      ELECTRON_RUN_AS_NODE: '1',
    },
  );
  return code === 0 ? null : (signal ?? `exit code ${code}`);
}

/**
 * Runs one of the project's own programs to its end in Electron's Node, with this process's streams.
 *
 * @param {string} electron The executable.
 * @param {string} file Beside the root folder.
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [environment] Beside this process's own.
 * @returns {Promise<number>} Its exit code.
 */
export async function runProgram(electron, file, args, environment = {}) {
  const { code } = await runToTheEnd(electron, [resolve(root, file), ...args], {
    ...process.env,
    ...environment,
    ELECTRON_RUN_AS_NODE: '1',
  });
  return code ?? 1;
}
