import { beforeAll, expect, test } from 'vitest';
import { localProblemCodes, apiErrorCodes } from '../../electron/contract/problem.ts';
import {
  actionsOf,
  enterActionOf,
  actionText,
  bulkActionsOf,
  countAffectedItems,
  showsPrimaryAction,
  hasProgressToLose,
  primaryActionText,
  type RowAction,
} from '../../renderer/features/queue/row-actions.ts';
import { summarizeRows } from '../../renderer/features/queue/queue-selection.ts';
import { i18n, loadTexts } from '../../renderer/i18n.ts';
import { everyState, rowsOfEveryState, sampleRow } from '../support/window/sample-rows.ts';

beforeAll(() => loadTexts());

const here = 'on-device';
const cloud = 'https://api.example.com';
const nameOf = (service: string): string => new URL(service).host;

test.each<[string, RowAction]>([
  ['waiting', 'runNext'],
  ['uploading', 'pause'],
  ['transcribing', 'cancel'],
  ['done', 'open'],
  ['in the trash', 'restore'],
  ['deleted', 'transcribeAgain'],
  ['paused', 'resume'],
  ['blocked', 'locate'],
  ['failed', 'remove'],
  ['cancelled', 'retry'],
])('the first action on a row that is %s is %s', (name, action) => {
  expect(actionsOf(sampleRow({ id: 1, state: everyState[name]! }), here)[0]).toBe(action);
});

test.each<[string, RowAction]>([
  ['uploading', 'details'],
  ['transcribing', 'details'],
  ['failed', 'details'],
  ['done', 'open'],
  ['blocked', 'locate'],
])('Enter stops and removes nothing: on a row that is %s it does %s', (name, action) => {
  expect(enterActionOf(sampleRow({ id: 1, state: everyState[name]! }), here, [])).toBe(action);
});

test('a row in any state has details and can be removed', () => {
  const incomplete = rowsOfEveryState.filter((row) => {
    const actions = actionsOf(row, here);
    return !actions.includes('details') || !actions.includes('remove');
  });
  expect(incomplete).toStrictEqual([]);
});

test('a recording that this computer has only prepared can run next; a cloud service has its own order', () => {
  const queued = sampleRow({ id: 1, state: { kind: 'transcribing', status: 'queued', progress: 0 } });
  expect(actionsOf(queued, here)).toContain('runNext');
  expect(actionsOf({ ...queued, waitReason: 'paused' }, here)).toContain('runNext');
  expect(actionsOf({ ...queued, service: cloud }, here)).not.toContain('runNext');
  const processing = { kind: 'transcribing', status: 'processing', progress: 0 } as const;
  expect(actionsOf({ ...queued, state: processing }, here)).not.toContain('runNext');
});

test.each(['waiting', 'transcribing'])(
  'while the queue is paused, a row that is %s looks like the others',
  (name) => {
    const state =
      name === 'waiting' ? ({ kind: name, waitsFor: 'paused', position: null } as const) : everyState[name]!;
    const row = sampleRow({ id: 1, state, waitReason: name === 'waiting' ? null : 'paused' });
    expect(showsPrimaryAction(row)).toBe(false);
  },
);

test('a recording that has a transcript can be transcribed again, with the sheet', () => {
  expect(actionsOf(sampleRow({ id: 1, state: everyState['done']! }), here)).toContain('addAgain');
  expect(actionsOf(sampleRow({ id: 1, state: everyState['waiting']! }), here)).not.toContain('addAgain');
});

test('a link has no folder to show', () => {
  expect(actionsOf(sampleRow({ id: 1, source: 'link' }), here)).not.toContain('showInFolder');
});

test('a problem that the settings can fix opens them', () => {
  const state = { kind: 'blocked', problem: { code: 'invalid_api_key' } } as const;
  expect(actionsOf(sampleRow({ id: 1, service: cloud, state }), cloud)[0]).toBe('settings');
});

test('a waiting attempt can be made now', () => {
  const row = sampleRow({ id: 1, state: { kind: 'creating', waitsFor: null }, retryAt: 5 });
  expect(actionsOf(row, here)[0]).toBe('retry');
});

test('a bulk action is offered when any of the rows allows it', () => {
  expect(
    bulkActionsOf(
      [
        { kind: 'done', service: here },
        { kind: 'paused', service: here },
      ],
      here,
    ),
  ).toStrictEqual(['export', 'resume', 'options', 'cancel', 'remove']);
});

test('removal asks for confirmation only for work in progress', () => {
  const kinds = rowsOfEveryState
    .filter(({ state }) => hasProgressToLose(state))
    .map(({ state }) => state.kind);
  expect(new Set(kinds)).toStrictEqual(
    new Set(['creating', 'uploading', 'completing', 'transcribing', 'saving']),
  );
});

test('finished items are not counted as cancelled', () => {
  const { groups } = summarizeRows(rowsOfEveryState);
  const endedKinds = new Set(['done', 'failed', 'cancelling', 'cancelled']);
  const others = rowsOfEveryState.filter(({ state }) => !endedKinds.has(state.kind));
  expect(countAffectedItems('cancel', groups)).toBe(others.length);
  expect(countAffectedItems('remove', groups)).toBe(rowsOfEveryState.length);
});

test.each([...apiErrorCodes, ...localProblemCodes])('an item that waits because of %s has a fix', (code) => {
  const row = sampleRow({ id: 1, state: { kind: 'blocked', problem: { code } } });
  const [primary] = actionsOf(row, here);
  expect(['retry', 'locate', 'settings']).toContain(primary);
  expect(primaryActionText(i18n.t, primary ?? 'details', row, here, nameOf)).toMatch(/^[A-Z]/);
});

test.each([
  ['file_changed', 'Send as is'],
  ['job_gone', 'Send again'],
  ['idempotency_conflict', 'Start over'],
  ['disk_full', 'Retry'],
  ['file_missing', 'Locate…'],
  ['key_missing', 'Settings'],
] as const)('the fix for %s is labelled “%s”', (code, words) => {
  const row = sampleRow({ id: 1, service: cloud, state: { kind: 'blocked', problem: { code } } });
  expect(primaryActionText(i18n.t, actionsOf(row, cloud)[0] ?? 'details', row, cloud, nameOf)).toBe(words);
});

test('options are offered where they can be changed', () => {
  expect(actionsOf(sampleRow({ id: 1, changeable: true }), here)).toContain('options');
  expect(actionsOf(sampleRow({ id: 1, changeable: false }), here)).not.toContain('options');
});

test('an item without a job at another service can be moved to the default service', () => {
  const waiting = sampleRow({ id: 1, service: cloud });
  expect(actionsOf(waiting, here)).toContain('moveToDefaultService');
  expect(actionsOf(waiting, here)[0]).toBe('runNext');
  expect(actionsOf(waiting, cloud)).not.toContain('moveToDefaultService');
  expect(actionsOf(waiting, cloud)).toContain('transcribeHere');
  expect(actionsOf(waiting, here)).not.toContain('transcribeHere');
  expect(actionsOf({ ...waiting, movable: false }, here)).not.toContain('moveToDefaultService');
  expect(actionText(i18n.t, 'menuAction', 'moveToDefaultService', here, nameOf)).toBe('Transcribe here');
  expect(actionText(i18n.t, 'menuAction', 'moveToDefaultService', cloud, nameOf)).toBe(
    'Send to api.example.com',
  );
});

test('moving is the first action on an item whose account was removed', () => {
  const state = { kind: 'waiting', waitsFor: 'account', position: null } as const;
  const row = sampleRow({ id: 1, service: cloud, state, isAccountRemoved: true });
  expect(actionsOf(row, here)[0]).toBe('moveToDefaultService');
  expect(showsPrimaryAction(row)).toBe(true);
});

test.each(['waiting', 'paused', 'failed', 'cancelled', 'deleted'])(
  'a row that is %s is never sent to an account that was removed',
  (name) => {
    const state = everyState[name]!;
    const row = sampleRow({
      id: 1,
      service: cloud,
      state,
      movable: name !== 'deleted',
      isAccountRemoved: true,
    });
    const actions = actionsOf(row, here);
    expect(actions[0]).toBe('moveToDefaultService');
    expect(actions).toContain('remove');
    for (const action of ['runNext', 'resume', 'retry', 'transcribeAgain', 'settings'] as const)
      expect(actions).not.toContain(action);
  },
);

test('an account without a key that was not removed is given one', () => {
  const state = { kind: 'waiting', waitsFor: 'key', position: null } as const;
  expect(actionsOf(sampleRow({ id: 1, service: cloud, state }), here, [cloud])[0]).toBe('settings');
});

test.each([
  ['key', 'Replace key'],
  ['credits', 'Transcribe here'],
  ['limit', 'Settings'],
] as const)(
  'the first action on an item that waits for the %s of an account helps: “%s”',
  (waitsFor, words) => {
    const row = sampleRow({ id: 1, service: cloud, state: { kind: 'waiting', waitsFor, position: null } });
    const [first = 'details'] = actionsOf(row, here, [cloud]);
    expect(primaryActionText(i18n.t, first, row, here, nameOf)).toBe(words);
    expect(showsPrimaryAction(row)).toBe(true);
  },
);

test('a recording whose service does not respond for now keeps its actions', () => {
  const row = sampleRow({ id: 1, service: cloud, state: everyState['transcribing']! });
  expect(actionsOf({ ...row, waitReason: 'outage' }, here, [cloud])).toStrictEqual(
    actionsOf(row, here, [cloud]),
  );
});

test('several items can be moved when any of them can', () => {
  const done = { kind: 'done', service: cloud } as const;
  expect(bulkActionsOf([done, { kind: 'waiting', service: cloud }], here)).toContain('moveToDefaultService');
  expect(bulkActionsOf([done, { kind: 'waiting', service: here }], here)).not.toContain(
    'moveToDefaultService',
  );
});
