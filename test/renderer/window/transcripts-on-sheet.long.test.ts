import { expect, test } from 'vitest';
import { seasonAddSheet } from '../../support/window/sample-add-sheet.ts';
import { sampleTranscript } from '../../support/window/sample-transcripts.ts';
import { goTo } from '../../support/window/view.ts';
import { sampleLibrary } from '../../support/window/sample-transcripts.ts';
import { setUpTestWindow } from '../../support/window/test-window.ts';

const app = setUpTestWindow();

const sheet = () => app.page.getByRole('dialog', { name: 'recordings to add' });
const importSheet = () => app.page.getByRole('dialog', { name: '300 transcripts to import' });
const button = (name: string) => app.page.getByRole('button', { name, exact: true });

const transcripts = { toImport: 300, imported: 0 };

test.each([
  ['nothing else', []],
  ['duplicates', seasonAddSheet.filter(({ duplicate }) => duplicate !== null)],
])('with %s: the sheet is about importing, and closes after it', async (_, rows) => {
  const page = await app.open({
    addSheet: { rows, summary: { transcripts } },
    transcripts: [sampleTranscript({ id: 4 })],
  });
  await importSheet().waitFor();
  const words = await importSheet().textContent();
  for (const part of ['of audio', 'Free', 'about', 'Transcribed on this computer', 'Save next to', 'Start'])
    expect(words).not.toContain(part);
  await button('Import 300 transcripts').click();
  await page.getByText('300 transcripts imported').first().waitFor();
  await page.getByRole('grid', { name: 'Saved transcripts' }).waitFor();
  await button('Queue').click();
  expect(await page.getByRole('dialog', { name: /to import|to add/ }).count()).toBe(0);
});

test('the sheet begins at the button that imports, whatever had the focus before', async () => {
  const page = await app.open({ transcripts: [sampleTranscript({ id: 4 })] });
  await page.getByRole('button', { name: 'Library' }).click();
  await page.getByRole('grid', { name: 'Saved transcripts' }).waitFor();
  app.main.addSheet.change({ rows: [], summary: { transcripts } });
  await importSheet().waitFor();
  const focused = (): Promise<string | null | undefined> =>
    page.evaluate(() => document.activeElement?.textContent);
  await expect.poll(focused).toBe('Import 300 transcripts');
});

test('with recordings: the sheet stays, and says what was imported', async () => {
  await app.open({ addSheet: { rows: seasonAddSheet, summary: { transcripts } } });
  await sheet().getByText('300 transcripts are in these folders').waitFor();
  await button('Import 300 transcripts').click();
  await sheet().getByText('300 transcripts imported').waitFor();
  expect(await button('Import 300 transcripts').count()).toBe(0);
  await button('Start 132 recordings').waitFor();
});

test('the chosen account says before anything is added that its recordings would wait', async () => {
  const [refusing, empty] = ['https://refusing.example', 'https://empty.example'] as const;
  const page = await app.open({
    addSheet: { rows: seasonAddSheet },
    accounts: [refusing, empty].map((address) => ({
      address,
      keyStatus: 'keychain',
      unfinishedItemCount: 0,
      folderCount: 0,
    })),
    otherServices: [
      {
        service: refusing,
        condition: { kind: 'stopped', problem: { code: 'invalid_api_key' } },
        balanceCredits: null,
        activeJobs: 0,
      },
      { service: empty, condition: { kind: 'ready' }, balanceCredits: 0, activeJobs: 0 },
    ],
  });
  await page.setViewportSize({ width: 720, height: 560 });
  const service = page.getByRole('combobox', { name: 'Transcribe with' });
  await service.selectOption({ label: 'refusing.example' });
  const refusal = page.getByText('The service does not accept the key.');
  await expect.poll(() => refusal.isVisible()).toBe(true);
  await service.selectOption({ label: 'empty.example' });
  const shortage = page.getByText('The account has no credits left');
  await expect.poll(() => shortage.isVisible()).toBe(true);
});

test('after an import that found nothing new, undo says so before it undoes the import before that', async () => {
  const nothing = { guessed: [], trashed: [], rejected: [], unread: null };
  const reports = [
    { ...nothing, added: [{ id: 1, name: 'Interview' }], known: 0 },
    { ...nothing, added: [], known: 1 },
  ];
  const page = await app.open({
    transcripts: sampleLibrary(3),
    answers: {
      'library.pickImport': () => ['/a.srt'],
      'library.import': () => reports.shift() ?? { ...nothing, added: [], known: 0 },
    },
  });
  await goTo('Library')(page);
  const list = page.getByRole('grid', { name: 'Saved transcripts' });
  for (const title of ['Imported Interview', 'Nothing new was imported']) {
    await page.getByRole('button', { name: 'Import…' }).press('Enter');
    await page.getByText(title).first().waitFor();
  }
  await list.press('ControlOrMeta+z');
  await page.getByText('The last action changed nothing').first().waitFor();
  expect(app.main.callsOf('library.trash')).toEqual([]);
  await list.press('ControlOrMeta+z');
  await expect.poll(() => app.main.callsOf('library.trash')).toEqual([{ ids: [1] }]);
});
