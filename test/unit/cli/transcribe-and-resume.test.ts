import { mkdir, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { exitCode } from '../../../electron/cli/exit-code.ts';
import type { SpeechEngine } from '../../../electron/on-device/engine/speech-engine.ts';
import type { CommandSettings } from '../../../electron/cli/command-line-system.ts';
import { defaultJobOptions } from '../../../electron/contract/options.ts';
import { inspectFile } from '../../../electron/core/media/inspect-files.ts';
import { sampleSettings, startCommandLine, type CommandLine } from '../../support/command-line-here.ts';
import { openCore } from '../../support/core.ts';
import { quickEngine, sentencesOf, silentWav, SteppedEngine } from '../../support/speech/quick-speech.ts';

const settingsWithSrt = (): CommandSettings => ({ ...sampleSettings, autoExportFormats: ['srt'] });

const said = 'The quick brown fox jumps over the lazy dog.';

async function record(line: CommandLine, ...names: readonly string[]): Promise<void> {
  for (const [index, name] of names.entries()) {
    await writeFile(join(line.folder, name), silentWav(2 + index / 10));
  }
}

/** An account on the same service, as if it were remote. */
const account = ({ service }: CommandLine): { readonly environment: Readonly<Record<string, string>> } => ({
  environment: { LONGHAND_BASE_URL: service.baseUrl, LONGHAND_API_KEY: service.key },
});

/** A web server that sends every client the same response. */
async function startStranger(status: number, type: string, body: string): Promise<string> {
  const server: Server = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('transcribe', () => {
  it('writes each transcript next to its recording and prints the paths', async () => {
    const line = await startCommandLine();
    await mkdir(join(line.folder, 'day 2'));
    await record(line, 'a.wav', 'day 2/b.wav');
    const { code, stdout, stderr } = await line.run(['transcribe', '.']);
    expect(code).toBe(exitCode.done);
    const paths = ['a.srt', 'a.txt', 'day 2/b.srt', 'day 2/b.txt'].map((name) => join(line.folder, name));
    expect(stdout.trim().split('\n').toSorted()).toEqual(paths);
    expect(await readFile(paths[1]!, 'utf8')).toBe(`${said}\n`);
    expect(stderr).toContain('2 recordings added.');
    expect(stderr).toContain('a.wav: Done · 9 words');
    expect(stderr).toContain('2 done.');
  });

  it('writes the requested formats to the requested folder and overwrites nothing', async () => {
    const line = await startCommandLine();
    await record(line, 'a.wav');
    await mkdir(join(line.folder, 'out'));
    await writeFile(join(line.folder, 'out', 'a.vtt'), 'mine');
    const { code, stdout } = await line.run(['transcribe', 'a.wav', '--to', 'vtt,json', '--out', 'out']);
    expect(code).toBe(exitCode.done);
    expect(stdout.trim().split('\n').toSorted()).toEqual([
      join(line.folder, 'out', 'a 2.vtt'),
      join(line.folder, 'out', 'a.json'),
    ]);
    expect(await readFile(join(line.folder, 'out', 'a.vtt'), 'utf8')).toBe('mine');
    expect((await readdir(line.folder)).toSorted()).toEqual(['a.wav', 'out']);
  });

  it('names files and lays out subtitles as requested', async () => {
    const line = await startCommandLine();
    await record(line, 'a.wav');
    const args = [
      'transcribe',
      'a.wav',
      '--to',
      'srt',
      '--out',
      'out',
      '--template',
      '{format}/{name}-{language}',
    ];
    const { code, stdout } = await line.run([...args, '--preset', 'vertical']);
    expect(code).toBe(exitCode.done);
    const path = join(line.folder, 'out', 'srt', 'a-en.srt');
    expect(stdout.trim()).toBe(path);
    const lines = (await readFile(path, 'utf8')).split('\n').filter((text) => /[a-z]/.test(text));
    expect(Math.max(...lines.map((text) => text.length))).toBeLessThanOrEqual(24);
    expect(lines.join(' ')).toBe(said);
  });

  it('continues with the rest when some cannot be transcribed, and exits with 1', async () => {
    const line = await startCommandLine();
    await record(line, 'a.wav');
    await writeFile(join(line.folder, 'text.mp3'), 'no recording');
    const { code, stdout, stderr } = await line.run([
      'transcribe',
      'gone.wav',
      'text.mp3',
      'a.wav',
      'ftp://x/y',
    ]);
    expect(code).toBe(exitCode.someFailed);
    expect(stdout).toContain('a.srt');
    expect(stderr).toMatch(/gone\.wav: There is nothing at this path/);
    expect(stderr).toMatch(/text\.mp3: This is neither audio nor video/);
    expect(stderr).toMatch(/ftp:\/\/x\/y: This is not a link/);
  });

  it('exits with 1 and the reason when the service cannot transcribe one', async () => {
    const line = await startCommandLine();
    await record(line, 'a.wav');
    await writeFile(
      join(line.folder, 'broken.wav'),
      Buffer.concat([Buffer.from('RIFFxxxxWAVE'), Buffer.alloc(9)]),
    );
    const { code, json } = await line.run(['transcribe', 'broken.wav', 'a.wav', '--json', '--to', 'txt']);
    expect(code).toBe(exitCode.someFailed);
    expect(json.at(-1)).toMatchObject({ type: 'end', outcome: 'finished', done: 1, failed: 1, left: 0 });
  });

  it('adds the same file once, and reports the duplicate', async () => {
    const line = await startCommandLine();
    await record(line, 'a.wav');
    const { code, json } = await line.run(['transcribe', 'a.wav', './a.wav', '--json', '--to', 'txt']);
    expect(code).toBe(exitCode.done);
    expect(json[0]).toEqual({ type: 'added', count: 1 });
    expect(json[1]).toMatchObject({ type: 'left-out', name: 'a.wav', problem: { code: 'already_queued' } });
    expect(json.filter(({ type }) => type === 'file')).toHaveLength(1);
  });

  it('reports everything as JSON', async () => {
    const line = await startCommandLine();
    await record(line, 'a.wav');
    const { json, stderr } = await line.run(['transcribe', 'a.wav', '--json', '--to', 'txt']);
    expect(stderr).toBe('');
    expect(json[0]).toEqual({ type: 'added', count: 1 });
    const states = json.filter(({ type }) => type === 'item').map(({ state }) => state);
    expect([...new Set(states)]).toEqual(
      expect.arrayContaining(['waiting', 'uploading', 'transcribing', 'done']),
    );
    expect(json.find(({ type, state }) => type === 'item' && state === 'done')).toMatchObject({
      name: 'a.wav',
      words: 9,
    });
    expect(json.find(({ type }) => type === 'file')).toMatchObject({
      name: 'a.wav',
      format: 'txt',
      path: join(line.folder, 'a.txt'),
    });
    expect(json.at(-1)).toEqual({ type: 'end', outcome: 'finished', done: 1, failed: 0, left: 0 });
  });

  it('updates one line on a terminal and removes it at the end', async () => {
    const line = await startCommandLine();
    await record(line, 'a\u001b[2J.wav');
    const { stderr } = await line.run(['transcribe', '.'], { terminal: true });
    expect(stderr).toContain('of 1 done · a\ufffd[2J.wav:');
    expect(stderr.endsWith('\r\u001b[K')).toBe(true);
    expect(stderr).not.toContain('\u001b[2J');
  });
});

describe('with an account', () => {
  it('uses the key of the environment without storing it', async () => {
    const line = await startCommandLine();
    await record(line, 'a.wav');
    expect((await line.run(['transcribe', 'a.wav'], account(line))).code).toBe(exitCode.done);
    const { json } = await line.run(['key', 'status', '--json', '--service', line.service.baseUrl]);
    expect(json).toEqual([{ type: 'key', service: line.service.baseUrl, key: 'none' }]);
  });

  it.each([
    ['no key', (line: CommandLine) => ({ LONGHAND_BASE_URL: line.service.baseUrl }), 'key_missing'],
    [
      'a wrong key',
      (line: CommandLine) => ({
        LONGHAND_BASE_URL: line.service.baseUrl,
        LONGHAND_API_KEY: 'wrong-key-wrong-key',
      }),
      'invalid_api_key',
    ],
    [
      'an unreachable address',
      () => ({ LONGHAND_BASE_URL: 'http://127.0.0.1:9', LONGHAND_API_KEY: 'some-key' }),
      'offline',
    ],
  ])('%s stops immediately, and resume continues', async (_what, environment, code) => {
    const line = await startCommandLine();
    await record(line, 'a.wav');
    const service = environment(line).LONGHAND_BASE_URL;
    const stopped = await line.run(['transcribe', 'a.wav', '--to', 'txt', '--json'], {
      environment: environment(line),
    });
    expect(stopped.code).toBe(exitCode.needsUser);
    expect(stopped.json.at(-1)).toMatchObject({ outcome: 'needs-user', left: 1, problem: { code } });
    if (service !== line.service.baseUrl) return;
    const { code: resumed, stdout } = await line.run(['resume'], account(line));
    expect(resumed).toBe(exitCode.done);
    expect(stdout.trim()).toBe(join(line.folder, 'a.txt'));
  });

  it('without a key says for which account to store one, and how', async () => {
    const line = await startCommandLine();
    await record(line, 'a.wav');
    const { baseUrl } = line.service;
    const environment = { LONGHAND_BASE_URL: baseUrl };
    const { stderr } = await line.run(['transcribe', 'a.wav', '--to', 'txt'], { environment });
    expect(stderr).toContain(`longhand key set --service ${baseUrl}`);
  });

  it('resume names an account that was removed, and the commands that help', async () => {
    const line = await startCommandLine();
    await record(line, 'a.wav');
    const { baseUrl } = line.service;
    await line.run(['transcribe', 'a.wav', '--service', baseUrl]);
    const { code, stderr } = await line.run(['resume']);
    expect(code).toBe(exitCode.needsUser);
    expect(stderr).toContain(`The account ${baseUrl} was removed`);
    expect(stderr).toContain('longhand cancel NAME');
    const settings = () => ({ ...sampleSettings, accounts: [baseUrl] });
    expect((await line.run(['resume'], { settings })).stderr).toContain(`no key for ${baseUrl}`);
  });

  it.each([
    ['a page', 200, 'text/html', '<html>Welcome</html>'],
    ['an error', 404, 'application/json', '{"error":{"code":"not_found"}}'],
    ['something else', 200, 'application/json', '{"hello":"world"}'],
  ])('immediately reports an address that returns %s', async (_what, status, type, body) => {
    const line = await startCommandLine();
    await record(line, 'a.wav');
    const address = await startStranger(status, type, body);
    const { code, stderr } = await line.run(['transcribe', 'a.wav', '--service', address], {
      environment: { LONGHAND_API_KEY: 'some-key', LONGHAND_BASE_URL: address },
    });
    expect(code).toBe(exitCode.needsUser);
    expect(stderr).toContain('1 left.');
    expect(stderr).toContain('longhand resume');
  });

  it('without credits, stops once no job is in progress', async () => {
    const line = await startCommandLine({ credits: 1 });
    await record(line, 'a.wav', 'b.wav', 'c.wav');
    const { code, json } = await line.run(['transcribe', '.', '--json', '--to', 'txt'], account(line));
    expect(code).toBe(exitCode.needsUser);
    expect(json.at(-1)).toMatchObject({ outcome: 'needs-user', problem: { code: 'insufficient_credits' } });
    expect(json.filter(({ type }) => type === 'file')).toHaveLength(1);
  });

  it('sends the key of the environment to no other address', async () => {
    const line = await startCommandLine();
    await record(line, 'a.wav');
    const elsewhere = {
      environment: { ...account(line).environment, LONGHAND_BASE_URL: 'http://127.0.0.1:9' },
    };
    await line.run(['transcribe', 'a.wav'], { environment: { LONGHAND_BASE_URL: line.service.baseUrl } });
    const { code, json } = await line.run(['resume', '--json'], elsewhere);
    expect(code).toBe(exitCode.needsUser);
    expect(json.at(-1)).toMatchObject({ problem: { code: 'account_removed' } });
  });
});

describe('resume', () => {
  it('continues an interrupted run and exports its files', async () => {
    const line = await startCommandLine();
    await record(line, 'a.wav', 'b.wav');
    const stop = new AbortController();
    const stdout = {
      isTerminal: false,
      columns: 80,
      write: (text: string) => void (/creating/.test(text) && stop.abort()),
      clearLine: () => undefined,
    };
    const first = await line.run(['transcribe', '.', '--to', 'txt', '--out', 'out', '--json'], {
      interrupted: stop.signal,
      stdout,
    });
    expect(first.code).toBe(exitCode.interrupted);
    const { code, json } = await line.run(['resume', '--json']);
    expect(code).toBe(exitCode.done);
    expect(json.at(-1)).toMatchObject({ done: 2, failed: 0, left: 0 });
    expect((await readdir(join(line.folder, 'out'))).toSorted()).toEqual(['a.txt', 'b.txt']);
    expect((await line.run(['resume'])).stderr).toBe('There is nothing left to do.\n');
    expect((await line.run(['resume', '--json'])).json).toEqual([
      { type: 'end', outcome: 'finished', done: 0, failed: 0, left: 0 },
    ]);
  });

  it.each([
    ['a file', 'out', (path: string) => writeFile(path, ''), 'A file is where a folder is needed.'],
    ['a device', 'out', (path: string) => symlink('/dev/null', path), 'A file is where a folder is needed.'],
    ['below a folder that takes none', '/proc/none/subs', async () => undefined, 'mkdir '],
  ])('does nothing if --out is %s', async (_, out, put, reason) => {
    const line = await startCommandLine();
    await record(line, 'a.wav');
    await put(join(line.folder, out));
    for (const command of [['transcribe', 'a.wav'], ['resume'], ['export', '--all']]) {
      const { code, stderr, stdout } = await line.run([...command, '--out', out]);
      expect([code, stdout]).toEqual([exitCode.needsUser, '']);
      expect(stderr).toContain(reason);
    }
    expect((await line.run(['status', '--json'])).json[0]).toMatchObject({ counts: { all: 0 } });
  });

  it('writes what could not be written, to another folder if requested', async () => {
    const line = await startCommandLine();
    await record(line, 'a.wav');
    await mkdir(join(line.folder, 'out'));
    await writeFile(join(line.folder, 'out', 'a'), 'a file in the way');
    const options = ['--to', 'txt', '--out', 'out', '--template', '{name}/{name}', '--json'];
    const first = await line.run(['transcribe', 'a.wav', ...options]);
    expect(first.code).toBe(exitCode.someFailed);
    expect(first.json.find(({ type }) => type === 'file-failed')).toMatchObject({
      problem: { code: 'export_not_a_folder' },
    });
    await rm(join(line.folder, 'out'), { recursive: true });
    await writeFile(join(line.folder, 'out'), 'another file in the way');
    const again = await line.run(['resume']);
    expect(again.code).toBe(exitCode.someFailed);
    const elsewhere = await line.run(['resume', '--out', 'other']);
    expect(elsewhere).toMatchObject({
      code: exitCode.done,
      stdout: `${join(line.folder, 'other', 'a.txt')}\n`,
    });
  });

  it.each([
    ['the formats chosen for the batch', ['vtt'], [], ['a.vtt']],
    ['the formats of the settings', null, [], ['a.srt']],
    ['no format, if none was chosen', [], [], []],
    ['those of the command instead', ['vtt'], ['--to', 'md'], ['a.md']],
  ] as const)('saves %s in a window that was closed', async (_what, formats, options, files) => {
    const line = await startCommandLine();
    await record(line, 'a.wav');
    const window = openCore(line.dataFolder, { program: 'window' });
    const recording = await inspectFile(join(line.folder, 'a.wav'));
    if (recording.kind === 'rejected') throw new Error('the recording was rejected');
    const chosen = {
      recording,
      durationSeconds: 2,
      statedSeconds: null,
      options: defaultJobOptions,
      isAcceptedDuplicate: false,
    };
    await window.queue.addChosen([chosen], 'on-device', [], formats);
    await window.close();
    const { code, stdout } = await line.run(['resume', ...options], { settings: settingsWithSrt });
    expect(code).toBe(exitCode.done);
    expect(stdout).toBe(files.map((name) => `${join(line.folder, name)}\n`).join(''));
  });

  it('resumes blocked items once the problem is fixed', async () => {
    const line = await startCommandLine();
    await record(line, 'a.wav');
    await line.run(['transcribe', 'a.wav', '--to', 'txt'], {
      environment: { LONGHAND_BASE_URL: line.service.baseUrl },
    });
    await writeFile(join(line.folder, 'a.wav'), silentWav(3));
    expect((await line.run(['resume'], account(line))).code).toBe(exitCode.someFailed);
    expect((await line.run(['resume'], account(line))).code).toBe(exitCode.done);
  });
});

describe('--partial', () => {
  const sentences = sentencesOf(4);

  it('prints text while it is transcribed, each segment once', async () => {
    const engine = new SteppedEngine({ language: 'en', segments: sentences });
    const line = await startCommandLine({ engine });
    await writeFile(join(line.folder, 'a.wav'), silentWav(sentences.length));
    const seen: string[] = [];
    engine.allow(3);
    const run = line.run(['transcribe', 'a.wav', '--partial'], {
      stderr: {
        isTerminal: false,
        columns: 80,
        clearLine: () => undefined,
        write: (text) => {
          seen.push(...text.split('\n').filter((one) => one.includes('Sentence')));
        },
      },
    });
    await expect.poll(() => seen).toEqual(['a.wav 0:00  Sentence 1.', 'a.wav 0:01  Sentence 2.']);
    engine.allow(Infinity);
    expect((await run).code).toBe(exitCode.done);
    expect(seen.slice(2)).toEqual(['a.wav 0:02  Sentence 3.', 'a.wav 0:03  Sentence 4.']);
  });

  it('is an event for programs, even where a service returns the text only at the end', async () => {
    const line = await startCommandLine({ engine: quickEngine({ language: 'en', segments: sentences }) });
    await writeFile(join(line.folder, 'a.wav'), silentWav(sentences.length));
    const { json } = await line.run(['transcribe', 'a.wav', '--partial', '--json'], account(line));
    const events = json.filter(({ type }) => type === 'text');
    expect(events.flatMap(({ segments }) => segments)).toEqual(sentences);
    expect(events[0]).toMatchObject({ item: 1, name: 'a.wav' });
  });
});

describe('--terms', () => {
  it('sends the names and terms of a file to the service on this computer only', async () => {
    const seen: (readonly string[])[] = [];
    const quick = quickEngine();
    const engine: SpeechEngine = {
      transcribe: (request) => {
        seen.push(request.options.terms);
        return quick.transcribe(request);
      },
      close: () => quick.close(),
    };
    const line = await startCommandLine({ engine });
    await record(line, 'a.wav', 'b.wav');
    await writeFile(join(line.folder, 'names.txt'), 'Aisling Wetherby\nMbeki, Okonkwo\n');
    const here = await line.run(['transcribe', 'a.wav', '--terms', 'names.txt']);
    expect(here.stderr).not.toContain('names');
    await line.run(['transcribe', 'b.wav', '--terms', 'names.txt'], account(line));
    expect(seen).toEqual([['Aisling Wetherby', 'Mbeki', 'Okonkwo'], []]);
  });

  it('that cannot be read stop the command before anything is added', async () => {
    const line = await startCommandLine();
    await record(line, 'a.wav');
    const { code, stderr } = await line.run(['transcribe', 'a.wav', '--terms', 'missing.txt']);
    expect(code).not.toBe(exitCode.done);
    expect(stderr).toContain('missing.txt');
    expect((await line.run(['status'])).stdout).not.toContain('a.wav');
  });
});
