import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { LibrarySearcher } from '../../../../electron/core/library/search/library-searcher.ts';
import { queueAndLibrary } from '../../../../electron/core/store/migrations/001-queue-and-library.ts';
import { requestSeeds } from '../../../../electron/core/store/migrations/002-request-seeds.ts';
import { transcribedContent } from '../../../../electron/core/store/migrations/048-transcribed-content.ts';
import { migrations } from '../../../../electron/core/store/migrations.ts';
import { openDatabase } from '../../../../electron/sqlite/open-database.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { ManualClock } from '../../../support/clocks/manual-clock.ts';
import { queryFor, saveTranscript, firstPage } from '../library/library-kit.ts';
import { openStore } from './store-kit.ts';

it('indexes the transcripts of an older version in steps, and resumes after a restart', async () => {
  const folder = await temporaryFolder();
  const old = openDatabase(join(folder.path, 'longhand.db'), [queueAndLibrary, requestSeeds]);
  old.exec(`
    INSERT INTO items (id, position, service, source, fingerprint, name, place, size_bytes, options, kind, state,
      attempts, next_attempt_at, renewals, resends, added_at)
    VALUES (7, 1, 'on-device', '{"kind":"file","path":"/tapes/a.wav"}', 'f00d', 'a.wav', '', 99, '{}', 'done', '{}',
      0, 0, 0, 0, 0)`);
  const save = old.prepare(
    `INSERT INTO transcripts (item_id, service, job_id, name, word_count, text, created_at)
     VALUES (?, 'on-device', ?, ?, 1, '', ?)`,
  );
  const say = old.prepare('INSERT INTO segments VALUES (?, ?, 0, 1, ?)');
  old.transaction(() => {
    for (let number = 1; number <= 40; number += 1) {
      save.run(number === 1 ? 7 : null, `job-${number}`, `Tape ${number}`, number);
      for (let index = 0; index < 12; index += 1) say.run(number, index, `lighthouse ${number} ${index}`);
    }
  })();
  old.close();

  const clock = new ManualClock();
  const first = openStore(folder.path);
  expect(first.transcripts.recordingOf(1)).toEqual({
    path: '/tapes/a.wav',
    sizeBytes: 99,
    fingerprint: 'f00d',
  });
  expect(first.transcripts.get(40)?.segments[11]?.text).toBe('lighthouse 40 11');
  first.searchIndex.startBackgroundIndexing(
    clock,
    () => undefined,
    () => undefined,
  );
  clock.advance(5);
  expect(first.searchIndex.isBehind).toBe(true);
  // Changed before it is indexed.
  first.library.rename(40, 'Renamed');
  await first.close();

  const second = openStore(folder.path);
  let isDone = false;
  second.searchIndex.startBackgroundIndexing(
    clock,
    () => (isDone = true),
    () => undefined,
  );
  clock.advance(1000);
  expect(isDone).toBe(true);
  const reader = new Database(second.path, { readonly: true });
  const search = new LibrarySearcher(reader);
  const found = (query: string) => search.list(queryFor(query), firstPage(), () => false);
  expect(found('lighthouse')).toMatchObject({ total: 40, passageTotal: 480, isIndexing: false });
  expect(found('tape')).toMatchObject({ total: 39 });
  expect(found('renamed')).toMatchObject({ total: 1 });
  reader.close();
  await second.close();
  await folder.remove();
});

it('reindexes texts with letters that an older version folded differently, and no others', async () => {
  const folder = await temporaryFolder();
  const path = join(folder.path, 'longhand.db');
  const store = openStore(folder.path);
  const [plain, arabic] = ['Only words.', 'هذه مدرسة'].map((text, index) =>
    saveTranscript(store, index === 0 ? 'Straße' : 'Talk', [text]),
  );
  await store.close();
  const old = new Database(path);
  // As that version left it.
  old.exec(`
    DELETE FROM search;
    DROP INDEX transcripts_by_recording;
    ALTER TABLE segments DROP COLUMN extras;
    ALTER TABLE original_segments DROP COLUMN extras;
    ALTER TABLE original_segments DROP COLUMN speaker;
    DROP TRIGGER speaker_requests_end;
    DROP TABLE speaker_requests;
    ALTER TABLE watched_folders DROP COLUMN credit_limit;
    ALTER TABLE watched_folders DROP COLUMN credits_since;
    ALTER TABLE watched_folders DROP COLUMN credits;
    ALTER TABLE watched_folders DROP COLUMN known_count;
    DROP INDEX watched_files_counted;
    DROP INDEX watched_files_unmeasured;
    ALTER TABLE watched_files DROP COLUMN credits;
    ALTER TABLE watched_files DROP COLUMN credits_since;
    ALTER TABLE watched_files DROP COLUMN is_unmeasured;
    ALTER TABLE watched_files DROP COLUMN sample;
    ALTER TABLE watched_files DROP COLUMN resent_count;
    ALTER TABLE watched_folders DROP COLUMN service;
    ALTER TABLE sheets DROP COLUMN formats;
    ALTER TABLE sheets DROP COLUMN is_closed;
    DROP INDEX items_by_formats;
    DROP INDEX wanted_files_by_path;
    ALTER TABLE items DROP COLUMN content_hash;
    ALTER TABLE transcripts DROP COLUMN content_hash;
    ALTER TABLE transcripts DROP COLUMN content_mtime_ms;
    ALTER TABLE items DROP COLUMN stated_seconds;
    ALTER TABLE transcripts DROP COLUMN stated_seconds;
    ALTER TABLE transcripts DROP COLUMN unreadable_seconds;
    ALTER TABLE items DROP COLUMN formats;
    DROP TABLE left_jobs;
    DROP INDEX transcripts_by_content;
    ALTER TABLE transcripts DROP COLUMN transcribed_fingerprint;
    CREATE INDEX transcripts_by_content ON transcripts (recording_fingerprint);
    DROP TABLE replace_run_targets;
    DROP TABLE replace_run_edits;
    DROP TABLE replace_runs;
    DROP TABLE earlier_names;
    DROP TRIGGER earlier_name_added;
    DROP TRIGGER name_changed;
    DROP TRIGGER name_of_long_text_changed;
    DROP TRIGGER untimed_text_edited;
    DROP TRIGGER long_untimed_text_edited;
    DROP TRIGGER untimed_text_changed;
    DROP TRIGGER long_untimed_text_changed;
    CREATE TRIGGER names_found_anew AFTER UPDATE OF name ON transcripts BEGIN SELECT 1; END;
    CREATE TRIGGER timeless_found AFTER INSERT ON edit_states BEGIN SELECT 1; END;
    CREATE TRIGGER timeless_found_anew AFTER UPDATE OF text ON edit_states BEGIN SELECT 1; END;
    DROP TABLE queue_order;
    ALTER TABLE items RENAME COLUMN request_count TO tickets;
    ALTER TABLE items RENAME COLUMN folder_label TO place;
    CREATE TABLE ranks (item_id INTEGER PRIMARY KEY, even REAL NOT NULL, odd REAL NOT NULL) STRICT;
    PRAGMA user_version = 21;`);
  old.close();

  const upgraded = openStore(folder.path);
  const clock = new ManualClock();
  expect(upgraded.searchIndex.isBehind).toBe(true);
  upgraded.searchIndex.startBackgroundIndexing(
    clock,
    () => undefined,
    () => undefined,
  );
  clock.advance(1000);
  expect(upgraded.searchIndex.isBehind).toBe(false);
  const reader = new Database(path, { readonly: true });
  const search = new LibrarySearcher(reader);
  const ids = (query: string) => search.ids(queryFor(query), () => false);
  expect(ids('مدرسه ')).toEqual([arabic]);
  expect(ids('strasse ')).toEqual([plain]);
  expect(ids('words ')).toEqual([]);
  reader.close();
  await upgraded.close();
  await folder.remove();
});

it('writes only the transcripts whose content an older version did not know', async () => {
  const folder = await temporaryFolder();
  const path = join(folder.path, 'longhand.db');
  const before = migrations.filter(({ version }) => version < transcribedContent.version);
  const old = openDatabase(path, [queueAndLibrary, requestSeeds]);
  old.exec(`
    CREATE TEMP TABLE numbers AS
      WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n LIMIT 20) SELECT value FROM n;
    INSERT INTO items (id, position, service, source, fingerprint, name, place, size_bytes, options, kind, state,
      attempts, next_attempt_at, renewals, resends, added_at)
    SELECT value, 1, 'on-device', '{"kind":"file","path":"/tapes/a.wav"}', 'f00d', 'a.wav', '', 99, '{}', 'done', '{}',
      0, 0, 0, 0, 0 FROM numbers;
    INSERT INTO transcripts (item_id, service, job_id, name, word_count, text, created_at)
      SELECT value, 'on-device', value, 'Tape', 1, '', value FROM numbers`);
  old.close();
  const renamed = openDatabase(path, before);
  renamed.exec(`
    UPDATE transcripts SET recording_fingerprint = 'beef' WHERE id = 7;
    CREATE TABLE written (id INTEGER) STRICT;
    CREATE TRIGGER written_again AFTER UPDATE ON transcripts BEGIN INSERT INTO written VALUES (new.id); END`);
  renamed.close();
  const upgraded = openDatabase(path, migrations);
  expect(upgraded.prepare('SELECT id FROM written').pluck().all()).toEqual([7]);
  const contents = 'SELECT id, transcribed_fingerprint AS content FROM transcripts WHERE content IS NOT NULL';
  expect(upgraded.prepare(contents).all()).toEqual([{ id: 7, content: 'f00d' }]);
  upgraded.close();
  await folder.remove();
});
