import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { storedLimits } from '../../../electron/contract/limits.ts';
import { exitCode } from '../../../electron/cli/exit-code.ts';
import { startCommandLine, type CommandLine } from '../../support/command-line-here.ts';
import { add, openCore, rowsOf } from '../../support/core.ts';
import { silentWav } from '../../support/speech/quick-speech.ts';
import { openStore } from '../core/store/store-kit.ts';

const said = 'The quick brown fox jumps over the lazy dog.';

async function record(line: CommandLine, ...names: readonly string[]): Promise<void> {
  for (const [index, name] of names.entries()) {
    await writeFile(join(line.folder, name), silentWav(2 + index / 10));
  }
}

async function clearQueue({ dataFolder }: CommandLine): Promise<void> {
  const store = openStore(dataFolder);
  store.items.remove(store.items.orderIndex.ids(() => true));
  await store.close();
}

/** How many jobs the service has got. */
async function jobsOf({ service }: CommandLine): Promise<number> {
  const answer = await fetch(`${service.baseUrl}/api/v1/transcriptions`, {
    headers: { authorization: `Bearer ${service.key}` },
  });
  const { data } = (await answer.json()) as { readonly data: readonly unknown[] };
  return data.length;
}

describe('the same command twice', () => {
  it('does the work once, and writes only what is missing', async () => {
    const line = await startCommandLine();
    await record(line, 'a.wav');
    const command = ['transcribe', 'a.wav', '--to', 'txt,srt'];
    await line.run(command);
    await rm(join(line.folder, 'a.srt'));
    const again = await line.run(command);
    expect(again.code).toBe(exitCode.done);
    expect(again.stderr).toContain('a.wav: This has already been transcribed');
    expect(again.stdout.trim()).toBe(join(line.folder, 'a.srt'));
    expect((await line.run([...command, '--out', 'copy'])).stdout.trim().split('\n').toSorted()).toEqual([
      join(line.folder, 'copy', 'a.srt'),
      join(line.folder, 'copy', 'a.txt'),
    ]);
    expect(await jobsOf(line)).toBe(1);
  });

  it('recognizes a renamed file, even after the queue was cleared', async () => {
    const line = await startCommandLine();
    await record(line, 'a.wav');
    await line.run(['transcribe', 'a.wav', '--to', 'txt']);
    await clearQueue(line);
    await record(line, 'renamed.wav');
    const { code, stdout, json } = await line.run(['transcribe', 'renamed.wav', '--to', 'srt', '--json']);
    expect(code).toBe(exitCode.done);
    expect(stdout).toContain('already_transcribed');
    expect(json.filter(({ type }) => type === 'file')).toMatchObject([
      { format: 'srt', path: join(line.folder, 'renamed.srt') },
    ]);
    expect(await jobsOf(line)).toBe(1);
  });

  it('follows a recording that was moved, and reports no file of an earlier command', async () => {
    const line = await startCommandLine();
    await mkdir(join(line.folder, 'card'));
    await record(line, 'card/a.wav');
    await line.run(['transcribe', 'card/a.wav', '--to', 'txt']);
    await rename(join(line.folder, 'card'), join(line.folder, 'gone'));
    // Its folder is gone.
    expect((await line.run(['transcribe', 'gone/a.wav', '--to', 'srt'])).stdout.trim()).toBe(
      join(line.folder, 'gone', 'a.srt'),
    );
    const elsewhere = await line.run(['transcribe', 'gone/a.wav', '--to', 'vtt', '--out', 'copy']);
    expect(elsewhere.stdout.trim()).toBe(join(line.folder, 'copy', 'a.vtt'));
    expect(elsewhere.code).toBe(exitCode.done);
    expect(await jobsOf(line)).toBe(1);
  });

  it.each(['in the queue', 'cleared from it'])(
    'writes next to the named copy of a recording that is %s',
    async (where) => {
      const line = await startCommandLine();
      for (const folder of ['card', 'extra']) await mkdir(join(line.folder, folder));
      await record(line, 'card/a.wav');
      await line.run(['transcribe', 'card/a.wav', '--to', 'txt']);
      if (where !== 'in the queue') await clearQueue(line);
      await copyFile(join(line.folder, 'card/a.wav'), join(line.folder, 'extra/same.wav'));
      const command = ['transcribe', 'extra/same.wav', '--to', 'txt'];
      expect((await line.run(command)).stdout.trim()).toBe(join(line.folder, 'extra', 'same.txt'));
      // The same command does it once.
      expect((await line.run(command)).stdout).toBe('');
      // Next to the recording, the copies have names of their own.
      const copies = ['card/one.wav', 'card/two.wav'];
      for (const copy of copies) await copyFile(join(line.folder, 'card/a.wav'), join(line.folder, copy));
      const { stdout, stderr } = await line.run(['transcribe', ...copies, '--to', 'txt']);
      expect(stdout.trim().split('\n').toSorted()).toEqual([
        join(line.folder, 'card', 'one.txt'),
        join(line.folder, 'card', 'two.txt'),
      ]);
      expect(stderr).toContain(
        'one.wav: This has already been transcribed. Its transcript in the library is “a.wav”.',
      );
      expect(await jobsOf(line)).toBe(1);
    },
  );

  it('retries what failed, with its own options', async () => {
    const line = await startCommandLine();
    await writeFile(
      join(line.folder, 'broken.wav'),
      Buffer.concat([Buffer.from('RIFFxxxxWAVE'), Buffer.alloc(9)]),
    );
    await line.run(['transcribe', 'broken.wav', '--to', 'txt']);
    const again = await line.run(['transcribe', 'broken.wav', '--to', 'txt', '--language', 'de']);
    expect(again.code).toBe(exitCode.someFailed);
    const store = openStore(line.dataFolder);
    const items = store.items.page({ filter: 'all', offset: 0, limit: 10 });
    expect(items).toMatchObject([{ name: 'broken.wav', options: { language: 'de' } }]);
    await store.close();
    expect(await jobsOf(line)).toBe(2);
  });

  it('transcribes again with --again, and what was moved to the trash', async () => {
    const line = await startCommandLine();
    await record(line, 'a.wav');
    await line.run(['transcribe', 'a.wav', '--to', 'txt']);
    const { stdout } = await line.run(['transcribe', 'a.wav', '--to', 'txt', '--again']);
    expect(stdout.trim()).toBe(join(line.folder, 'a 2.txt'));
    expect(await jobsOf(line)).toBe(2);
    const store = openStore(line.dataFolder);
    store.library.trash(
      store.library.ids({ query: '', tag: null, sort: 'newest', trash: false }),
      Date.now(),
    );
    await store.close();
    await line.run(['transcribe', 'a.wav', '--to', 'txt']);
    expect(await jobsOf(line)).toBe(3);
  });
});

describe('transcribe', () => {
  it('says with --dry-run what it would do, and does nothing', async () => {
    const line = await startCommandLine();
    await record(line, 'a.wav', 'b.wav');
    await line.run(['transcribe', 'a.wav', '--to', 'txt']);
    await mkdir(join(line.folder, 'copies'));
    await writeFile(join(line.folder, 'copies', 'b.wav'), silentWav(2.1));
    await writeFile(join(line.folder, 'c.mp3'), 'text');
    const { stdout, code, stderr } = await line.run(['transcribe', '.', 'c.mp3', '--dry-run']);
    expect(stdout).toContain('1 new recording, 0:02 in all\n');
    expect(stdout).toContain('a.wav: already transcribed\n');
    expect(stdout).toContain('b.wav: copy of another recording named here\n');
    expect(stderr).toContain('c.mp3: ');
    expect(code).toBe(exitCode.someFailed);
    const { baseUrl, key } = line.service;
    const account = { environment: { LONGHAND_BASE_URL: baseUrl, LONGHAND_API_KEY: key } };
    const { json } = await line.run(['transcribe', 'b.wav', '--dry-run', '--json'], account);
    expect(json).toMatchObject([{ type: 'preview', recordings: 1, credits: 1, transcribed: [] }]);
    expect(await jobsOf(line)).toBe(1);
  });

  it('says with --dry-run what it would do while the window is open, whatever the options', async () => {
    const line = await startCommandLine();
    await record(line, 'a.wav', 'b.wav');
    const longhand = openCore(line.dataFolder, { program: 'window' });
    onTestFinished(() => longhand.close());
    await add(longhand, [join(line.folder, 'a.wav')], 'on-device');
    const options = ['--dry-run', '--language', 'en', '--to', 'vtt'];
    const { code, stdout } = await line.run(['transcribe', '.', ...options]);
    expect(stdout).toContain('1 new recording, ');
    expect(stdout).toContain('a.wav: already in the queue\n');
    expect(code).toBe(exitCode.done);
    expect(rowsOf(longhand)).toHaveLength(1);
  });

  it('says with --dry-run what --again costs', async () => {
    const line = await startCommandLine();
    await record(line, 'a.wav');
    await line.run(['transcribe', 'a.wav', '--to', 'txt']);
    const { baseUrl, key } = line.service;
    const account = { environment: { LONGHAND_BASE_URL: baseUrl, LONGHAND_API_KEY: key } };
    const { json } = await line.run(['transcribe', 'a.wav', '--again', '--dry-run', '--json'], account);
    expect(json).toMatchObject([{ type: 'preview', recordings: 1, credits: 1, transcribed: [] }]);
  });

  it('counts with --dry-run what waits for another service as queued, and adds it to none', async () => {
    const line = await startCommandLine();
    await record(line, 'a.wav');
    const [first, other] = ['https://first.example', 'https://other.example'];
    // An account without its key: everything waits.
    await line.run(['transcribe', 'a.wav', '--service', first, '--to', 'txt']);
    const command = ['transcribe', 'a.wav', '--service', other, '--again', '--to', 'txt', '--json'];
    const { json } = await line.run([...command, '--dry-run']);
    expect(json).toMatchObject([{ type: 'preview', recordings: 0, credits: 0, queued: ['a.wav'] }]);
    const run = await line.run(command);
    expect(run.json[0]).toEqual({ type: 'added', count: 0 });
  });

  it('counts with --dry-run what is in the queue once more, its transcript being in the trash', async () => {
    const line = await startCommandLine();
    await record(line, 'a.wav');
    await line.run(['transcribe', 'a.wav', '--to', 'txt']);
    const store = openStore(line.dataFolder);
    const ids = store.library.ids({ query: '', tag: null, sort: 'newest', trash: false });
    store.library.trash(ids, Date.now());
    await store.close();
    await line.run(['transcribe', 'a.wav', '--service', 'https://first.example', '--to', 'txt']);
    const { json } = await line.run(['transcribe', 'a.wav', './a.wav', '--dry-run', '--json']);
    expect(json).toMatchObject([{ type: 'preview', recordings: 0, queued: ['a.wav'] }]);
  });

  it('reads a list of paths from standard input', async () => {
    const line = await startCommandLine();
    await record(line, 'a.wav', 'b.wav', 'c.wav');
    const lines = await line.run(['transcribe', '-', '--to', 'txt'], { typed: 'a.wav\r\n\nb.wav\n' });
    expect(lines.stdout.trim().split('\n')).toHaveLength(2);
    const zeros = await line.run(['transcribe', '-', '--to', 'txt'], { typed: 'a.wav\0c.wav\0' });
    expect(zeros.stdout.trim()).toBe(join(line.folder, 'c.txt'));
  });

  it('gives tags to each transcript, and prints only results with --quiet', async () => {
    const line = await startCommandLine();
    await record(line, 'a.wav');
    const options = ['--to', 'txt', '--tag', 'Radio', '--tag', 'Sea', '--quiet'];
    const { stdout, stderr } = await line.run(['transcribe', 'a.wav', 'gone.wav', ...options]);
    expect(stdout.trim()).toBe(join(line.folder, 'a.txt'));
    expect(stderr).toMatch(/^gone\.wav: .*\n {2}ENOENT.*\n$/);
    expect((await line.run(['list', '--tag', 'sea'])).stdout).toContain('a.wav [Radio] [Sea]');
    expect((await line.run(['show', 'a'])).stdout).toBe(`${said}\n`);
  });

  it('continues when the library has too many tags for another one, and exits with 1', async () => {
    const line = await startCommandLine();
    await record(line, 'a.wav', 'b.wav', 'c.wav');
    await line.run(['transcribe', 'a.wav']);
    const database = new Database(join(line.dataFolder, 'longhand.db'));
    const { tags } = storedLimits;
    database.exec(`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${tags})
      INSERT INTO tags (name) SELECT 'tag ' || n FROM numbers;
      INSERT INTO transcript_tags (tag_id, transcript_id) SELECT tags.id, transcripts.id FROM tags, transcripts`);
    database.close();
    const { code, json } = await line.run(['transcribe', 'b.wav', 'c.wav', '--tag', 'new', '--json']);
    expect(code).toBe(exitCode.someFailed);
    expect(json.filter(({ type }) => type === 'tags-failed')).toMatchObject([
      { problem: { code: 'too_many_tags' } },
      { problem: { code: 'too_many_tags' } },
    ]);
    expect(json.at(-1)).toMatchObject({ outcome: 'finished', done: 2, failed: 0, left: 0 });
  });
});

it('files whose outcome cannot be stored count as failed', async () => {
  const line = await startCommandLine();
  await record(line, 'a.wav', 'b.wav');
  await line.run(['transcribe', 'a.wav', '--to', 'txt']);
  const database = new Database(join(line.dataFolder, 'longhand.db'));
  database.exec(`CREATE TRIGGER full BEFORE UPDATE OF written_path ON wanted_files
    BEGIN SELECT raise(ABORT, 'the disk is full'); END`);
  database.close();
  const { code, json } = await line.run(['transcribe', 'b.wav', '--to', 'txt', '--json']);
  expect(code).toBe(exitCode.someFailed);
  expect(json.filter(({ type }) => type === 'file-failed')).toMatchObject([{ name: 'b.wav', format: 'txt' }]);
});

it('a full disk is named and exits with 3, wherever a command meets it', async () => {
  const line = await startCommandLine();
  await record(line, 'a.wav');
  const { code, stderr } = await line.run(['transcribe', 'a.wav'], {
    settings: () => {
      throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    },
  });
  expect(code).toBe(exitCode.needsUser);
  expect(stderr).toMatch(/^The disk is full/);
});

describe('retry and cancel', () => {
  it('cancel what is queued, by name or all, and retry it', async () => {
    const line = await startCommandLine();
    await record(line, 'a.wav', 'b.wav');
    const environment = { LONGHAND_BASE_URL: line.service.baseUrl, LONGHAND_API_KEY: line.service.key };
    // An account without its key: everything waits.
    await line.run(['transcribe', '.', '--to', 'txt'], {
      environment: { LONGHAND_BASE_URL: line.service.baseUrl },
    });
    const { code, json, stderr } = await line.run(['cancel', 'B', 'c', '--json'], { environment });
    expect({ code, stderr }).toEqual({ code: exitCode.someFailed, stderr: '' });
    expect(json[0]).toMatchObject({ type: 'left-out', name: 'c', problem: { code: 'not_queued' } });
    expect(json.at(-1)).toEqual({ type: 'end', outcome: 'finished', done: 1, failed: 0, left: 0 });
    // Nothing else starts because something is cancelled.
    expect(await jobsOf(line)).toBe(0);
    expect((await line.run(['cancel', '--all'], { environment })).code).toBe(exitCode.done);
    const retried = await line.run(['retry', 'b.wav'], { environment });
    expect(retried.code).toBe(exitCode.done);
    expect(retried.stdout.trim()).toBe(join(line.folder, 'b.txt'));
    expect(await jobsOf(line)).toBe(1);
    expect((await line.run(['retry', '--all'], { environment })).stdout.trim()).toBe(
      join(line.folder, 'a.txt'),
    );
    expect((await line.run(['retry'])).code).toBe(exitCode.wrongUsage);
  });

  it('say, while a window that may be hidden uses the data folder, where to do this', async () => {
    const line = await startCommandLine();
    const window = openCore(line.dataFolder, { program: 'window' });
    onTestFinished(() => window.close());
    const { code, stderr } = await line.run(['cancel', '--all']);
    expect(code).toBe(exitCode.needsUser);
    expect(stderr).toBe(
      'Longhand is open on this data folder, perhaps only in the tray. Open its window to do this, or quit it.\n',
    );
  });
});
