import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/** Creates a temporary folder that the caller removes; `testFolder` removes its own after the test. */
export async function temporaryFolder(parent = tmpdir()): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(parent, 'longhand-test-'));
  // The processes of a killed program may write for a moment longer.
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 10 }) };
}
