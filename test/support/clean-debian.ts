import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { temporaryFolder } from './temporary-folder.ts';

const run = promisify(execFile);

/**
 * Enters the root folder given first, and runs the rest. In its own namespaces, so that no mount and no process outlives
 * it; not with chroot alone, in which the kernel denies namespaces to the program that is tested.
 */
const enterScript = `
root=$1; shift
mount --bind "$root" "$root"
cd "$root"
mount -t proc proc proc
mount --rbind /dev dev
mount -t tmpfs tmpfs dev/shm
mkdir -p .host
pivot_root . .host
umount -l .host
exec "$@"`;
const enter = ['--mount', '--pid', '--fork', '--kill-child', '--', 'sh', '-euc', enterScript, 'sh'] as const;

export interface CommandResult {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** A Debian with nothing but apt, of the release that this machine runs, with one ordinary user. */
export interface CleanDebian {
  /** The folder that is its root. */
  readonly root: string;
  /** Runs a program in it as root. */
  run(program: string, ...args: readonly string[]): Promise<CommandResult>;
  /** Runs a line of shell as its ordinary user, in the home folder. */
  runAsUser(line: string): Promise<CommandResult>;
  /**
   * Writes a script that does so, to be run as a program on this machine.
   *
   * @param line may contain `"$@"`, the script's arguments.
   */
  userScript(path: string, line: string): Promise<void>;
  remove(): Promise<void>;
}

/** The ordinary user. */
export const userHome = '/home/ann';

/** Returns why there can be no such system here, or `null`. */
export async function cleanDebianObstacle(): Promise<string | null> {
  if (process.platform !== 'linux') return 'it needs Linux';
  if (process.getuid?.() !== 0) return 'it needs root, to install a package in a system of its own';
  const tools = ['mmdebstrap', 'unshare', 'pivot_root'];
  const missing = await Promise.all(
    tools.map((tool) =>
      run('which', [tool]).then(
        () => [],
        () => [tool],
      ),
    ),
  );
  return missing.flat().length === 0 ? null : `it needs ${missing.flat().join(', ')}`;
}

/** @throws when its packages cannot be downloaded. */
export async function makeCleanDebian(): Promise<CleanDebian> {
  const folder = await temporaryFolder();
  const root = `${folder.path}/root`;
  const release = /^VERSION_CODENAME=(.*)$/m.exec(await readFile('/etc/os-release', 'utf8'))?.[1] ?? '';
  await run('mmdebstrap', [
    '--variant=apt',
    // It ends what a test has started, and mounts what a program needs.
    '--include=mount',
    '--aptopt=Acquire::Languages "none"',
    // apt installs the package later: the lists stay.
    '--skip=cleanup/apt',
    '--format=directory',
    release,
    root,
  ]);
  const start = async (...args: readonly string[]): Promise<CommandResult> => {
    const child = spawn('unshare', [...enter, root, ...args], {
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', DEBIAN_FRONTEND: 'noninteractive', LANG: 'C.UTF-8' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [[code], output, errors] = await Promise.all([
      once(child, 'close') as Promise<[number | null]>,
      text(child.stdout),
      text(child.stderr),
    ]);
    return { code, output, errors };
  };
  await start('useradd', '--create-home', '--home-dir', userHome, '--shell', '/bin/sh', 'ann');
  // The program finds the mirror as this machine does.
  await writeFile(`${root}/etc/resolv.conf`, await readFile('/etc/resolv.conf'));
  return {
    root,
    run: start,
    runAsUser: (line) => start('su', '-', 'ann', '-c', line),
    async userScript(path, line) {
      const quoted = [...enter, root].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
      const script = `#!/bin/sh\nexec unshare ${quoted} su - ann -c '${line}' -- sh "$@"\n`;
      await writeFile(path, script, { mode: 0o755 });
    },
    // Its processes have ended with the namespaces that they ran in.
    remove: () => rm(folder.path, { recursive: true, force: true, maxRetries: 10 }),
  };
}
