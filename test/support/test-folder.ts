import { onTestFinished } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

/** Creates a folder that is removed when the test is over. */
export async function testFolder(): Promise<string> {
  const { path, remove } = await temporaryFolder();
  onTestFinished(remove);
  return path;
}
