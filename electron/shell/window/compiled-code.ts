import { readdirSync, rmSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';

/**
 * Keeps in `folder` how V8 has compiled the program, for the next start.
 *
 * @param build tells this build of the program from any other.
 * @returns to be called at the end: writes down what is new, and removes what was kept of other builds.
 */
export function keepCompiledCode(folder: string, build: string): () => void {
  enableCompileCache(join(folder, build));
  return () => {
    flushCompileCache();
    try {
      for (const name of readdirSync(folder)) {
        if (name !== build) rmSync(join(folder, name), { recursive: true, force: true });
      }
    } catch {
      // It lies there until the next end.
    }
  };
}
