/** What tests need on Linux: virtual displays, a session bus, an unlocked keychain, and a folder in memory. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { electronVariables } from './launch.mjs';

/**
 * @typedef {object} TestEnvironment
 * @property {NodeJS.ProcessEnv} variables Added to the environment of the tests.
 * @property {() => Promise<void>} close
 */

/** One for each worker of vitest; see `test/worker-display.ts`. */
const displayCount = 2;
/** A file system in memory. */
const memoryFolder = '/dev/shm';
/** In bytes, for the packages and the system that they are installed in. */
const minFreeBytes = 8 * 1024 ** 3;

/**
 * Starts the environment. It touches nothing of the user's: the keychain is an empty one in a temporary folder, and
 * windows open on virtual displays. On macOS and Windows the tests run on the user's desktop.
 *
 * @param {object} options
 * @param {boolean} options.inMemory Whether temporary folders are in memory if there is room: each of the many commits
 *   of tests would wait for the disk.
 * @returns {Promise<TestEnvironment>}
 */
export async function openTestEnvironment({ inMemory }) {
  if (process.platform !== 'linux') return { variables: {}, close: async () => undefined };
  const folder = mkdtempSync(join(inMemory ? chooseTemporaryFolder() : tmpdir(), 'longhand-tests-'));
  const displays = await Promise.all(Array.from({ length: displayCount }, startVirtualDisplay));
  const bus = await startSessionBus(folder);
  return {
    variables: {
      ...electronVariables,
      DISPLAY: displays[0]?.name,
      LONGHAND_TEST_DISPLAYS: displays.map(({ name }) => name).join(','),
      // An empty name means no Wayland display.
      WAYLAND_DISPLAY: '',
      XDG_SESSION_TYPE: 'x11',
      XDG_RUNTIME_DIR: folder,
      XDG_CACHE_HOME: folder,
      TMPDIR: folder,
      DBUS_SESSION_BUS_ADDRESS: bus.address,
    },
    async close() {
      for (const { server } of displays) server.kill();
      // The keychain ends with its bus.
      bus.server.kill();
      // Processes that are ending may still write there.
      await rm(folder, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}

/** Returns where temporary folders are: in memory, unless it is too small there or programs cannot be run from it. */
function chooseTemporaryFolder() {
  if (!existsSync(memoryFolder)) return tmpdir();
  const { bavail, bsize } = statfsSync(memoryFolder);
  if (bavail * bsize < minFreeBytes) return tmpdir();
  const folder = mkdtempSync(join(memoryFolder, 'longhand-'));
  const program = join(folder, 'program');
  try {
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
    return spawnSync(program).status === 0 ? memoryFolder : tmpdir();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Starts a virtual display; the server finds a free number and writes it to its third stream. */
async function startVirtualDisplay() {
  const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1920x1200x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  return { server, name: `:${await firstLine(server, server.stdio[3], 'Xvfb')}` };
}

/**
 * Starts a session bus with an unlocked keychain on it.
 *
 * @param {string} folder For everything that they write.
 */
async function startSessionBus(folder) {
  const env = { ...process.env, XDG_RUNTIME_DIR: folder, XDG_DATA_HOME: folder };
  const server = spawn('dbus-daemon', ['--session', '--nofork', '--nopidfile', '--print-address'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env,
  });
  const address = await firstLine(server, server.stdout, 'dbus-daemon');
  // It moves to the background once it is ready.
  const keychain = spawn('gnome-keyring-daemon', ['--unlock', '--components=secrets'], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { ...env, DBUS_SESSION_BUS_ADDRESS: address },
  });
  // If it does not read the password, its exit code says so.
  keychain.stdin.on('error', () => undefined);
  keychain.stdin.end('a password for the tests alone\n');
  const [code] = await once(keychain, 'exit');
  if (code !== 0) throw new Error(`gnome-keyring-daemon ended with ${code}`);
  return { server, address };
}

/**
 * @param {import('node:child_process').ChildProcess} server
 * @param {unknown} stream
 * @param {string} name
 * @returns {Promise<string>}
 */
async function firstLine(server, stream, name) {
  if (!(stream instanceof Readable)) throw new TypeError(`${name} has no such stream`);
  const ended = once(server, 'exit').then(([code]) => {
    throw new Error(`${name} ended with ${code} before it was ready`);
  });
  const [line] = await Promise.race([once(stream, 'data'), ended]);
  return String(line).trim();
}
