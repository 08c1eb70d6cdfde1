import { expect, test } from 'vitest';
import {
  actionsOf,
  bulkActionsOf,
  isUnfinished,
  type RowAction,
} from '../../renderer/features/queue/row-actions.ts';
import { everyState, rowsOfEveryState, sampleRow } from '../support/sample-rows.ts';

test.each<[string, RowAction]>([
  ['waiting', 'pause'],
  ['uploading', 'pause'],
  ['transcribing', 'cancel'],
  ['done', 'open'],
  ['paused', 'resume'],
  ['blocked', 'locate'],
  ['failed', 'remove'],
  ['cancelled', 'retry'],
])('the likeliest thing to do with a row that is %s is to %s it', (name, action) => {
  expect(actionsOf(sampleRow({ id: 1, state: everyState[name]! }))[0]).toBe(action);
});

test('a row in any state can be looked into and removed', () => {
  const lacking = rowsOfEveryState.filter((row) => {
    const actions = actionsOf(row);
    return !actions.includes('details') || !actions.includes('remove');
  });
  expect(lacking).toStrictEqual([]);
});

test('a link has no folder to show', () => {
  expect(actionsOf(sampleRow({ id: 1, source: 'link' }))).not.toContain('showInFolder');
});

test('what the settings mend leads there', () => {
  const state = { kind: 'blocked', problem: { code: 'invalid_api_key' } } as const;
  expect(actionsOf(sampleRow({ id: 1, state }))[0]).toBe('settings');
});

test('a step that waits for its next attempt can be tried now', () => {
  const row = sampleRow({ id: 1, state: { kind: 'creating' }, retryAt: 5 });
  expect(actionsOf(row)[0]).toBe('retry');
});

test('many rows can do what any of them can', () => {
  const rows = ['done', 'paused'].map((name, index) =>
    sampleRow({ id: index + 1, state: everyState[name]! }),
  );
  expect(bulkActionsOf(rows)).toStrictEqual(['resume', 'cancel', 'remove']);
});

test('only what is over is removed without being asked about', () => {
  const over = rowsOfEveryState.filter((row) => !isUnfinished(row)).map(({ state }) => state.kind);
  expect(new Set(over)).toStrictEqual(new Set(['done', 'failed', 'cancelled']));
});
