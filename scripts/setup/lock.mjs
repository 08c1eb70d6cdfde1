import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readIfThere, root, say } from './common.mjs';

// Outside node_modules, which npm empties.
const checkoutLock = resolve(root, '.cache/setup.lock');
const waitMs = 200;

/**
 * Runs `work` while no other set-up of this checkout runs.
 *
 * @template T
 * @param {() => Promise<T>} work
 * @param {string} [lock] The file that contains the owner's process id.
 * @returns {Promise<T>}
 */
export async function withSetupLock(work, lock = checkoutLock) {
  mkdirSync(dirname(lock), { recursive: true });
  let isWaiting = false;
  while (!tryToTake(lock)) {
    if (!isWaiting) say('waiting for another set-up of this checkout to finish');
    isWaiting = true;
    await new Promise((done) => setTimeout(done, waitMs));
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/**
 * Takes the lock if it is free or its owner no longer exists.
 *
 * @param {string} lock
 */
function tryToTake(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    if (isAlive(Number(readIfThere(lock)))) return false;
    rmSync(lock, { force: true });
    return tryToTake(lock);
  }
}

/** @param {number} pid */
function isAlive(pid) {
  // 0: the file was just created and is still empty, or was just removed.
  if (pid === 0) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
