import {
  property,
  assert as assertProperty,
  array,
  constantFrom,
  double,
  integer,
  option,
  record,
  boolean,
} from 'fast-check';
import { describe, expect, it } from 'vitest';
import { QueueTotals, type CountedItem } from '../../../../../electron/core/store/items/queue-totals.ts';

const steps = ['waiting', 'creating', 'uploading', 'completing', 'transcribing', 'saving'] as const;

const item = (patch: Partial<CountedItem>): CountedItem => ({
  kind: 'waiting',
  service: 'https://a.example',
  sizeBytes: 1000,
  sentBytes: 0,
  durationSeconds: 90,
  progress: 0,
  mayHaveJob: false,
  ...patch,
});

const totalsOf = (items: readonly CountedItem[]): QueueTotals => {
  const totals = new QueueTotals();
  for (const one of items) totals.add(one);
  return totals;
};
const snapshotOf = (totals: QueueTotals) => ({
  sums: totals.sums(),
  pendingCosts: totals.pendingCosts(),
  counts: totals.counts(() => 'running'),
});

const anyItem = record({
  kind: constantFrom(...steps, 'paused', 'blocked', 'failed', 'done', 'cancelled', 'cancelling'),
  service: constantFrom('on-device', 'https://a.example', 'https://b.example/with space'),
  sizeBytes: integer({ min: 0, max: 2 ** 41 }),
  sentBytes: integer({ min: 0, max: 2 ** 41 }),
  durationSeconds: option(double({ min: 0.001, max: 200_000, noNaN: true })),
  progress: double({ min: 0, max: 100, noNaN: true }),
  mayHaveJob: boolean(),
});

describe('the running totals', () => {
  it('are those of the present items, whatever was added and removed', () => {
    assertProperty(
      property(array(anyItem), array(anyItem), (stay, go) => {
        const totals = totalsOf([...stay, ...go]);
        for (const one of go) totals.remove(one);
        expect(snapshotOf(totals)).toEqual(snapshotOf(totalsOf(stay)));
      }),
    );
  });

  it('count each item under exactly one filter, whatever its service does', () => {
    const activities = constantFrom(
      'running',
      'not-starting',
      'paused',
      'limit-reached',
      'needs-credits',
      'stopped',
    );
    assertProperty(
      property(array(anyItem), activities, (items, activity) => {
        const { all, ...byFilter } = totalsOf(items).counts(() => activity);
        expect(all).toBe(items.length);
        expect(Object.values(byFilter).reduce((sum, count) => sum + count, 0)).toBe(all);
      }),
    );
  });

  it('round up each recording to minutes separately', () => {
    const [costs] = totalsOf(
      [1, 60, 61, 330].map((seconds) => item({ durationSeconds: seconds })),
    ).pendingCosts();
    expect(costs).toEqual({ service: 'https://a.example', recordings: 4, credits: 10, unknownDurations: 0 });
  });

  it('exclude from pending costs what was charged, is over, is free, or waits for the user', () => {
    const totals = totalsOf([
      item({ kind: 'transcribing' }),
      item({ kind: 'done' }),
      item({ kind: 'failed' }),
      item({ kind: 'paused' }),
      item({ kind: 'blocked' }),
      item({ service: 'on-device' }),
      item({ kind: 'uploading', durationSeconds: null }),
    ]);
    expect(totals.pendingCosts()).toEqual([
      { service: 'https://a.example', recordings: 1, credits: 0, unknownDurations: 1 },
    ]);
  });

  it('count only what remains to be sent and transcribed', () => {
    const totals = totalsOf([
      item({ kind: 'uploading', sentBytes: 400 }),
      item({ kind: 'paused' }),
      item({ kind: 'transcribing', progress: 50 }),
      item({ kind: 'blocked', progress: 100 }),
    ]);
    expect(totals.sums()).toEqual({
      totalSeconds: 360,
      secondsLeft: 225,
      activeSeconds: 135,
      unknownDurations: 0,
    });
    expect(totals.bytesLeft('https://a.example')).toBe(600);
  });
});
