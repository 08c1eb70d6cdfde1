/** The command line in a checkout: `node scripts/longhand.mjs transcribe PATH...`; see `--help`. */
import { chromiumSwitches, runLonghand } from './launch.mjs';
import { runScript, setUp } from './setup.mjs';

await runScript(async () => {
  const { path } = await setUp();
  await runLonghand(path, chromiumSwitches(path, { window: false }), process.argv.slice(2));
});
