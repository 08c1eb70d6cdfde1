/** Starts Electron on this checkout, on a developer's machine or on a server without a display. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './setup/common.mjs';

/** @type {readonly NodeJS.Signals[]} */
const forwardedSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Whether there is a display to open a window on. */
export function hasDisplay() {
  if (process.platform !== 'linux') return true;
  return Boolean(process.env['DISPLAY']) || Boolean(process.env['WAYLAND_DISPLAY']);
}

/**
 * Whether the program may open its window for these arguments: the first one is a link or can be a file. The program,
 * which also knows the names of its commands, decides.
 *
 * @param {readonly string[]} args
 */
export const mayOpenWindow = ([first = '']) =>
  !first.startsWith('-') && (/[./\\:]/.test(first) || existsSync(first));

/**
 * Returns the switches that Chromium needs on this machine. They must be on the command line: the program would add
 * them too late.
 *
 * @param {object} choices
 * @param {boolean} choices.window Whether a window is to be shown.
 * @param {boolean} choices.sandbox Whether Chromium can set up its sandbox.
 */
export function chromiumSwitches({ window, sandbox }) {
  // Standard error is read by people; Chromium would report every missing system service there.
  const switches = ['--log-level=3'];
  if (process.platform === 'linux') {
    if (!window) switches.push('--ozone-platform=headless');
    // Without a graphics device Chromium starts a GPU process that fails before it falls back to software.
    if (!window || !existsSync('/dev/dri')) switches.push('--disable-gpu');
    if (!sandbox) switches.push('--no-sandbox');
  }
  return switches;
}

/**
 * Variables that Electron and Chromium set on Linux while other threads read the environment. A new variable moves the
 * environment, and about one start in 150 crashed in `getenv`; one that exists is replaced in place.
 * `resources/linux/longhand` sets the same.
 */
export const electronVariables =
  process.platform === 'linux'
    ? {
        CHROME_DESKTOP: 'app.longhand.Longhand.desktop',
        FC_FONTATIONS: '1',
        NO_AT_BRIDGE: '1',
        ...(!process.env['WAYLAND_DISPLAY'] && { GDK_BACKEND: process.env['GDK_BACKEND'] || 'x11' }),
      }
    : {};

/**
 * Returns why Chromium's sandbox cannot be set up here, or `null` if it can.
 *
 * @param {string} electron The executable.
 */
export function sandboxObstacle(electron) {
  if (process.platform !== 'linux') return null;
  if (process.getuid?.() === 0) return 'it has no sandbox for root';
  const helper = statSync(join(dirname(electron), 'chrome-sandbox'), { throwIfNoEntry: false });
  if (helper !== undefined && helper.uid === 0 && (helper.mode & 0o4000) !== 0) return null;
  // Tries what Chromium does: a user namespace in which it may create others.
  const probe = spawnSync('unshare', ['--user', '--map-root-user', '--net', 'true'], { stdio: 'ignore' });
  const isDenied = probe.error === undefined && probe.status !== 0;
  return isDenied ? 'this system does not allow the namespaces that its sandbox needs' : null;
}

/**
 * Runs Electron on this checkout with this process's streams, and exits the way it exited.
 *
 * @param {string} electron The executable.
 * @param {readonly string[]} switches
 * @param {readonly string[]} args The program's own arguments.
 */
export async function runLonghand(electron, switches, args) {
  const { ELECTRON_RUN_AS_NODE: _, ...environment } = process.env;
  const env = { ...environment, ...electronVariables };
  const { code, signal } = await runProcess(electron, [...switches, root, ...args], env);
  if (signal !== null) process.kill(process.pid, signal);
  process.exitCode = code ?? 1;
}

/**
 * Runs a program until it exits, and forwards signals to it.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @param {'inherit' | 'capture'} [streams] `inherit` uses this process's streams, `capture` returns the output.
 * @returns {Promise<{ readonly code: number | null, readonly signal: NodeJS.Signals | null, readonly output: string }>}
 */
export async function runProcess(program, args, env, streams = 'inherit') {
  const child = spawn(program, args, {
    stdio: streams === 'inherit' ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    env,
  });
  /** @type {Buffer[]} */
  const chunks = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => chunks.push(chunk));
  // A terminal sends its interrupt to both processes; anyone else sends it to this one only.
  const isOnTerminal = [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY);
  const forward = (/** @type {NodeJS.Signals} */ signal) => {
    if (signal !== 'SIGINT' || !isOnTerminal) child.kill(signal);
  };
  for (const signal of forwardedSignals) process.on(signal, forward);
  try {
    const [code, signal] = await once(child, 'close');
    return { code, signal, output: Buffer.concat(chunks).toString() };
  } finally {
    for (const signal of forwardedSignals) process.off(signal, forward);
  }
}
