import { describe, expect, test } from 'vitest';
import { everyState, manyRows, rowsOfEveryState, sampleRow } from '../../support/window/sample-rows.ts';
import { dragAbove } from '../../support/window/view.ts';
import { setUpTestWindow } from '../../support/window/test-window.ts';

const app = setUpTestWindow();

const row = (name: string) => app.page.getByRole('row', { name });
const button = (name: string) => app.page.getByRole('button', { name, exact: true });
const failed = { kind: 'failed', problem: { code: 'job_failed' } } as const;
const waiting = Array.from({ length: 5 }, (_, index) => sampleRow({ id: index + 1 }));

describe('the order', () => {
  test('changes by dragging a row', async () => {
    const page = await app.open({ rows: waiting });
    await dragAbove(page, row('Recording 4.wav'), row('Recording 2.wav'));
    await expect
      .poll(() => app.main.callsOf('queue.move'))
      .toStrictEqual([{ ids: [4], to: { kind: 'before', id: 2 } }]);
    expect(app.main.callsOf('queue.add')).toStrictEqual([]);
  });

  test('changes by keyboard, for one row or several', async () => {
    const page = await app.open({ rows: waiting });
    await row('Recording 2.wav').click();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Alt+ArrowUp');
    await page.keyboard.press('Alt+ArrowDown');
    await page.keyboard.press('Alt+Home');
    await expect
      .poll(() => app.main.callsOf('queue.move'))
      .toStrictEqual([
        { ids: [2, 3], to: { kind: 'before', id: 1 } },
        { ids: [2, 3], to: { kind: 'after', id: 4 } },
        { ids: [2, 3], to: { kind: 'next' } },
      ]);
    await page.getByRole('heading', { name: 'Runs next', exact: true }).waitFor();
  });

  test('changes with one button, and by sorting the waiting rows', async () => {
    const page = await app.open({ rows: waiting });
    await row('Recording 5.wav').hover();
    await button('Run next: Recording 5.wav').click();
    await page.getByRole('heading', { name: 'Runs next', exact: true }).waitFor();
    await expect
      .poll(() => app.main.callsOf('queue.move'))
      .toStrictEqual([{ ids: [5], to: { kind: 'next' } }]);
    await button('Sort').click();
    await page.getByRole('menuitem', { name: 'Longest first' }).click();
    await page.getByText('Sorted: Longest first').waitFor();
    await expect
      .poll(() => app.main.callsOf('queue.sortWaiting'))
      .toStrictEqual([{ by: 'duration', descending: true }]);
  });
});

describe('removed rows', () => {
  test('are restored with one button', async () => {
    const page = await app.open({ rows: waiting });
    await row('Recording 3.wav').click();
    await page.keyboard.press('Delete');
    await page.getByText('1 recording removed').first().waitFor();
    await expect.poll(() => row('Recording 3.wav').count()).toBe(0);
    await button('Undo').click();
    await expect.poll(() => row('Recording 3.wav').count()).toBe(1);
  });

  test('are restored by keyboard', async () => {
    const page = await app.open({ rows: waiting });
    await row('Recording 3.wav').click();
    await page.keyboard.press('Delete');
    await row('Recording 3.wav').waitFor({ state: 'detached' });
    await page.getByRole('grid').press('ControlOrMeta+z');
    await expect.poll(() => row('Recording 3.wav').count()).toBe(1);
  });

  test('are restored by the same key when nothing is left, and when they were cleared', async () => {
    const page = await app.open({ rows: waiting.slice(0, 1) });
    await row('Recording 1.wav').click();
    await page.keyboard.press('Delete');
    await page.getByRole('heading', { name: 'Drop recordings here' }).waitFor();
    await page.keyboard.press('ControlOrMeta+z');
    await row('Recording 1.wav').waitFor();

    await app.open({ rows: rowsOfEveryState });
    await button('Clear finished').press('Enter');
    await page.getByText('Finished recordings cleared').first().waitFor();
    await expect.poll(() => page.getByRole('grid').and(page.locator(':focus')).count()).toBe(1);
    await page.keyboard.press('ControlOrMeta+z');
    await expect.poll(() => app.main.callsOf('queue.undoRemove').length).toBe(1);
  });

  test('are restored even if they were finished', async () => {
    const page = await app.open({ rows: rowsOfEveryState });
    await button('Clear finished').click();
    await page.getByText('Finished recordings cleared').first().waitFor();
    await button('Undo').click();
    await expect.poll(() => app.main.callsOf('queue.undoRemove').length).toBe(1);
  });
});

test('the menu opened by key acts on the selection, as all keys do', async () => {
  const page = await app.open({ rows: waiting });
  await row('Recording 1.wav').click();
  await row('Recording 2.wav').click({ modifiers: ['ControlOrMeta'] });
  await row('Recording 3.wav').click({ modifiers: ['ControlOrMeta'] });
  // The active row is no longer selected.
  await page.keyboard.press('Space');
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Pause' }).press('Enter');
  await expect.poll(() => app.main.callsOf('queue.pause')).toStrictEqual([{ ids: [1, 2] }]);
});

describe('options', () => {
  test('of a failed recording are changed, and it is retried with them', async () => {
    const page = await app.open({ rows: [sampleRow({ id: 1, state: failed })] });
    await row('Recording 1.wav').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Change options…' }).click();
    await page.getByRole('dialog', { name: 'Options for Recording 1.wav' }).waitFor();
    await expect.poll(() => button('Change and retry').isDisabled()).toBe(true);
    await page.getByText('Accurate', { exact: true }).click();
    await button('Change and retry').click();
    await expect
      .poll(() => app.main.callsOf('queue.setOptions'))
      .toStrictEqual([{ ids: [1], options: { accuracy: 'accurate' } }]);
    await expect.poll(() => app.main.callsOf('queue.retry')).toStrictEqual([{ ids: [1] }]);
  });

  test('of a sent recording cannot be changed', async () => {
    const page = await app.open({ rows: rowsOfEveryState });
    await row('uploading.wav').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Details…' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Change options…' }).count()).toBe(0);
  });
});

describe('recordings of another service', () => {
  const cloud = 'https://api.example.com';
  const away = waiting.map((one) => ({
    ...one,
    service: cloud,
    state: { kind: 'waiting', waitsFor: 'key', position: null } as const,
    movable: one.id !== 5,
  }));

  test('whose account was removed are moved to the default service, one by its button', async () => {
    const page = await app.open({ rows: away });
    await button('Transcribe here: Recording 1.wav').click();
    await page.getByText('1 recording will be transcribed on this computer').first().waitFor();
    expect(app.main.callsOf('queue.moveToService')).toStrictEqual([
      { ids: [1], service: 'on-device', leavesJobs: false },
    ]);
  });

  test('are moved there together, and those that cannot be are reported', async () => {
    const page = await app.open({ rows: away });
    await page.getByRole('grid').focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.locator('footer').getByRole('button', { name: 'Transcribe here' }).click();
    await page.getByText('4 recordings will be transcribed on this computer').first().waitFor();
    await page.getByText('1 not changed: its service may already have a job for it').first().waitFor();
    expect(app.main.callsOf('queue.moveToService')).toMatchObject([{ service: 'on-device' }]);
  });

  test('can be moved to an account that is in use', async () => {
    const page = await app.open({
      rows: waiting,
      settings: { service: cloud },
      accounts: [{ address: cloud, keyStatus: 'keychain', unfinishedItemCount: 0, folderCount: 0 }],
    });
    await row('Recording 2.wav').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Send to api.example.com' }).click();
    await expect
      .poll(() => app.main.callsOf('queue.moveToService'))
      .toStrictEqual([{ ids: [2], service: cloud, leavesJobs: false }]);
  });
});

test('in a narrow window the bulk actions fit in a line, and the rest is in a menu', async () => {
  const page = await app.open({ rows: rowsOfEveryState }, { width: 720, height: 480 });
  await page.getByRole('grid').focus();
  await page.keyboard.press('ControlOrMeta+a');
  const foot = page.locator('footer');
  await foot.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Retry' }).click();
  await expect.poll(() => app.main.callsOf('queue.retry').length).toBe(1);
  await expect.poll(() => foot.getByRole('button').count()).toBe(3);
  await expect.poll(async () => (await foot.boundingBox())?.height).toBeLessThan(50);
});

test('the details contain what the operator of a service needs, ready to be copied', async () => {
  const state = everyState['transcribing']!;
  const page = await app.open({ rows: [sampleRow({ id: 1, service: 'https://a.example', state })] });
  await row('Recording 1.wav').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Details…' }).click();
  await page.getByText('job-4711').waitFor();
  await button('Copy: Job at the service').click();
  await expect.poll(() => app.main.callsOf('transcript.copy')).toStrictEqual([{ text: 'job-4711' }]);
});

test('cancelling work of an account first shows what is refunded', async () => {
  const state = everyState['transcribing']!;
  const page = await app.open({ rows: [sampleRow({ id: 1, service: 'https://a.example', state })] });
  await row('Recording 1.wav').hover();
  await button('Cancel: Recording 1.wav').click();
  const question = page.getByRole('dialog', { name: 'Cancel the transcription of “Recording 1.wav”?' });
  await question.getByText('Credits already charged are refunded.').waitFor();
  await button('Keep transcribing').click();
  await question.waitFor({ state: 'detached' });
  expect(app.main.callsOf('queue.cancel')).toStrictEqual([]);
  await button('Cancel: Recording 1.wav').click();
  await button('Cancel transcription').click();
  await page.getByText('1 recording cancelled').first().waitFor();
  await expect.poll(() => app.main.callsOf('queue.cancel')).toStrictEqual([{ ids: [1] }]);
});

test.for(['transcribing', 'creating', 'uploading'])(
  'cancelling work of this computer (%s) mentions neither a charge nor a service, even in a paused queue',
  async (kind) => {
    const page = await app.open({
      rows: [sampleRow({ id: 1, state: everyState[kind]! })],
      summary: { paused: true },
    });
    await row('Recording 1.wav').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Cancel' }).click();
    const question = page.getByRole('dialog', { name: 'Cancel the transcription of “Recording 1.wav”?' });
    await question.getByText('It stays in the queue; a retry starts it over.').waitFor();
    expect(await question.innerText()).not.toMatch(/charge|service|credit/i);
  },
);

test('dragging in a list of 100,000 renders no more rows', async () => {
  const page = await app.open({ rows: manyRows(100_000) });
  await row('Recording 1.wav').first().waitFor();
  const box = await page.getByRole('row', { name: 'Recording 3.wav' }).first().boundingBox();
  if (box === null) throw new Error('it is on screen');
  await page.mouse.move(box.x + 60, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + 60, box.y + 130, { steps: 5 });
  expect(await page.locator('[data-index]').count()).toBeLessThan(40);
  await page.mouse.up();
});
