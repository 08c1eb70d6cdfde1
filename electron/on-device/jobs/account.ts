import { z } from 'zod';
import { charge, refund, type Balance } from '../billing.ts';
import type { Sql } from './service-database.ts';

const balanceRow = z.object({ balance_credits: z.int().nullable() });

/** The account whose credits pay for the jobs (API part 1.6). Each change is part of a job's transaction. */
export class CreditAccount {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /**
   * Creates the account at the first start. At a later one, a number that differs from that of the last start sets the
   * balance; the same number changes nothing, since a service may be restarted at any time.
   *
   * @param credits the balance; `null`: the stored one, without a limit at the first start
   */
  open(credits: Balance): void {
    this.#sql.run(
      `INSERT INTO account (id, balance_credits, granted_credits) VALUES (1, $credits, $credits)
       ON CONFLICT DO UPDATE SET balance_credits = $credits, granted_credits = $credits
       WHERE $credits IS NOT NULL AND granted_credits IS NOT $credits`,
      { credits },
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
