import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BackupContents } from '../../../../../electron/contract/backup.ts';
import { ProblemError, type Problem } from '../../../../../electron/contract/problem.ts';
import type { Library } from '../../../../../electron/core/library/library.ts';
import { CancelledError } from '../../../../../electron/workers/protocol.ts';
import type { Store } from '../../../../../electron/core/store/store.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../../support/temporary-folder.ts';
import { defaultTaskOptions } from '../../../../support/default-task-options.ts';
import { eagerClock } from '../../../../support/clocks/eager-clock.ts';
import { openStore } from '../../store/store-kit.ts';
import { openLibrary, saveTranscript } from '../library-kit.ts';

const pageBytes = 4096;

let folder: TemporaryFolder;
let file: string;
let store: Store;
let library: Library;

beforeEach(async () => {
  folder = await temporaryFolder();
  file = join(folder.path, 'library.longhand');
  store = openStore(join(folder.path, 'data'), { clock: eagerClock });
  library = openLibrary(store);
  library.start();
});
afterEach(async () => {
  await library.close();
  await store.close();
  await folder.remove();
});

/** Writes a backup, and lets SQLite change it as a hostile sender could. */
async function writeHostile(sql: string): Promise<void> {
  await library.backups.write(file, { appVersion: '1.2.3', replace: true }, defaultTaskOptions);
  const database = new Database(file);
  database.unsafeMode();
  database.pragma('writable_schema = ON');
  database.exec(sql);
  database.close();
}

/** Returns the first page of a table of the backup. */
function rootOf(table: string): number {
  const database = new Database(file, { readonly: true });
  const root = database.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck().get(table);
  database.close();
  return Number(root);
}

/** Opens the backup. Returns its contents, or the problem. */
const openHostile = (options = defaultTaskOptions): Promise<BackupContents | Problem> =>
  library.backups.open(file, options).catch((error: unknown) => {
    if (error instanceof ProblemError) return error.problem;
    throw error;
  });

const leftovers = async (): Promise<readonly string[]> =>
  (await readdir(dirname(store.path))).filter((name) => name.startsWith('backup-to-restore'));

const endless = 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n WHERE x < 0';
/** Replaces the SQL of a table. */
const alter = (table: string, from: string, to: string): string =>
  `UPDATE sqlite_schema SET sql = replace(sql, '${from}', '${to}') WHERE name = '${table}'`;

describe('a backup is rejected', () => {
  it.each([
    [
      'a view in place of a table',
      'DROP TABLE tags; CREATE VIEW tags AS SELECT 1 AS id, zeroblob(10) AS name',
    ],
    [
      'a view that never ends',
      `DROP TABLE backup_facts; CREATE VIEW backup_facts AS SELECT 1 AS created_at, 'x' AS program FROM (${endless})`,
    ],
    ['another view', 'CREATE VIEW mine AS SELECT 1'],
    ['another table', 'CREATE TABLE mine (x)'],
    ['a trigger', 'CREATE TRIGGER t AFTER UPDATE ON transcripts BEGIN DELETE FROM transcripts; END'],
    [
      'a trigger that never ends and would run in a migration of an older version',
      `PRAGMA user_version = 20; CREATE TRIGGER t AFTER UPDATE ON transcripts BEGIN ${endless}; END`,
    ],
    ['an index on an expression', 'CREATE INDEX mine ON transcripts (upper(name))'],
    [
      'a partial index with an expensive condition',
      "CREATE INDEX mine ON segments (id) WHERE text GLOB '*a*b*c*d*'",
    ],
    ['a virtual table', 'CREATE VIRTUAL TABLE mine USING fts5 (x)'],
    [
      'a virtual table in place of a table',
      'DROP TABLE tags; CREATE VIRTUAL TABLE tags USING fts5 (id, name)',
    ],
    [
      'an expensive condition of a column',
      alter('tags', 'COLLATE NOCASE', 'CHECK (name NOT GLOB printf("%.*c", 9999, 0))'),
    ],
    ['an expensive generated column', alter('segments', '(number + 1)', 'length(randomblob(900000000))')],
    ['an expensive default', alter('segments', 'extras TEXT', 'extras TEXT DEFAULT (randomblob(900000000))')],
    ['statistics', 'ANALYZE'],
    ['a table fewer', 'DROP TABLE backup_facts'],
    ['a table twice', "INSERT INTO sqlite_schema SELECT * FROM sqlite_schema WHERE name = 'tags'"],
  ])('with %s', async (_what, sql) => {
    saveTranscript(store, 'One', ['Words']);
    await writeHostile(sql);
    expect(await openHostile()).toMatchObject({ code: 'backup_damaged' });
    expect(await leftovers()).toEqual([]);
  });

  it('whose schema repeats its pages without end', async () => {
    await writeHostile('');
    await writeFile(file, withRepeatingPages(await readFile(file), 1, automaticIndexPage()));
    expect(await openHostile()).toMatchObject({
      code: 'backup_damaged',
      detail: expect.stringContaining('page'),
    });
  });

  it('whose schema has a row that could repeat its pages', async () => {
    await writeHostile(`CREATE TABLE mine (x /* ${'long '.repeat(20_000)} */)`);
    const detail = 'a row of the schema is too long';
    expect(await openHostile()).toMatchObject({ code: 'backup_damaged', detail });
  });

  it.each(['segments', 'transcripts', 'tags', 'edit_states'])(
    'whose table %s has the same rows without end',
    async (table) => {
      const id = saveTranscript(store, 'One', ['Words']);
      store.edits.edit(id, 0, { kind: 'set-text', segment: 0, text: 'Other words' });
      library.tag([id], ['Harbour'], []);
      await writeHostile('');
      const root = rootOf(table);
      const bytes = await readFile(file);
      const leaf = Buffer.from(bytes.subarray((root - 1) * pageBytes, root * pageBytes));
      await writeFile(file, withRepeatingPages(bytes, root, leaf));
      expect(await openHostile()).toMatchObject({ code: 'backup_damaged' });
      expect(await leftovers()).toEqual([]);
    },
  );

  it('whose rows share their content, and would fill the disk', async () => {
    saveTranscript(store, 'One', ['Words '.repeat(99_700)]);
    await writeHostile('');
    await writeFile(file, withSharedContent(await readFile(file), rootOf('transcripts')));
    const detail = 'the rows are longer than the file';
    expect(await openHostile()).toMatchObject({ code: 'backup_damaged', detail });
  });

  it('whose keys repeat, which its indexes do not show', async () => {
    saveTranscript(store, 'One', ['Words', 'Others']);
    await writeHostile('');
    const bytes = await readFile(file);
    const leaf = bytes.subarray((rootOf('segments') - 1) * pageBytes);
    // The second row: its length, its ID, the length of its header, and the types of three columns. 9 is the number 1.
    const row = leaf.readUInt16BE(10);
    expect([...leaf.subarray(row + 3, row + 6)]).toEqual([0, 9, 9]);
    leaf[row + 5] = 8;
    await writeFile(file, bytes);
    const detail = expect.stringContaining('UNIQUE');
    expect(await openHostile()).toMatchObject({ code: 'backup_damaged', detail });
  });
});

it('never reads the search index of a backup', async () => {
  saveTranscript(store, 'One', ['Words']);
  await writeHostile(`UPDATE search_data SET block = zeroblob(100); DELETE FROM search_config;
    INSERT INTO search_config VALUES ('version', 99)`);
  expect(await openHostile()).toMatchObject({ total: 1, known: 1 });
});

it('leaves no files of a backup that asks for a write-ahead log', async () => {
  saveTranscript(store, 'One', ['Words']);
  await writeHostile('');
  const bytes = await readFile(file);
  bytes.fill(2, 18, 20);
  await writeFile(file, bytes);
  expect(await openHostile()).toMatchObject({ total: 1, known: 1 });
  expect(await leftovers()).toEqual(['backup-to-restore.db']);
});

it('stops at a cancellation while it reads the rows', async () => {
  saveTranscript(
    store,
    'Long',
    Array.from({ length: 3000 }, (_, index) => `Segment ${index}`),
  );
  await writeHostile('');
  const abort = new AbortController();
  const steps: number[] = [];
  const opening = openHostile({
    signal: abort.signal,
    onProgress: ({ done, unit }) => {
      steps.push(done);
      if (unit === 'bytes') abort.abort();
    },
  });
  await expect(opening).rejects.toThrow(CancelledError);
  expect(await leftovers()).toEqual([]);
});

/** Returns a database with a b-tree whose leaf is there 500^5 times, in a few pages. @param root the root page */
function withRepeatingPages(bytes: Buffer, root: number, leaf: Buffer): Buffer {
  const count = bytes.length / pageBytes;
  const levels = [1, 2, 3, 4, 5];
  // Of the first page, which has the header of the file, only the last child changes.
  const last = root === 1 ? bytes.readUInt32BE(108) : count + 2;
  const pages = [
    interiorPage({ child: last, cells: 1, right: count + 2 }),
    ...levels.map((level) => {
      const below = count + 2 + level;
      return interiorPage({ child: below, cells: 500, right: below });
    }),
    leaf,
  ];
  const changed = Buffer.concat([bytes, ...pages]);
  if (root === 1) changed.writeUInt32BE(count + 1, 108);
  else pages[0]?.copy(changed, (root - 1) * pageBytes);
  changed.writeUInt32BE(count + pages.length, 28);
  return changed;
}

interface InteriorPage {
  readonly child: number;
  readonly cells: number;
  readonly right: number;
}

/** Returns a page with the same child many times; see https://www.sqlite.org/fileformat2.html#b_tree_pages */
function interiorPage({ child, cells, right }: InteriorPage): Buffer {
  const page = Buffer.alloc(pageBytes);
  page[0] = 5;
  page.writeUInt16BE(cells, 3);
  page.writeUInt16BE(pageBytes - cells * 5, 5);
  page.writeUInt32BE(right, 8);
  for (let cell = 0; cell < cells; cell += 1) {
    const at = pageBytes - (cell + 1) * 5;
    page.writeUInt32BE(child, at);
    page[at + 4] = 1;
    page.writeUInt16BE(at, 12 + cell * 2);
  }
  return page;
}

/** Returns a page of the schema with the index of a UNIQUE constraint, which SQLite accepts repeatedly. */
function automaticIndexPage(): Buffer {
  const texts = ['index', 'sqlite_autoindex_items_1', 'items'].map((one) => Buffer.from(one));
  const types = [...texts.map(({ length }) => 13 + 2 * length), 1, 0];
  const record = Buffer.concat([Buffer.from([types.length + 1, ...types]), ...texts, Buffer.from([3])]);
  const cell = Buffer.concat([Buffer.from([record.length, 1]), record]);
  return leafPage([cell]);
}

function leafPage(cells: readonly Buffer[]): Buffer {
  const page = Buffer.alloc(pageBytes);
  page[0] = 13;
  page.writeUInt16BE(cells.length, 3);
  let at = pageBytes;
  cells.forEach((cell, index) => {
    at -= cell.length;
    cell.copy(page, at);
    page.writeUInt16BE(at, 8 + index * 2);
  });
  page.writeUInt16BE(at, 5);
  return page;
}

/** Returns a database whose table has its only row twice, each with the same pages for its long text. */
function withSharedContent(bytes: Buffer, root: number): Buffer {
  const page = bytes.subarray((root - 1) * pageBytes, root * pageBytes);
  const at = page.readUInt16BE(8);
  // The payload's length takes three bytes, the row ID one.
  const cell = page.subarray(at);
  const job = cell.indexOf('job-');
  const cells = [1, 2].map((id) => {
    const copy = Buffer.from(cell);
    copy[3] = id;
    copy[job] = 0x40 + id;
    return copy;
  });
  const changed = Buffer.from(bytes);
  leafPage(cells).copy(changed, (root - 1) * pageBytes);
  return changed;
}
