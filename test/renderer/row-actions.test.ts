import { beforeAll, expect, test } from 'vitest';
import { localProblemCodes, apiErrorCodes } from '../../electron/contract/problem.ts';
import {
  actionsOf,
  bulkActionsOf,
  countFor,
  isAtWork,
  primaryWords,
  type RowAction,
} from '../../renderer/features/queue/row-actions.ts';
import { sumOfRows } from '../../renderer/features/queue/chosen.ts';
import { i18n, loadWords } from '../../renderer/i18n.ts';
import { everyState, rowsOfEveryState, sampleRow } from '../support/sample-rows.ts';

beforeAll(() => loadWords());

test.each<[string, RowAction]>([
  ['waiting', 'runNext'],
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
  expect(bulkActionsOf(['done', 'paused'])).toStrictEqual([
    'export',
    'resume',
    'options',
    'cancel',
    'remove',
  ]);
});

test('only what is at work is asked about before it is removed', () => {
  const kinds = rowsOfEveryState.filter(({ state }) => isAtWork(state)).map(({ state }) => state.kind);
  expect(new Set(kinds)).toStrictEqual(
    new Set(['creating', 'uploading', 'completing', 'transcribing', 'saving']),
  );
});

test('what is over is not counted among what is cancelled', () => {
  const { parts } = sumOfRows(rowsOfEveryState);
  const over = new Set(['done', 'failed', 'cancelling', 'cancelled']);
  const others = rowsOfEveryState.filter(({ state }) => !over.has(state.kind));
  expect(countFor('cancel', parts)).toBe(others.length);
  expect(countFor('remove', parts)).toBe(rowsOfEveryState.length);
});

test.each([...apiErrorCodes, ...localProblemCodes])('what waits because of %s has its mend', (code) => {
  const row = sampleRow({ id: 1, state: { kind: 'blocked', problem: { code } } });
  const [primary] = actionsOf(row);
  expect(['retry', 'locate', 'settings']).toContain(primary);
  expect(primaryWords(i18n.t, primary ?? 'details', row)).toMatch(/^[A-Z]/);
});

test.each([
  ['file_changed', 'Send as is'],
  ['job_gone', 'Send again'],
  ['idempotency_conflict', 'Start anew'],
  ['disk_full', 'Try again'],
  ['file_missing', 'Locate…'],
  ['key_missing', 'Settings'],
] as const)('the mend of %s is called “%s”', (code, words) => {
  const row = sampleRow({ id: 1, state: { kind: 'blocked', problem: { code } } });
  expect(primaryWords(i18n.t, actionsOf(row)[0] ?? 'details', row)).toBe(words);
});

test('options are offered where they may change', () => {
  expect(actionsOf(sampleRow({ id: 1, changeable: true }))).toContain('options');
  expect(actionsOf(sampleRow({ id: 1, changeable: false }))).not.toContain('options');
});
