import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withSetupLock } from '../../../scripts/setup/lock.mjs';

describe('one set-up at a time', () => {
  let folder: string;
  let lock: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'longhand-lock-'));
    lock = join(folder, 'cache', 'setup.lock');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('lets the second wait for the first', async () => {
    const order: string[] = [];
    const work = (name: string) => async () => {
      order.push(`${name} begins`);
      await new Promise((done) => setTimeout(done, 20));
      order.push(`${name} ends`);
    };
    await Promise.all([withSetupLock(work('first'), lock), withSetupLock(work('second'), lock)]);
    expect(order).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
    expect(existsSync(lock)).toBe(false);
  });

  it('frees the lock when the work fails', async () => {
    await expect(withSetupLock(() => Promise.reject(new Error('no')), lock)).rejects.toThrow('no');
    await expect(withSetupLock(() => Promise.resolve('yes'), lock)).resolves.toBe('yes');
  });

  it('does not wait for somebody who was killed', async () => {
    await withSetupLock(() => Promise.resolve(), lock);
    const gone = spawnSync(process.execPath, ['--version']).pid;
    writeFileSync(lock, String(gone));
    await expect(withSetupLock(() => Promise.resolve('done'), lock)).resolves.toBe('done');
  });
});
