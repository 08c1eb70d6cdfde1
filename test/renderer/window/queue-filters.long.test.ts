import { describe, expect, test } from 'vitest';
import { everyState, manyRows, rowsOfEveryState, sampleRow } from '../../support/window/sample-rows.ts';
import { readyStatus } from '../../support/window/default-state.ts';
import { setUpTestWindow } from '../../support/window/test-window.ts';

const app = setUpTestWindow();

const cloud = 'https://api.example.com';
const row = (name: string) => app.page.getByRole('row', { name });
const button = (name: string | RegExp) => app.page.getByRole('button', { name });
const shownNames = () => app.page.locator('main [role=row] bdi[title]').allTextContents();

describe('filters and notices', () => {
  test('show the recordings that need attention', async () => {
    const page = await app.open({ rows: rowsOfEveryState });
    await expect
      .poll(() => page.getByRole('status').allTextContents())
      .toContain('4 recordings need attention.');
    await button('Show them').click();
    await row('failed.wav').waitFor();
    await row('waiting for credits.wav').waitFor();
    await expect.poll(() => row('waiting.wav').count()).toBe(0);
    await button('Retry all').click();
    await expect.poll(() => app.main.callsOf('queue.retryAll')).toHaveLength(1);
  });

  test('show cancelled recordings, which can be cleared', async () => {
    const page = await app.open({ rows: [sampleRow({ id: 1 })] });
    await row('Recording 1').waitFor();
    expect(await button(/^Cancelled/).count()).toBe(0);
    app.main.changeRows([
      sampleRow({ id: 1 }),
      sampleRow({ id: 2, name: 'stopped.wav', state: { kind: 'cancelled' } }),
    ]);
    await page.getByRole('button', { name: 'Cancelled 1', exact: true }).click();
    await expect.poll(shownNames).toStrictEqual(['stopped.wav']);
    await button('Clear finished').click();
    await expect.poll(() => app.main.callsOf('queue.clearDoneAndCancelled')).toHaveLength(1);
  });

  test('fit in a line of a narrow window, all six with their counts', async () => {
    const page = await app.open(
      { rows: [...rowsOfEveryState, ...manyRows(120).map((one) => ({ ...one, id: one.id + 1000 }))] },
      { width: 720 },
    );
    const filters = page.getByRole('group', { name: 'Show', exact: true }).getByRole('button');
    await expect.poll(() => filters.count()).toBe(6);
    const [first, last] = [await filters.first().boundingBox(), await filters.last().boundingBox()];
    expect(last?.y).toBe(first?.y);
  });

  test('say that a filter matches nothing', async () => {
    const page = await app.open({ rows: [sampleRow({ id: 1 })] });
    await page.getByRole('button', { name: 'Done', exact: true }).click();
    await expect.poll(() => page.getByText('Nothing is done yet.').count()).toBe(1);
  });

  test('show what stops the service first, with its fix', async () => {
    const page = await app.open({
      rows: rowsOfEveryState,
      settings: { service: cloud },
      service: { condition: { kind: 'stopped', problem: { code: 'invalid_api_key' } } },
    });
    await page.getByText('api.example.com: recordings have stopped.', { exact: true }).waitFor();
    expect(await button('Show them').count()).toBe(0);
    await button('Try again').click();
    await expect.poll(() => app.main.callsOf('service.tryAgain')).toHaveLength(1);
    app.main.changeService({ condition: { kind: 'offline' } });
    await page.getByText('No connection.', { exact: true }).waitFor();
    await expect
      .poll(async () => (await page.getByRole('status').allTextContents()).join())
      .toContain('when api.example.com responds');
    app.main.changeService({ condition: { kind: 'ready' } });
    await button('Show them').waitFor();
  });

  test('show what stops an account that is not the default service, and act on it', async () => {
    const other = 'https://other.example';
    const status = { balanceCredits: 3, activeJobs: 0 };
    const waiting = { kind: 'waiting', waitsFor: 'credits', position: null } as const;
    const page = await app.open({
      rows: [sampleRow({ id: 1, service: cloud, state: waiting })],
      settings: { service: 'on-device', accounts: [cloud, other] },
      service: { service: 'on-device' },
      summary: {
        services: [
          { ...status, service: other, condition: { kind: 'offline' } },
          {
            ...status,
            service: cloud,
            condition: { kind: 'no-credits', problem: { code: 'insufficient_credits' } },
          },
        ],
        pendingCosts: [{ service: cloud, recordings: 1, credits: 4, unknownDurations: 0 }],
        stalled: [{ service: cloud, recordings: 1, credits: 4, unknownDurations: 0 }],
      },
    });
    await page.getByText('api.example.com: Not enough credits: 4 needed, 3 left.').waitFor();
    await page.getByText('Also affected: other.example.').waitFor();
    expect(await button('Show them').count()).toBe(0);
    await button('Top up…').click();
    await expect.poll(() => app.main.callsOf('accounts.openWebsite')).toStrictEqual([{ service: cloud }]);
    await button('Try again').click();
    await expect.poll(() => app.main.callsOf('service.tryAgain')).toStrictEqual([{ service: cloud }]);
    await button('Do the rest on this computer').click();
    await expect
      .poll(() => app.main.callsOf('queue.moveStalled'))
      .toMatchObject([{ from: cloud, to: 'on-device' }]);
  });

  test('say what continues while a service has stopped', async () => {
    const problem = { code: 'invalid_api_key' } as const;
    const page = await app.open({
      rows: [sampleRow({ id: 1, service: 'on-device' })],
      settings: { service: cloud },
      service: { condition: { kind: 'stopped', problem } },
      summary: { services: [readyStatus('on-device')] },
    });
    await expect.poll(() => page.getByText('Other recordings continue: On this computer.').count()).toBe(1);
  });

  test('say which account has stopped, including in its entry in the settings', async () => {
    const condition = { kind: 'stopped', problem: { code: 'invalid_api_key' } } as const;
    const page = await app.open({
      rows: [sampleRow({ id: 1, service: cloud })],
      settings: { service: 'on-device', accounts: [cloud] },
      accounts: [{ address: cloud, keyStatus: 'keychain', unfinishedItemCount: 1, folderCount: 0 }],
      service: { service: 'on-device' },
      summary: { services: [{ service: cloud, condition, balanceCredits: null, activeJobs: 0 }] },
    });
    await page.getByText('api.example.com: recordings have stopped.', { exact: true }).waitFor();
    await button('Open settings').click();
    const entry = page.getByRole('listitem').filter({ hasText: 'Key stored in the keychain' });
    await expect.poll(() => entry.textContent()).toContain('does not accept the key');
  });

  test('show problems of the start until they are dismissed', async () => {
    const page = await app.open({ app: { startProblems: [{ code: 'settings_broken' }] } });
    await page.getByText('The settings file could not be read.').waitFor();
    await button('Dismiss').click();
    await expect.poll(() => page.getByText('The settings file could not be read.').count()).toBe(0);
  });
});

const failed = (id: number) => sampleRow({ id, state: everyState['failed']! });
/** Retries recordings in the main process. */
const retry = (...ids: readonly number[]): void =>
  app.main.changeRows(app.main.rows.map((one) => (ids.includes(one.id) ? sampleRow({ id: one.id }) : one)));

const openFailed = async (count: number) => {
  const page = await app.open({ rows: Array.from({ length: count }, (_, index) => failed(index + 1)) });
  await button('Show them').click();
  return page.getByRole('grid');
};
describe('a recording that leaves the filter is not selected any more', () => {
  test('in a short list', async () => {
    const list = await openFailed(2);
    await list.press('ArrowDown');
    await app.page.getByText('1 selected').waitFor();
    retry(1);
    await app.page.getByText('1 selected').waitFor({ state: 'detached' });
    await expect.poll(shownNames).toStrictEqual(['Recording 2.wav']);
  });

  test('even if it is not loaded', async () => {
    const list = await openFailed(1000);
    await list.press('ArrowDown');
    await list.press('Shift+End');
    await app.page.getByText('1,000 selected').waitFor();
    retry(1, 2, 1000);
    await app.page.getByText('997 selected').waitFor();
    await list.press('Delete');
    await expect
      .poll(() => app.main.callsOf('queue.remove').map((target) => 'ids' in target && target.ids.length))
      .toStrictEqual([997]);
  });
});
