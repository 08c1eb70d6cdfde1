import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrations } from '../../electron/core/store/migrations.ts';
import { openDatabase } from '../../electron/sqlite/open-database.ts';

let template: Buffer | null = null;

/** The database of an empty library, as its migrations create it. */
function createTemplate(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'longhand-library-'));
  try {
    const path = join(folder, 'longhand.db');
    openDatabase(path, migrations).close();
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Creates a data folder with an empty library, unless something is in the folder. The program would create the same one,
 * but tests open thousands, and the migrations take longer than most of them.
 */
export function createEmptyLibrary(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700, recursive: true });
    if (readdirSync(folder).length > 0) return;
  } catch {
    // The program says what is wrong with the folder.
    return;
  }
  template ??= createTemplate();
  writeFileSync(join(folder, 'longhand.db'), template, { mode: 0o600 });
}
