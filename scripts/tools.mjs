/** The project's tools, each run in Electron's own Node: the runtime that ships, and newer than some machines'. */
import { resolve } from 'node:path';
import { root } from './setup/common.mjs';
import { runToTheEnd } from './launch.mjs';

const tools = {
  tsc: 'typescript/bin/tsc',
  oxlint: 'oxlint/bin/oxlint',
  prettier: 'prettier/bin/prettier.cjs',
  knip: 'knip/bin/knip.js',
  vitest: 'vitest/vitest.mjs',
};

/**
 * Runs a tool to its end with this process's streams.
 *
 * @param {string} electron The executable.
 * @param {keyof typeof tools} tool
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [environment] Beside this process's own.
 * @returns {Promise<boolean>} Whether it ended well.
 */
export async function runTool(electron, tool, args, environment = {}) {
  const { code } = await runToTheEnd(electron, [resolve(root, 'node_modules', tools[tool]), ...args], {
    ...process.env,
    ...environment,
    ELECTRON_RUN_AS_NODE: '1',
  });
  return code === 0;
}

/**
 * @param {readonly string[]} args
 * @returns {readonly string[]} The arguments of one run of the suites.
 */
export function vitestArgs(args) {
  return ['run', '--config', 'test/vitest.config.ts', ...args];
}
