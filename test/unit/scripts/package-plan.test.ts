import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { electronFolder, planPackage } from '../../../scripts/package-plan.mjs';

const electronVersion = '1.2.3';

describe('planning a package', () => {
  it('makes packages with the official Electron', () => {
    const args = planPackage({ path: '/electron/dist/electron', source: 'official' }, { electronVersion });
    expect(args).toEqual([
      '--publish=never',
      '--config.electronDist=/electron/dist',
      '--config.electronVersion=1.2.3',
    ]);
  });

  it.each(['registry', 'given'] as const)('makes none with another Electron (%s)', (source) => {
    const electron = { path: '/electron/dist/electron', source };
    expect(() => planPackage(electron, { electronVersion })).toThrow(/official Electron/);
    expect(planPackage(electron, { electronVersion, testFolder: 'folder' })).toEqual(
      expect.arrayContaining(['--dir', `--config.directories.output=${resolve('folder')}`]),
    );
  });

  it('opens the fuse for drivers in programs for tests alone', () => {
    const electron = { path: '/electron/dist/electron', source: 'official' } as const;
    const fuse = '--config.electronFuses.enableNodeCliInspectArguments=true';
    expect(planPackage(electron, { electronVersion, testFolder: 'folder' })).not.toContain(fuse);
    expect(planPackage(electron, { electronVersion, testFolder: 'folder', drivable: true })).toContain(fuse);
    expect(() => planPackage(electron, { electronVersion, drivable: true })).toThrow(/all fuses/);
  });

  it('finds the whole build around the executable', () => {
    expect(electronFolder('/e/dist/electron')).toBe('/e/dist');
    expect(electronFolder('/e/dist/Electron.app/Contents/MacOS/Electron')).toBe(resolve('/e/dist'));
  });
});
