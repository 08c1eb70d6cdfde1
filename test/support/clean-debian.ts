import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { temporaryFolder } from './temporary-folder.ts';

const run = promisify(execFile);
const checkout = resolve(import.meta.dirname, '../..');

/**
 * Makes its first argument the root folder, and runs the others as a command in it. It has its own namespaces, so that no
 * mount and no process outlives it. chroot alone would not do: in it, the kernel denies namespaces to the tested program.
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
/**
 * Runs the installed program as a child of the caller, with the caller's folder, files of the test and checkout at their
 * paths, and the sockets of the display and the session bus in `/tmp`, so that a test can drive it. The process of the
 * script becomes the program's.
 */
const driveScript = `
root=$1 temporary=$2 checkout=$3; shift 3
mount --bind "$root" "$root"
for folder in /proc /dev /sys /tmp "$temporary" "$checkout"; do
  mkdir -p "$root$folder"
  mount --rbind "$folder" "$root$folder"
done
exec chroot "$root" env -C "$PWD" longhand "$@"`;

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
   * Writes a script for this machine that runs a line of shell as that user.
   *
   * @param line may contain `"$@"`, the script's arguments.
   */
  userScript(path: string, line: string): Promise<void>;
  /** Installs a package of its own or a file in it, with everything that it needs and nothing more. */
  install(name: string): Promise<CommandResult>;
  /** Writes a script that runs the program that is installed there, as root, on the files of this machine's tests. */
  writeDriver(path: string): Promise<void>;
  remove(): Promise<void>;
}

/** Writes a script that runs `unshare` with arguments, which it quotes, and then with words that are already quoted. */
async function writeScript(path: string, args: readonly string[], quoted: string): Promise<void> {
  const words = args.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  await writeFile(path, `#!/bin/sh\nexec unshare ${words} ${quoted}\n`, { mode: 0o755 });
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
  // Not in the folder for temporary files: that is often in memory, and forbids devices and setuid programs.
  const folder = await temporaryFolder('/var/tmp');
  const root = `${folder.path}/root`;
  const release = /^VERSION_CODENAME=(.*)$/m.exec(await readFile('/etc/os-release', 'utf8'))?.[1] ?? '';
  await run('mmdebstrap', [
    '--variant=apt',
    // Contains `umount`, which the script above runs after it has changed the root.
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
    install: (name) => start('apt-get', 'install', '-y', '-qq', '--no-install-recommends', name),
    userScript: (path, line) => writeScript(path, [...enter, root], `su - ann -c '${line}' -- sh "$@"`),
    writeDriver: (path) =>
      writeScript(path, ['--mount', '--', 'sh', '-euc', driveScript, 'sh', root, tmpdir(), checkout], '"$@"'),
    // Its processes have ended with the namespaces that they ran in.
    remove: () => rm(folder.path, { recursive: true, force: true, maxRetries: 10 }),
  };
}
