import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exitCode } from '../../../electron/cli/exit-code.ts';
import { startCommandLine, sampleSettings } from '../../support/command-line-here.ts';
import { rowsOf } from '../../support/core.ts';
import { silentWav } from '../../support/speech/quick-speech.ts';
import { openWindow } from '../../support/open-window.ts';

describe('while the window is open', () => {
  it('waits for what the window does with the recordings, and reports it', async () => {
    const line = await startCommandLine();
    await writeFile(join(line.folder, 'a.wav'), silentWav(2));
    const { forwardToWindow, start } = openWindow(line);
    start();
    const { code, stdout, stderr } = await line.run(['transcribe', 'a.wav', 'gone.wav'], { forwardToWindow });
    expect(stdout.trim()).toBe(join(line.folder, 'a.txt'));
    expect(await readFile(join(line.folder, 'a.txt'), 'utf8')).toContain('quick brown fox');
    expect(stderr).toContain('the command waits for it');
    expect(stderr).toContain('gone.wav: ');
    expect(stderr).toContain('a.wav: Done');
    // One of the two is not there.
    expect(code).toBe(exitCode.someFailed);
  });

  it.each([[[]], [['txt']]] as const)('saves the formats %j of a window that is closed', async (formats) => {
    const line = await startCommandLine();
    await writeFile(join(line.folder, 'a.wav'), silentWav(2));
    const { longhand, forwardToWindow, taken } = openWindow(line);
    void taken.then(() => longhand.close());
    const settings = () => ({ ...sampleSettings, autoExportFormats: formats });
    const { code, stderr } = await line.run(['transcribe', 'a.wav'], { forwardToWindow, settings });
    expect(code).toBe(exitCode.done);
    expect(stderr).toContain('The window was closed.');
    expect(await readdir(line.folder)).toEqual([...formats.map((format) => `a.${format}`), 'a.wav']);
  });

  it('does all of it when the window is closed before it replies, and leaves nothing for the next window', async () => {
    const line = await startCommandLine();
    await writeFile(join(line.folder, 'a.wav'), silentWav(2));
    const { longhand, forwardToWindow, isWithdrawn, taken } = openWindow(line);
    void taken.then(() => longhand.close());
    const { code } = await line.run(['transcribe', 'a.wav'], {
      forwardToWindow: (...given) => ({ ...forwardToWindow(...given), takeReply: () => null }),
    });
    expect(code).toBe(exitCode.done);
    expect(isWithdrawn()).toBe(true);
  });

  it('does all of it with a list from standard input, which can be read only once', async () => {
    const line = await startCommandLine();
    await writeFile(join(line.folder, 'a.wav'), silentWav(2));
    const { longhand, forwardToWindow, taken } = openWindow(line);
    void taken.then(() => longhand.close());
    const lists = ['a.wav\n'];
    const { code, stdout } = await line.run(['transcribe', '-'], {
      settings: () => ({ ...sampleSettings, autoExportFormats: ['txt'] }),
      stdin: { isTerminal: false, readAll: async () => lists.pop() ?? '', readHidden: async () => '' },
      forwardToWindow: (...given) => ({ ...forwardToWindow(...given), takeReply: () => null }),
    });
    expect(stdout).toContain(join(line.folder, 'a.txt'));
    expect(code).toBe(exitCode.done);
  });

  it('does the rest with the key of the environment, which the window does not have', async () => {
    const line = await startCommandLine();
    await writeFile(join(line.folder, 'a.wav'), silentWav(2));
    const { baseUrl, key } = line.service;
    const { longhand, forwardToWindow, taken } = openWindow(line, baseUrl);
    void taken.then(() => longhand.close());
    const { code, stdout } = await line.run(['transcribe', 'a.wav'], {
      environment: { LONGHAND_API_KEY: key },
      settings: () => ({ ...sampleSettings, service: baseUrl, accounts: [baseUrl] }),
      forwardToWindow,
    });
    expect(stdout).toBe('');
    expect(code).toBe(exitCode.done);
  });

  it.each([
    ['stderr', [], 'The queue is paused'],
    ['stdout', ['--json'], '{"type":"queue-paused"}'],
  ] as const)(
    'says on %s that the queue of the window is paused, and waits until it is resumed there',
    async (output, options, message) => {
      const line = await startCommandLine();
      await writeFile(join(line.folder, 'a.wav'), silentWav(2));
      const { longhand, forwardToWindow, start } = openWindow(line);
      longhand.queue.setPaused(true);
      start();
      const { code } = await line.run(['transcribe', 'a.wav', ...options], {
        forwardToWindow,
        [output]: {
          isTerminal: false,
          columns: 80,
          write: (text: string) => text.includes(message) && longhand.queue.setPaused(false),
          clearLine: () => undefined,
        },
      });
      expect(code).toBe(exitCode.done);
    },
  );

  it('names what to do for resume', async () => {
    const line = await startCommandLine();
    openWindow(line);
    const { code, stderr } = await line.run(['resume']);
    expect(code).toBe(exitCode.needsUser);
    expect(stderr).toContain('Choose “Resume all” in its window');
  });

  it('ends when the window could not reply', async () => {
    const line = await startCommandLine();
    openWindow(line);
    const { code, stderr } = await line.run(['transcribe', 'a.wav'], {
      forwardToWindow: () => ({ takeReply: () => 'failed', withdraw: () => undefined }),
    });
    expect(stderr).toContain('could not report what it has added');
    expect(code).toBe(exitCode.needsUser);
  });

  it('ends when the window asks before it adds the recordings', async () => {
    const line = await startCommandLine();
    openWindow(line);
    const { code, stderr } = await line.run(['transcribe', 'a.wav'], {
      forwardToWindow: () => ({ takeReply: () => 'shown', withdraw: () => undefined }),
    });
    expect(code).toBe(exitCode.needsUser);
    expect(stderr).toContain('asks before it adds them');
  });

  it('stops waiting when it is interrupted, and says that the window continues', async () => {
    const line = await startCommandLine();
    await writeFile(join(line.folder, 'a.wav'), silentWav(2));
    const { forwardToWindow, taken } = openWindow(line);
    const stop = new AbortController();
    void taken.then(() => stop.abort());
    const { code, stderr } = await line.run(['transcribe', 'a.wav'], {
      forwardToWindow,
      interrupted: stop.signal,
    });
    expect(code).toBe(exitCode.interrupted);
    expect(stderr).toContain('Longhand’s window continues.');
  });

  it('hands over what the command asks for, which the window does', async () => {
    const line = await startCommandLine();
    await writeFile(join(line.folder, 'a.wav'), silentWav(2));
    await writeFile(join(line.folder, 'names.txt'), 'Ada, Grace');
    const { longhand, forwardToWindow, start } = openWindow(line);
    start();
    const options = ['--language', 'en', '--accuracy', 'fast', '--translate', '--terms', 'names.txt'];
    const files = ['--to', 'vtt', '--out', 'subs'];
    const { code, stdout } = await line.run(['transcribe', 'a.wav', ...options, ...files], {
      forwardToWindow,
    });
    expect(code).toBe(exitCode.done);
    expect(stdout.trim()).toBe(join(line.folder, 'subs', 'a.vtt'));
    expect(await readdir(line.folder)).toEqual(['a.wav', 'names.txt', 'subs']);
    expect(rowsOf(longhand)).toMatchObject([
      { options: { language: 'en', accuracy: 'fast', translateToEnglish: true, terms: ['Ada', 'Grace'] } },
    ]);
  });

  it('lets the window write only what a known recording lacks, and transcribes it again only if asked', async () => {
    const line = await startCommandLine();
    await writeFile(join(line.folder, 'a.wav'), silentWav(2));
    const { longhand, forwardToWindow, start } = openWindow(line);
    start();
    const run = (...options: string[]) => line.run(['transcribe', 'a.wav', ...options], { forwardToWindow });
    expect((await run()).stdout.trim()).toBe(join(line.folder, 'a.txt'));
    expect((await run('--to', 'srt,txt')).stdout.trim()).toBe(join(line.folder, 'a.srt'));
    expect(rowsOf(longhand)).toHaveLength(1);
    expect((await run('--again', '--to', 'srt')).stdout.trim()).toBe(join(line.folder, 'a 2.srt'));
    expect(rowsOf(longhand)).toHaveLength(2);
    // The library keeps both transcripts; either may be exported.
    longhand.queue.clearDoneAndCancelled();
    expect((await run('--to', 'vtt')).stdout.trim()).toBe(join(line.folder, 'a.vtt'));
    expect(rowsOf(longhand)).toEqual([]);
  });

  it.each(['before', 'after'])(
    'does what it has announced if the window is closed %s its reply',
    async (when) => {
      const line = await startCommandLine();
      await writeFile(join(line.folder, 'a.wav'), silentWav(2));
      await writeFile(join(line.folder, 'b.wav'), silentWav(3));
      for (const [args, expected] of [
        [
          ['a.wav', '--language', 'en'],
          ['a.txt', 'a.wav', 'b.wav'],
        ],
        [
          ['b.wav', '--to', 'vtt'],
          ['a.txt', 'a.wav', 'b.vtt', 'b.wav'],
        ],
      ] as const) {
        const { longhand, forwardToWindow, taken } = openWindow(line);
        void taken.then(() => longhand.close());
        const { code } = await line.run(['transcribe', ...args], {
          settings: () => ({ ...sampleSettings, autoExportFormats: ['txt'] }),
          forwardToWindow: (...handedOver) => {
            const forwarded = forwardToWindow(...handedOver);
            return when === 'before' ? { ...forwarded, takeReply: () => null } : forwarded;
          },
        });
        expect(code).toBe(exitCode.done);
        expect(await readdir(line.folder)).toEqual(expected);
      }
    },
  );

  it('hands over nothing when the window could not do what the command asks for', async () => {
    const line = await startCommandLine();
    openWindow(line);
    const options = ['--language', 'en', '--service', 'https://example.com', '--speakers', '2'];
    const others = ['--tag', 'sea', '--partial', '--to', 'vtt', '--words'];
    const { code, stderr } = await line.run(['transcribe', 'a.wav', ...options, ...others]);
    expect(code).toBe(exitCode.needsUser);
    expect(stderr).toContain('Quit it to use --service, --speakers, --tag, --partial, --words, or add');
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('hands over the service if the window has its account, and no key of the environment', async () => {
    const line = await startCommandLine();
    await writeFile(join(line.folder, 'a.wav'), silentWav(2));
    const { longhand, forwardToWindow, taken } = openWindow(line);
    const { baseUrl } = line.service;
    const settings = () => ({ ...sampleSettings, service: 'on-device', accounts: [baseUrl] });
    const args = ['transcribe', 'a.wav', '--service', baseUrl];
    const { stderr } = await line.run(args, {
      settings,
      environment: { LONGHAND_API_KEY: 'key' },
      forwardToWindow,
    });
    expect(stderr).toContain('Quit it to use --service, or add');
    const stop = new AbortController();
    void taken.then(() => stop.abort());
    await line.run(args, { settings, forwardToWindow, interrupted: stop.signal });
    expect(rowsOf(longhand)).toMatchObject([{ name: 'a.wav', service: baseUrl }]);
  });

  it('hands over nothing when the environment names another service than the window uses', async () => {
    const line = await startCommandLine();
    const { longhand, forwardToWindow } = openWindow(line);
    await writeFile(join(line.folder, 'a.wav'), silentWav(2));
    const { code, stderr } = await line.run(['transcribe', 'a.wav'], {
      environment: { LONGHAND_BASE_URL: line.service.baseUrl, LONGHAND_API_KEY: line.service.key },
      forwardToWindow,
    });
    expect(code).toBe(exitCode.needsUser);
    expect(stderr).toContain('Quit it to use LONGHAND_BASE_URL, or add');
    expect(rowsOf(longhand)).toEqual([]);
  });

  it.each([['transcribe', 'a.wav', '--partial'], ['resume'], ['watch', '.']])(
    'creates no folder for %s, which it does not do',
    async (...command) => {
      const line = await startCommandLine();
      openWindow(line);
      const { code } = await line.run([...command, '--out', 'out']);
      expect(code).toBe(exitCode.needsUser);
      expect(existsSync(join(line.folder, 'out'))).toBe(false);
    },
  );
});
