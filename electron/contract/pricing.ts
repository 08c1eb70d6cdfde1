import { toMilliseconds } from './milliseconds.ts';

/** What a service costs (API part 1, "Billing"). One credit is one billed minute. */
const dollarsPerHour = 0.04;

/** Credits for a recording: its length rounded up to whole minutes, at least one. */
export function creditsFor(seconds: number): number {
  // Whole milliseconds first, so that 120 s that come as 120.0000001 are not billed as three minutes.
  return Math.max(1, Math.ceil(toMilliseconds(seconds) / 60_000));
}

/** What so many credits cost, in US dollars. */
export const dollarsFor = (credits: number): number => (credits / 60) * dollarsPerHour;
