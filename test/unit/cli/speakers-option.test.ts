import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { exitCode } from '../../../electron/cli/exit-code.ts';
import { ProblemError } from '../../../electron/contract/problem.ts';
import type { Diarize } from '../../../electron/core/library/speaker-identification.ts';
import { CancelledError } from '../../../electron/workers/protocol.ts';
import { startCommandLine } from '../../support/command-line-here.ts';
import { silentWav } from '../../support/speech/quick-speech.ts';

const said = 'The quick brown fox jumps over the lazy dog.';

const oneVoice: Diarize = async ({ speakerCount }) => [
  { start: 0, end: 3, speaker: speakerCount === 2 ? 0 : 5, confidence: 1 },
];

describe('transcribe --speakers', () => {
  const args = ['transcribe', 'a.wav', '--speakers', '2', '--to', 'txt'];
  it('identifies them before the files are written', async () => {
    const line = await startCommandLine();
    await writeFile(join(line.folder, 'a.wav'), silentWav(2));
    const { code, json } = await line.run([...args, '--json'], { diarize: oneVoice });
    expect(code).toBe(exitCode.done);
    const types = json.map(({ type }) => type).filter((type) => type === 'speakers' || type === 'file');
    expect(types).toEqual(['speakers', 'file']);
    expect(json).toContainEqual({ type: 'speakers', item: 1, name: 'a.wav', speakers: 1 });
    expect(await readFile(join(line.folder, 'a.txt'), 'utf8')).toBe(`Speaker 1: ${said}\n`);
  });

  it('writes the files without them if that fails, and says so', async () => {
    const line = await startCommandLine();
    await writeFile(join(line.folder, 'a.wav'), silentWav(2));
    const { code, stdout, stderr } = await line.run(args, {
      diarize: () => Promise.reject(new ProblemError({ code: 'speakers_not_identified' })),
    });
    expect(code).toBe(exitCode.someFailed);
    expect(stderr).toContain('a.wav: The speakers could not be identified.');
    expect(stdout.trim()).toBe(join(line.folder, 'a.txt'));
    expect(await readFile(join(line.folder, 'a.txt'), 'utf8')).toBe(`${said}\n`);
  });

  it('ends with the cause while the disk is full, and resume finishes', async () => {
    const line = await startCommandLine();
    await writeFile(join(line.folder, 'a.wav'), silentWav(2));
    const { code, stderr } = await line.run(args, {
      diarize: () => Promise.reject(Object.assign(new Error('disk is full'), { code: 'SQLITE_FULL' })),
    });
    expect(code).toBe(exitCode.needsUser);
    expect(stderr).toContain('The disk is full');
    expect(await readdir(line.folder)).toEqual(['a.wav']);
    expect((await line.run(['resume'], { diarize: oneVoice })).code).toBe(exitCode.done);
    expect(await readFile(join(line.folder, 'a.txt'), 'utf8')).toBe(`Speaker 1: ${said}\n`);
  });

  it('refuses to start without the models', async () => {
    const line = await startCommandLine();
    await writeFile(join(line.folder, 'a.wav'), silentWav(2));
    const { code, stderr } = await line.run(args);
    expect(code).toBe(exitCode.needsUser);
    expect(stderr).toContain('are not on this computer');
    expect((await line.run(['status', '--json'])).json[0]).toMatchObject({ counts: { all: 0 } });
  });

  it('leaves those that were interrupted to resume, which then writes the files', async () => {
    const line = await startCommandLine();
    await writeFile(join(line.folder, 'a.wav'), silentWav(2));
    const stop = new AbortController();
    const interrupted = await line.run(args, {
      interrupted: stop.signal,
      diarize: ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new CancelledError()), { once: true });
          stop.abort();
        }),
    });
    expect(interrupted.code).toBe(exitCode.interrupted);
    expect(await readdir(line.folder)).toEqual(['a.wav']);
    const { code, stdout } = await line.run(['resume'], { diarize: oneVoice });
    expect(code).toBe(exitCode.done);
    expect(stdout.trim()).toBe(join(line.folder, 'a.txt'));
    expect(await readFile(join(line.folder, 'a.txt'), 'utf8')).toBe(`Speaker 1: ${said}\n`);
  });
});

describe('speakers', () => {
  it.each([
    [
      'another program that takes the data folder',
      exitCode.needsUser,
      'Another instance of Longhand is using',
    ],
    ['the user', exitCode.interrupted, ''],
  ])('is stopped by %s', async (_, code, message) => {
    const line = await startCommandLine();
    await writeFile(join(line.folder, 'a.wav'), silentWav(2));
    await line.run(['transcribe', 'a.wav', '--to', 'txt']);
    const stop = new AbortController();
    const takeLease = (): void => {
      const database = new Database(join(line.dataFolder, 'longhand.db'));
      database.exec("UPDATE lease SET owner = 'somebody'");
      database.close();
    };
    const result = await line.run(['speakers', 'a.wav'], {
      interrupted: stop.signal,
      diarize: ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new CancelledError()), { once: true });
          if (code === exitCode.interrupted) stop.abort();
          else takeLease();
        }),
    });
    expect(result).toMatchObject({ code, stdout: '' });
    expect(result.stderr).toContain(message);
  });
});
