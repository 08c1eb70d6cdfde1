import { lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Caches V8's compiled code of the program in `folder` for the next start; does nothing if another user may write there.
 *
 * @param build identifies this build of the program.
 * @returns a function to call before the exit: it writes new code and removes the caches of other builds.
 */
export function cacheCompiledCode(folder: string, build: string): () => void {
  if (!makePrivate(folder)) return () => undefined;
  enableCompileCache(join(folder, build));
  return () => {
    flushCompileCache();
    try {
      for (const name of readdirSync(folder)) {
        if (name !== build) rmSync(join(folder, name), { recursive: true, force: true });
      }
    } catch {
      // The next exit retries.
    }
  };
}

/** Permissions of groups and others to write. */
const writableByOthers = 0o022;

/**
 * Makes a folder, and returns whether only this user can write to it and to the two above it, which the program makes too:
 * the folder for caches may be a shared one, where somebody else could have made them.
 */
function makePrivate(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return [folder, dirname(folder), dirname(dirname(folder))].every((path) => {
      const { uid, mode } = lstatSync(path);
      return process.getuid === undefined || (uid === process.getuid() && (mode & writableByOthers) === 0);
    });
  } catch {
    return false;
  }
}
