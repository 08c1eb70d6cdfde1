import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readIfThere, root, say } from './common.mjs';

// Outside node_modules, which npm empties.
const checkoutLock = resolve(root, '.cache/setup.lock');
const waitMs = 200;

/**
 * Runs `work` while no other set-up of this checkout is at work.
 *
 * @template T
 * @param {() => Promise<T>} work
 * @param {string} [lock] The file that says who is at work.
 * @returns {Promise<T>}
 */
export async function alone(work, lock = checkoutLock) {
  mkdirSync(dirname(lock), { recursive: true });
  let told = false;
  while (!take(lock)) {
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

/**
 * Takes the lock if it is free, or if whoever held it is gone.
 *
 * @param {string} lock
 */
function take(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    if (isAlive(Number(readIfThere(lock)))) return false;
    rmSync(lock, { force: true });
    return take(lock);
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
