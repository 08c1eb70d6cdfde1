import type Database from 'better-sqlite3';

/** The statements of one database, each compiled once, at its first use. */
export class Statements {
  readonly #database: Database.Database;
  readonly #compiled = new Map<string, Database.Statement>();

  constructor(database: Database.Database) {
    this.#database = database;
  }

  /** Like `Database.prepare`. Only for a fixed set of SQL texts: all of them are kept. */
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
