import { creditsFor } from '../../../electron/contract/pricing.ts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { roundToMilliseconds } from '../../../electron/contract/milliseconds.ts';
import { charge, canCreateJob, refund, reportedBalance } from '../../../electron/on-device/billing.ts';

const duration = fc.double({ min: 0, max: 1e6, noNaN: true }).map(roundToMilliseconds);
const credits = fc.nat({ max: 1_000_000 });

test.each([
  [0, 1],
  [0.001, 1],
  [59.999, 1],
  [60, 1],
  [60.001, 2],
  [330, 6],
  [3600, 60],
])('%d s costs %d credits (API part 1, "Rounding")', (seconds, expected) => {
  expect(creditsFor(seconds)).toBe(expected);
});

test('rounds the duration up to whole minutes, at least one', () => {
  fc.assert(
    fc.property(duration, (seconds) => {
      const minutes = creditsFor(seconds);
      expect(Number.isInteger(minutes)).toBe(true);
      expect(minutes).toBeGreaterThanOrEqual(1);
      expect(minutes * 60).toBeGreaterThanOrEqual(seconds);
      expect(minutes === 1 || (minutes - 1) * 60 < seconds).toBe(true);
    }),
  );
});

test('does not round whole minutes up because of floating-point errors', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000 }), (minutes) => {
      expect(creditsFor(roundToMilliseconds(minutes * 60))).toBe(minutes);
      expect(creditsFor(roundToMilliseconds((minutes * 600) / 10 + 0.0004))).toBe(minutes);
    }),
  );
});

test('a longer recording never costs less', () => {
  fc.assert(
    fc.property(duration, duration, (a, b) => {
      expect(creditsFor(Math.max(a, b))).toBeGreaterThanOrEqual(creditsFor(Math.min(a, b)));
    }),
  );
});

test('charges all or nothing, and a refund reverts the charge', () => {
  fc.assert(
    fc.property(credits, fc.integer({ min: 1, max: 2_000_000 }), (balance, price) => {
      expect(charge(balance, price)).toBe(price > balance ? 'insufficient' : balance - price);
      expect(refund(balance, price)).toBe(balance + price);
    }),
  );
});

test('an account without a limit can always create jobs and always shows the same balance', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1 }), fc.nat(), (price, uncharged) => {
      expect(charge(null, price)).toBeNull();
      expect(refund(null, price)).toBeNull();
      expect(canCreateJob(null, uncharged)).toBe(true);
      expect(reportedBalance(null)).toBe(1_000_000);
    }),
  );
});

test('every uncharged active job holds back one credit', () => {
  fc.assert(
    fc.property(credits, fc.nat({ max: 50 }), (balance, uncharged) => {
      expect(canCreateJob(balance, uncharged)).toBe(balance > uncharged);
    }),
  );
});
