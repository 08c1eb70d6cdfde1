import { toMilliseconds } from './milliseconds.ts';

/** The price of a service (API part 1, "Billing"). One credit is one billed minute. */
const dollarsPerHour = 0.04;

/** Returns the credits for a recording: its duration rounded up to whole minutes, at least one. */
export function creditsFor(seconds: number): number {
  // Rounds to milliseconds first, so that 120.0000001 s are not billed as three minutes.
  return Math.max(1, Math.ceil(toMilliseconds(seconds) / 60_000));
}

/** Returns the cost of credits in US dollars. */
export const dollarsFor = (credits: number): number => (credits / 60) * dollarsPerHour;
