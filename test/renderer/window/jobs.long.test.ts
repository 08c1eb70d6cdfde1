import { describe, expect, test } from 'vitest';
import type { JobsReport, JobRelation } from '../../../electron/contract/service-job-commands.ts';
import { ProblemError } from '../../../electron/contract/problem.ts';
import type { Scene } from '../../support/window/fake-main.ts';
import { showProgress } from '../../support/window/library-tool-screens.ts';
import { sampleJob, sampleJobs } from '../../support/window/sample-jobs.ts';
import { sampleRow } from '../../support/window/sample-rows.ts';
import { sampleTranscript } from '../../support/window/sample-transcripts.ts';
import { goToJobs } from '../../support/window/screens.ts';
import { setUpTestWindow } from '../../support/window/test-window.ts';

const app = setUpTestWindow();

const cloud = 'https://api.example.com';
const jobs = sampleJobs(cloud);
const paid = { settings: { service: cloud, accounts: [cloud] }, jobs: [jobs] } as const;

describe('the jobs of the service', () => {
  test('are requested when the screen opens, and by the button', async () => {
    const page = await app.open(paid);
    await goToJobs(page);
    await page.getByText('api.example.com, updated at').waitFor();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect.poll(() => app.main.callsOf('jobs.refresh').length).toBe(2);
  });

  test('are imported all at once, or one by keyboard', async () => {
    const page = await app.open(paid);
    await goToJobs(page);
    await page.getByRole('button', { name: 'Import all 2' }).click();
    await page.getByText('2 transcripts imported').first().waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => app.main.callsOf('jobs.import'))
      .toMatchObject([
        { service: cloud, jobIds: ['job-1', 'job-8'] },
        { service: cloud, jobIds: ['job-1'] },
      ]);
  });

  test.each([
    [cloud, 'keeps'],
    ['on-device', 'does not keep'],
  ])('are imported from %s, which %s the audio', async (service, answer) => {
    const page = await app.open({ settings: { service }, jobs: [sampleJobs(service)] });
    await goToJobs(page);
    await page.getByRole('button', { name: 'Import all 2' }).click();
    const notice = page.getByRole('region').filter({ hasText: '2 transcripts imported' });
    await expect.poll(() => notice.count()).toBe(1);
    const text = await notice.textContent();
    expect(text?.includes('keeps the audio for up to 60 days')).toBe(answer === 'keeps');
  });

  test('are restored from the trash, which is undone in the order of all changes', async () => {
    const page = await app.open({ ...paid, trash: [sampleTranscript({ id: 2 })] });
    await goToJobs(page);
    await page.getByRole('button', { name: /^Restore:/ }).click();
    await expect.poll(() => app.main.callsOf('library.restore')).toStrictEqual([{ ids: [2] }]);
    await page.getByRole('button', { name: 'Undo', exact: true }).waitFor();
    await page.keyboard.press('ControlOrMeta+z');
    await expect.poll(() => app.main.callsOf('library.trash')).toStrictEqual([{ ids: [2] }]);
    await page.keyboard.press('ControlOrMeta+Shift+z');
    await expect.poll(() => app.main.callsOf('library.restore').length).toBe(2);
  });

  test('show the progress of the import, which can be cancelled', async () => {
    const report = Promise.withResolvers<JobsReport>();
    const page = await app.open({ ...paid, answers: { 'jobs.import': () => report.promise } });
    await goToJobs(page);
    await page.getByRole('button', { name: 'Import all 2' }).press('Enter');
    await showProgress(page, { done: 1, total: 2 });
    await page.getByText('1 of 2 transcripts').waitFor();
    await page.getByRole('button', { name: 'Stop' }).press('Enter');
    const [{ task = '' } = {}] = app.main.callsOf('jobs.import');
    await expect.poll(() => app.main.callsOf('library.cancel')).toEqual([{ task }]);
    report.resolve({ done: 1, failed: [], notStarted: 1 });
    await page.getByText('Stopped: 1 transcript imported').first().waitFor();
  });

  test('are followed and unfollowed', async () => {
    const page = await app.open(paid);
    await goToJobs(page);
    await page.getByRole('button', { name: 'Follow: Council meeting, 18 November.mp4' }).click();
    await page.getByRole('button', { name: 'Stop following: Podcast 141 – raw.wav' }).click();
    await expect
      .poll(() => app.main.callsOf('jobs.follow'))
      .toStrictEqual([
        { service: cloud, jobIds: ['job-2'], followed: true },
        { service: cloud, jobIds: ['job-3'], followed: false },
      ]);
  });

  const ends: readonly (readonly [JobRelation, string, readonly string[]])[] = [
    [{ kind: 'active' }, 'Cancel', ['there will be no transcript', 'already charged for it are refunded']],
    [{ kind: 'finished' }, 'Delete', ['permanently deleted', 'not refunded']],
    [
      { kind: 'in-library', transcriptId: 1, trashed: false },
      'Delete',
      ['stays in your library', 'keep the audio for up to 57 more days', 'not refunded'],
    ],
    [{ kind: 'failed' }, 'Delete', ['have been refunded']],
    [{ kind: 'unknown' }, 'Delete', ['only if it is not finished']],
  ];
  test.each(ends)(
    'are deleted only after the consequences are confirmed: %o',
    async (relation, verb, words) => {
      const records = [sampleJob('talk', relation)];
      const page = await app.open({ ...paid, jobs: [{ ...jobs, records }] });
      await goToJobs(page);
      await page.getByRole('row', { name: 'talk.mp3' }).click();
      await page.keyboard.press('Delete');
      const question = page.getByRole('dialog');
      for (const word of words) await expect.poll(() => question.textContent()).toContain(word);
      expect(app.main.callsOf('jobs.delete')).toEqual([]);
      await page.getByRole('button', { name: `${verb} job`, exact: true }).click();
      await expect
        .poll(() => app.main.callsOf('jobs.delete'))
        .toStrictEqual([{ service: cloud, jobIds: ['talk'] }]);
    },
  );

  test('cost nothing on this computer, where no credits are mentioned', async () => {
    const page = await app.open({ jobs: [sampleJobs('on-device')] });
    await goToJobs(page);
    await page.getByRole('row', { name: 'Interview Okafor' }).click();
    await page.keyboard.press('Delete');
    await page.getByRole('dialog').waitFor();
    expect(await page.locator('body').textContent()).not.toMatch(/credit/i);
  });

  test('cannot be deleted while the queue works on them', async () => {
    const page = await app.open(paid);
    await goToJobs(page);
    await page.getByRole('row', { name: 'Interview Mbeki, town hall.mp3' }).click();
    await page.keyboard.press('Delete');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('are replaced by a problem when the request fails', async () => {
    const page = await app.open({ ...paid, refused: { 'jobs.refresh': 'offline' } });
    await goToJobs(page);
    await page.getByText('Could not load from the service').waitFor();
    await expect.poll(() => page.getByRole('row').count()).toBeGreaterThan(1);
  });
});

describe('the jobs of several services', () => {
  const studio = 'https://studio.example';
  const records = [sampleJob('talk', { kind: 'finished' })];
  const several: Scene = {
    settings: { service: 'on-device', accounts: [cloud, studio] },
    jobs: [
      { ...sampleJobs('on-device'), records: [], vanished: [] },
      { ...jobs, records, vanished: [] },
    ],
  };

  test('are shown of the one that has some, or of the one that is chosen', async () => {
    const page = await app.open(several);
    await page.locator('nav').getByRole('button', { name: 'Library' }).click();
    await page.getByRole('button', { name: 'On the service · 1 not in your library' }).click();
    await page.getByRole('row', { name: 'talk.mp3' }).waitFor();
    const choice = page.getByRole('combobox', { name: 'Service' });
    await expect
      .poll(() => choice.getByRole('option').allTextContents())
      .toEqual(['On this computer', 'api.example.com', 'studio.example']);
    await choice.selectOption('studio.example');
    await page.getByText('studio.example, updated at').waitFor();
    expect(await page.getByRole('row', { name: 'talk.mp3' }).count()).toBe(0);
    await expect
      .poll(() => app.main.callsOf('jobs.refresh'))
      .toEqual([{ service: cloud }, { service: studio }]);
  });

  test('have a problem each', async () => {
    const page = await app.open({
      ...several,
      answers: {
        'jobs.refresh': ({ service }) => {
          if (service === cloud) throw new ProblemError({ code: 'invalid_api_key' });
          return several.jobs ?? [];
        },
      },
    });
    await goToJobs(page);
    await page.getByText('Could not load from the service').waitFor();
    const choice = page.getByRole('combobox', { name: 'Service' });
    await choice.selectOption('studio.example');
    await expect.poll(() => page.getByText('Could not load from the service').count()).toBe(0);
    await choice.selectOption('api.example.com');
    await page.getByText('Could not load from the service').waitFor();
  });

  test('are ready of one service while another one does not respond, and keep their problems', async () => {
    const slow = Promise.withResolvers<NonNullable<Scene['jobs']>>();
    const page = await app.open({
      ...several,
      answers: {
        'jobs.refresh': ({ service }) => {
          if (service === cloud) throw new ProblemError({ code: 'invalid_api_key' });
          return slow.promise;
        },
      },
    });
    await goToJobs(page);
    const problem = page.getByText('Could not load from the service');
    const choice = page.getByRole('combobox', { name: 'Service' });
    await problem.waitFor();
    await choice.selectOption('studio.example');
    await problem.waitFor({ state: 'detached' });
    await choice.selectOption('api.example.com');
    await problem.waitFor();
    await expect.poll(() => app.main.callsOf('jobs.refresh').length).toBe(3);
    slow.resolve(several.jobs ?? []);
    await expect.poll(() => page.getByRole('button', { name: 'Refresh' }).isEnabled()).toBe(true);
    await page.getByRole('row', { name: 'talk.mp3' }).waitFor();
    expect(await problem.count()).toBe(1);
  });

  test('are shown before an account is removed, which keeps them', async () => {
    const account = {
      address: studio,
      keyStatus: 'keychain',
      unfinishedItemCount: 0,
      folderCount: 0,
    } as const;
    const page = await app.open({ ...several, accounts: [account] });
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Remove: studio.example' }).click();
    await page
      .getByText('studio.example keeps its transcripts, and their audio for up to 60 days.')
      .waitFor();
    await page.getByRole('button', { name: 'See what it keeps' }).click();
    await expect.poll(() => app.main.callsOf('jobs.refresh')).toEqual([{ service: studio }]);
    expect(app.main.callsOf('accounts.remove')).toEqual([]);
  });
});

describe('notices about the service', () => {
  test('report a vanished job until they are dismissed', async () => {
    const page = await app.open({
      ...paid,
      answers: { 'jobs.dismissVanished': () => [] },
    });
    await page.getByText('api.example.com no longer has Vox pops, market.wav').waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await expect.poll(() => app.main.callsOf('jobs.dismissVanished')).toStrictEqual([{ jobIds: ['job-20'] }]);
  });

  test('offer to restore jobs after a loss of data', async () => {
    const page = await app.open({
      ...paid,
      jobs: [{ ...jobs, vanished: [], recoveredFromBackup: true }],
    });
    await page.getByText('api.example.com has 2 finished transcripts that are not in your library').waitFor();
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await expect.poll(() => page.getByRole('heading', { name: 'On the service' }).count()).toBe(1);
  });

  test('mention missing jobs in the library when nothing was lost', async () => {
    const page = await app.open(paid);
    expect(await page.getByText('finished transcripts that are not in your library').count()).toBe(0);
    await page.locator('nav').getByRole('button', { name: 'Library' }).click();
    const link = page.getByRole('button', { name: 'On the service · 2 not in your library' });
    await expect.poll(() => link.count()).toBe(1);
  });
});

describe('ending work in the queue', () => {
  const state = { kind: 'transcribing', status: 'processing', progress: 40 } as const;

  test('shows beforehand what is refunded', async () => {
    const page = await app.open({ rows: [sampleRow({ id: 1, name: 'a.wav', service: cloud, state })] });
    await page.getByRole('row', { name: 'a.wav' }).click({ button: 'right' });
    const item = page.getByRole('menuitem', { name: 'Cancel' });
    await expect.poll(() => item.textContent()).toContain('Credits already charged are refunded.');
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await expect
      .poll(() => page.getByRole('dialog').textContent())
      .toContain('Credits already charged are refunded.');
  });

  test('mentions no credits where none are charged', async () => {
    const page = await app.open({ rows: [sampleRow({ id: 1, name: 'a.wav', state })] });
    await page.getByRole('row', { name: 'a.wav' }).click({ button: 'right' });
    expect(await page.getByRole('menu').textContent()).not.toMatch(/credit/i);
  });
});
