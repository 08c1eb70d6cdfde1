/** What all steps of the set-up share: paths, messages, files and processes. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root folder of the checkout. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** Holds the set-up's own files. npm removes it with the installed packages. */
export const setupFolder = resolve(root, 'node_modules/.longhand');

/** Something that the set-up cannot do; the message tells the user what to do. */
export class SetupError extends Error {
  /** @override */
  name = 'SetupError';
}

/**
 * Prints what the set-up does, one line per step. To standard error, because standard output belongs to the program
 * that runs after it.
 *
 * @param {string} line
 */
export function say(line) {
  console.error(`set-up: ${line}`);
}

/**
 * Runs a program until it exits and captures its output.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnSyncOptions} [options] `env` is added to this process's own.
 * @returns {{ readonly ok: boolean, readonly output: string }} `output` is all it wrote, or why it did not run.
 */
export function run(program, args, options = {}) {
  const result = spawnSync(program, [...args], {
    cwd: root,
    maxBuffer: 256 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
    env: { ...process.env, NO_COLOR: '1', ...options.env },
  });
  const output = `${result.stdout ?? ''}${result.stderr ?? ''}`.trim();
  return { ok: result.status === 0, output: output === '' ? (result.error?.message ?? '') : output };
}

/**
 * Runs npm, preferably the one that started this script.
 *
 * @param {readonly string[]} args
 */
export function runNpm(args) {
  const started = process.env['npm_execpath'] ?? '';
  if (started.endsWith('npm-cli.js')) return run(process.execPath, [started, ...args]);
  // On Windows npm is a command file, which only a shell can run. Our arguments need no quotes.
  return run('npm', args, { shell: process.platform === 'win32' });
}

/**
 * @param {string} path
 * @returns {string | null} The file's text, or `null` if there is no such file.
 */
export function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/**
 * Writes a small file and creates its folder.
 *
 * @param {string} path
 * @param {string} text
 */
export function writeSmallFile(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
