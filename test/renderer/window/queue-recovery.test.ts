import { expect, test } from 'vitest';
import type { Scene } from '../../support/window/fake-main.ts';
import { everyState, sampleRow } from '../../support/window/sample-rows.ts';
import { setUpTestWindow } from '../../support/window/test-window.ts';

const app = setUpTestWindow();

const cloud = 'https://api.example.com';
const row = (name: string) => app.page.getByRole('row', { name });
const button = (name: string) => app.page.getByRole('button', { name, exact: true });

test('the rest can be done here while an account has no credits', async () => {
  const page = await app.open({
    rows: [
      sampleRow({
        id: 1,
        name: 'a.wav',
        service: cloud,
        state: { kind: 'waiting', waitsFor: 'credits', position: null },
      }),
    ],
    settings: { service: cloud },
    service: {
      service: cloud,
      condition: { kind: 'no-credits', problem: { code: 'insufficient_credits' } },
    },
    summary: {
      stalled: [{ service: cloud, recordings: 1, credits: 1, unknownDurations: 0 }],
    },
  });
  await button('Top up…').click();
  await expect.poll(() => app.main.callsOf('accounts.openWebsite')).toStrictEqual([{ service: cloud }]);
  await button('Do the rest on this computer').click();
  await page.getByText('1 recording will be transcribed on this computer').waitFor();
  await expect
    .poll(() => app.main.callsOf('queue.moveStalled'))
    .toStrictEqual([{ from: cloud, to: 'on-device', leavesJobs: false }]);
});

const held = [1, 2].map((id) =>
  sampleRow({
    id,
    name: `${id}.wav`,
    service: cloud,
    movable: false,
    waitReason: 'key',
    state: everyState['transcribing']!,
  }),
);

test('recordings that a stopped service may have jobs for are moved after a question', async () => {
  const scene: Scene = {
    rows: held,
    settings: { service: cloud },
    service: { service: cloud, condition: { kind: 'stopped', problem: { code: 'invalid_api_key' } } },
  };
  await app.open(scene);
  await button('Open settings').waitFor();
  expect(await button('Do the rest on this computer').count()).toBe(0);

  const page = await app.open({
    ...scene,
    summary: { stalled: [{ service: cloud, recordings: 1, credits: 1, unknownDurations: 0 }] },
    answers: {
      'queue.moveStalled': ({ leavesJobs }) => ({
        changed: leavesJobs ? 1 : 0,
        notMoved: leavesJobs ? 0 : 1,
      }),
      'queue.moveToService': () => ({ changed: 0, notMoved: 1 }),
    },
  });
  await button('Do the rest on this computer').click();
  await page.getByText('the service may charge for it').waitFor();
  expect(await page.getByRole('dialog').innerText()).toContain('The service does not accept the key.');
  expect(await page.getByText('Nothing was changed').count()).toBe(0);
  await page.getByRole('dialog').getByRole('button', { name: 'Transcribe here' }).click();
  await page.getByText('1 recording will be transcribed on this computer').waitFor();
  const move = { from: cloud, to: 'on-device' };
  expect(app.main.callsOf('queue.moveStalled')).toStrictEqual([
    { ...move, leavesJobs: false },
    { ...move, leavesJobs: true },
  ]);
  // So does the row, and so do several selected ones.
  await row('1.wav').getByRole('button', { name: 'Transcribe here' }).click();
  await button('Leave at the service').click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await row('2.wav').click({ modifiers: ['Control'] });
  await page.locator('footer').getByRole('button', { name: 'Transcribe here' }).click();
  await button('Leave at the service').click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(app.main.callsOf('queue.moveToService').map((call) => 'ids' in call && call.ids)).toStrictEqual([
    [1],
    [1, 2],
  ]);
});

test('recordings that were moved before the question do not count as not moved after it', async () => {
  const page = await app.open({
    rows: [...held, sampleRow({ id: 3, name: '3.wav', service: cloud })],
    settings: { service: cloud },
    service: { service: cloud, condition: { kind: 'stopped', problem: { code: 'invalid_api_key' } } },
    answers: {
      'queue.moveToService': ({ leavesJobs }) => ({
        changed: leavesJobs ? 2 : 1,
        notMoved: leavesJobs ? 0 : 2,
      }),
    },
  });
  await row('1.wav').click();
  await row('3.wav').click({ modifiers: ['Control'] });
  await row('2.wav').click({ modifiers: ['Control'] });
  await page.locator('footer').getByRole('button', { name: 'Transcribe here' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Transcribe here' }).click();
  await expect.poll(() => app.main.callsOf('queue.moveToService').length).toBe(2);
  await page.getByText('2 recordings will be transcribed on this computer').first().waitFor();
  expect(await page.getByText('1 not changed').count()).toBe(0);
});

test.each([
  { service: cloud, words: 'in use' },
  { service: 'on-device', words: 'not in use' },
])('the key of an account that is $words is asked for at once', async ({ service }) => {
  const condition = { kind: 'stopped', problem: { code: 'invalid_api_key' } } as const;
  const status = { service: cloud, condition, balanceCredits: null, activeJobs: 0 };
  const page = await app.open({
    rows: [
      sampleRow({
        id: 1,
        name: 'a.wav',
        service: cloud,
        state: { kind: 'waiting', waitsFor: 'key', position: null },
      }),
    ],
    settings: { service, accounts: [cloud] },
    accounts: [{ address: cloud, keyStatus: 'keychain', unfinishedItemCount: 1, folderCount: 0 }],
    service: service === cloud ? status : { service },
    summary: { services: [status] },
  });
  await row('a.wav').getByRole('button', { name: 'Replace key' }).click();
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('password');
  await page.locator('nav').getByRole('button', { name: 'Queue' }).click();
  await button('Open settings').click();
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('password');
});

test('a recording that can only be cancelled once its service works says so, and can be transcribed here', async () => {
  const work = sampleRow({ id: 1, name: 'a.wav', service: cloud, state: everyState['uploading']! });
  const page = await app.open({
    rows: [{ ...work, waitReason: 'key' }],
    settings: { service: cloud },
    answers: {
      'queue.cancel': () => {
        app.main.changeRows([{ ...work, state: { kind: 'cancelling' }, waitReason: 'key' }]);
        return { stillCancelling: 1 };
      },
      'queue.remove': () => ({ stillCancelling: 1 }),
      'queue.moveToService': () => ({ changed: 0, notMoved: 1 }),
    },
  });
  await row('a.wav').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Cancel' }).click();
  await button('Cancel transcription').click();
  await page.getByText('1 recording will be cancelled as soon as its service works again').first().waitFor();
  await row('a.wav').getByText('Will be cancelled when the service accepts the key').waitFor();
  await row('a.wav').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page.getByText('1 recording will be removed as soon as its service works again').first().waitFor();
  await row('a.wav').getByRole('button', { name: 'Transcribe here' }).click();
  await page.getByText('the service may charge for it').waitFor();
  await button('Leave at the service').click();
  expect(app.main.callsOf('queue.remove')).toHaveLength(1);
});

test('every other service is offered for what waits, one or all', async () => {
  const other = 'https://eu.example.org';
  const page = await app.open({
    rows: [1, 2].map((id) =>
      sampleRow({
        id,
        name: `${id}.wav`,
        service: cloud,
        movable: true,
        state: { kind: 'waiting', waitsFor: 'service', position: null },
      }),
    ),
    settings: { service: cloud, accountNames: { [other]: 'Newsroom' } },
    accounts: [cloud, other].map((address) => ({
      address,
      keyStatus: 'keychain',
      unfinishedItemCount: 0,
      folderCount: 0,
    })),
    service: { service: cloud, condition: { kind: 'offline' } },
    answers: {
      'service.status': (one) => ({
        service: one?.service ?? cloud,
        condition: { kind: 'offline' },
        balanceCredits: 12,
        activeJobs: 0,
      }),
    },
    summary: {
      stalled: [{ service: cloud, recordings: 2, credits: 2, unknownDurations: 0 }],
    },
  });
  await row('1.wav').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Another service…' }).click();
  await page.getByRole('radio', { name: 'Newsroom' }).check();
  await page.getByText('Needs 30 credits ($0.02); the account has 12').waitFor();
  await button('Move').click();
  await page.getByText('1 recording will be sent to Newsroom').waitFor();
  await row('1.wav').getByText('Newsroom').waitFor();
  await button('Another service…').first().click();
  await page.getByRole('radio', { name: 'Newsroom' }).check();
  await button('Move').click();
  await expect
    .poll(() => app.main.callsOf('queue.moveStalled'))
    .toStrictEqual([{ from: cloud, to: other, leavesJobs: false }]);
  expect(app.main.callsOf('queue.moveToService')).toStrictEqual([
    { ids: [1], service: other, leavesJobs: false },
  ]);
});

test('a link that does not work can be edited', async () => {
  const problem = { code: 'remote_host_unresolved' } as const;
  const page = await app.open({
    rows: [
      sampleRow({
        id: 1,
        name: 'talk.mp3',
        source: 'link',
        sizeBytes: null,
        changeable: true,
        state: { kind: 'failed', problem },
      }),
    ],
    refusing: (name) => {
      if (name !== 'queue.setLink' || app.main.callsOf('queue.setLink').length > 1) return null;
      return 'web_page';
    },
  });
  await row('talk.mp3').getByRole('button', { name: 'Edit link' }).click();
  const field = page.getByRole('textbox', { name: 'Link' });
  await field.fill('https://example.org/talk');
  await page.keyboard.press('Enter');
  await page.getByText('This is a web page, not a recording.').waitFor();
  await field.fill('https://example.org/talk.mp3');
  await button('Save and retry').click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(app.main.callsOf('queue.setLink').at(-1)).toStrictEqual({
    id: 1,
    link: 'https://example.org/talk.mp3',
  });
});

test('a queue offers what is possible where a transcript was deleted, and does not open it', async () => {
  const page = await app.open({
    rows: ['in the trash', 'deleted'].map((name, id) =>
      sampleRow({ id, name: `${name}.wav`, state: everyState[name]! }),
    ),
  });
  await button('Restore: in the trash.wav').click();
  await expect.poll(() => app.main.callsOf('library.restore')).toStrictEqual([{ ids: [5] }]);
  await row('deleted.wav').getByText('deleted.wav').dblclick();
  await page.keyboard.press('Shift+F10');
  await expect
    .poll(() => page.getByRole('menuitem').allTextContents())
    .toStrictEqual(['Transcribe again', 'Show in folder', 'Details…', 'Remove from the queue']);
  await page.keyboard.press('Escape');
  await button('Transcribe again: deleted.wav').click();
  await expect.poll(() => app.main.callsOf('queue.transcribeAgain')).toStrictEqual([{ ids: [1] }]);
});
