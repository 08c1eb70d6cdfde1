import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { defaultJobOptions } from '../../../electron/contract/options.ts';
import type { SpeakersReport } from '../../../electron/contract/speakers.ts';
import type { RecordingStatus } from '../../../electron/contract/recording-status.ts';
import { defaultSpeakerModels } from '../../support/window/default-state.ts';
import type { Scene } from '../../support/window/fake-main.ts';
import { openTranscript, segmentOf } from '../../support/window/open-transcript.ts';
import { setUpTestWindow } from '../../support/window/test-window.ts';

const app = setUpTestWindow();

const segments = ['How are you?', 'Very well.', 'Then let us begin.'].map((text, i) => ({
  start: i * 4,
  end: i * 4 + 4,
  text,
}));
const recording: RecordingStatus = {
  kind: 'ready',
  media: 'audio',
  url: 'media://transcript/4',
  sizeBytes: 1000,
  stamp: '0'.repeat(32),
};
const ready: Scene = {
  speakerModels: { ...defaultSpeakerModels, isReady: true },
  recordings: { 4: recording },
};

async function openDialog(scene: Scene): Promise<Page> {
  const page = await openTranscript(app, { segments }, scene);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Identify speakers…' }).click();
  return page;
}

const identify = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Identify', exact: true }).click();

const speakers = async (page: Page): Promise<readonly string[]> => {
  const rows = await page.locator('main').getByRole('listitem').allInnerTexts();
  return rows.map((row) => /Speaker \d/.exec(row)?.[0] ?? '');
};

/** Identifies speakers when the test says so. */
function delayed(): { readonly scene: Scene; readonly end: (report: SpeakersReport | null) => void } {
  const { promise, resolve } = Promise.withResolvers<SpeakersReport | null>();
  return { scene: { ...ready, answers: { 'speakers.identify': () => promise } }, end: resolve };
}

test('the models are described before they are downloaded; then the speakers appear as one edit', async () => {
  const settings = { options: { ...defaultJobOptions, terms: ['Thandeka Lindqvist'] } };
  const page = await openDialog({ recordings: { 4: recording }, settings });
  const dialog = page.getByRole('dialog', { name: 'Identify speakers' });
  await dialog.getByText('27 MB · CC-BY-4.0 · github.com/k2-fsa/sherpa-onnx').waitFor();
  await dialog.getByText('6 MB · MIT · huggingface.co').waitFor();
  expect(app.main.callsOf('speakers.download')).toEqual([]);
  await dialog.getByRole('button', { name: 'Download 33 MB' }).click();
  await identify(page);
  await page.getByText('2 speakers found').waitFor();
  expect(app.main.callsOf('speakers.identify')).toMatchObject([{ id: 4, count: null }]);
  await expect.poll(() => speakers(page)).toEqual(['Speaker 1', 'Speaker 2', 'Speaker 1']);
  expect(await page.getByText('changed elsewhere').count()).toBe(0);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Name speakers…' }).click();
  const names = page.getByRole('dialog', { name: 'Speakers', exact: true });
  await names.getByText('8 s · 90% confidence').waitFor();
  await names.getByText('4 s · 90% confidence').waitFor();
  // A browser offers them without showing them in the page.
  const offered = await names
    .getByLabel('Speaker 1', { exact: true })
    .evaluate((field) =>
      Array.from(
        document.querySelectorAll(`#${CSS.escape(field.getAttribute('list') ?? '')} option`),
        (option) => option.getAttribute('value'),
      ),
    );
  expect(offered).toEqual(['Thandeka Lindqvist']);
  await page.keyboard.press('Escape');
  await names.waitFor({ state: 'hidden' });
  await page.keyboard.press('Control+z');
  await expect.poll(() => speakers(page)).toEqual(['', '', '']);
});

test('a number can be given, and must be one', async () => {
  const page = await openDialog(ready);
  await page.getByText('Exact number').click();
  const field = page.getByLabel('Speakers', { exact: true });
  await field.fill('none');
  await page.getByText('Enter a whole number from 1 to 100.').waitFor();
  expect(await page.getByRole('button', { name: 'Identify', exact: true }).isDisabled()).toBe(true);
  await field.fill('3');
  await identify(page);
  await expect.poll(() => app.main.callsOf('speakers.identify').length).toBe(1);
  expect(app.main.callsOf('speakers.identify')[0]).toMatchObject({ count: 3 });
});

test('the models can be in a folder of one’s own, and downloaded ones be deleted', async () => {
  const page = await openDialog({ recordings: { 4: recording } });
  await page.getByRole('button', { name: 'Use a folder of your own…' }).click();
  await page.getByText('In your folder “voices”').waitFor();
  await page.getByRole('button', { name: 'Use the default model again' }).click();
  await page.getByRole('button', { name: 'Download 33 MB' }).click();
  await page.getByText('The models are on this computer.').waitFor();
  await page.getByRole('button', { name: 'Delete from this computer' }).click();
  await page.getByRole('button', { name: 'Download 33 MB' }).waitFor();
  const calls = app.main.calls.map(({ name }) => name).filter((name) => name.startsWith('speakers.'));
  expect(calls).toEqual([
    'speakers.queue',
    'speakers.models',
    'speakers.chooseFolder',
    'speakers.forgetFolder',
    'speakers.download',
    'speakers.delete',
  ]);
});

test('the progress is shown, and stopping changes nothing', async () => {
  const { scene, end } = delayed();
  const page = await openDialog(scene);
  await identify(page);
  await expect.poll(() => app.main.callsOf('speakers.identify').length).toBe(1);
  const { task } = app.main.callsOf('speakers.identify')[0]!;
  await app.push('library.progress', { task, isWaiting: false, done: 60, total: 3600, unit: 'seconds' });
  const dialog = page.getByRole('dialog', { name: 'Identifying speakers' });
  await dialog.getByText('1 min of 1 h').waitFor();
  await dialog.getByRole('button', { name: 'Stop' }).click();
  await expect.poll(() => app.main.callsOf('library.cancel')).toEqual([{ task }]);
  end(null);
  await dialog.waitFor({ state: 'hidden' });
  expect(await speakers(page)).toEqual(['', '', '']);
  expect(await page.getByText('found').count()).toBe(0);
});

test('what is typed during a run stays', async () => {
  const { scene, end } = delayed();
  const page = await openDialog(scene);
  await identify(page);
  await expect.poll(() => app.main.callsOf('speakers.identify').length).toBe(1);
  await segmentOf(page, 2).click();
  await page.keyboard.press('End');
  await page.keyboard.type(' Thank you.');
  const edits = app.main.edits(4)!;
  await expect.poll(() => edits.texts[1]).toBe('Very well. Thank you.');
  await page.keyboard.type(' And you?');
  const turns = segments.map(({ start, end: until }, i) => ({
    start,
    end: until,
    speaker: i,
    confidence: 1,
  }));
  edits.editElsewhere({ kind: 'assign-speakers', turns });
  await app.push('transcripts.changed', [4]);
  end({ speakers: 3, changed: true });
  await page.getByText('3 speakers found').waitFor();
  await expect.poll(() => speakers(page)).toEqual(['Speaker 1', 'Speaker 2', 'Speaker 3']);
  await expect
    .poll(() => edits.texts)
    .toEqual(['How are you?', 'Very well. Thank you. And you?', 'Then let us begin.']);
});

test('a key reassigns a speaker from a segment on, and the list merges two, each as one edit', async () => {
  const page = await openDialog(ready);
  await identify(page);
  await expect.poll(() => speakers(page)).toEqual(['Speaker 1', 'Speaker 2', 'Speaker 1']);
  await segmentOf(page, 1).click();
  await page.keyboard.press('Alt+Shift+3');
  await page.getByText('2 segments assigned to Speaker 3').first().waitFor();
  await expect.poll(() => speakers(page)).toEqual(['Speaker 3', 'Speaker 2', 'Speaker 3']);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Name speakers…' }).click();
  await page.getByLabel('Merge Speaker 2').selectOption('Merge with Speaker 3');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => speakers(page)).toEqual(['Speaker 3', '', '']);
  await page.keyboard.press('Control+z');
  await expect.poll(() => speakers(page)).toEqual(['Speaker 3', 'Speaker 2', 'Speaker 3']);
  await page.keyboard.press('Control+z');
  await expect.poll(() => speakers(page)).toEqual(['Speaker 1', 'Speaker 2', 'Speaker 1']);
});

test('a problem is shown, and the transcript stays as it is', async () => {
  const page = await openDialog({ ...ready, refused: { 'speakers.identify': 'recording_missing' } });
  await identify(page);
  await page.getByText('This transcript has no recording on this computer.').first().waitFor();
  expect(await speakers(page)).toEqual(['', '', '']);
});

test('a voice is remembered only if the user asks, and suggests a name that the user can take', async () => {
  const page = await openDialog({
    ...ready,
    answers: {
      'speakers.voices': () => [{ name: 'Anna', rememberedAt: 0 }],
      'speakers.suggestNames': () => [{ speaker: 1, name: 'Anna' }],
    },
  });
  await identify(page);
  await page.getByText('2 speakers found').waitFor();
  const openNames = async (): Promise<void> => {
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Name speakers…' }).click();
  };
  await openNames();
  await page.getByLabel('Speaker 1', { exact: true }).fill('Ben');
  await page.getByRole('button', { name: 'Sounds like Anna' }).click();
  await page.getByText('Update the remembered voice').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => app.main.edits(4)!.open().speakers).toEqual(['Ben', 'Anna']);
  expect(app.main.callsOf('speakers.rememberVoices')).toEqual([]);
  await openNames();
  await page.getByText('Remember this voice').click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The voice of Ben is remembered').waitFor();
  expect(app.main.callsOf('speakers.rememberVoices')).toEqual([{ id: 4, names: ['Ben'] }]);
});

test('without a recording, for example from a link, the dialog says so and lets the user choose one', async () => {
  const page = await openDialog({
    ...ready,
    recordings: {},
    answers: {
      'transcript.chooseRecording': () => ({
        recording,
        name: 'talk.mp3',
        before: null,
        renamedTo: null,
        isChanged: true,
        others: 0,
      }),
    },
  });
  const dialog = page.getByRole('dialog', { name: 'Identify speakers' });
  await dialog.getByText('it comes from a link').waitFor();
  expect(await dialog.getByRole('button', { name: 'Identify', exact: true }).count()).toBe(0);
  await dialog.getByRole('button', { name: 'Choose recording…' }).click();
  await identify(page);
  await page.getByText('2 speakers found').waitFor();
});

test('speakers that cannot be stored are shown with the cause, and can be cancelled', async () => {
  const page = await app.open({
    speakers: { waiting: 2, postponedBy: { code: 'disk_full' } },
  });
  await page.getByText('The speakers of 2 transcripts').waitFor();
  await page.getByText('The disk is full').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect.poll(() => app.main.callsOf('speakers.cancelAll')).toHaveLength(1);
});
