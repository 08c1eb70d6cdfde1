import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { EditOperation } from '../../../../../electron/contract/transcript.ts';
import {
  backupApplicationId,
  backupFactsTable,
  backupVersion,
} from '../../../../../electron/core/library/backup/backup-file.ts';
import type { Library } from '../../../../../electron/core/library/library.ts';
import { migrations } from '../../../../../electron/core/store/migrations.ts';
import type { Store } from '../../../../../electron/core/store/store.ts';
import { openDatabase } from '../../../../../electron/sqlite/open-database.ts';
import { eagerClock } from '../../../../support/clocks/eager-clock.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../../support/temporary-folder.ts';
import { defaultTaskOptions } from '../../../../support/default-task-options.ts';
import { openStore } from '../../store/store-kit.ts';
import { queryFor, openLibrary, saveTranscript, firstPage } from '../library-kit.ts';

/** The first schema with tags, the trash and backups. */
const firstVersion = 8;
/** The first schema that keeps only the changed segments of the original. */
const sparseOriginals = 13;

let folder: TemporaryFolder;
let before: Store;
let after: Store;
let library: Library;

beforeEach(async () => {
  folder = await temporaryFolder();
  before = openStore(join(folder.path, 'before'));
  after = openStore(join(folder.path, 'after'), { clock: eagerClock });
  library = openLibrary(after);
  library.start();
});
afterEach(async () => {
  await library.close();
  await after.close();
  await before.close();
  await folder.remove();
});

const columnsOf = (database: Database.Database, schema: string, table: string): readonly string[] =>
  database
    .prepare<[string, string], string>('SELECT name FROM pragma_table_xinfo(?, ?) WHERE hidden = 0')
    .pluck()
    .all(table, schema);

/** Writes the first library to a backup as the program with an older schema wrote it. */
function writeOlderBackup(path: string, version: number): void {
  const database = openDatabase(
    path,
    migrations.filter((one) => one.version <= version),
  );
  database.pragma('journal_mode = DELETE');
  const triggers = database
    .prepare<[], { name: string; sql: string }>("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
    .all();
  for (const { name } of triggers) database.exec(`DROP TRIGGER "${name}"`);
  database.prepare('ATTACH ? AS library').run(before.path);
  const copy = (table: string): void => {
    const newer = new Set(columnsOf(database, 'library', table));
    const shared = columnsOf(database, 'main', table).filter((name) => newer.has(name) && name !== 'item_id');
    const list = shared.map((name) => `"${name}"`).join(', ');
    database.exec(`INSERT INTO main."${table}" (${list}) SELECT ${list} FROM library."${table}"`);
  };
  for (const table of ['transcripts', 'tags', 'transcript_tags', 'segments', 'edit_states', 'edits'])
    copy(table);
  if (version >= sparseOriginals) copy('original_segments');
  else {
    const keep = database.prepare('INSERT INTO original_segments VALUES (?, ?, ?, ?, ?)');
    const edited = database.prepare<[], number>('SELECT transcript_id FROM edit_states').pluck().all();
    for (const id of edited) {
      before.edits
        .original(id)
        .segments.forEach(({ start, end, text }, number) => keep.run(id, number, start, end, text));
      // Older schemas stored the other properties with each edit.
      const { wordCount = 0 } = before.edits.open(id) ?? {};
      database
        .prepare('UPDATE transcripts SET word_count = ?, text = ? WHERE id = ?')
        .run(wordCount, before.transcripts.get(id)?.text, id);
    }
  }
  database.exec('DETACH library');
  for (const { sql } of triggers) database.exec(sql);
  database.exec(backupFactsTable);
  database.prepare('INSERT INTO backup_facts VALUES (?, ?)').run(77, '0.9.0');
  database.pragma(`application_id = ${backupApplicationId}`);
  database.close();
}

/** Returns the state of a transcript, and its states before each of its edits. */
function history(store: Store, id: number): readonly unknown[] {
  const states: unknown[] = [];
  for (;;) {
    const now = store.edits.open(id);
    if (now === null) throw new Error(`transcript ${id} is gone`);
    const { id: _id, ...state } = now;
    states.push(state);
    if (!now.canUndo) return states;
    store.edits.undo(id, now.revision);
  }
}

function edit(id: number, operations: readonly EditOperation[]): void {
  for (const one of operations) before.edits.edit(id, before.edits.open(id)?.revision ?? 0, one);
}

const versions = migrations.map(({ version }) => version).filter((version) => version >= firstVersion);

it.each(versions)('a backup of schema %i is restored with its edits, tags and trash', async (version) => {
  const edited = saveTranscript(before, 'Edited', ['The net.', 'Straße und Größe.', 'The end.'], 1);
  const plain = saveTranscript(before, 'Plain', ['Nobody has touched this.'], 2);
  const thrown = saveTranscript(before, 'Thrown away', ['It lies in the trash.'], 3);
  const timeless = saveTranscript(before, 'Timeless', [], 4);
  edit(edited, [
    { kind: 'set-text', segment: 0, text: 'The Netherlands.' },
    { kind: 'add-note', atSeconds: 4, text: 'Ask again.' },
    { kind: 'delete', segments: [2] },
  ]);
  before.library.tag([edited, plain], ['Été'], []);
  before.library.trash([thrown], 9);
  const path = join(folder.path, 'older.longhand');
  writeOlderBackup(path, version);

  const contents = await library.backups.open(path, defaultTaskOptions);
  expect(contents).toMatchObject({ createdAt: 77, total: 4, missing: 4, known: 0, differing: 0 });
  expect(await library.backups.restore(defaultTaskOptions)).toEqual({
    added: 4,
    addedAsCopies: 0,
    outcome: 'finished',
  });
  await expect.poll(() => after.searchIndex.isBehind).toBe(false);

  // It is known now, even from a file of another version.
  const again = await library.backups.open(path, defaultTaskOptions);
  expect(again).toMatchObject({ total: 4, missing: 0, known: 4, differing: 0 });

  const named = async (name: string, trash = false): Promise<number> => {
    const { rows } = await library.list(queryFor(name, { trash }), firstPage());
    return rows.find((row) => row.name === name)?.id ?? 0;
  };
  expect((await library.list(queryFor('netherlands'), firstPage())).total).toBe(1);
  expect((await library.list(queryFor('GRÖSSE'), firstPage())).total).toBe(1);
  expect(library.tags()).toEqual([{ name: 'Été', count: 2 }]);
  expect(library.counts()).toEqual({ total: 3, trashed: 1 });
  const pairs = [
    [edited, await named('Edited')],
    [plain, await named('Plain')],
    [thrown, await named('Thrown away', true)],
    [timeless, await named('Timeless')],
  ] as const;
  for (const [old, restored] of pairs) {
    expect(after.edits.original(restored)).toEqual(before.edits.original(old));
    expect(history(after, restored)).toEqual(history(before, old));
  }
});

it('a backup of a newer schema is rejected', async () => {
  const path = join(folder.path, 'newer.longhand');
  writeOlderBackup(path, backupVersion);
  const database = openDatabase(path, migrations);
  database.pragma('journal_mode = DELETE');
  database.pragma(`user_version = ${backupVersion + 1}`);
  database.close();
  const opened = library.backups.open(path, defaultTaskOptions);
  await expect(opened).rejects.toMatchObject({ problem: { code: 'backup_newer', params: { path } } });
});
