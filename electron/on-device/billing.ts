/**
 * The arithmetic of balances (API part 1, "Billing"); pure.
 */

/** Remaining credits; `null` for an account that is not billed, like that of the user's own computer. */
export type Balance = number | null;

/** The balance that is reported for an account without a limit, since the API requires an integer. It never decreases. */
const unlimitedReportedBalance = 1_000_000;

/**
 * Whether one more job may be created. Its duration is unknown, like that of the active jobs that have not been charged,
 * but each costs at least one credit.
 */
export function canCreateJob(balance: Balance, unchargedActiveJobs: number): boolean {
  return balance === null || balance - unchargedActiveJobs >= 1;
}

/** Returns the balance after a charge, or `insufficient`. */
export function charge(balance: Balance, credits: number): Balance | 'insufficient' {
  if (balance === null) return null;
  return balance >= credits ? balance - credits : 'insufficient';
}

/** Returns the balance after a refund. */
export function refund(balance: Balance, credits: number): Balance {
  return balance === null ? null : balance + credits;
}

/** Returns the balance that the API reports (`meta.balance_credits`, API part 2.1). */
export function reportedBalance(balance: Balance): number {
  return balance ?? unlimitedReportedBalance;
}
