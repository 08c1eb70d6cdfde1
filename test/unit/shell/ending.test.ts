import { execFileSync } from 'node:child_process';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Logger } from '../../../electron/core/ports.ts';
import { systemClock } from '../../../electron/core/system.ts';
import { closeOrGiveUp } from '../../../electron/shell/ending.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { temporaryFolder } from '../../support/recordings.ts';

/** Ends with `close`, and tells what was logged and whether the process was given up. */
function ending(close: () => Promise<void>, clock: ManualClock | typeof systemClock) {
  const logged: string[] = [];
  const log = (message: string): number => logged.push(message);
  const logger: Logger = { debug: log, info: log, warn: log, error: log };
  let givenUp = false;
  const ended = closeOrGiveUp(close, { clock, logger, giveUp: () => (givenUp = true) });
  return { ended, logged, isGivenUp: () => givenUp };
}

describe('the end of the program', () => {
  it('waits for everything to be closed', async () => {
    const { ended, logged, isGivenUp } = ending(() => Promise.resolve(), systemClock);
    await ended;
    expect(logged).toEqual([]);
    expect(isGivenUp()).toBe(false);
  });

  it('is not kept by something that cannot be closed', async () => {
    const { ended, logged, isGivenUp } = ending(() => Promise.reject(new Error('the disk')), systemClock);
    await ended;
    expect(logged).toEqual(['not everything could be closed']);
    expect(isGivenUp()).toBe(false);
  });

  it('gives the process up when a drive keeps it from closing', async () => {
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
      const pipe = join(await temporaryFolder(), 'pipe');
      execFileSync('mkfifo', [pipe]);
      const opening = open(pipe, 'r');
      const { ended, logged, isGivenUp } = ending(() => Promise.resolve(), systemClock);
      await ended;
      expect(isGivenUp()).toBe(true);
      expect(logged).toEqual(['the program ends without waiting for a drive that does not answer']);
      const ends: FileHandle[] = await Promise.all([opening, open(pipe, 'w')]);
      await Promise.all(ends.map((end) => end.close()));
    },
  );
});
