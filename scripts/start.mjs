/** `npm start [-- PATH...]`: opens the window and queues the given files, folders and links. */
import { resolve } from 'node:path';
import { chromiumSwitches, hasDisplay, runLonghand, sandboxObstacle } from './launch.mjs';
import { say } from './setup/common.mjs';
import { runScript, setUp } from './setup.mjs';

// npm runs scripts in the checkout's folder; paths are relative to where the user started npm.
const startFolder = process.env['INIT_CWD'] ?? process.cwd();

/** @type {(recording: string) => string} */
const toAbsolute = (recording) =>
  /^https?:\/\//i.test(recording) ? recording : resolve(startFolder, recording);

await runScript(async () => {
  const recordings = process.argv.slice(2).map(toAbsolute);
  if (!hasDisplay() && recordings.length === 0) {
    console.error(`There is no display to open the window on. Name what to transcribe:
  npm start -- PATH...
or list the commands of the command line:
  node scripts/longhand.mjs --help`);
    process.exitCode = 2;
    return;
  }
  const { path } = await setUp();
  const window = hasDisplay();
  if (!window) say('no display: transcribing on the command line');
  const obstacle = sandboxObstacle(path);
  if (obstacle !== null) say(`Chromium runs with --no-sandbox: ${obstacle}`);
  const args = window ? recordings : ['transcribe', ...recordings];
  await runLonghand(path, chromiumSwitches({ window, sandbox: obstacle === null }), args);
});
