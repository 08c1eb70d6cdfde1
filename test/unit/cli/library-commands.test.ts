import { mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { exitCode } from '../../../electron/cli/exit-code.ts';
import type { Store } from '../../../electron/core/store/store.ts';
import { migrations } from '../../../electron/core/store/migrations.ts';
import { openDatabase, schemaVersion } from '../../../electron/sqlite/open-database.ts';
import {
  acceleratedClock,
  startCommandLine,
  type CommandLine,
  type CommandResult,
} from '../../support/command-line-here.ts';
import { saveTranscript } from '../core/library/library-kit.ts';
import { openStore } from '../core/store/store-kit.ts';

/** Changes the library between two commands, as the window would. */
async function inLibrary<T>({ dataFolder }: CommandLine, work: (store: Store) => T): Promise<T> {
  const store = openStore(dataFolder);
  try {
    return work(store);
  } finally {
    await store.close();
  }
}

/** Three transcripts: the recording of the first is in `talks`, the others have none. */
async function fillLibrary(line: CommandLine): Promise<void> {
  await mkdir(join(line.folder, 'talks'));
  await inLibrary(line, (store) => {
    const id = saveTranscript(store, 'Harbour.mp3', ['The ferry is late.', 'It always is.'], 1);
    const path = join(line.folder, 'talks', 'Harbour.mp3');
    store.transcripts.setRecording(id, { path, sizeBytes: 1, fingerprint: null });
    saveTranscript(store, 'Radio', ['We heard the ferry', 'on the radio.'], 2);
    saveTranscript(store, 'Café', ['Nothing of ships.'], 3);
    store.library.tag([id], ['Sea'], []);
  });
}

/** Makes another program hold the data folder: process 1 of the system, which always runs. */
function takeFolder({ dataFolder }: CommandLine, program: string): void {
  const database = new Database(join(dataFolder, 'longhand.db'));
  database
    .prepare(
      'INSERT OR REPLACE INTO lease (id, owner, program, host, pid, renewed_at) VALUES (1, ?, ?, ?, 1, ?)',
    )
    .run('somebody', program, 'another-computer', acceleratedClock.now());
  database.close();
}

/** The reported events without progress, which depends on timing. */
const withoutProgress = (json: CommandResult['json']): CommandResult['json'] =>
  json.filter(({ type }) => type !== 'progress');

const names = (stdout: string): readonly string[] =>
  stdout
    .trim()
    .split('\n')
    .map((path) => basename(path))
    .toSorted();

describe('export', () => {
  it('writes named transcripts next to their recordings, or to the working folder', async () => {
    const line = await startCommandLine();
    await fillLibrary(line);
    const { code, stdout, stderr } = await line.run(['export', 'harbour', 'RADIO', '--to', 'txt']);
    expect(code).toBe(exitCode.done);
    expect(stdout.trim().split('\n').toSorted()).toEqual([
      join(line.folder, 'Radio.txt'),
      join(line.folder, 'talks', 'Harbour.txt'),
    ]);
    expect(await readFile(join(line.folder, 'talks', 'Harbour.txt'), 'utf8')).toContain('The ferry is late.');
    expect(stderr).toContain('2 files saved.');
  });

  // Nine commands, one after the other.
  it('writes everything, what a search finds, and what has a tag', { timeout: 180_000 }, async () => {
    const line = await startCommandLine();
    await fillLibrary(line);
    const exported = async (...args: readonly string[]): Promise<readonly string[]> => {
      const out = join(line.folder, `to ${args.join(' ').replaceAll('"', '')}`);
      const { code, stdout } = await line.run(['export', ...args, '--to', 'srt', '--out', out]);
      expect(code).toBe(exitCode.done);
      return names(stdout);
    };
    expect(await exported('--all')).toEqual(['Café.srt', 'Harbour.srt', 'Radio.srt']);
    expect(await exported('--search', 'ferry')).toEqual(['Harbour.srt', 'Radio.srt']);
    expect(await exported('--search', 'ferry -radio')).toEqual(['Harbour.srt', 'Radio.srt']);
    expect(await exported('--search', '"the radio"')).toEqual(['Radio.srt']);
    // In different segments of one transcript.
    expect(await exported('--search', 'heard radio')).toEqual(['Radio.srt']);
    expect(await exported('--search', 'ferry', '--tag', 'sea')).toEqual(['Harbour.srt']);
    expect(await exported('--tag', 'sea')).toEqual(['Harbour.srt']);
    expect(await exported('--search', 'cafe')).toEqual(['Café.srt']);
    expect((await line.run(['export', '--search', 'zeppelin'])).stderr).toContain('No file saved.');
  });

  it('says of transcripts without times that those of their subtitles are estimated', async () => {
    const line = await startCommandLine();
    await writeFile(join(line.folder, 'Notes.txt'), 'The ferry is late.\n\nIt always is.\n');
    await line.run(['import', 'Notes.txt']);
    const estimate = '1 transcript has no times: the times of its subtitles are estimated.';
    const exported = await line.run(['export', 'Notes', '--to', 'srt,vtt', '--out', 'out']);
    expect(exported.stderr.split(estimate)).toHaveLength(2);
    expect(exported.stdout).not.toContain(estimate);
    const { json } = await line.run(['export', 'Notes', '--to', 'srt', '--out', 'out', '--json']);
    expect(json.at(-1)).toMatchObject({ type: 'end', done: 1, estimated: 1 });
    const text = await line.run(['export', 'Notes', '--to', 'txt', '--out', 'out']);
    expect(text.stderr).not.toContain('estimated');
    expect((await line.run(['show', 'Notes', '--format', 'srt'])).stderr).toContain(estimate);
    expect((await line.run(['show', 'Notes'])).stderr).toBe('');
  });

  it('exports everything that a search finds, beyond its first page', async () => {
    const line = await startCommandLine();
    await inLibrary(line, (store) => {
      for (let number = 0; number < 3; number += 1) {
        saveTranscript(
          store,
          `Talk ${number}`,
          Array.from({ length: 400 }, () => 'ferry'),
          number,
        );
      }
    });
    const { stdout } = await line.run(['export', '--search', 'ferry', '--to', 'txt']);
    expect(names(stdout)).toEqual(['Talk 0.txt', 'Talk 1.txt', 'Talk 2.txt']);
  });

  it('overwrites only with --existing replace, and reports skipped files', async () => {
    const line = await startCommandLine();
    await fillLibrary(line);
    await writeFile(join(line.folder, 'Café.txt'), 'mine');
    const run = (...more: readonly string[]) =>
      line.run(['export', 'Café', '--to', 'txt', '--json', ...more]);
    expect(withoutProgress((await run()).json)).toMatchObject([
      { type: 'file', name: 'Café', format: 'txt', path: join(line.folder, 'Café 2.txt') },
      { type: 'end', outcome: 'finished', done: 1, skipped: 0, failed: 0, left: 0 },
    ]);
    expect(withoutProgress((await run('--existing', 'skip')).json)).toMatchObject([
      { type: 'file-skipped', name: 'Café', format: 'txt' },
      { type: 'end', done: 0, skipped: 1 },
    ]);
    expect(await readFile(join(line.folder, 'Café.txt'), 'utf8')).toBe('mine');
    await run('--existing', 'replace');
    expect(await readFile(join(line.folder, 'Café.txt'), 'utf8')).toBe('Nothing of ships.\n');
  });

  it('reports an unknown name, writes the rest and exits with 1', async () => {
    const line = await startCommandLine();
    await fillLibrary(line);
    await inLibrary(line, (store) => store.library.trash([3], 4));
    const { code, stdout, stderr } = await line.run(['export', 'Radio', 'Café', '--to', 'txt']);
    expect(code).toBe(exitCode.someFailed);
    expect(names(stdout)).toEqual(['Radio.txt']);
    expect(stderr).toContain('Café: No transcript in the library has this name.');
  });

  it('reports what could not be written and exits with 1', async () => {
    const line = await startCommandLine();
    await fillLibrary(line);
    await mkdir(join(line.folder, 'out'));
    await writeFile(join(line.folder, 'out', 'Radio'), 'a file, no folder');
    const options = ['--to', 'srt', '--out', 'out', '--template', '{name}/{name}', '--json'];
    const { code, json } = await line.run(['export', 'Radio', ...options]);
    expect(code).toBe(exitCode.someFailed);
    expect(withoutProgress(json)).toMatchObject([
      { type: 'file-failed', name: 'Radio', format: 'srt', problem: { code: 'export_not_a_folder' } },
      { type: 'end', done: 0, failed: 1 },
    ]);
  });

  it('names files and lays out subtitles as requested', async () => {
    const line = await startCommandLine();
    await fillLibrary(line);
    const style = ['--template', '{format}/{name}', '--preset', 'raw', '--to', 'srt'];
    const { stdout } = await line.run(['export', 'Radio', '--out', 'out', ...style]);
    expect(stdout.trim()).toBe(join(line.folder, 'out', 'srt', 'Radio.srt'));
    expect(await readFile(stdout.trim(), 'utf8')).toContain('We heard the ferry\n');
    const table = await line.run(['export', 'Radio', '--out', 'out', '--to', 'csv', '--words']);
    expect(await readFile(table.stdout.trim(), 'utf8')).toMatch(
      /^\ufeffnumber,start,end,speaker,text,probability\r\n/,
    );
  });

  it('writes notes if they are wanted, and only what is highlighted', async () => {
    const line = await startCommandLine();
    await fillLibrary(line);
    await inLibrary(line, (store) => {
      const { revision } = store.edits.edit(2, 0, {
        kind: 'set-highlight',
        segments: [1],
        isHighlighted: true,
      });
      store.edits.edit(2, revision, { kind: 'add-note', atSeconds: 3, text: 'Which station?' });
    });
    const show = ['show', 'Radio', '--format', 'md'];
    expect((await line.run(show)).stdout).not.toContain('Which station?');
    expect((await line.run([...show, '--notes'])).stdout).toContain('Which station?');
    const options = ['--to', 'md', '--out', 'out', '--highlights', '--notes', '--json'];
    const { code, json } = await line.run(['export', 'Radio', 'Harbour', ...options]);
    expect(code).toBe(exitCode.done);
    expect(withoutProgress(json)).toMatchObject([
      { type: 'file', name: 'Radio' },
      { type: 'end', done: 1, failed: 0, withoutHighlights: 1 },
    ]);
    const written = await readFile(join(line.folder, 'out', 'Radio highlights.md'), 'utf8');
    expect(written).toContain('on the radio.');
    expect(written).toContain('Which station?');
    expect(written).not.toContain('We heard');
  });

  it('writes nothing after an earlier interruption', async () => {
    const line = await startCommandLine();
    await fillLibrary(line);
    const { code, stdout } = await line.run(['export', '--all'], { interrupted: AbortSignal.abort() });
    expect({ code, stdout }).toEqual({ code: exitCode.interrupted, stdout: '' });
  });
});

it('waits with --wait until no other program uses the data folder', async () => {
  const line = await startCommandLine();
  await fillLibrary(line);
  await line.run(['library', 'backup', 'all']);
  takeFolder(line, 'window');
  const waiting = Promise.withResolvers<void>();
  let said = '';
  const stderr = {
    isTerminal: false,
    columns: 80,
    clearLine: () => undefined,
    write: (text: string): void => {
      said += text;
      waiting.resolve();
    },
  };
  const running = line.run(['library', 'restore', 'all', '--wait'], { stderr });
  await waiting.promise;
  expect(said).toContain('Waiting until it is done');
  const database = new Database(join(line.dataFolder, 'longhand.db'));
  database.exec('DELETE FROM lease');
  database.close();
  expect((await running).code).toBe(exitCode.done);
});

describe('the library', () => {
  it('is listed, searched and shown while another program works on it', async () => {
    const line = await startCommandLine();
    await fillLibrary(line);
    const listed = await line.run(['list', '--sort', 'name', '--json']);
    expect(listed.json.map(({ name }) => name)).toEqual(['Café', 'Harbour.mp3', 'Radio']);
    expect(listed.json[1]).toMatchObject({ type: 'transcript', words: 7, tags: ['Sea'] });
    await line.run(['search', 'ferry']);
    takeFolder(line, 'window');
    expect((await line.run(['list', '--tag', 'sea'])).stdout).toContain('Harbour.mp3 [Sea]\n');
    expect((await line.run(['list', '--limit', '1', '--json'])).json).toHaveLength(1);
    const found = await line.run(['search', 'ferry', 'late']);
    expect(found.stdout.split('\n')).toHaveLength(3);
    expect(found.stdout).toContain('The ferry is late.');
    const nothing = await line.run(['search', 'farry']);
    expect(nothing).toMatchObject({ code: 0, stdout: '', stderr: 'Nothing found. Similar: “ferry” (2)\n' });
    expect((await line.run(['show', 'harbour'])).stdout).toContain('The ferry is late.');
    expect((await line.run(['show', 'harbour', '--format', 'srt'])).stdout).toMatch(/^1\n00:00:00,000 --> /);
    const unknown = await line.run(['show', 'raddio']);
    expect(unknown).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('“Radio”') });
  });

  it('imports files and folders once, with tags', async () => {
    const line = await startCommandLine();
    await mkdir(join(line.folder, 'subs'));
    await writeFile(join(line.folder, 'subs', 'One.srt'), '1\n00:00:01,000 --> 00:00:02,000\nHello.\n');
    await writeFile(join(line.folder, 'Two.txt'), 'Good morning.\n');
    await writeFile(join(line.folder, 'broken.srt'), '1\n00:00:01 -> nowhere\n');
    const { code, stdout, stderr } = await line.run(['import', '-', 'subs', '--tag', 'Old'], {
      typed: 'Two.txt\nbroken.srt\nfile:///x/%zz\n',
    });
    expect(code).toBe(exitCode.someFailed);
    expect(stdout.trim().split('\n').toSorted()).toEqual(['One', 'Two']);
    expect(stderr).toContain('broken.srt: ');
    expect(stderr).toContain('%zz: There is nothing at this path');
    expect(stderr).toContain('2 transcripts imported.');
    const { json } = await line.run(['import', 'subs', '--json']);
    expect(withoutProgress(json)).toEqual([
      { type: 'end', outcome: 'finished', added: 0, known: 1, trashed: 0, failed: 0, left: 0 },
    ]);
    expect((await line.run(['list', '--tag', 'old', '--json'])).json).toHaveLength(2);
  });
});

describe('a backup', () => {
  it('is written, reported and restored in another library', async () => {
    const line = await startCommandLine();
    await fillLibrary(line);
    const written = await line.run(['library', 'backup', 'all.longhand']);
    expect(written).toMatchObject({ code: exitCode.done, stdout: `${join(line.folder, 'all.longhand')}\n` });
    expect(written.stderr).toContain('3 transcripts are in the backup.');

    const other = await startCommandLine();
    const file = join(line.folder, 'all.longhand');
    const { code, json } = await other.run(['library', 'restore', file, '--json']);
    expect(code).toBe(exitCode.done);
    expect(withoutProgress(json)).toMatchObject([
      {
        type: 'contents',
        name: 'all.longhand',
        transcripts: 3,
        missing: 3,
        known: 0,
        trashed: 0,
        differing: 0,
      },
      { type: 'restored', outcome: 'finished', added: 3, beside: 0 },
    ]);
    // The restored transcripts are found once they are indexed.
    expect(names((await other.run(['export', '--search', 'heard', '--to', 'txt'])).stdout)).toEqual([
      'Radio.txt',
    ]);
    const again = await other.run(['library', 'restore', file]);
    expect(again.code).toBe(exitCode.done);
    expect(again.stderr).toContain('Everything in it is already here. Nothing was added.');
  });

  it('replaces a file only with --replace', async () => {
    const line = await startCommandLine();
    await writeFile(join(line.folder, 'mine'), 'mine');
    const refused = await line.run(['library', 'backup', 'mine']);
    expect(refused).toMatchObject({ code: exitCode.someFailed, stdout: '' });
    expect(refused.stderr).toContain('mine: A file with this name already exists.');
    expect(await readFile(join(line.folder, 'mine'), 'utf8')).toBe('mine');
    const { json, code } = await line.run(['library', 'backup', 'mine', '--replace', '--json']);
    expect(code).toBe(exitCode.done);
    expect(json.at(-1)).toMatchObject({ type: 'backup', transcripts: 0, path: join(line.folder, 'mine') });
    expect(await readdir(line.folder)).toEqual(['mine']);
  });

  it('that cannot be read is reported with the reason, and the library stays unchanged', async () => {
    const line = await startCommandLine();
    await fillLibrary(line);
    await line.run(['library', 'backup', 'cut']);
    await truncate(join(line.folder, 'cut'), 9000);
    await writeFile(join(line.folder, 'words'), 'Dear diary');
    await mkdir(join(line.folder, 'folder'));
    for (const [file, words] of [
      ['folder', 'folder: This is not a backup of a Longhand library. Choose a file'],
      ['cut', 'cut: This backup is damaged'],
      ['words', 'words: This is not a backup of a Longhand library'],
      ['gone', 'gone: There is no backup at this path'],
    ] as const) {
      const { code, stderr } = await line.run(['library', 'restore', file]);
      expect(code).toBe(exitCode.someFailed);
      expect(stderr).toContain(words);
    }
    expect(await inLibrary(line, (store) => store.library.counts().total)).toBe(3);
    expect((await readdir(line.dataFolder)).filter((name) => name.startsWith('backup-'))).toEqual([]);
  });

  it('leaves no file when it is cancelled', async () => {
    const line = await startCommandLine();
    await fillLibrary(line);
    const { code } = await line.run(['library', 'backup', 'all'], { interrupted: AbortSignal.abort() });
    expect(code).toBe(exitCode.interrupted);
    expect(await readdir(line.folder)).toEqual(['talks']);
  });
});

describe('while another program works on the library', () => {
  it('the library can be exported and backed up', async () => {
    const line = await startCommandLine();
    await fillLibrary(line);
    takeFolder(line, 'window');
    expect((await line.run(['export', '--search', 'ferry', '--to', 'txt'])).code).toBe(exitCode.done);
    expect((await line.run(['library', 'backup', 'all'])).code).toBe(exitCode.done);
  });

  it.each([
    ['window', 'Longhand is open on this data folder, perhaps only in the tray.'],
    ['command-line', 'Longhand’s command line is using this data folder'],
  ])('nothing is restored next to a %s, since only one program writes', async (program, words) => {
    const line = await startCommandLine();
    await fillLibrary(line);
    await line.run(['library', 'backup', 'all']);
    takeFolder(line, program);
    const { code, stderr } = await line.run(['library', 'restore', 'all']);
    expect(code).toBe(exitCode.needsUser);
    expect(stderr).toContain(words);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});

it.each([
  [['export'], 'Choose transcripts'],
  [['export', 'Radio', '--all'], 'Choose transcripts'],
  [['export', '--all', '--tag', 'sea'], 'Choose transcripts'],
  [['export', '--search=-radio'], 'at least one word'],
  [['export', '--all', '--to', 'pdf'], 'must be one of srt'],
  [['export', '--all', '--existing', 'burn'], 'must be one of number'],
  [['library'], 'longhand library needs one of backup, restore'],
  [['library', 'backup'], 'Name the backup file'],
  [['library', 'restore', 'a', 'b'], 'Unexpected argument “b”'],
  [['library', 'restore', 'a', '--replace'], 'There is no option --replace'],
])('%j is wrong usage', async (args, words) => {
  const line = await startCommandLine();
  const { code, stderr } = await line.run(args);
  expect(code).toBe(exitCode.wrongUsage);
  expect(stderr).toContain(words);
});

it('a library that an older version is using is neither read nor migrated', { timeout: 60_000 }, async () => {
  const line = await startCommandLine();
  await mkdir(line.dataFolder);
  const database = openDatabase(join(line.dataFolder, 'longhand.db'), migrations.slice(0, -1));
  onTestFinished(() => void database.close());
  const version = schemaVersion(database);
  takeFolder(line, 'window');
  for (const command of [
    ['list'],
    ['search', 'ferry'],
    ['show', 'Harbour'],
    ['export', '--all', '--to', 'txt'],
    ['library', 'backup', 'all.longhand'],
  ]) {
    const { code, stderr } = await line.run(command);
    expect({ command, code }).toEqual({ command, code: exitCode.needsUser });
    expect(stderr).toContain('An older version of Longhand is using this data folder.');
  }
  expect(schemaVersion(database)).toBe(version);
});
