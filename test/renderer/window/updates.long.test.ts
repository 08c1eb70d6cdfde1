import { expect, test } from 'vitest';
import type { UpdateState } from '../../../electron/contract/updates.ts';
import type { Scene } from '../../support/window/fake-main.ts';
import { setUpTestWindow } from '../../support/window/test-window.ts';
import { goTo } from '../../support/window/view.ts';

const app = setUpTestWindow();
const version = '0.2.0';

const sceneOf = (state: UpdateState): Scene => ({ answers: { 'updates.state': () => state } });

test('a new version is offered, downloaded, and installed once no work is in progress', async () => {
  const page = await app.open(sceneOf({ kind: 'offered', version, how: 'install' }));
  await page.getByText('Longhand 0.2.0 is available.').waitFor();
  await page.getByRole('button', { name: 'Download', exact: true }).click();
  expect(app.main.callsOf('updates.download')).toHaveLength(1);

  await app.push('updates.changed', { kind: 'downloading', version, fractionDone: 0.42 });
  await page.getByText('Downloading Longhand 0.2.0: 42%').waitFor();
  await app.push('updates.changed', { kind: 'ready', version, isBusy: true });
  await page.getByText('It can be installed once the work in progress has finished.').waitFor();
  expect(await page.getByRole('button', { name: 'Restart and update' }).count()).toBe(0);
  await app.push('updates.changed', { kind: 'ready', version, isBusy: false });
  await page.getByRole('button', { name: 'Restart and update' }).click();
  expect(app.main.callsOf('updates.install')).toHaveLength(1);
});

test('a dismissed offer stays away until there is another version', async () => {
  const page = await app.open(sceneOf({ kind: 'offered', version, how: 'website' }));
  await page.getByRole('button', { name: 'Open download' }).waitFor();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await app.push('updates.changed', { kind: 'offered', version, how: 'website' });
  expect(await page.getByText('is available.').count()).toBe(0);
  await app.push('updates.changed', { kind: 'offered', version: '0.3.0', how: 'website' });
  await page.getByText('Longhand 0.3.0 is available.').waitFor();
});

test('a failed download says why, and can be tried again', async () => {
  const problem = { code: 'update_damaged' } as const;
  const page = await app.open(sceneOf({ kind: 'failed', version, problem }));
  await page.getByText(/does not match the published version and was discarded/).waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  expect(app.main.callsOf('updates.download')).toHaveLength(1);
});

test('the switch is shown only if the program has a feed', async () => {
  const name = 'Look for new versions';
  const page = await app.open(sceneOf({ kind: 'none' }));
  await goTo('Settings')(page);
  await page.getByRole('checkbox', { name }).click();
  expect(app.main.settings.checkForUpdates).toBe(false);

  const without = await app.open();
  await goTo('Settings')(without);
  await without.getByText('Longhand 0.1.0').waitFor();
  expect(await without.getByRole('checkbox', { name }).count()).toBe(0);
});
