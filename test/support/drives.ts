import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmdirSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A drive of its own in a folder, as a card or a stick is. */
export interface Drive {
  /** Where it is connected. */
  readonly path: string;
  /** Takes all room but so many bytes. */
  fill(leaveBytes: number): void;
  /** Gives the room free again. */
  empty(): void;
  /** From now on nobody may write to it. */
  lock(): void;
  unlock(): void;
  /** Takes it out under whatever is being done with it. */
  takeOut(): void;
  /** Connects it again where it was. */
  putBack(): void;
  /** Ends it with all that it holds. */
  remove(): void;
}

const run = (command: string, ...args: readonly string[]): void =>
  void execFileSync(command, args, { stdio: 'pipe' });

/**
 * A drive in memory in the folders `NAME` and `NAME-itself` of a folder: the second stays when it is taken out of the
 * first, as what is on a stick does.
 */
export function connectDrive(folder: string, name: string, sizeBytes: number): Drive {
  const path = join(folder, name);
  const itself = join(folder, `${name}-itself`);
  const ballast = join(itself, 'ballast');
  for (const one of [path, itself]) mkdirSync(one);
  run('mount', '-t', 'tmpfs', '-o', `size=${sizeBytes}`, 'longhand-test', itself);
  const putBack = (): void => run('mount', '--bind', itself, path);
  const takeOut = (): void => run('umount', '--lazy', path);
  const empty = (): void => writeFileSync(ballast, '');
  putBack();
  let isIn = true;
  return {
    path,
    fill: (leaveBytes) => {
      empty();
      const { bavail, bsize } = statfsSync(itself);
      writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - leaveBytes)));
    },
    empty,
    lock: () => run('mount', '-o', 'remount,bind,ro', path),
    unlock: () => run('mount', '-o', 'remount,bind,rw', path),
    takeOut: () => {
      takeOut();
      isIn = false;
    },
    putBack: () => {
      putBack();
      isIn = true;
    },
    remove: () => {
      if (isIn) takeOut();
      run('umount', '--lazy', itself);
    },
  };
}

/** Whether drives can be connected: only Linux has them so, and only its root may. */
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
