import Database from 'better-sqlite3';

/** Milliseconds that a reader waits while the one writer holds the database. */
const busyMs = 5000;

/**
 * Opens a database beside its writer, only to read: for other threads, and for programs while another has the folder.
 *
 * @param path of the database's file. @throws SqliteError when it is not there or cannot be read.
 */
export function openReader(path: string): Database.Database {
  const database = new Database(path, { readonly: true, fileMustExist: true });
  database.pragma(`busy_timeout = ${busyMs}`);
  return database;
}
