import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkLicences, shippedPackages, writeLicences } from '../../../scripts/package/licences.mjs';
import { testFolder } from '../../support/test-folder.ts';

describe('the licences of what ships', () => {
  it('are those of the packages in the program, including the ones that the build puts into its own files', () => {
    const names = shippedPackages().map(({ name }) => name);
    // A dependency, one that is bundled, one of another package, and one under another name.
    expect(names).toEqual(expect.arrayContaining(['fastify', 'react-dom', 'avvio', '@napi-rs/keyring']));
    expect(names.filter((name) => ['vitest', 'electron-builder', 'prettier'].includes(name))).toEqual([]);
  });

  it('are all allowed', () => {
    expect(checkLicences()).toBe(true);
  });

  it('are quoted in one file', async () => {
    const file = join(await testFolder(), 'licences.txt');
    writeLicences(file);
    const text = await readFile(file, 'utf8');
    for (const { name, version, licence } of shippedPackages())
      expect(text).toContain(`${name} ${version} (${licence})`);
    expect(text).toContain('Copyright (c) Meta Platforms');
    expect(text).toContain('Mozilla Public License Version 2.0');
  });
});
