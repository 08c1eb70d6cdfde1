import { copyFile, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseText } from 'media-captions';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { canConnectDrives, connectDrive } from '../support/drives.ts';
import { runCommand, startCommand, type RunOptions, type RunResult } from '../support/built-command.ts';
import { startCountingProxy } from '../support/servers/counting-proxy.ts';
import { startOnDevice } from '../support/servers/on-device.ts';
import { silentWav } from '../support/speech/quick-speech.ts';
import { testFolder } from '../support/test-folder.ts';
import { kennedy, wordErrorRate } from '../support/speech/speech-audio.ts';

let options: RunOptions;

beforeEach(async () => {
  const root = await testFolder();
  options = { dataFolder: join(root, 'data'), folder: join(root, 'work') };
  await mkdir(options.folder);
});

const run = (...args: readonly string[]): Promise<RunResult> => runCommand(args, options);
const at = (name: string): string => join(options.folder, name);

describe('transcribe', () => {
  it('turns real speech into subtitles and text, with the real model', async () => {
    await copyFile(kennedy.wav, at('speech.wav'));
    const { code, output, errors } = await run('transcribe', 'speech.wav', '--language', 'en');
    expect(errors).toContain('1 done.');
    expect(code).toBe(0);
    expect(output.trim().split('\n').toSorted()).toEqual([at('speech.srt'), at('speech.txt')]);
    const { cues, errors: faults } = await parseText(await readFile(at('speech.srt'), 'utf8'), {
      type: 'srt',
    });
    expect(faults).toEqual([]);
    expect(wordErrorRate(kennedy.text, cues.map((cue) => cue.text).join(' '))).toBeLessThan(0.1);
    expect(wordErrorRate(kennedy.text, await readFile(at('speech.txt'), 'utf8'))).toBeLessThan(0.1);
  });

  it('saves a folder tree into one folder: equal names are kept apart, unreadable files are reported', async () => {
    await mkdir(at('season/day 1'), { recursive: true });
    await mkdir(at('season/day 2'));
    await copyFile(kennedy.wav, at('season/day 1/REC0001.wav'));
    await writeFile(at('season/day 2/REC0001.wav'), silentWav(3));
    await writeFile(at('season/notes.mp3'), 'This is text.');
    const named = ['./season', 'gone.mp3', '--to', 'srt,json', '--out', './subs', '--accuracy', 'fast'];
    const { code, output, errors } = await run('transcribe', ...named);
    expect(code).toBe(1);
    // Nobody speaks in one of them.
    const written = ['REC0001 2.json', 'REC0001.json', 'REC0001.srt'];
    expect(output.trim().split('\n').toSorted()).toEqual(written.map((name) => at(join('subs', name))));
    const texts = ['REC0001.json', 'REC0001 2.json'].map(async (name) => {
      const { text } = JSON.parse(await readFile(at(join('subs', name)), 'utf8')) as { text: string };
      return text;
    });
    const [silent = '', spoken = ''] = (await Promise.all(texts)).toSorted((a, b) => a.length - b.length);
    expect(silent).toBe('');
    expect(wordErrorRate(kennedy.text, spoken)).toBeLessThan(0.1);
    expect(errors).toMatch(/notes\.mp3: This is neither audio nor video/);
    expect(errors).toMatch(/gone\.mp3: There is nothing at this path/);
  });
});

describe('a run that is killed', () => {
  it('continues a killed upload with `resume`: one job, one transcript, at most one part sent twice', async () => {
    const partBytes = 64 * 1024;
    const service = await startOnDevice({ limits: { partBytes } });
    onTestFinished(() => service.stop());
    const proxy = await startCountingProxy(service.baseUrl, 50);
    onTestFinished(() => proxy.close());
    const account = { LONGHAND_BASE_URL: proxy.baseUrl, LONGHAND_API_KEY: service.key };
    const recording = silentWav(100);
    await writeFile(at('interview.wav'), recording);
    const partCount = Math.ceil(recording.length / partBytes);
    const parts = (): readonly string[] =>
      proxy.passed.filter(({ method }) => method === 'PUT').map(({ url }) => url);

    const first = startCommand(['transcribe', 'interview.wav', '--to', 'txt'], {
      ...options,
      environment: account,
    });
    while (parts().length < 5) await sleep(10);
    first.kill('SIGKILL');
    await first.ended;
    expect(parts().length).toBeLessThan(partCount);

    const second = await runCommand(['resume'], { ...options, environment: account });
    expect(second).toMatchObject({ code: 0, output: `${at('interview.txt')}\n` });
    expect((await readdir(options.folder)).toSorted()).toEqual(['interview.txt', 'interview.wav']);
    expect(parts().length).toBeLessThanOrEqual(partCount + 1);
    expect(new Set(parts()).size).toBe(partCount);
    const jobs = await fetch(`${service.baseUrl}/api/v1/transcriptions`, {
      headers: { authorization: `Bearer ${service.key}` },
    });
    expect(await jobs.json()).toMatchObject({ data: [{ status: 'completed' }] });
  });
});

describe('serve', () => {
  it('serves as the account of another process, while its state can be queried', async () => {
    const key = 'a-key-for-this-test';
    const serving = startCommand(['serve', '--data', at('served')], {
      ...options,
      environment: { LONGHAND_API_KEY: key },
    });
    onTestFinished(() => serving.kill('SIGKILL'));
    const address = await serving.firstLine;
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);

    await copyFile(kennedy.mp3, at('speech.mp3'));
    const client = { ...options, environment: { LONGHAND_API_KEY: key } };
    const transcribing = startCommand(
      ['transcribe', 'speech.mp3', '--service', address, '--to', 'txt', '--json'],
      client,
    );
    await transcribing.firstLine;
    const status = await runCommand(['status', '--json'], client);
    expect(JSON.parse(status.output.split('\n')[0] ?? '')).toMatchObject({
      type: 'status',
      counts: { all: 1 },
    });

    const { code, output } = await transcribing.ended;
    expect(code).toBe(0);
    const last: unknown = JSON.parse(output.trim().split('\n').at(-1) ?? '');
    expect(last).toEqual({ type: 'end', outcome: 'finished', done: 1, failed: 0, left: 0 });
    expect(wordErrorRate(kennedy.text, await readFile(at('speech.txt'), 'utf8'))).toBeLessThan(0.1);

    serving.kill('SIGTERM');
    expect((await serving.ended).code).toBe(0);
  });
});

describe('exit codes', () => {
  it('2 for wrong usage', async () => {
    expect((await run('transcribe')).code).toBe(2);
    expect((await run('dance')).code).toBe(2);
    const { code, output, errors } = await run('transcribe', 'a.mp3', '--to', 'pdf');
    expect({ code, output }).toEqual({ code: 2, output: '' });
    expect(errors).toContain('srt, vtt, txt');
  });

  it('3 when the user is needed, and resume continues later', async () => {
    const service = await startOnDevice();
    onTestFinished(() => service.stop());
    await writeFile(at('a.wav'), silentWav(2));
    const withKey = (key: string): RunOptions => ({
      ...options,
      environment: { LONGHAND_BASE_URL: service.baseUrl, LONGHAND_API_KEY: key },
    });
    const refused = await runCommand(
      ['transcribe', 'a.wav', '--to', 'txt'],
      withKey('not-the-key-of-anyone'),
    );
    expect(refused.code).toBe(3);
    expect(refused.errors).toContain('does not accept the key');
    expect(refused.errors).not.toContain('not-the-key-of-anyone');
    expect(await runCommand(['resume'], withKey(service.key))).toMatchObject({
      code: 0,
      output: `${at('a.txt')}\n`,
    });
  });

  it.skipIf(!canConnectDrives)(
    '3 with a full disk, which it names, and resume continues once there is space',
    async () => {
      const drive = connectDrive(options.folder, 'small', 200 * 1024 ** 2);
      onTestFinished(() => drive.remove());
      await writeFile(at('b.wav'), silentWav(2));
      const onDrive = { ...options, dataFolder: join(drive.path, 'data') };
      expect((await runCommand(['status'], onDrive)).code).toBe(0);
      // For the queue, for the service to start, for the service to accept a recording, for opening the database.
      for (const leaveBytes of [0, 1_000_000, 10_000_000, 0]) {
        drive.fill(leaveBytes);
        const full = await runCommand(['transcribe', 'b.wav', '--to', 'json'], onDrive);
        expect.soft(full).toMatchObject({ code: 3, errors: expect.stringContaining('The disk is full.') });
      }
      drive.empty();
      expect(await runCommand(['resume'], onDrive)).toMatchObject({ code: 0, output: `${at('b.json')}\n` });
    },
  );

  it.skipIf(process.platform !== 'linux')('3 if standard output is a file on a full disk', async () => {
    const full = await runCommand(['--help'], { ...options, redirect: '/dev/full' });
    expect(full).toMatchObject({ code: 3, errors: expect.stringContaining('The disk is full.') });
  });

  it('0 for help and version', async () => {
    expect(await run('--version')).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
    expect(await run('--help')).toMatchObject({
      code: 0,
      output: expect.stringContaining('transcribe [options] <recording...>'),
    });
  });
});
