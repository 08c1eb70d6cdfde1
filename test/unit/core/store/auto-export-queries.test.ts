import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { AutoExportStore } from '../../../../electron/core/store/auto-export-store.ts';
import { migrations } from '../../../../electron/core/store/migrations.ts';
import { openDatabase } from '../../../../electron/sqlite/open-database.ts';
import { testFolder } from '../../../support/test-folder.ts';

it.each<[string, (exports: AutoExportStore) => unknown]>([
  ['the transcript of a written file', (exports) => exports.transcriptOf('/recordings/talk.txt')],
  ['whether a file was written', (exports) => exports.isWritten('/recordings/talk.txt')],
  ['the items with files that are not written', (exports) => exports.itemsWithPendingExports()],
  ['the files that can be written', (exports) => exports.writable()],
])('finds %s without reading all auto exports', async (_what, find) => {
  const path = join(await testFolder(), 'longhand.db');
  openDatabase(path, migrations).close();
  const statements: unknown[] = [];
  const database = new Database(path, { verbose: (sql) => statements.push(sql) });
  try {
    find(new AutoExportStore(database));
    const plan = database.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${String(statements.at(-1))}`);
    const steps = plan.all().map(({ detail }) => detail);
    expect(steps).toContainEqual(expect.stringMatching(/^SEARCH wanted/));
    expect(steps).not.toContainEqual(expect.stringMatching(/^SCAN wanted/));
  } finally {
    database.close();
  }
});
