import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { QueueRow, QueueView } from '../../electron/contract/queue-commands.ts';
import { summarizeItems, type SummaryInput } from '../../electron/core/item/item-summary.ts';
import { selectionInListing, summarizeRows } from '../../renderer/features/queue/queue-selection.ts';
import {
  indexOf,
  positionAt,
  rowsBetween,
  toggled,
  withDurations,
} from '../../renderer/ui/list/list-selection.ts';
import { hasRowsAround, rangeAround } from '../../renderer/ui/list/row-range.ts';
import { nextIndex } from '../../renderer/ui/list/list-keys.ts';
import { sampleRow } from '../support/window/sample-rows.ts';
import { sampleSummary } from '../support/window/sample-summary.ts';

/** A view of 1,000 rows that holds those from `offset`; the row at index i has the id i + 1. */
const view = (offset: number, count: number): QueueView => ({
  revision: 1,
  filter: 'all',
  search: '',
  counts: { all: 1000, working: 0, waiting: 1000, attention: 0, done: 0, cancelled: 0 },
  total: 1000,
  offset,
  limit: count,
  rows: Array.from({ length: count }, (_, index) => sampleRow({ id: offset + index + 1 })),
  summary: sampleSummary([]),
});

describe('positions', () => {
  test('follow their item when it moves', () => {
    const mark = positionAt(view(100, 50), 120);
    const moved = view(100, 50);
    const rows = moved.rows.filter(({ id }) => id !== 105);
    expect(indexOf({ ...moved, rows }, mark)).toBe(119);
  });

  test('keep their index when their item is gone, within the list', () => {
    const mark = positionAt(view(980, 20), 999);
    expect(indexOf({ ...view(980, 10), total: 990 }, mark)).toBe(989);
    expect(indexOf({ ...view(0, 0), total: 0 }, mark)).toBeNull();
  });
});

describe('ranges', () => {
  test('come from the view in either direction', () => {
    expect(rowsBetween(view(100, 50), 112, 110)?.map(({ id }) => id)).toStrictEqual([111, 112, 113]);
  });

  test('beyond the view have to be requested', () => {
    expect(rowsBetween(view(100, 50), 99, 110)).toBeNull();
    expect(rowsBetween(view(100, 50), 140, 150)).toBeNull();
  });

  test('agree with the rows of the whole list wherever the view holds them', () => {
    fc.assert(
      fc.property(fc.nat(999), fc.nat(999), fc.nat(900), (from, to, offset) => {
        const rows = rowsBetween(view(offset, 100), from, to);
        const [first, last] = [Math.min(from, to), Math.max(from, to)];
        const isLoaded = first >= offset && last < offset + 100;
        expect(rows === null).toBe(!isLoaded);
        expect(rows ?? []).toHaveLength(isLoaded ? last - first + 1 : 0);
      }),
    );
  });
});

test('toggling a row twice changes nothing', () => {
  const items = withDurations(view(0, 10), [1, 2]);
  const row = sampleRow({ id: 2 });
  expect(toggled(items, row).has(2)).toBe(false);
  expect([...toggled(toggled(items, row), row)]).toStrictEqual([...items]);
});

test('credits are counted by file, each rounded up to whole minutes', () => {
  const rows = [330, 60, 0.5, null].map((durationSeconds, index) =>
    sampleRow({ id: index + 1, durationSeconds, service: 'https://cloud.example' }),
  );
  expect(summarizeRows(rows)).toMatchObject({ count: 4, seconds: 390.5, credits: 8, unknownDurations: 1 });
  expect(summarizeItems(rows.map(summaryInputOf))).toMatchObject({
    count: 4,
    seconds: 390.5,
    credits: 8,
    unknownDurations: 1,
    groups: [{ kind: 'waiting', service: 'https://cloud.example', count: 4 }],
  });
});

test('what this computer transcribes costs no credits', () => {
  const rows = [sampleRow({ id: 1, durationSeconds: 120, service: 'on-device' })];
  expect(summarizeRows(rows)).toMatchObject({ seconds: 120, credits: 0, creditsOfAll: 2 });
  expect(summarizeItems(rows.map(summaryInputOf))).toMatchObject({
    seconds: 120,
    credits: 0,
    creditsOfAll: 2,
  });
});

const summaryInputOf = ({ state, service, durationSeconds }: QueueRow): SummaryInput => ({
  kind: state.kind,
  service,
  durationSeconds: durationSeconds,
});

test('a whole list is named by its filter and search, except for excluded rows', () => {
  const listing = { filter: 'waiting', search: 'ep' } as const;
  const rows = [1, 2, 3].map((id) => sampleRow({ id }));
  const left = new Set([2]);
  const selection = {
    items: new Map([[2, null]]),
    inverted: true,
    has: (id: number) => !left.has(id),
    size: 99,
  };
  expect(selectionInListing(selection, listing, rows)).toMatchObject({
    target: { all: listing, except: [2] },
    count: 99,
    rows: [{ id: 1 }, { id: 3 }],
  });
});

describe('the requested part of the queue', () => {
  test('always covers the visible rows', () => {
    fc.assert(
      fc.property(fc.nat(960), fc.integer({ min: 1, max: 40 }), (first, height) => {
        const last = Math.min(999, first + height - 1);
        const { offset, limit } = rangeAround(first, last);
        expect(hasRowsAround(view(offset, Math.min(limit, 1000 - offset)), first, last)).toBe(true);
      }),
    );
  });

  test('is requested again before its edge becomes visible', () => {
    expect(hasRowsAround(view(100, 120), 110, 130)).toBe(false);
    expect(hasRowsAround(view(100, 120), 130, 150)).toBe(true);
    expect(hasRowsAround(view(100, 120), 185, 205)).toBe(false);
  });

  test('never exceeds the limit of the contract', () => {
    expect(rangeAround(0, 5000).limit).toBe(500);
  });
});

test.each([
  ['ArrowDown', null, 0],
  ['ArrowDown', 999, 999],
  ['ArrowUp', 0, 0],
  ['PageDown', 5, 15],
  ['PageUp', 5, 0],
  ['Home', 500, 0],
  ['End', 0, 999],
  ['x', 4, null],
])('%s at %s moves to %s', (key, index, expected) => {
  const pressed = { key, altKey: false, ctrlKey: false, metaKey: false, shiftKey: false };
  expect(nextIndex(pressed, index, 1000)).toBe(expected);
  expect(nextIndex({ ...pressed, altKey: true }, index, 1000)).toBeNull();
});
