import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readIfThere, root, say } from './common.mjs';

// Outside node_modules, which npm empties.
const lock = resolve(root, '.cache/setup.lock');
const waitMs = 200;

/**
 * Runs `work` while no other set-up of this checkout is at work.
 *
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function alone(work) {
  mkdirSync(dirname(lock), { recursive: true });
  let told = false;
  while (!take()) {
    if (!told) say('waiting for another set-up of this checkout to end');
    told = true;
    await new Promise((done) => setTimeout(done, waitMs));
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** Takes the lock if it is free, or if whoever held it is gone. */
function take() {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    if (!isAlive(Number(readIfThere(lock)))) rmSync(lock, { force: true });
    return false;
  }
}

/** @param {number} pid */
function isAlive(pid) {
  // 0: the file was created a moment ago and is still empty, or is just gone.
  if (pid === 0) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
