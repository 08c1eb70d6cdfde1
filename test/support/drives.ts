import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmdirSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorCode } from '../../electron/contract/errors.ts';

/** A separate drive in a folder, like a memory card or USB stick. */
export interface Drive {
  /** Its mount point. */
  readonly path: string;
  /** Fills it except for this many bytes. */
  fill(leaveBytes: number): void;
  /** Frees the space again. */
  empty(): void;
  /** Makes it read-only. */
  lock(): void;
  unlock(): void;
  /** Disconnects it, even while it is in use. */
  disconnect(): void;
  /** Connects it again at the same mount point. */
  reconnect(): void;
  /** Removes it with all of its content. */
  remove(): void;
}

const run = (command: string, ...args: readonly string[]): void =>
  void execFileSync(command, args, { stdio: 'pipe' });

/**
 * Connects a drive in memory, in the folders `NAME` and `NAME-storage` of a folder. The second keeps its content
 * while the drive is disconnected from the first, as a USB stick does.
 */
export function connectDrive(folder: string, name: string, sizeBytes: number): Drive {
  const path = join(folder, name);
  const storage = join(folder, `${name}-storage`);
  const ballast = join(storage, 'ballast');
  for (const created of [path, storage]) mkdirSync(created);
  run('mount', '-t', 'tmpfs', '-o', `size=${sizeBytes}`, 'longhand-test', storage);
  const mount = (): void => run('mount', '--bind', storage, path);
  const unmount = (): void => run('umount', '--lazy', path);
  const empty = (): void => writeFileSync(ballast, '');
  mount();
  let isConnected = true;
  return {
    path,
    fill: (leaveBytes) => {
      empty();
      const { bavail, bsize } = statfsSync(storage);
      try {
        writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - leaveBytes)));
      } catch (error) {
        // A program may have written to the drive meanwhile; what was written until now has filled it.
        if (errorCode(error) !== 'ENOSPC') throw error;
      }
    },
    empty,
    lock: () => run('mount', '-o', 'remount,bind,ro', path),
    unlock: () => run('mount', '-o', 'remount,bind,rw', path),
    disconnect: () => {
      unmount();
      isConnected = false;
    },
    reconnect: () => {
      mount();
      isConnected = true;
    },
    remove: () => {
      if (isConnected) unmount();
      run('umount', '--lazy', storage);
    },
  };
}

/** Whether drives can be connected, which needs Linux and root. */
export const canConnectDrives: boolean = (() => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const folder = mkdtempSync(join(tmpdir(), 'longhand-drive-'));
  try {
    run('mount', '-t', 'tmpfs', '-o', 'size=64k', 'longhand-test', folder);
    run('umount', folder);
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(folder);
  }
})();
