import { describe, expect, it } from 'vitest';
import { installSystemPackages, missingSystemPackages } from '../../../scripts/setup/system-libraries.mjs';

type Machine = NonNullable<Parameters<typeof missingSystemPackages>[1]>;

const allLibraries = [
  'libnss3.so',
  'libatk-1.0.so.0',
  'libatk-bridge-2.0.so.0',
  'libgtk-3.so.0',
  'libgbm.so.1',
  'libasound.so.2',
];

function cacheOf(names: readonly string[], tag = 'libc6,x86-64'): string {
  const lines = names.map((name) => `\t${name} (${tag}) => /lib/${name}`);
  return [`${lines.length} libs found in cache \`/etc/ld.so.cache'`, ...lines].join('\n');
}

/** A machine that has nothing but what is said, and writes down what is run on it. */
function machineWith(given: Partial<Machine> & { readonly packages?: readonly string[] }) {
  const ran: string[] = [];
  const machine: Machine = {
    libraryCache: () => cacheOf(allLibraries),
    has: (program) => ['apt-get', 'sudo'].includes(program),
    run(program, args) {
      ran.push([program, ...args].join(' '));
      return { ok: true, output: program === 'apt-cache' ? (given.packages ?? []).join('\n') : '' };
    },
    isRoot: true,
    platform: 'linux',
    arch: 'x64',
    ...given,
  };
  return { machine, ran };
}

describe('missing system packages', () => {
  it('are none when every library is in the cache', () => {
    const { machine, ran } = machineWith({});
    expect(missingSystemPackages({ forTests: false }, machine)).toEqual([]);
    expect(ran).toEqual([]);
  });

  it('are those whose library the cache lacks', () => {
    const { machine } = machineWith({ libraryCache: () => cacheOf(['libnss3.so', 'libgtk-3.so.0']) });
    expect(missingSystemPackages({ forTests: false }, machine)).toEqual([
      'libatk1.0-0',
      'libatk-bridge2.0-0',
      'libgbm1',
      'libasound2',
    ]);
  });

  it('do not count a library of another architecture', () => {
    const { machine } = machineWith({ libraryCache: () => cacheOf(allLibraries, 'libc6') });
    expect(missingSystemPackages({ forTests: false }, machine)).toHaveLength(allLibraries.length);
    expect(missingSystemPackages({ forTests: false }, { ...machine, arch: 'arm64' })).toHaveLength(
      allLibraries.length,
    );
  });

  it('hold a display, a bus and a keychain when tests are to run', () => {
    const { machine } = machineWith({ has: (program) => program === 'dbus-daemon' });
    expect(missingSystemPackages({ forTests: true }, machine)).toEqual(['xvfb', 'gnome-keyring']);
    const long = missingSystemPackages({ forTests: true, forLongTests: true }, machine);
    expect(long).toEqual(['xvfb', 'gnome-keyring', 'mmdebstrap', 'rpm']);
  });

  it('are not looked for where the system has no such cache, or is no Linux', () => {
    const { machine } = machineWith({ libraryCache: () => null });
    expect(missingSystemPackages({ forTests: false }, machine)).toEqual([]);
    const mac = { ...machineWith({ libraryCache: () => '', has: () => false }).machine, platform: 'darwin' };
    expect(missingSystemPackages({ forTests: true }, mac)).toEqual([]);
  });
});

describe('installing system packages', () => {
  it('updates the lists, then installs, as root', () => {
    const { machine, ran } = machineWith({ packages: ['libasound2', 'libnss3'] });
    installSystemPackages(['libasound2', 'xvfb'], machine);
    expect(ran).toEqual([
      'env DEBIAN_FRONTEND=noninteractive apt-get update',
      'apt-cache pkgnames lib',
      'env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends libasound2 xvfb',
    ]);
  });

  it('takes the names that newer releases of Debian and Ubuntu use', () => {
    const { machine, ran } = machineWith({ packages: ['libasound2t64', 'libgtk-3-0t64', 'libnss3'] });
    installSystemPackages(['libasound2', 'libgtk-3-0', 'libnss3'], machine);
    expect(ran.at(-1)).toContain(' libasound2t64 libgtk-3-0t64 libnss3');
  });

  it('goes through sudo when that asks for no password', () => {
    const { machine, ran } = machineWith({ isRoot: false });
    installSystemPackages(['xvfb'], machine);
    expect(ran).toContain(
      'sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends xvfb',
    );
  });

  it('otherwise says the line to type, and runs nothing', () => {
    const { machine, ran } = machineWith({ isRoot: false, packages: ['libasound2t64'] });
    const asking: Machine = {
      ...machine,
      run: (program, args) => (program === 'sudo' ? { ok: false, output: '' } : machine.run(program, args)),
    };
    expect(() => installSystemPackages(['libasound2', 'xvfb'], asking)).toThrow(
      'sudo apt-get update && sudo apt-get install -y --no-install-recommends libasound2t64 xvfb',
    );
    expect(ran).toEqual(['apt-cache pkgnames lib']);
  });

  it('names what is missing on systems without apt-get', () => {
    const { machine } = machineWith({ has: () => false });
    expect(() => installSystemPackages(['libnss3'], machine)).toThrow(/libnss3/);
  });

  it('shows what apt-get said when it failed', () => {
    const { machine } = machineWith({ run: () => ({ ok: false, output: 'no space left on device' }) });
    expect(() => installSystemPackages(['libnss3'], machine)).toThrow(/no space left on device/);
  });
});
