import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { electronFolder, planPackage } from '../../../scripts/package/package-plan.mjs';

const official = { path: '/electron/dist/electron', source: 'official' } as const;
const choices = { electronVersion: '1.2.3', homepage: 'https://longhand.test' };
const electronArgs = ['--config.electronDist=/electron/dist', '--config.electronVersion=1.2.3'];

describe('planning a package', () => {
  it('makes packages with the official Electron', () => {
    expect(planPackage(official, choices)).toEqual(['--publish=never', ...electronArgs]);
  });

  it.each(['registry', 'given'] as const)('makes none with another Electron (%s)', (source) => {
    const electron = { path: '/electron/dist/electron', source };
    expect(() => planPackage(electron, choices)).toThrow(/official Electron/);
    expect(planPackage(electron, { ...choices, testFolder: 'folder' })).toEqual(
      expect.arrayContaining(['--dir', `--config.directories.output=${resolve('folder')}`, ...electronArgs]),
    );
  });

  it('makes none that name an address of nobody', () => {
    const homepage = 'https://longhand.example';
    expect(() => planPackage(official, { ...choices, homepage })).toThrow(
      /replace https:\/\/longhand.example/,
    );
    expect(planPackage(official, { ...choices, homepage, testFolder: 'folder' })).toContain('--dir');
  });

  it('makes the packages that a test asks for', () => {
    const args = planPackage(official, { ...choices, testFolder: 'folder', testTargets: ['deb'] });
    expect(args.join(' ')).toContain(' --linux deb ');
    expect(args).not.toContain('--dir');
  });

  it('finds the whole build around the executable', () => {
    expect(electronFolder('/e/dist/electron')).toBe('/e/dist');
    expect(electronFolder('/e/dist/Electron.app/Contents/MacOS/Electron')).toBe(resolve('/e/dist'));
  });
});
