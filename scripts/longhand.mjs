/** The command line in a checkout: `node scripts/longhand.mjs transcribe PATH...`; see `--help`. */
import { chromiumSwitches, runLonghand, sandboxObstacle } from './launch.mjs';
import { runScript, setUp } from './setup.mjs';

await runScript(async () => {
  const { path } = await setUp();
  const switches = chromiumSwitches({ window: false, sandbox: sandboxObstacle(path) === null });
  await runLonghand(path, switches, process.argv.slice(2));
});
