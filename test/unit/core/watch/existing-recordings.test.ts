import { execFileSync } from 'node:child_process';
import { renameSync } from 'node:fs';
import { chmod, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { patient, WatchedSeason } from './watched-season.ts';

/** Continues as a user whom permissions concern, until the test is over. */
function dropRoot({ folder }: WatchedSeason): void {
  if (process.geteuid?.() !== 0) return;
  const nobody = 65_534;
  const home = dirname(folder);
  execFileSync('chown', ['-R', String(nobody), home]);
  execFileSync('chmod', ['a+x', dirname(home)]);
  process.seteuid?.(nobody);
  onTestFinished(() => process.seteuid?.(0));
}

describe('a folder whose existing recordings are ignored', () => {
  it('ignores them also if the program ended while it looked for them', async () => {
    const season = await WatchedSeason.open();
    await season.write('old.wav', 1);
    season.folders.add(season.folder, false);
    await season.close();
    season.reopen();
    await season.settle();
    expect(season.names()).toEqual([]);
    expect(season.state()).toBe('watching');
  });

  it('ignores them also if their drive vanished while it looked for them', async () => {
    const season = await WatchedSeason.open();
    await season.write('old.wav', 1);
    const elsewhere = `${season.folder} elsewhere`;
    season.folders.add(season.folder, false);
    // The next change is the start of the walk.
    season.onChange = () => {
      season.onChange = () => undefined;
      renameSync(season.folder, elsewhere);
    };
    await expect.poll(season.later(season.state), patient).toBe('unavailable');
    await rename(elsewhere, season.folder);
    await expect.poll(season.later(season.state), patient).toBe('watching');
    await season.settle();
    expect(season.names()).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')(
    'ignores them also if they could not be read at first',
    async () => {
      const season = await WatchedSeason.open();
      const locked = join(season.folder, 'locked');
      await mkdir(join(locked, 'deep'), { recursive: true });
      await season.write('locked/deep/old.wav', 1);
      await season.write('old.wav', 2);
      execFileSync('mkfifo', [join(season.folder, 'busy.wav')]);
      dropRoot(season);
      await chmod(locked, 0);
      await chmod(join(season.folder, 'old.wav'), 0);
      await season.watch();
      await season.write('new.wav', 3);
      await expect.poll(season.later(season.names), patient).toEqual(['new.wav']);
      await rm(join(season.folder, 'busy.wav'));
      await season.write('busy.wav', 4);
      await chmod(join(season.folder, 'old.wav'), 0o600);
      await chmod(locked, 0o700);
      await season.settle();
      await season.close();
      season.reopen();
      await season.settle();
      expect(season.names()).toEqual(['new.wav']);
      await season.write('locked/deep/new.wav', 5);
      await season.write('old.wav', 6);
      await expect.poll(season.later(season.names), patient).toEqual(['new.wav', 'new.wav', 'old.wav']);
    },
  );
});
