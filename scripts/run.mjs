/**
 * The project's other commands, each after a set-up and in the runtime that it needs: `npm run build`,
 * `npm run format`, and `npm run vitest -- ARGS` with all that tests need around them.
 */
import { SetupError } from './setup/common.mjs';
import { runScript, setUp } from './setup.mjs';
import { openTestEnvironment } from './test-environment.mjs';
import { runTool, runVitest } from './tools.mjs';

/** @type {Record<string, (args: readonly string[]) => Promise<boolean>>} */
const commands = {
  async build() {
    await setUp();
    return true;
  },
  async format() {
    await setUp({ program: false });
    return runTool('prettier', ['--write', '--log-level', 'warn', '.']);
  },
  async vitest(args) {
    const { path } = await setUp({ forTests: true });
    const environment = await openTestEnvironment();
    try {
      return await runVitest(path, args, environment.variables);
    } finally {
      environment.close();
    }
  },
};

await runScript(async () => {
  const [name = '', ...args] = process.argv.slice(2);
  const command = commands[name];
  if (command === undefined) throw new SetupError(`there is no such command: ${name}`);
  process.exitCode = (await command(args)) ? 0 : 1;
});
