import { access, readdir, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mediaExtensions, mimeTypeOf } from '../../electron/core/media/media-type.ts';

/** The GUID of the event providers whose events Windows may collect for Microsoft, 4f50731a-89cf-4782-b3e0-dce8c90476ba. */
const telemetryGroup = Buffer.from('1a73504fcf898247b3e0dce8c90476ba', 'hex');
const root = resolve(import.meta.dirname, '../..');
const read = (path: string): Promise<string> => readFile(resolve(root, path), 'utf8');

it('packages for Linux are offered for every kind of recording that can be added, and for folders', async () => {
  const plan = await read('electron-builder.yml');
  const offered = new Set(plan.split('\n').map((line) => line.trim()));
  const types = new Set(['inode/directory', ...mediaExtensions.map((extension) => mimeTypeOf(extension))]);
  expect([...types].filter((type) => !offered.has(`- ${type}`))).toEqual([]);
});

it('the installer for Windows offers Longhand for each of them, takes none over, and takes all of it back', async () => {
  expect(await read('electron-builder.yml')).toContain('  include: resources/windows/open-with.nsh\n');
  const script = await read('resources/windows/open-with.nsh');
  const offered = [...script.matchAll(/^ {2}!insertmacro \$\{DO\} "(.*)"$/gm)].map(
    ([, extension]) => extension,
  );
  expect(offered).toEqual(mediaExtensions);
  const written = [
    ...script.matchAll(/^ {2}(Write\w+|Delete\w+) SHELL_CONTEXT "Software\\Classes\\(.+?)"/gm),
  ];
  expect(written.map(([, verb, key]) => [verb, key]).filter(([, key]) => key?.startsWith('.'))).toEqual([
    ['WriteRegNone', '.${EXTENSION}\\OpenWithProgids'],
    ['DeleteRegValue', '.${EXTENSION}\\OpenWithProgids'],
  ]);
  expect(
    written.map(([, , key]) => key).filter((key) => !/^(\.|Longhand\.Recording)/.test(key ?? '')),
  ).toEqual([]);
});

it('macOS offers it for sound, films and folders, as one program among others', async () => {
  const plan = await read('electron-builder.yml');
  expect(plan).toContain('LSItemContentTypes: [public.audio, public.movie, public.folder]');
  expect(plan).toContain('LSHandlerRank: Alternate');
});

/** The lines of a part of the plan, without indentation. */
const partOf = async (name: string): Promise<readonly string[]> => {
  const plan = await read('electron-builder.yml');
  const [, part = ''] = new RegExp(`^${name}:\\n((?:(?: .*)?\\n)+)`, 'm').exec(plan) ?? [];
  return part.split('\n').map((line) => line.trim());
};

describe('the plan of the packages', () => {
  it.each([
    ['linux', 'target: [AppImage, deb, rpm, tar.gz]', 'the packages'],
    ['linux', 'icon: linux/icons', 'icons in all sizes'],
    ['linux', 'syncDesktopName: true', 'the desktop entry is the one of the window'],
    ['mac', 'target: [dmg, zip]', 'the packages; updates are made of the zip'],
    ['mac', 'hardenedRuntime: true', 'notarization demands it'],
    ['mac', 'entitlements: resources/mac/entitlements.plist', 'no more rights than needed'],
    ['mac', 'entitlementsInherit: resources/mac/entitlements.plist', 'nor for the helpers'],
    ['mac', 'notarize: true', 'a start without a warning'],
    ['mac', 'icon: mac/icon.icns', 'icons in all sizes'],
    ['win', 'target: [nsis, portable]', 'the packages'],
    ['win', 'icon: windows/icon.ico', 'icons in all sizes'],
    ['nsis', 'oneClick: false', 'the user chooses the folder'],
    ['nsis', 'deleteAppDataOnUninstall: false', 'transcripts stay'],
  ])('for %s has %s: %s', async (part, line) => {
    expect(await partOf(part)).toContain(line);
  });

  it('names files that exist', async () => {
    const plan = await read('electron-builder.yml');
    const named = [
      ...[...plan.matchAll(/resources\/[\w./-]+/g)].map(([path]) => path),
      ...[...plan.matchAll(/^ {2}icon: (.*)$/gm)].map(([, path]) => `resources/${path}`),
    ];
    expect(named.length).toBeGreaterThan(8);
    for (const path of named) await expect(access(resolve(root, path))).resolves.toBeUndefined();
  });

  it('allows only what V8 needs on macOS', async () => {
    const keys = [...(await read('resources/mac/entitlements.plist')).matchAll(/<key>(.*)<\/key>/g)];
    expect(keys.map(([, key]) => key)).toEqual(['com.apple.security.cs.allow-jit']);
  });

  it('gives Windows the identifier under which the program shows notifications', async () => {
    const [, appId] = /^appId: (.*)$/m.exec(await read('electron-builder.yml')) ?? [];
    expect(await read('electron/program.ts')).toContain(`app.setAppUserModelId('${appId}')`);
  });
});

describe('icons', () => {
  it.each([16, 24, 32, 48, 64, 96, 128, 256, 512])('of %d pixels have that size', async (size) => {
    const png = await readFile(resolve(root, `resources/linux/icons/${size}x${size}.png`));
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([size, size]);
  });

  it('for Windows and macOS contain whole images', async () => {
    const png = Buffer.from('\x89PNG', 'latin1');
    const ico = await readFile(resolve(root, 'resources/windows/icon.ico'));
    const count = ico.readUInt16LE(4);
    expect(count).toBe(8);
    for (let entry = 6; entry < 6 + 16 * count; entry += 16) {
      const offset = ico.readUInt32LE(entry + 12);
      expect(ico.subarray(offset, offset + 4)).toEqual(png);
      expect(ico.readUInt32BE(offset + 16) % 256).toBe(ico[entry]);
    }
    const icns = await readFile(resolve(root, 'resources/mac/icon.icns'));
    expect(icns.readUInt32BE(4)).toBe(icns.length);
    let offset = 8;
    for (; offset < icns.length; offset += icns.readUInt32BE(offset + 4))
      expect(icns.subarray(offset + 8, offset + 12)).toEqual(png);
    expect(offset).toBe(icns.length);
  });
});

it('the metadata of the desktop is that of this version', async () => {
  const metadata = await read('resources/linux/app.longhand.Longhand.metainfo.xml');
  const { version, homepage, desktopName } = JSON.parse(await read('package.json')) as Record<string, string>;
  expect(metadata).toContain(`<release version="${version}"`);
  expect(metadata).toContain(`>${homepage}</url>`);
  expect(metadata).toContain(`>${desktopName}</launchable>`);
});

it('contains the speech libraries that docs/security.md describes: only Windows may collect their events', async () => {
  const folder = resolve(root, 'node_modules/onnxruntime-node/bin');
  const libraries = (await readdir(folder, { recursive: true })).filter((path) =>
    /(?:lib)?onnxruntime(?!_binding)[^/\\]*\.(?:dll|so|dylib)/.test(path),
  );
  expect(libraries).toHaveLength(6);
  const found = await Promise.all(
    libraries.map(async (path) => {
      const content = await readFile(resolve(folder, path));
      return {
        system: path.split(/[/\\]/)[1],
        sends: content.includes('OneCollector') || content.includes('events.data.microsoft.com'),
        announces: content.includes('Microsoft.ML.ONNXRuntime') && content.includes(telemetryGroup),
      };
    }),
  );
  for (const { system, ...events } of found)
    expect(events).toStrictEqual({ sends: false, announces: system === 'win32' });
});

it('the desktop entry of the AppImage does not switch the sandbox off', async () => {
  expect(await read('electron-builder.yml')).toMatch(/^appImage:\n(?: {2}.*\n)* {2}executableArgs: \[\]\n/m);
});
