/**
 * The command line in a checkout: `node scripts/longhand.mjs transcribe PATH...`; see `--help`. With paths or links only, it
 * opens the window.
 */
import { chromiumSwitches, hasDisplay, mayOpenWindow, runLonghand, sandboxObstacle } from './launch.mjs';
import { runScript, setUp } from './setup.mjs';

await runScript(async () => {
  const { path } = await setUp();
  const args = process.argv.slice(2);
  const window = hasDisplay() && mayOpenWindow(args);
  const switches = chromiumSwitches({ window, sandbox: sandboxObstacle(path) === null });
  await runLonghand(path, switches, args);
});
