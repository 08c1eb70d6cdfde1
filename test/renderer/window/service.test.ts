import { describe, expect, test } from 'vitest';
import type { Scene } from '../../support/window/fake-main.ts';
import { setUpTestWindow } from '../../support/window/test-window.ts';
import { everyState, manyRows, sampleRow } from '../../support/window/sample-rows.ts';

const app = setUpTestWindow();

const cloud = 'https://api.example.com';
const firstStart = { settings: { service: null } };
const button = (name: string) => app.page.getByRole('button', { name, exact: true });
const field = (name: string) => app.page.getByLabel(name, { exact: true });

describe('the welcome screen', () => {
  test('preselects this computer, explains what that means, and starts with one key', async () => {
    const page = await app.open(firstStart);
    await expect.poll(() => page.getByRole('radio', { name: 'On this computer' }).isChecked()).toBe(true);
    await page.getByText('Nothing leaves this computer').waitFor();
    await page.getByText('Uses Whisper base (79 MB), already installed').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Queue' }).waitFor();
    await expect.poll(() => app.main.callsOf('accounts.use')).toStrictEqual([{ service: 'on-device' }]);
  });

  test('mentions recordings that are waiting, and not those that the command line has finished', async () => {
    const done = sampleRow({ id: 4, name: 'done.wav', state: everyState['done']! });
    const page = await app.open({ ...firstStart, rows: [...manyRows(3), done] });
    await expect.poll(() => page.getByText('3 recordings are waiting until you choose.').count()).toBe(1);
  });

  test('shows errors of an account next to the field, and lets the user correct them', async () => {
    const page = await app.open({ ...firstStart, refused: { 'service.connect': 'wrong_address' } });
    await page.getByRole('radio', { name: 'Cloud account' }).click();
    await button('Check and connect').click();
    await page.getByText('Enter the address of the service.').waitFor();

    await field('Address').fill(cloud);
    await button('Check and connect').click();
    await page.getByText('Enter the key of your account.').waitFor();

    await field('API key').fill('secret-key');
    await page.keyboard.press('Enter');
    await page.getByText('There is no transcription service at this address.').waitFor();
    await expect.poll(() => field('Address').getAttribute('aria-invalid')).toBe('true');
    await expect
      .poll(() => field('Address').evaluate((element) => element === document.activeElement))
      .toBe(true);
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toContain('Where should');
  });

  test('a key that the service refuses is reported at the key', async () => {
    const page = await app.open({ ...firstStart, refused: { 'service.connect': 'invalid_api_key' } });
    await page.getByRole('radio', { name: 'Cloud account' }).click();
    await field('Address').fill(cloud);
    await field('API key').fill('wrong');
    await button('Check and connect').click();
    await page.getByText('The service does not accept the key.').waitFor();
    await expect.poll(() => field('API key').getAttribute('aria-invalid')).toBe('true');
  });

  test('opens the queue once the account works, and its key is nowhere in the window', async () => {
    const page = await app.open(firstStart);
    await page.getByRole('radio', { name: 'Cloud account' }).click();
    await field('Address').fill(cloud);
    await field('API key').fill('secret-key');
    await button('Check and connect').click();
    await page.getByText('Recordings are transcribed by api.example.com').waitFor();
    await expect
      .poll(() => app.main.callsOf('service.connect'))
      .toStrictEqual([{ baseUrl: cloud, key: 'secret-key', use: true }]);
    expect(await page.content()).not.toContain('secret-key');
  });
});

describe('an account', () => {
  const accounts = [
    { address: cloud, keyStatus: 'keychain', unfinishedItemCount: 0, folderCount: 0 } as const,
  ];

  test('gets a name, which is used everywhere', async () => {
    const page = await openSettings({ accounts, settings: { service: cloud } });
    await button('Name and limit…: api.example.com').click();
    await page.getByText('If empty, the account is shown as api.example.com.').waitFor();
    await field('Name of the account').fill('Newsroom');
    await page.keyboard.press('Enter');
    await page.getByRole('radio', { name: 'Newsroom' }).waitFor();
    await page.getByRole('navigation', { name: 'Main' }).getByText('Newsroom').waitFor();
    expect(app.main.settings.accountNames).toStrictEqual({ [cloud]: 'Newsroom' });
  });

  test('gets a limit, and the field says what it takes', async () => {
    const page = await openSettings({ accounts, settings: { service: cloud } });
    await button('Name and limit…: api.example.com').click();
    await field('Limit in credits per month').fill('a lot');
    await page.keyboard.press('Enter');
    await page.getByText('Enter a whole number from 1 to 1,000,000, or nothing.').waitFor();
    await field('Limit in credits per month').fill('600');
    await page.keyboard.press('Enter');
    await page.getByText('At most 600 credits per month').waitFor();
    expect(app.main.settings.accountLimits).toStrictEqual({ [cloud]: 600 });
  });

  test('receives the recordings of a watched folder only if the user says so', async () => {
    const folder = {
      id: 1,
      name: 'Card',
      path: '/card',
      service: 'on-device',
      polled: false,
      state: { kind: 'watching' },
      addedCount: 4,
      incompleteCount: 0,
      creditLimit: null,
      postponedCount: 0,
      tooExpensiveCount: 0,
      unmeasuredCount: 0,
      duplicateCount: 0,
    } as const;
    const page = await openSettings({ accounts, folders: [folder] });
    expect(await page.getByText('Private: nothing is sent').count()).toBe(0);
    const service = page.getByRole('combobox', { name: 'Transcribe with: Card' });
    await page.getByRole('radio', { name: 'api.example.com' }).click();
    await expect.poll(() => app.main.settings.service).toBe(cloud);
    expect(await service.inputValue()).toBe('on-device');
    await service.selectOption({ label: 'api.example.com' });
    await page.getByText('“Card”: new recordings are sent to api.example.com').first().waitFor();
    expect(app.main.folders[0]?.service).toBe(cloud);
  });

  test('sets a limit for watched folders, which show what it holds back', async () => {
    const folder = {
      id: 1,
      name: 'Card',
      path: '/card',
      service: 'on-device',
      polled: false,
      state: { kind: 'watching' },
    } as const;
    const counts = {
      addedCount: 4,
      incompleteCount: 0,
      creditLimit: null,
      postponedCount: 0,
      tooExpensiveCount: 0,
      unmeasuredCount: 0,
      duplicateCount: 1,
    } as const;
    const page = await openSettings({ accounts, folders: [{ ...folder, ...counts }] });
    await button('Limit…: Card').click();
    await field('Limit in credits per month').fill('0');
    await page.keyboard.press('Enter');
    await page.getByText('Enter a whole number from 1 to 1,000,000, or nothing.').waitFor();
    await field('Limit in credits per month').fill('60');
    await page.keyboard.press('Enter');
    await page.getByText('At most 60 credits per month').waitFor();
    expect(app.main.folders[0]?.creditLimit).toBe(60);
    await app.push('watch.changed', [
      { ...folder, ...counts, creditLimit: 60, postponedCount: 3, tooExpensiveCount: 1, unmeasuredCount: 2 },
    ]);
    await page
      .getByText(
        'Watching · 4 added · 1 not added: already transcribed or in the queue · 3 not added: limit of the month reached · 2 wait until the duration of another one is known · 1 not added: costs more than the limit of a month',
      )
      .waitFor();
  });

  test('with a refused key asks for it before anything else', async () => {
    const page = await openSettings({
      accounts,
      settings: { service: cloud },
      service: { condition: { kind: 'stopped', problem: { code: 'invalid_api_key' } } },
    });
    const controls = page.getByRole('region', { name: 'Service' }).locator('input, button');
    await expect.poll(() => controls.first().getAttribute('type')).toBe('password');
  });
});

test('an account without recordings that refuses its key says so and can be tried again', async () => {
  const refused = { kind: 'stopped', problem: { code: 'invalid_api_key' } } as const;
  const page = await openSettings({
    accounts: [{ address: cloud, keyStatus: 'keychain', unfinishedItemCount: 0, folderCount: 0 }],
    otherServices: [{ service: cloud, condition: refused, balanceCredits: null, activeJobs: 0 }],
  });
  const entry = page.getByRole('listitem').filter({ hasText: 'Key stored in the keychain' });
  await entry.getByText('The service does not accept the key.').waitFor();
  await button('Try again: api.example.com').click();
  await expect.poll(() => app.main.callsOf('service.tryAgain')).toStrictEqual([{ service: cloud }]);
  const ready = { service: cloud, condition: { kind: 'ready' }, balanceCredits: 12, activeJobs: 0 } as const;
  await app.push('services.changed', [ready]);
  await entry.getByText('The service does not accept the key.').waitFor({ state: 'detached' });
});

test('the settings have sections to jump to', async () => {
  const page = await openSettings({});
  const last = page.getByRole('region', { name: 'Data' });
  await button('Data').click();
  await expect.poll(() => last.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await last.getByRole('heading').isVisible()).toBe(true);
});

async function openSettings(scene: Scene) {
  const page = await app.open(scene);
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
  return page;
}

describe('settings', () => {
  test('take effect with each change', async () => {
    const page = await openSettings({});
    await page.getByLabel('Spoken language').selectOption({ label: 'German' });
    await page.getByRole('radio', { name: 'Accurate' }).click();
    await page.getByRole('checkbox', { name: 'Translate into English' }).click();
    await page.getByRole('checkbox', { name: 'Add without asking' }).click();
    await page.getByRole('checkbox', { name: 'Text (TXT)' }).click();
    await button('Choose folder…').click();
    await page.getByRole('radiogroup', { name: 'Simultaneous uploads' }).getByText('4').click();
    await page.getByRole('checkbox', { name: 'Keep working' }).click();
    await page.getByRole('checkbox', { name: 'Notify me' }).click();
    await page.getByRole('checkbox', { name: 'Keep the computer awake' }).click();
    await page.getByLabel('Display language').selectOption({ label: 'English' });
    await expect
      .poll(() => app.main.settings)
      .toMatchObject({
        options: { language: 'de', accuracy: 'accurate', translateToEnglish: true },
        addWithoutAsking: true,
        parallelUploads: 4,
        autoExportFormats: ['srt', 'txt'],
        autoExportFolder: '/home/ann/Transcripts',
        notifications: false,
        keepAwake: false,
        keepWorkingWhenClosed: false,
        language: 'en',
      });
    await button('Next to each recording').click();
    await expect.poll(() => app.main.settings.autoExportFolder).toBeNull();
    // The names of automatic files do not follow those of an export, nor the other way round.
    await page.getByLabel('File name').fill('{date} {name}');
    await expect.poll(() => app.main.settings.autoExportTemplate).toBe('{date} {name}');
    expect(app.main.settings.exporting.template).toBe('{name}');
  });

  test('set the upload limit as typed; an invalid one is reported and changes nothing', async () => {
    const page = await openSettings({});
    await page.getByRole('checkbox', { name: 'Limit the upload speed' }).click();
    const amount = page.getByLabel('Maximum upload speed');
    await amount.fill('2.5');
    await expect.poll(() => app.main.settings.uploadLimit).toBe(2_500_000);
    await amount.fill('0');
    await page.getByRole('alert').getByText('Enter a number from').waitFor();
    await expect.poll(() => app.main.settings.uploadLimit).toBe(2_500_000);
    await amount.blur();
    await expect.poll(() => amount.inputValue()).toBe('2.5');
    await page.getByRole('checkbox', { name: 'Limit the upload speed' }).click();
    await expect.poll(() => app.main.settings.uploadLimit).toBeNull();
  });

  test('save a log to send', async () => {
    const page = await openSettings({});
    await button('Save log file…').click();
    await expect.poll(() => page.getByText('Saved longhand-log.txt').count()).toBeGreaterThan(0);
  });

  test('use the chosen theme, or the system’s', async () => {
    const page = await openSettings({});
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await paper();
    await page.getByText('Dark', { exact: true }).click();
    await expect.poll(paper).not.toBe(light);
    await page.getByRole('radiogroup', { name: 'Theme' }).getByText('Match system').click();
    await expect.poll(paper).toBe(light);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(paper).not.toBe(light);
  });

  const kept = { address: cloud, keyStatus: 'keychain', unfinishedItemCount: 0, folderCount: 0 } as const;
  const other = {
    address: 'https://other.example.org',
    keyStatus: 'none',
    unfinishedItemCount: 7,
    folderCount: 1,
  } as const;

  test('report a key that is kept for this session only', async () => {
    const accounts = [{ ...kept, keyStatus: 'this-run' as const }];
    const page = await openSettings({ settings: { service: cloud }, accounts });
    await expect.poll(() => page.getByText('Key kept for this session only').count()).toBe(1);
  });

  test('replace the key without showing the old one, and without changing the default service', async () => {
    const page = await openSettings({ accounts: [kept, other] });
    await button('Replace key: api.example.com').click();
    await expect.poll(() => field('API key').inputValue()).toBe('');
    await field('API key').fill('another-key');
    await button('Check and connect').click();
    await page.getByText('Connected. The key is in the keychain.').first().waitFor();
    await expect
      .poll(() => app.main.callsOf('service.connect'))
      .toStrictEqual([{ baseUrl: cloud, key: 'another-key', use: false }]);
    expect(app.main.settings.service).toBe('on-device');
    await expect.poll(() => field('API key').count()).toBe(0);
    expect(await page.content()).not.toContain('another-key');
  });

  test('forget the key', async () => {
    const page = await openSettings({ settings: { service: cloud }, accounts: [kept] });
    await button('Remove key: api.example.com').click();
    await page.getByText('No key: enter one').waitFor();
    await expect.poll(() => button('Remove key: api.example.com').count()).toBe(0);
  });

  test('choose the account for new recordings from several', async () => {
    const page = await openSettings({ accounts: [kept, other] });
    await page.getByRole('radio', { name: 'other.example.org' }).click();
    await expect.poll(() => app.main.settings.service).toBe(other.address);
    await page.getByRole('radio', { name: 'On this computer' }).click();
    await expect.poll(() => app.main.settings.service).toBe('on-device');
  });

  test('add an account whose key is known already, without sending new recordings to it', async () => {
    const page = await openSettings({});
    await button('Add account…').click();
    await field('Address').fill(cloud);
    await button('Check and connect').click();
    await page.getByText('Key stored in the keychain').waitFor();
    await expect
      .poll(() => app.main.callsOf('service.connect'))
      .toStrictEqual([{ baseUrl: cloud, use: false }]);
    await expect.poll(() => page.getByRole('radio', { name: 'On this computer' }).isChecked()).toBe(true);
  });

  test('add an account that is used for new recordings on request', async () => {
    const page = await openSettings({});
    await button('Add account…').click();
    await field('Address').fill(cloud);
    await page.getByRole('checkbox', { name: 'Use it for new recordings' }).click();
    await button('Check and connect').click();
    await expect.poll(() => page.getByRole('radio', { name: 'api.example.com' }).isChecked()).toBe(true);
  });

  test('remove an account only after confirmation, with the consequences for its recordings', async () => {
    const page = await openSettings({ settings: { service: other.address }, accounts: [kept, other] });
    await button('Remove: other.example.org').click();
    await page.getByText('7 recordings in the queue still wait for it').waitFor();
    await page.getByText('The recordings of 1 watched folder are transcribed on this computer').waitFor();
    await button('Keep').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(app.main.callsOf('accounts.remove')).toStrictEqual([]);
    await button('Remove: other.example.org').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await expect.poll(() => app.main.settings.accounts).toStrictEqual([cloud]);
    await expect.poll(() => page.getByRole('radio', { name: 'On this computer' }).isChecked()).toBe(true);
    await page.getByText('1 watched folder is now transcribed on this computer.').first().waitFor();
  });
});

describe('files that could not be saved after their transcripts', () => {
  const failed: Scene = {
    failedAutoExports: {
      count: 3,
      folder: 'VOICE',
      problem: { code: 'export_failed', params: { name: 'A' } },
    },
  };

  test('are reported on every screen with a remedy, and the report disappears once they are saved', async () => {
    const page = await app.open(failed);
    await page.getByText('3 files could not be saved in “VOICE”.').waitFor();
    await page.getByText('The transcripts are in your library.').waitFor();
    await page.getByRole('button', { name: 'Settings' }).click();
    await button('Save elsewhere…').click();
    await page.getByText('3 files saved').first().waitFor();
    await expect.poll(() => page.getByText('could not be saved').count()).toBe(0);
    expect(app.main.callsOf('autoExports.retryInFolder')).toHaveLength(1);
  });

  test('are dismissed by the user', async () => {
    const page = await app.open(failed);
    await button('Dismiss').click();
    await page.getByText('could not be saved').waitFor({ state: 'detached' });
    await expect.poll(() => app.main.callsOf('autoExports.dismiss')).toHaveLength(1);
  });

  test('are reported immediately', async () => {
    const page = await app.open();
    await app.push('autoExports.changed', { count: 1, folder: null, problem: { code: 'disk_full' } });
    await page.getByText('1 file could not be saved.').last().waitFor();
    await expect.poll(() => page.getByText('The disk is full.').count()).toBe(1);
  });
});

test('a main process that cannot respond is reported', async () => {
  const page = await app.open({ refused: { 'settings.get': 'data_folder_unwritable' } });
  await page.getByText('Longhand has no permission to write to its data folder.').waitFor();
  await expect.poll(() => button('Try again').count()).toBe(1);
});

test('a menu entry opens its screen', async () => {
  const page = await app.open();
  await app.push('navigate', { to: 'library' });
  await expect.poll(() => page.getByRole('heading', { name: 'Library' }).count()).toBe(1);
});
