import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { kennedy } from '../support/speech/speech-audio.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');

/** The unpacked program as electron-builder names it: the command of the user, and Electron's executable. */
const program = {
  linux: { command: 'linux-unpacked/longhand', executable: 'linux-unpacked/longhand-app' },
  darwin: {
    command: 'mac/Longhand.app/Contents/MacOS/Longhand',
    executable:
      'mac/Longhand.app/Contents/Frameworks/Electron Framework.framework/Versions/A/Electron Framework',
  },
  win32: { command: 'win-unpacked/Longhand.exe', executable: 'win-unpacked/Longhand.exe' },
}[process.platform as 'linux' | 'darwin' | 'win32'];

/** Electron's fuses in the order of the fuse wire, which follows this marker in the executable. */
const fuseMark = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const fuseNames = [
  'runAsNode',
  'cookieEncryption',
  'nodeOptions',
  'nodeCliInspect',
  'asarIntegrity',
  'onlyLoadAppFromAsar',
] as const;

describe('the packaged program', () => {
  let folder: string;

  // No display and nothing of the test runtime: only the environment of a server's shell.
  const environment = (): NodeJS.ProcessEnv => {
    const { DISPLAY: _, ELECTRON_RUN_AS_NODE: __, NODE_OPTIONS: ___, ...rest } = process.env;
    return { ...rest, LONGHAND_DATA: join(folder, 'data') };
  };
  const longhand = (...args: readonly string[]) =>
    run(join(folder, program.command), args, { env: environment() });

  beforeAll(async () => {
    // Electron's Node treats archives as folders; here they are files.
    Object.assign(process, { noAsar: true });
    folder = await mkdtemp(join(tmpdir(), 'longhand-package-'));
    await run('node', ['scripts/package.mjs', '--test-dir', folder], { cwd: root, env: environment() });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('prints its version', async () => {
    const { stdout } = await longhand('--version');
    expect(stdout.trim()).toContain(manifest.version);
  });

  it('transcribes a real recording into subtitles', async () => {
    const out = join(folder, 'subtitles');
    await longhand('transcribe', kennedy.wav, '--service', 'local', '--to', 'srt', '--out', out);
    expect(await readdir(out)).toEqual(['jfk.srt']);
    const subtitles = await readFile(join(out, 'jfk.srt'), 'utf8');
    expect(subtitles).toMatch(/^1\n00:00:\d\d,\d{3} --> 00:00:\d\d,\d{3}\n/);
    const words = subtitles.replaceAll(/^(\d+|.* --> .*)$/gm, '').replaceAll(/\s+/g, ' ');
    expect(words.toLowerCase()).toMatch(/ask not what your country can do for you/);
  });

  it.each([
    '--remote-debugging-port=0',
    '-remote-debugging-port=0',
    ' --remote-debugging-pipe',
    '--inspect=0',
    '--js-flags=--expose-gc',
    '--proxy-server=127.0.0.1:9',
  ])('does not start with %s', async (option) => {
    await expect(longhand('--version', option)).rejects.toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(`does not start with ${option.trim().replace(/=.*/, '')}.`),
    });
  });

  it('has its fuses set', async () => {
    const executable = await readFile(join(folder, program.executable));
    const wire = executable.subarray(executable.indexOf(fuseMark) + fuseMark.length + 2);
    const fuses = Object.fromEntries(
      fuseNames.map((name, index) => [name, String.fromCharCode(wire[index] ?? 0) === '1']),
    );
    expect(fuses).toEqual({
      runAsNode: false,
      cookieEncryption: false,
      nodeOptions: false,
      nodeCliInspect: false,
      asarIntegrity: true,
      onlyLoadAppFromAsar: true,
    });
  });

  it('contains the binaries of one platform, and each model once', async () => {
    const files = (await readdir(folder, { recursive: true })).map((path) => path.replaceAll('\\', '/'));
    const binaries = files.filter((path) => path.endsWith('.node'));
    expect(binaries).toHaveLength(3);
    expect(binaries.every((path) => path.includes(process.platform))).toBe(true);
    expect(files.filter((path) => path.endsWith('decoder_model_merged_quantized.onnx'))).toHaveLength(3);
  });
});
