import { beforeAll, describe, expect, test } from 'vitest';
import type { ServiceCost, QueueSummary } from '../../electron/contract/queue-commands.ts';
import { finishedShare, pendingCostText, summaryText } from '../../renderer/features/queue/summary-text.ts';
import { i18n, loadTexts } from '../../renderer/i18n.ts';
import { createFormat, type Format } from '../../renderer/ui/text/format.ts';

let format: Format;

beforeAll(async () => {
  await loadTexts();
  format = createFormat('en-GB', i18n.t);
});

const summary: QueueSummary = {
  counts: { all: 140, working: 12, waiting: 87, attention: 3, done: 38, cancelled: 0 },
  totalSeconds: 220_320,
  secondsLeft: 158_400,
  unknownDurations: 0,
  bytesLeft: 3_400_000_000,
  bytesPerSecond: 11_200_000,
  speed: 24.2,
  timeLeftSeconds: 6600,
  pendingCosts: [],
  stalled: [],
  services: [],
  paused: false,
  pausedItems: 0,
  transcribingInCloud: 0,
  autoExportChoice: null,
};
const summaryOf = (patch: Partial<QueueSummary>, isMoving = true): string => {
  const { headline, rest } = summaryText(i18n.t, format, { ...summary, ...patch }, isMoving);
  // Lines break between the facts only.
  return `${headline} | ${rest}`.replaceAll('\u00a0', ' ');
};

describe('the summary of the queue', () => {
  test('contains everything that is known', () => {
    expect(summaryOf({})).toBe(
      '38 of 140 done · about 1 h 50 min left | 61 h 12 min of audio · 24 × real time · 3.4 GB to send at 11 MB/s',
    );
  });

  test('omits what is left where it is the same, rounded', () => {
    expect(
      summaryOf({ totalSeconds: 910, secondsLeft: 890, speed: null, timeLeftSeconds: null }),
    ).not.toContain('not transcribed yet');
  });

  test('omits an unknown speed and remaining time', () => {
    expect(summaryOf({ speed: null, timeLeftSeconds: null, bytesPerSecond: 0 })).toBe(
      '38 of 140 done | 61 h 12 min of audio, 44 h of it not transcribed yet · 3.4 GB to send',
    );
  });

  test.each([
    ['the service is stopped', {}, false],
    ['nothing is in progress', { counts: { ...summary.counts, working: 0 } }, true],
  ] as const)('estimates no time while %s', (_name, patch, isMoving) => {
    expect(summaryOf(patch, isMoving)).not.toMatch(/real time|about/);
  });

  test('says what is paused, and what services finish anyway', () => {
    expect(
      summaryOf({ paused: true, transcribingInCloud: 2, pausedItems: 1, timeLeftSeconds: null }),
    ).toMatch(/^Paused · 2 will finish at their service · 38 of 140 done \|/);
    expect(summaryOf({ pausedItems: 1, transcribingInCloud: 2, timeLeftSeconds: null })).toMatch(
      /^38 of 140 done · 1 paused \|/,
    );
  });

  test('distinguishes recordings whose duration is unknown', () => {
    expect(summaryOf({ unknownDurations: 3 })).toContain(
      'about 1 h 50 min left | 61 h 12 min of audio · 3 of unknown duration',
    );
  });
});

test('the finished share is by duration only while all are known', () => {
  expect(finishedShare(summary)).toBeCloseTo(0.281, 3);
  expect(finishedShare({ ...summary, secondsLeft: 0, unknownDurations: 3 })).toBeCloseTo(38 / 140, 3);
});

describe('the pending charges', () => {
  const pendingCost: ServiceCost = {
    service: 'https://a.example',
    recordings: 99,
    credits: 1500,
    unknownDurations: 0,
  };

  test('are shown in credits and dollars, against the balance', () => {
    expect(pendingCostText(i18n.t, format, pendingCost, 2000)).toStrictEqual({
      text: 'Needs 1,500 credits ($1.00); the account has 2,000',
      isBalanceTooLow: false,
    });
  });

  test('are marked when the balance is too low', () => {
    expect(pendingCostText(i18n.t, format, { ...pendingCost, unknownDurations: 1 }, 1240)).toStrictEqual({
      text: 'Needs 1,500 credits ($1.00), and 1 of unknown duration; the account has 1,240',
      isBalanceTooLow: true,
    });
  });

  test('omit an unknown balance', () => {
    expect(pendingCostText(i18n.t, format, pendingCost, null).text).toBe('Needs 1,500 credits ($1.00)');
  });
});
