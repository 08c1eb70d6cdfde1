import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/** A folder of its own, which whoever asked for it removes; one for a single test is in `test-folder.ts`. */
export async function temporaryFolder(): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), 'longhand-test-'));
  // The processes of a program that was killed may write for a moment longer.
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 10 }) };
}
