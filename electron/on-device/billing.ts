import { toMilliseconds } from '../contract/milliseconds.ts';

/**
 * The arithmetic of credits (API part 1, "Billing"): pure, so that each rule can be read and tested by itself.
 */

/** Remaining credits; `null` for an account whose work costs nothing, as on one's own computer. */
export type Balance = number | null;

/**
 * What an account without a limit shows as its balance. The API promises an integer, so there has to be one; it never
 * gets less.
 */
const unlimitedBalanceShown = 1_000_000;

/**
 * Credits for a recording: its length rounded up to whole minutes, at least 1 (API part 1).
 *
 * @param durationSeconds to the millisecond, so that what is shown and what is billed agree exactly
 */
export function billedMinutes(durationSeconds: number): number {
  return Math.max(1, Math.ceil(toMilliseconds(durationSeconds) / 60_000));
}

/**
 * Whether one more job may be created. Its length is not known yet, nor is that of the active jobs that have not been
 * charged, but each of them costs one credit at least.
 */
export function canCreateJob(balance: Balance, unchargedActiveJobs: number): boolean {
  return balance === null || balance - unchargedActiveJobs >= 1;
}

/** The balance after `credits` were charged, or `insufficient` when there are too few. */
export function charge(balance: Balance, credits: number): Balance | 'insufficient' {
  if (balance === null) return null;
  return balance >= credits ? balance - credits : 'insufficient';
}

/** The balance after `credits` were given back. */
export function refund(balance: Balance, credits: number): Balance {
  return balance === null ? null : balance + credits;
}

/** The balance as the API shows it (`meta.balance_credits`, API part 2.1). */
export function shownBalance(balance: Balance): number {
  return balance ?? unlimitedBalanceShown;
}
