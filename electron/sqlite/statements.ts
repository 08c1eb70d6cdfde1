import type Database from 'better-sqlite3';

/** The statements of one database, each compiled once, at its first use. */
export class Statements {
  readonly #database: Database.Database;
  readonly #compiled = new Map<string, Database.Statement>();

  constructor(database: Database.Database) {
    this.#database = database;
  }

  /** As `Database.prepare`. For texts of which there are few. */
  prepare<Parameters extends unknown[] = unknown[], Row = unknown>(
    sql: string,
  ): Database.Statement<Parameters, Row> {
    let statement = this.#compiled.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#compiled.set(sql, statement);
    }
    return statement as Database.Statement<Parameters, Row>;
  }
}
