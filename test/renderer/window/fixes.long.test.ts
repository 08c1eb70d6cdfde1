import { expect, test } from 'vitest';
import type { CommandName } from '../../../electron/contract/commands.ts';
import type { ProblemCode } from '../../../electron/contract/problem.ts';
import { blockedReasons, sampleRow } from '../../support/window/sample-rows.ts';
import { setUpTestWindow } from '../../support/window/test-window.ts';

const app = setUpTestWindow();

/** Problems are worded differently for recordings on this computer. */
const cloud = 'https://api.example.com';

/**
 * Problems of a recording with the start of their text, the label of their first button, and the command that it sends.
 */
const reasons: readonly (readonly [ProblemCode, string, string, CommandName])[] = [
  ['file_missing', 'The file was not found.', 'Locate…', 'queue.locate'],
  ['file_unreadable', 'The file cannot be read.', 'Locate…', 'queue.locate'],
  ['file_changed', 'The file changed while it was being sent.', 'Send as is', 'queue.retry'],
  ['disk_full', 'The disk is full.', 'Retry', 'queue.retry'],
  ['unexpected_answer', 'Unexpected response from the service.', 'Retry', 'queue.retry'],
  ['job_gone', 'The service no longer has this job.', 'Send again', 'queue.retry'],
  ['job_deleted', 'The job was deleted from the service.', 'Send again', 'queue.retry'],
  ['upload_expired', 'The upload took too long', 'Send again', 'queue.retry'],
  ['upload_session_missing', 'The service has lost the upload.', 'Send again', 'queue.retry'],
  ['idempotency_conflict', 'The service has another request', 'Start over', 'queue.retry'],
];

test.each(reasons)('%s is explained with a single fix, which works', async (code, words, action, command) => {
  const state = { kind: 'blocked', problem: { code } } as const;
  const page = await app.open({ rows: [sampleRow({ id: 7, service: cloud, state })] });
  const row = page.getByRole('row', { name: 'Recording 7.wav' });
  await row.getByText(words).waitFor();
  expect(await row.textContent()).not.toContain(code);
  const button = row.getByRole('button', { name: `${action}: Recording 7.wav` });
  await expect.poll(() => button.evaluate((element) => getComputedStyle(element).opacity)).toBe('1');
  await button.click();
  const given = () => app.main.calls.filter(({ name }) => name === command).map(({ input }) => input);
  await expect.poll(given).toStrictEqual([command === 'queue.locate' ? { id: 7 } : { ids: [7] }]);
});

test('every reason has a fix', () => {
  const covered = [...reasons.map(([code]) => code), 'foreign_address'];
  expect(covered.toSorted()).toStrictEqual(blockedReasons.toSorted());
});

test('a problem of the account opens its settings', async () => {
  const state = { kind: 'blocked', problem: { code: 'foreign_address' } } as const;
  const page = await app.open({ rows: [sampleRow({ id: 7, service: cloud, state })] });
  await page.getByRole('button', { name: 'Settings: Recording 7.wav' }).click();
  await expect.poll(() => page.getByRole('heading', { name: 'Settings', level: 1 }).count()).toBe(1);
});
