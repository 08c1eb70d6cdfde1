import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { Logger } from '../../../../electron/core/ports.ts';
import { systemClock } from '../../../../electron/core/system.ts';
import { closeOrKill } from '../../../../electron/shell/window/shutdown.ts';
import { ManualClock } from '../../../support/clocks/manual-clock.ts';
import { testFolder } from '../../../support/test-folder.ts';

/** Shuts down with `close`, and returns what was logged and whether the process was killed. */
function ending(close: () => Promise<void>, clock: ManualClock | typeof systemClock) {
  const logged: string[] = [];
  const log = (message: string): number => logged.push(message);
  const logger: Logger = { debug: log, info: log, warn: log, error: log };
  let givenUp = false;
  const ended = closeOrKill(close, { clock, logger, kill: () => (givenUp = true) });
  return { ended, logged, isGivenUp: () => givenUp };
}

/** The URL of a module of the program. */
const from = (path: string): string =>
  JSON.stringify(new URL(`../../../../electron/${path}`, import.meta.url));

describe('the shutdown', () => {
  it('waits for everything to be closed', async () => {
    const { ended, logged, isGivenUp } = ending(() => Promise.resolve(), systemClock);
    await ended;
    expect(logged).toEqual([]);
    expect(isGivenUp()).toBe(false);
  });

  it('continues when something cannot be closed', async () => {
    const { ended, logged, isGivenUp } = ending(() => Promise.reject(new Error('the disk')), systemClock);
    await ended;
    expect(logged).toEqual(['not everything could be closed']);
    expect(isGivenUp()).toBe(false);
  });

  it('kills the process when a drive blocks closing', async () => {
    const clock = new ManualClock();
    const { ended, isGivenUp } = ending(() => new Promise(() => undefined), clock);
    clock.advance(9_000);
    expect(isGivenUp()).toBe(false);
    clock.advance(2_000);
    await ended;
    expect(isGivenUp()).toBe(true);
  });

  it.skipIf(process.platform === 'win32')(
    'gives the process up while a file is being opened that never opens',
    async () => {
      const pipe = join(await testFolder(), 'pipe');
      execFileSync('mkfifo', [pipe]);
      const opening = open(pipe, 'r');
      const { ended, logged, isGivenUp } = ending(() => Promise.resolve(), systemClock);
      await ended;
      expect(isGivenUp()).toBe(true);
      expect(logged).toEqual(['the program exits without waiting for a drive that does not respond']);
      const ends: FileHandle[] = await Promise.all([opening, open(pipe, 'w')]);
      await Promise.all(ends.map((end) => end.close()));
    },
  );

  it.skipIf(process.platform === 'win32')(
    'has its exit code though threads hang in their reads',
    async () => {
      const folder = await testFolder();
      const pipe = join(folder, 'pipe');
      execFileSync('mkfifo', [pipe]);
      const thread = join(folder, 'thread.mjs');
      await writeFile(
        thread,
        `import { readFileSync } from 'node:fs'; readFileSync(${JSON.stringify(pipe)});`,
      );
      const program = join(folder, 'program.mjs');
      await writeFile(
        program,
        `import { open } from 'node:fs/promises';
         import { pathToFileURL } from 'node:url';
         import { systemClock } from ${from('core/system.ts')};
         import { WorkerClient } from ${from('workers/worker-client.ts')};
         import { waitUntilIdle, exitAtOnce } from ${from('shell/window/shutdown.ts')};
         void open(${JSON.stringify(pipe)}, 'r');
         const client = new WorkerClient({ url: pathToFileURL(${JSON.stringify(thread)}), name: 'reading', maxHeapMb: 64 });
         client.request('read', null).catch(() => {});
         void client.close();
         if (!(await waitUntilIdle(systemClock))) exitAtOnce(7);`,
      );
      const child = spawn(process.execPath, [program], { stdio: ['ignore', 'ignore', 'pipe'] });
      const [[code], errors] = await Promise.all([once(child, 'exit'), text(child.stderr)]);
      expect(errors).toBe('');
      expect(code).toBe(7);
    },
  );
});
