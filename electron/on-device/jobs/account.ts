import { z } from 'zod';
import { charge, refund, type Balance } from '../billing.ts';
import type { Sql } from './service-database.ts';

const balanceRow = z.object({ balance_credits: z.int().nullable() });

/** The account whose credits pay for the jobs (API part 1.6). Each change is part of a job's transaction. */
export class Account {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /**
   * Creates the account at the first start.
   *
   * @param credits its balance from now on; `null`: the stored one, without a limit at the first start
   */
  open(credits: Balance): void {
    this.#sql.run(
      `INSERT INTO account (id, balance_credits) VALUES (1, ?) ON CONFLICT DO UPDATE
       SET balance_credits = coalesce(excluded.balance_credits, balance_credits)`,
      credits,
    );
  }

  balance(): Balance {
    return balanceRow.parse(this.#sql.row('SELECT balance_credits FROM account')).balance_credits;
  }

  /** Charges credits. `false` when there are too few; then nothing is charged. */
  charge(credits: number): boolean {
    const balance = charge(this.balance(), credits);
    if (balance === 'insufficient') return false;
    this.#set(balance);
    return true;
  }

  refund(credits: number): void {
    this.#set(refund(this.balance(), credits));
  }

  #set(balance: Balance): void {
    this.#sql.run('UPDATE account SET balance_credits = ?', balance);
  }
}
