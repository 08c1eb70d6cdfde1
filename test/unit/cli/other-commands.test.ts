import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { exitCode } from '../../../electron/cli/exit-code.ts';
import { acceleratedClock, startCommandLine, sampleSettings } from '../../support/command-line-here.ts';
import { add, memorySecrets, openCore, rowsOf } from '../../support/core.ts';
import { initialProgress } from '../../../electron/core/item/item.ts';
import { systemClock } from '../../../electron/core/system.ts';
import { newLink, openStore } from '../core/store/store-kit.ts';
import { silentWav } from '../../support/speech/quick-speech.ts';
import { openWindow } from '../../support/open-window.ts';

it('search names another spelling that finds more', async () => {
  const line = await startCommandLine();
  await writeFile(join(line.folder, 'Talk.txt'), 'An old harbour.\n');
  await writeFile(join(line.folder, 'Radio.txt'), 'A new harbor.\n');
  await line.run(['import', 'Talk.txt', 'Radio.txt']);
  const { stdout, stderr } = await line.run(['search', 'harbor']);
  expect(stdout).toContain('A new harbor.');
  expect(stderr).toBe('More transcripts with another spelling: “harbour” (1)\n');
});

describe('status', () => {
  it('prints the queue without changing it', async () => {
    const line = await startCommandLine();
    expect((await line.run(['status', '--json'])).json).toMatchObject([
      { type: 'status', service: 'on-device', key: null, counts: { all: 0 } },
    ]);
    for (const name of ['a.wav', 'b.wav']) {
      await writeFile(join(line.folder, name), silentWav(name === 'a.wav' ? 2 : 3));
    }
    await line.run(['transcribe', '.'], { environment: { LONGHAND_BASE_URL: line.service.baseUrl } });
    const { json } = await line.run(['status', '--json']);
    // As in the window: the account is not in the settings.
    expect(json[0]).toMatchObject({ counts: { all: 2, waiting: 0, attention: 2, done: 0 }, paused: false });
    expect(json.slice(1)).toMatchObject([
      { type: 'item', name: 'a.wav', state: 'waiting' },
      { type: 'item', name: 'b.wav', state: 'waiting' },
    ]);
    const { stdout } = await line.run(['status']);
    expect(stdout).toContain('2 in all, 0 done');
    expect(stdout).toContain('  a.wav: Its account was removed');
    const environment = { LONGHAND_BASE_URL: line.service.baseUrl };
    expect((await line.run(['status'], { environment })).stdout).toContain(
      '  a.wav: Waiting for a valid key',
    );
    const longhand = openCore(line.dataFolder);
    longhand.queue.setPaused(true);
    await longhand.close();
    const withKey = { environment: { ...environment, LONGHAND_API_KEY: 'key' } };
    const paused = (await line.run(['status'], withKey)).stdout;
    expect(paused).toContain('Queue paused');
    expect(paused).toContain('  a.wav: Waiting until you resume');
    const settings = () => ({ ...sampleSettings, accountLimits: { [line.service.baseUrl]: 0 } });
    const limited = { ...withKey, settings };
    expect((await line.run(['status'], limited)).stdout).toContain('limit of the account reached');
  });

  it('says of recordings in progress that they continue when Longhand runs, unless it does', async () => {
    const line = await startCommandLine();
    const store = openStore(line.dataFolder, { clock: systemClock });
    const [id = 0] = store.items.add([
      { ...newLink('https://a.example/a.wav'), service: 'on-device', name: 'a.wav' },
    ]);
    const request = { key: 'key', body: '{}' };
    const job = { jobId: 'job', request, status: 'processing', recheck: 'none' } as const;
    const state = { kind: 'transcribing', progress: 66, ...job } as const;
    store.items.setProgress(id, { ...initialProgress, state });
    expect((await line.run(['status'])).stdout).toContain('a.wav: Transcribing, 66 %');
    await store.close();
    expect((await line.run(['status'])).stdout).toContain('a.wav: Continues when Longhand runs, 66 %');
    expect((await line.run(['status', '--json'])).json[0]).toMatchObject({ running: false });
  });

  it.each([
    ['a refused key', 'wrong', 'invalid_api_key', 'Waiting for a valid key', 'does not accept the key'],
    ['a shortage of credits', 'right', 'insufficient_credits', 'Waiting for credits', 'Not enough credits'],
  ])('says of %s what the window says', async (_case, key, code, row, problem) => {
    const line = await startCommandLine({ credits: 0 });
    const { baseUrl } = line.service;
    const longhand = openCore(line.dataFolder, {
      program: 'window',
      clock: acceleratedClock,
      // As without a keychain: only this process has the key.
      secrets: memorySecrets({ [baseUrl]: key === 'right' ? line.service.key : key }),
    });
    onTestFinished(() => longhand.close());
    await writeFile(join(line.folder, 'a.wav'), silentWav(2));
    await add(longhand, [join(line.folder, 'a.wav')], baseUrl);
    longhand.start();
    const run = { environment: { LONGHAND_BASE_URL: baseUrl } };
    await vi.waitFor(async () => {
      const [status] = (await line.run(['status', '--json'], run)).json;
      expect(status).toMatchObject({
        key: 'this-run',
        counts: { attention: 1, waiting: 0 },
        services: [{ service: baseUrl, problem: { code } }],
      });
    }, 10_000);
    expect(rowsOf(longhand)[0]).toMatchObject({ state: { kind: expect.stringMatching(/waiting|creating/) } });
    const { stdout } = await line.run(['status'], run);
    expect(stdout).toContain(`  a.wav: ${row}`);
    expect(stdout).toContain(`${baseUrl}: `);
    expect(stdout).toContain(problem);
    expect(stdout).toContain('The program that is open has the key');
    await longhand.close();
    const closed = await line.run(['status'], run);
    expect(closed.stdout).toContain('There is no key');
    expect(closed.stdout).not.toContain(problem);
  });
});

describe('key', () => {
  // Nothing listens there.
  const base = 'http://127.0.0.1:9';

  it('is read from standard input, stored, reported and removed, and never shown', async () => {
    const line = await startCommandLine();
    const set = await line.run(['key', 'set', '--service', base], { typed: ' secret-key\n' });
    expect(set.code).toBe(exitCode.done);
    expect(set.stderr).toContain('The key was not checked: ');
    const status = await line.run(['key', 'status', '--service', base]);
    expect(status.stdout).toContain('is in the keychain');
    expect(set.stdout + set.stderr + status.stdout + status.stderr).not.toContain('secret-key');
    await line.run(['key', 'remove', '--service', base]);
    expect((await line.run(['key', 'status', '--service', base])).stdout).toContain('There is no key');
  });

  it('is stored only if the service accepts it', async () => {
    const line = await startCommandLine();
    const service = line.service.baseUrl;
    const wrong = await line.run(['key', 'set', '--service', service], { typed: 'wrong-key' });
    expect(wrong.code).toBe(exitCode.needsUser);
    expect(wrong.stderr).toContain('does not accept the key');
    expect((await line.run(['key', 'status', '--service', service])).stdout).toContain('There is no key');
    const right = await line.run(['key', 'set', '--service', service], { typed: line.service.key });
    expect(right.code).toBe(exitCode.done);
    expect(right.stderr).not.toContain('not checked');
  });

  it('is not changed under a program that uses it', async () => {
    const line = await startCommandLine();
    openWindow(line);
    for (const action of ['set', 'remove']) {
      const { code, stderr } = await line.run(['key', action, '--service', base], { typed: 'secret-key' });
      expect([code, stderr]).toEqual([
        exitCode.needsUser,
        expect.stringContaining('perhaps only in the tray'),
      ]);
    }
  });

  it('that no keychain can store is reported as lost', async () => {
    const line = await startCommandLine();
    const { code, stderr } = await line.run(['key', 'set', '--service', base], {
      typed: 'secret-key',
      secrets: {
        get: async () => null,
        set: async () => ({ keptIn: 'this-run', problem: { code: 'keychain_unavailable' } }),
        remove: async () => undefined,
        status: async () => 'none',
      },
    });
    expect(code).toBe(exitCode.someFailed);
    expect(stderr).toContain('LONGHAND_API_KEY');
  });

  it.each([
    [['key', 'set'], 'secret', 'has no key to store'],
    [['key', 'set', '--service', base], ' \n', 'No key was given'],
  ])('%j without its input is wrong usage', async (args, typed, words) => {
    const line = await startCommandLine();
    const { code, stderr } = await line.run(args, { typed });
    expect(code).toBe(exitCode.wrongUsage);
    expect(stderr).toContain(words);
  });
});

describe('serve', () => {
  it('prints its address and a generated key, and exits cleanly when stopped', async () => {
    const line = await startCommandLine();
    const stop = new AbortController();
    let stopped = false;
    const { code, stdout, stderr } = await line.run(['serve', '--credits', '5'], {
      interrupted: stop.signal,
      serve: async (command) => {
        expect(command).toMatchObject({ credits: 5, key: null });
        setTimeout(() => stop.abort(), 10);
        return {
          address: 'http://127.0.0.1:8080',
          key: 'made-up-key',
          credits: 3,
          ended: new Promise(() => undefined),
          stop: async () => void (stopped = true),
        };
      },
    });
    expect({ code, stdout, stopped }).toEqual({ code: 0, stdout: 'http://127.0.0.1:8080\n', stopped: true });
    expect(stderr).toContain('made-up-key');
    expect(stderr).toContain('The account has 3 credits.');
  });
});

it.each([
  [['serve', '--key', '-'], 'typed-key', {}, 'typed-key', false],
  [['serve', '--key', 'visible-key'], '', {}, 'visible-key', true],
  [['serve'], '', { LONGHAND_API_KEY: ' of-the-environment\n' }, 'of-the-environment', false],
] as const)('%j warns of a key that others can see', async (args, typed, environment, key, isVisible) => {
  const line = await startCommandLine();
  let used: string | null = null;
  const { stderr } = await line.run(args, {
    typed,
    environment,
    serve: async (command) => {
      used = command.key;
      throw new Error('that is all');
    },
  });
  expect(used).toBe(key);
  expect(stderr.includes('Other users of this computer can see a key')).toBe(isVisible);
});

it.each([
  [['--version'], 0, '1.2.3\n'],
  [['dance'], 2, ''],
])('%j', async (args, code, stdout) => {
  const line = await startCommandLine();
  expect(await line.run(args)).toMatchObject({ code, stdout });
});

it('reports broken settings and runs the command with the defaults', async () => {
  const line = await startCommandLine();
  const { code, stderr } = await line.run(['status'], {
    settings: () => ({ ...sampleSettings, problem: { code: 'settings_broken' } }),
  });
  expect(code).toBe(exitCode.done);
  expect(stderr).toContain('The settings file could not be read.');
});

it('help lists every command', async () => {
  const line = await startCommandLine();
  const { code, stdout } = await line.run(['--help']);
  expect(code).toBe(0);
  for (const command of ['transcribe', 'resume', 'export', 'library', 'serve', 'status', 'key', '--version'])
    expect(stdout).toContain(command);
});

it('a terminal gets no control characters from names, addresses or reasons', async () => {
  const line = await startCommandLine();
  const { stderr } = await line.run(['serve'], {
    terminal: true,
    serve: async () => {
      throw new Error('no\u001B[2J\u001B]0;title\u0007\u009B1mway\u202E\u200E\u061C\u2028');
    },
  });
  expect(stderr).toContain('way');
  for (const character of '\u001B\u0007\u009B\u202E\u200E\u061C\u2028')
    expect(stderr).not.toContain(character);
});
