/** Starts Electron on this checkout, in the ways that a developer's machine or a bare server asks for. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './setup/common.mjs';

/** @type {readonly NodeJS.Signals[]} */
const passedOn = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Whether there is a display to open a window on. */
export function hasDisplay() {
  if (process.platform !== 'linux') return true;
  return Boolean(process.env['DISPLAY']) || Boolean(process.env['WAYLAND_DISPLAY']);
}

/**
 * The switches that Chromium needs on this machine. They must stand on the command line itself: the program is too
 * late to add them.
 *
 * @param {object} choices
 * @param {boolean} choices.window Whether a window is to be shown.
 * @param {boolean} choices.sandbox Whether Chromium can set up its sandbox.
 */
export function chromiumSwitches({ window, sandbox }) {
  // Standard error is for people; Chromium tells there of every system service that it does not find.
  const switches = ['--log-level=3'];
  if (process.platform === 'linux') {
    if (!window) switches.push('--ozone-platform=headless');
    // Without a graphics device Chromium starts its graphics process in vain before it draws by itself.
    if (!window || !existsSync('/dev/dri')) switches.push('--disable-gpu');
    if (!sandbox) switches.push('--no-sandbox');
  }
  return switches;
}

/**
 * Why Chromium's sandbox cannot be set up here, or `null` when it can.
 *
 * @param {string} electron The executable.
 */
export function sandboxObstacle(electron) {
  if (process.platform !== 'linux') return null;
  if (process.getuid?.() === 0) return 'it has no sandbox for root';
  const helper = statSync(join(dirname(electron), 'chrome-sandbox'), { throwIfNoEntry: false });
  if (helper !== undefined && helper.uid === 0 && (helper.mode & 0o4000) !== 0) return null;
  // What Chromium does for itself: a user namespace in which it may make others.
  const probe = spawnSync('unshare', ['--user', '--map-root-user', '--net', 'true'], { stdio: 'ignore' });
  const denied = probe.error === undefined && probe.status !== 0;
  return denied ? 'this system denies it the namespaces that its sandbox is made of' : null;
}

/**
 * Runs Electron on this checkout with this process's streams, and ends as it ended.
 *
 * @param {string} electron The executable.
 * @param {readonly string[]} switches
 * @param {readonly string[]} args The program's own arguments.
 */
export async function runLonghand(electron, switches, args) {
  const { ELECTRON_RUN_AS_NODE: _, ...environment } = process.env;
  const { code, signal } = await runToTheEnd(electron, [...switches, root, ...args], environment);
  if (signal !== null) process.kill(process.pid, signal);
  process.exitCode = code ?? 1;
}

/**
 * Runs a program to its end with this process's streams, and passes signals on to it.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ readonly code: number | null, readonly signal: NodeJS.Signals | null }>}
 */
export async function runToTheEnd(program, args, env) {
  const child = spawn(program, args, { stdio: 'inherit', env });
  // A terminal sends its interrupt to both of us; anybody else sends it to this process alone.
  const onTerminal = [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY);
  const passOn = (/** @type {NodeJS.Signals} */ signal) => {
    if (signal !== 'SIGINT' || !onTerminal) child.kill(signal);
  };
  for (const signal of passedOn) process.on(signal, passOn);
  try {
    const [code, signal] = await once(child, 'close');
    return { code, signal };
  } finally {
    for (const signal of passedOn) process.off(signal, passOn);
  }
}
