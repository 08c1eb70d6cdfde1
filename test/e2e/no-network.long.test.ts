import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { canConnectDrives } from '../support/drives.ts';
import { testFolder } from '../support/test-folder.ts';

// Networks of their own need Linux and root, as drives do.
it.skipIf(!canConnectDrives)(
  'a session from the first start to quitting sends nothing anywhere',
  async () => {
    const script = resolve(import.meta.dirname, 'silent-session.ts');
    const args = ['--net', '--mount', process.execPath, script, await testFolder()];
    const { stdout } = await promisify(execFile)('unshare', args);
    const { before, afterSession, afterLookup } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as {
      before: number;
      afterSession: number;
      afterLookup: number;
    };
    expect(afterSession - before).toBe(0);
    // What is sent is counted.
    expect(afterLookup).toBeGreaterThan(afterSession);
  },
);
