/** `npm start [-- PATH...]`: opens the window, with files, folders or links queued if any are named. */
import { resolve } from 'node:path';
import { chromiumSwitches, hasDisplay, runLonghand, sandboxObstacle } from './launch.mjs';
import { say } from './setup/common.mjs';
import { runScript, setUp } from './setup.mjs';

// npm runs scripts in the checkout's folder; names are meant from where the user stood.
const startedIn = process.env['INIT_CWD'] ?? process.cwd();

/** @type {(recording: string) => string} */
const absolute = (recording) => (/^https?:\/\//i.test(recording) ? recording : resolve(startedIn, recording));

await runScript(async () => {
  const recordings = process.argv.slice(2).map(absolute);
  if (!hasDisplay() && recordings.length === 0) {
    console.error(`There is no display here to open the window on. Type what to transcribe:
  npm start -- PATH...
or see what the command line can do:
  node scripts/longhand.mjs --help`);
    process.exitCode = 2;
    return;
  }
  const { path } = await setUp();
  const window = hasDisplay();
  if (!window) say('there is no display here: transcribing through the command line');
  const obstacle = sandboxObstacle(path);
  if (obstacle !== null) say(`Chromium runs with --no-sandbox: ${obstacle}`);
  const args = window ? recordings : ['transcribe', ...recordings];
  await runLonghand(path, chromiumSwitches({ window, sandbox: obstacle === null }), args);
});
