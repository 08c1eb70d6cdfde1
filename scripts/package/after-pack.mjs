/** Completes the unpacked program before it is signed and put into packages; electron-builder calls it. */
import { chmod, copyFile, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { FuseV1Options, FuseVersion } from '@electron/fuses';
import { root } from '../setup/common.mjs';

/** @param {import('electron-builder').AfterPackContext} packed */
export default async function afterPack(packed) {
  const { appOutDir, electronPlatformName, packager } = packed;
  await packager.addElectronFuses(packed, {
    version: FuseVersion.V1,
    [FuseV1Options.RunAsNode]: false,
    // There are no cookies to encrypt, and Chromium gets no key in the keychain for them; see electron/program.ts.
    [FuseV1Options.EnableCookieEncryption]: false,
    [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
    [FuseV1Options.EnableNodeCliInspectArguments]: process.env['LONGHAND_DRIVABLE_PACKAGE'] === 'yes',
    [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
    [FuseV1Options.OnlyLoadAppFromAsar]: true,
    [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  });
  // Electron's own page, for starts without a program.
  await rm(join(packager.getResourcesDir(appOutDir), 'default_app.asar'), { force: true });
  if (electronPlatformName !== 'linux') return;
  // The command of the user is a script, which adds the switches that Chromium needs.
  const command = join(appOutDir, 'longhand');
  await rename(command, `${command}-app`);
  await copyFile(resolve(root, 'resources/linux/longhand'), command);
  await chmod(command, 0o755);
}
