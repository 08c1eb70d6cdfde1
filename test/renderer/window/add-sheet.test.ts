import { describe, expect, test } from 'vitest';
import { defaultJobOptions } from '../../../electron/contract/options.ts';
import type { SpeechModelView } from '../../../electron/contract/speech-models.ts';
import { defaultModels } from '../../support/window/default-state.ts';
import { sampleAddSheetRow, seasonAddSheet } from '../../support/window/sample-add-sheet.ts';
import { manyRows } from '../../support/window/sample-rows.ts';
import { sampleTranscript } from '../../support/window/sample-transcripts.ts';
import { setUpTestWindow } from '../../support/window/test-window.ts';
import { goTo } from '../../support/window/view.ts';

const app = setUpTestWindow();

const cloud = 'https://api.example.com';
const sheet = () => app.page.getByRole('dialog', { name: 'recordings to add' });
const row = (name: string) => app.page.getByRole('row', { name });
const button = (name: string) => app.page.getByRole('button', { name, exact: true });
const saved = (formats: string) => button(`Save next to each recording: ${formats}`);
/** All models, measured with the sample at so many times real time. */
const measuredModels = (timesRealTime: number): readonly SpeechModelView[] =>
  defaultModels.map((one) => ({ ...one, speed: { timesRealTime, source: 'sample' } }));
const headerText = () => sheet().locator('header').textContent();

describe('the add sheet', () => {
  test('shows the totals before anything is added', async () => {
    await app.open({
      addSheet: { rows: seasonAddSheet },
      settings: { service: cloud, accountLimits: { [cloud]: 2000 } },
      service: { balanceCredits: 1240, activeJobs: 48 },
      summary: { pendingCosts: [{ service: cloud, recordings: 9, credits: 100, unknownDurations: 0 }] },
    });
    for (const part of [
      '132 recordings to add',
      '124 h',
      '7,563 credits',
      '$5.04',
      '6,423 short',
      'limit of 2,000 credits per month',
      '50 jobs',
      '1 of unknown duration',
    ])
      await expect.poll(headerText).toContain(part);
  });

  test('shows that this computer is free, and the time needed once it is known', async () => {
    const models = measuredModels(12);
    await app.open({ addSheet: { rows: seasonAddSheet }, models });
    await sheet().waitFor();
    await expect.poll(headerText).toContain('Free');
    await expect.poll(headerText).toContain('at least 10 h');
    expect(await headerText()).not.toContain('$');
  });

  test('shows the progress of measuring durations, without blocking the user', async () => {
    const rows = seasonAddSheet.map((one) => ({ ...one, measuring: one.id > 40 && one.source === 'file' }));
    const page = await app.open({ addSheet: { rows, summary: { phase: 'measuring' } } });
    await page.getByRole('progressbar', { name: 'Durations found' }).waitFor();
    await expect.poll(headerText).toMatch(/40 of 135 durations found.*time unknown/su);
    await button('Settings').click();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await page.locator('nav').getByRole('button', { name: 'Queue' }).click();
    await button('Start 132 recordings').waitFor();
  });

  test('promises to add, not to start, while the queue is paused', async () => {
    await app.open({ addSheet: { rows: seasonAddSheet }, summary: { paused: true } });
    await expect.poll(() => button('Add 132 recordings').count()).toBe(1);
  });

  test('says that it looks for recordings before it says that there are none', async () => {
    const page = await app.open({ addSheet: { rows: [], summary: { phase: 'scanning' } } });
    const title = (): Promise<string | null> => page.locator('#add-sheet-title').textContent();
    await expect.poll(title).toBe('Looking for recordings…');
    app.main.addSheet.change({ rows: [], summary: { phase: 'ready' } });
    await expect.poll(title).toBe('Nothing to add');
  });

  test('opens over any screen when something is dropped or handed over', async () => {
    const page = await app.open({ rows: manyRows(3) });
    await button('Library').click();
    app.main.addSheet.change({ rows: seasonAddSheet });
    await sheet().waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.role)).toBe('grid');
  });

  test('leads back to the transcript over which it opened, whether it is closed or started', async () => {
    const transcripts = [sampleTranscript({ id: 1, name: 'Talk' })];
    const page = await app.open({ rows: manyRows(3), transcripts });
    const heading = page.getByRole('heading', { name: 'Talk', level: 1 });
    await goTo('Library')(page);
    await page.getByRole('row', { name: 'Talk' }).click();
    await heading.waitFor();
    const rows = [sampleAddSheetRow({ id: 1, name: 'Interview.wav' })];
    app.main.addSheet.change({ rows });
    await page.getByRole('dialog', { name: '1 recording to add' }).waitFor();
    await page.keyboard.press('Escape');
    await heading.waitFor();
    app.main.addSheet.change({ rows });
    await button('Start 1 recording').click();
    await page.getByText('“Interview.wav” added to the queue').first().waitFor();
    await heading.waitFor();
    await button('Show queue').click();
    await page.getByRole('heading', { name: 'Queue', level: 1 }).waitFor();
    // Who leaves the sheet for another screen does not want to go back further.
    await goTo('Library')(page);
    app.main.addSheet.change({ rows });
    await goTo('Settings')(page);
    await goTo('Queue')(page);
    await button('Close').click();
    await page.getByRole('heading', { name: 'Queue', level: 1 }).waitFor();
    await page.getByRole('dialog', { name: '1 recording to add' }).waitFor({ state: 'detached' });
    expect(await page.getByRole('heading', { name: 'Queue', level: 1 }).count()).toBe(1);
  });

  test('adds only the chosen recordings', async () => {
    const page = await app.open({ addSheet: { rows: seasonAddSheet } });
    await page.getByRole('checkbox', { name: 'Add Episode 101.wav' }).uncheck();
    await expect
      .poll(() => app.main.callsOf('addSheet.include'))
      .toStrictEqual([{ ids: [1], included: false }]);
    await button('Start 131 recordings').click();
    await page.getByText('131 recordings added').first().waitFor();
    await sheet().waitFor({ state: 'detached' });
  });

  test('adds nothing when closed with Escape', async () => {
    const page = await app.open({ addSheet: { rows: seasonAddSheet } });
    await sheet().waitFor();
    await page.keyboard.press('Escape');
    await sheet().waitFor({ state: 'detached' });
    await expect.poll(() => app.main.callsOf('addSheet.close')).toHaveLength(1);
    expect(app.main.callsOf('addSheet.addChosen')).toStrictEqual([]);
  });

  test('cannot be confirmed without a chosen recording', async () => {
    await app.open({ addSheet: { rows: [sampleAddSheetRow({ id: 1, included: false })] } });
    await expect.poll(() => button('Start').isDisabled()).toBe(true);
  });

  test('a second Escape closes it, and the message reopens it', async () => {
    const page = await app.open({ addSheet: { rows: seasonAddSheet } });
    await row('Episode 101.wav').click();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.getByText('Closed without adding recordings').waitFor();
    await sheet().waitFor({ state: 'detached' });
    await button('Reopen').click();
    await sheet().waitFor();
    expect(app.main.callsOf('addSheet.reopen')).toHaveLength(1);
    // The message has gone: its button would be about another sheet, and it would cover this one.
    await page.getByText('Closed without adding recordings').waitFor({ state: 'detached' });
  });

  test('says which formats are saved, and lets one choose them for this batch only', async () => {
    const page = await app.open({
      addSheet: { rows: seasonAddSheet },
      settings: { autoExportFormats: ['docx'] },
    });
    await saved('DOCX').click();
    await page.getByRole('menuitemcheckbox', { name: 'Subtitles (SRT)' }).click();
    await saved('SRT and DOCX').waitFor();
    await page.getByRole('menuitemcheckbox', { name: 'Word document (DOCX)', checked: true }).click();
    await saved('SRT').waitFor();
    await page.getByRole('menuitemcheckbox', { name: 'Subtitles (SRT)' }).click();
    await saved('no files').waitFor();
    expect(app.main.callsOf('addSheet.setFormats')).toStrictEqual(
      [['srt', 'docx'], ['srt'], []].map((formats) => ({ formats })),
    );
    expect(app.main.callsOf('settings.change')).toStrictEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    expect(await sheet().count()).toBe(1);
  });

  test('shows the time at the measured speed of the models, however fast the queue is', async () => {
    const rows = [1, 2].map((id) => sampleAddSheetRow({ id, durationSeconds: 1800 }));
    await app.open({ addSheet: { rows }, models: measuredModels(10), summary: { speed: 60 } });
    await expect.poll(headerText).toContain('about 6 min');
    expect(await headerText()).toContain('as measured with a short sample');
  });

  test('shows a lower bound while the speed of one of several models is unknown', async () => {
    const options = { ...defaultJobOptions, accuracy: 'accurate' as const };
    const rows = [
      sampleAddSheetRow({ id: 1, durationSeconds: 3600 }),
      sampleAddSheetRow({ id: 2, durationSeconds: 3600, ownOptions: true, options }),
    ];
    const models = measuredModels(10).map((one) =>
      one.accuracy === 'accurate' ? { ...one, speed: null } : one,
    );
    await app.open({ addSheet: { rows }, models, summary: { speed: 60 } });
    await expect.poll(headerText).toContain('at least 6 min');
    expect(await headerText()).toContain('speed of the model unknown');
    expect(app.main.callsOf('models.measure')).toStrictEqual([{ accuracy: 'accurate' }]);
    const speed = { timesRealTime: 5, source: 'sample' as const };
    await app.push(
      'models.changed',
      models.map((one) => (one.speed === null ? { ...one, speed } : one)),
    );
    await expect.poll(headerText).toContain('about 18 min');
  });

  test('measures a model whose speed is unknown once its accuracy is chosen', async () => {
    const unmeasured = defaultModels.map((one) => ({
      ...one,
      speed: one.accuracy === 'accurate' ? null : { timesRealTime: 10, source: 'sample' as const },
    }));
    const rows = [1, 2].map((id) => sampleAddSheetRow({ id, durationSeconds: 1800 }));
    const page = await app.open({
      addSheet: { rows },
      models: unmeasured,
      answers: {
        'models.measure': ({ accuracy }) => {
          const measuring = unmeasured.map((one) => ({ ...one, measuring: one.accuracy === accuracy }));
          void app.push('models.changed', measuring);
        },
      },
    });
    await expect.poll(headerText).toContain('about 6 min');
    const top = async () => (await page.getByText('Spoken language').boundingBox())?.y;
    const before = await top();
    await page.getByText('Accurate', { exact: true }).first().click();
    await expect.poll(headerText).toContain('measuring the model’s speed');
    expect(await top()).toBe(before);
    expect(app.main.callsOf('models.measure')).toStrictEqual([{ accuracy: 'accurate' }]);
    await app.push(
      'models.changed',
      unmeasured.map((one) => ({ ...one, speed: { timesRealTime: 5, source: 'sample' as const } })),
    );
    await expect.poll(headerText).toContain('about 12 min');
  });

  test.each(['on-device', cloud] as const)(
    'with %s, says of unknown durations only that',
    async (service) => {
      const rows = [1, 2].map((id) => sampleAddSheetRow({ id, durationSeconds: null }));
      await app.open({ addSheet: { rows, summary: { service } }, models: measuredModels(10) });
      await expect.poll(headerText).toContain('2 of unknown duration');
      for (const part of ['of audio', 'about', '0 credits', '$'])
        expect(await headerText()).not.toContain(part);
    },
  );

  test('says what was left out, and why', async () => {
    const damaged = { durationSeconds: null, unmeasured: 'damaged' } as const;
    const rows = [
      sampleAddSheetRow({ id: 1, ...damaged, included: false }),
      sampleAddSheetRow({ id: 2, ...damaged }),
      sampleAddSheetRow({ id: 3, durationSeconds: null, unmeasured: 'undetermined' }),
      sampleAddSheetRow({ id: 4, presentPercent: 30, included: false }),
    ];
    await app.open({ addSheet: { rows } });
    await expect.poll(headerText).toContain('2 left out');
    await expect
      .poll(() =>
        sheet()
          .getByText(/may be damaged|Duration unknown|incomplete/u)
          .allTextContents(),
      )
      .toStrictEqual([
        'The file may be damaged; left out',
        'The file may be damaged',
        'Duration unknown',
        'The file is incomplete: it ends after about 30 % of what it says; left out',
      ]);
  });

  test('can be switched off by starting it', async () => {
    const page = await app.open({ addSheet: { rows: seasonAddSheet } });
    await page.getByRole('checkbox', { name: 'Add without asking from now on' }).check();
    expect(app.main.callsOf('settings.change')).toStrictEqual([]);
    await sheet()
      .getByRole('button', { name: /^Start \d/u })
      .click();
    await expect.poll(() => app.main.callsOf('settings.change')).toStrictEqual([{ addWithoutAsking: true }]);
  });
});

describe('duplicates and rejections', () => {
  test('link to the transcript of a duplicate', async () => {
    const page = await app.open({ addSheet: { rows: seasonAddSheet } });
    await button('Duplicates 3').click();
    await row('Already transcribed').getByRole('button', { name: 'Open' }).click();
    await page.getByText('This transcript no longer exists.').waitFor();
    await expect.poll(() => app.main.callsOf('transcript.get')).toStrictEqual([{ id: 3 }]);
  });

  test('duplicates can be added on request', async () => {
    await app.open({ addSheet: { rows: seasonAddSheet } });
    await button('Duplicates 3').click();
    await button('Include all').click();
    await expect.poll(() => button('Start 135 recordings').count()).toBe(1);
  });

  test('each rejection has its reason', async () => {
    const page = await app.open({ addSheet: { rows: seasonAddSheet, summary: { skippedFiles: 412 } } });
    await button('Skipped 3').click();
    await page.getByText('412 files of other types in the folders were ignored').waitFor();
    await row('notes.mp3').getByText('This is neither audio nor video.').waitFor();
    expect(await row('notes.mp3').getByRole('checkbox').count()).toBe(0);
  });
});

test('10,000 recordings are scrolled without rendering all of them', async () => {
  const rows = Array.from({ length: 10_000 }, (_, index) => sampleAddSheetRow({ id: index + 1 }));
  const page = await app.open({ addSheet: { rows } });
  await row('Episode 101.wav').waitFor();
  await page.getByRole('grid').press('End');
  await row('Episode 10100.wav').waitFor();
  expect(await page.locator('[data-index]').count()).toBeLessThan(40);
  expect(Math.max(...app.main.callsOf('addSheet.setViewport').map(({ limit }) => limit))).toBeLessThan(200);
});

test('a batch can be sent to another account than the default', async () => {
  const cloud = 'https://api.example.com';
  const accounts = [
    { address: cloud, keyStatus: 'keychain', unfinishedItemCount: 0, folderCount: 0 } as const,
  ];
  const page = await app.open({ addSheet: { rows: seasonAddSheet }, accounts });
  const service = page.getByRole('combobox', { name: 'Transcribe with' });
  await expect.poll(() => service.inputValue()).toBe('on-device');
  await service.selectOption({ label: 'api.example.com' });
  await page.getByText('Sent to api.example.com.').waitFor();
  expect(app.main.callsOf('addSheet.useService')).toStrictEqual([{ service: cloud }]);
  expect(app.main.settings.service).toBe('on-device');

  await app.open({ addSheet: { rows: seasonAddSheet } });
  await sheet().waitFor();
  expect(await service.count()).toBe(0);
});

test('the options of the last batch are offered while they differ', async () => {
  await app.open({ addSheet: { rows: seasonAddSheet, summary: { canUseLastOptions: true } } });
  await button('Use the options of the last batch').click();
  await expect.poll(() => app.main.callsOf('addSheet.useLastOptions')).toHaveLength(1);
  await expect.poll(() => button('Use the options of the last batch').count()).toBe(0);
});

test('a recording that failed in the queue is retried from the sheet', async () => {
  const duplicate = { kind: 'failed', itemId: 7, name: 'broken.mp3' } as const;
  const broken = sampleAddSheetRow({ id: 1, name: 'broken.mp3', included: false, duplicate });
  const page = await app.open({ addSheet: { rows: [broken] } });
  await button('Duplicates 1').click();
  await page.getByText('Failed in the queue').waitFor();
  await page.getByRole('button', { name: 'Retry: broken.mp3' }).click();
  await expect.poll(() => app.main.callsOf('queue.retry')).toEqual([{ ids: [7] }]);
  app.main.addSheet.change({ rows: [{ ...broken, duplicate: { ...duplicate, kind: 'queue' } }] });
  await page.getByText('Already in the queue as').waitFor();
  expect(await page.getByRole('button', { name: 'Retry: broken.mp3' }).count()).toBe(0);
  await button('Close').click();
  await page.getByText('1 recording retried, none added').waitFor();
  await button('Reopen').click();
  await expect.poll(() => app.main.callsOf('addSheet.reopen')).toHaveLength(1);
});
