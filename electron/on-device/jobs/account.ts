import { z } from 'zod';
import { charge, refund, type Balance } from '../billing.ts';
import type { Sql } from './service-database.ts';

const balanceRow = z.object({ balance_credits: z.int().nullable() });

/** The one account whose credits pay for the jobs (API part 1.6). What changes it is part of a transaction of the job. */
export class Account {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Sets the account up at the very first start; later starts find it there. */
  open(credits: Balance): void {
    this.#sql.run('INSERT INTO account (id, balance_credits) VALUES (1, ?) ON CONFLICT DO NOTHING', credits);
  }

  balance(): Balance {
    return balanceRow.parse(this.#sql.row('SELECT balance_credits FROM account')).balance_credits;
  }

  /** Takes credits away. `false` when there are too few: then none are taken. */
  charge(credits: number): boolean {
    const balance = charge(this.balance(), credits);
    if (balance === 'insufficient') return false;
    this.#set(balance);
    return true;
  }

  /** Gives credits back. */
  refund(credits: number): void {
    this.#set(refund(this.balance(), credits));
  }

  #set(balance: Balance): void {
    this.#sql.run('UPDATE account SET balance_credits = ?', balance);
  }
}
