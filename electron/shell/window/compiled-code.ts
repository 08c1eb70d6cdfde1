import { readdirSync, rmSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';

/**
 * Caches V8's compiled code of the program in `folder` for the next start.
 *
 * @param folder V8 runs what it contains, so no other user may write there.
 * @param build identifies this build of the program.
 * @returns a function to call before the exit: it writes new code and removes the caches of other builds.
 */
export function cacheCompiledCode(folder: string, build: string): () => void {
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
