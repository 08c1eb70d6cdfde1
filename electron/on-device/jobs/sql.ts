import type Database from 'better-sqlite3';
import { parseJobRow } from './job-row.ts';
import type { Job } from './job.ts';

export type SqlValue = string | number | null;

/** Asks the service's database. Each statement is prepared once: the same ones are needed with every request. */
export class Sql {
  readonly #database: Database.Database;
  readonly #statements = new Map<string, Database.Statement>();

  constructor(database: Database.Database) {
    this.#database = database;
  }

  /** The first row; `undefined` when there is none. */
  row(text: string, ...values: readonly SqlValue[]): unknown {
    return this.#prepared(text).get(...values);
  }

  rows(text: string, ...values: readonly SqlValue[]): readonly unknown[] {
    return this.#prepared(text).all(...values);
  }

  /** Rows of the table `jobs`, whole. */
  jobs(text: string, ...values: readonly SqlValue[]): readonly Job[] {
    return this.rows(text, ...values).flatMap((row) => parseJobRow(row) ?? []);
  }

  /** How many rows were written, changed or removed. */
  run(text: string, ...values: readonly (SqlValue | Readonly<Record<string, SqlValue>>)[]): number {
    return this.#prepared(text).run(...values).changes;
  }

  /** Runs `work` as one: all of what it writes is there afterwards, or, when it throws, nothing. */
  transaction<Result>(work: () => Result): Result {
    return this.#database.transaction(work).immediate();
  }

  /** Only for texts without values in them: each text is kept. */
  #prepared(text: string): Database.Statement {
    const known = this.#statements.get(text);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(text);
    this.#statements.set(text, statement);
    return statement;
  }
}
