import { describe, expect, test } from 'vitest';
import type { ModelOption, ModelOptions, SpeechModelView } from '../../../electron/contract/speech-models.ts';
import type { Scene } from '../../support/window/fake-main.ts';
import { defaultModelOptions, defaultModels } from '../../support/window/default-state.ts';
import { goTo } from '../../support/window/view.ts';
import { setUpTestWindow } from '../../support/window/test-window.ts';

const app = setUpTestWindow();

const accurate = () => app.page.getByRole('listitem', { name: 'Accurate' });

/** The default models, with a change to the accurate one. */
const withAccurate = (change: Partial<SpeechModelView>): readonly SpeechModelView[] =>
  defaultModels.map((model) => (model.accuracy === 'accurate' ? { ...model, ...change } : model));

async function open(change: Partial<SpeechModelView> = {}, scene: Scene = {}): Promise<void> {
  const page = await app.open({ ...scene, models: withAccurate(change) });
  await goTo('Settings')(page);
  await accurate().scrollIntoViewIfNeeded();
}

/** Opens the menu of the accurate model by keyboard, and chooses an entry. */
async function choose(item: string): Promise<void> {
  await accurate().getByRole('button', { name: 'More actions for Accurate' }).press('Enter');
  await app.page.getByRole('menuitem', { name: item }).press('Enter');
}

describe('a model in the settings', () => {
  test('is downloaded, and shows its state from missing to ready', async () => {
    await open({ state: { kind: 'absent', keptBytes: 0 } });
    await accurate().getByText('Whisper small · 252 MB').waitFor();
    await accurate().getByRole('button', { name: 'Download 252 MB: Whisper small' }).press('Enter');
    await expect.poll(() => app.main.callsOf('models.download')).toEqual([{ accuracy: 'accurate' }]);

    const state = { kind: 'downloading', doneBytes: 126_000_000, bytesPerSecond: 4_200_000 } as const;
    await app.push('models.changed', withAccurate({ state }));
    await accurate().getByText('126 MB downloaded · 4.2 MB/s').waitFor();
    await expect.poll(() => accurate().getByRole('progressbar').getAttribute('aria-valuenow')).toBe('50');
    await accurate().getByRole('button', { name: 'Stop: Whisper small' }).click();
    await expect.poll(() => app.main.callsOf('models.stopDownload')).toHaveLength(1);

    await app.push('models.changed', withAccurate({ state: { kind: 'absent', keptBytes: 126_000_000 } }));
    await accurate().getByText('126 MB already downloaded').waitFor();
    await accurate().getByRole('button', { name: 'Resume download' }).click();
    await expect.poll(() => app.main.callsOf('models.download')).toHaveLength(2);

    await app.push('models.changed', withAccurate({ state: { kind: 'ready', origin: 'downloaded' } }));
    await accurate().getByText('Ready, downloaded').waitFor();
    await expect.poll(() => accurate().getByRole('status').textContent()).toBe('Whisper small is ready');
  });

  test('whose download failed says why, and can be retried', async () => {
    await open({ state: { kind: 'failed', problem: { code: 'disk_full' }, keptBytes: 0 } });
    await accurate().getByText('The disk is full.', { exact: false }).waitFor();
    await accurate().getByRole('button', { name: 'Try again: Whisper small' }).click();
    await expect.poll(() => app.main.callsOf('models.download')).toEqual([{ accuracy: 'accurate' }]);
  });

  test('shows its speed once that is measured, and is measured again on request', async () => {
    await open();
    await accurate().getByText('Speed not measured yet').waitFor();
    await choose('Measure speed');
    await expect.poll(() => app.main.callsOf('models.measure')).toEqual([{ accuracy: 'accurate' }]);
    await app.push('models.changed', withAccurate({ measuring: true }));
    await accurate().getByText('Measuring speed…').first().waitFor();
    await app.push('models.changed', withAccurate({ speed: { timesRealTime: 6.04, source: 'recordings' } }));
    await accurate()
      .getByText('One hour of audio takes about 10 min here (6 × real time). Measured with your recordings.')
      .waitFor();
  });

  test('can be in a folder of the user’s, and be reset to the default one', async () => {
    await open();
    await choose('Use a folder of your own…');
    await app.page.getByText('“Accurate” now uses your own model').waitFor();
    const own = {
      name: 'Whisper medium',
      ownFolder: 'medium',
      state: { kind: 'ready', origin: 'own' },
    } as const;
    await app.push('models.changed', withAccurate(own));
    await accurate().getByText('In your folder “medium”').waitFor();
    await choose('Use the default model again');
    await expect.poll(() => app.main.callsOf('models.forgetFolder')).toHaveLength(1);
  });

  test('in an unsuitable folder is reported, and nothing changes', async () => {
    await open({}, { refused: { 'models.chooseFolder': 'model_folder_incomplete' } });
    await choose('Use a folder of your own…');
    await app.page.getByRole('alert').getByText('is not complete', { exact: false }).waitFor();
    await expect
      .poll(() => accurate().getByText('Whisper small', { exact: false }).first().isVisible())
      .toBe(true);
  });

  test('can be deleted only when it was downloaded', async () => {
    await open({ state: { kind: 'ready', origin: 'downloaded' } });
    await choose('Delete from this computer');
    await expect.poll(() => app.main.callsOf('models.delete')).toEqual([{ accuracy: 'accurate' }]);
    await app.push('models.changed', defaultModels);
    await accurate().getByRole('button', { name: 'More actions for Accurate' }).click();
    await app.page.getByRole('menuitem', { name: 'Measure speed' }).waitFor();
    expect(await app.page.getByRole('menuitem', { name: 'Delete from this computer' }).count()).toBe(0);
  });
});

const dialog = () => app.page.getByRole('dialog', { name: 'Model for “Accurate”' });
const turbo = () => dialog().getByRole('listitem', { name: 'Whisper large-v3-turbo' });
const withTurbo = (change: Partial<ModelOption>): readonly ModelOption[] =>
  defaultModelOptions.map((option) => (option.id === 'large-v3-turbo' ? { ...option, ...change } : option));

describe('the choice of a model', () => {
  test('downloads a model and uses it, and shows its state meanwhile', async () => {
    let shown: ModelOptions = { options: defaultModelOptions, freeBytes: 212e9 };
    await open({}, { answers: { 'models.options': () => shown } });
    await accurate().getByRole('button', { name: 'Change model…' }).press('Enter');
    await dialog().getByText('212 GB free', { exact: false }).waitFor();
    await turbo()
      .getByText('99 languages · does not translate · about 1.3 × real time', { exact: false })
      .waitFor();
    await dialog().getByRole('listitem', { name: 'Whisper small' }).getByText('In use').waitFor();
    await turbo().getByRole('button', { name: 'Download 1.1 GB and use' }).press('Enter');
    await expect
      .poll(() => app.main.callsOf('models.use'))
      .toEqual([{ accuracy: 'accurate', model: 'large-v3-turbo' }]);

    const show = async (change: Partial<ModelOption>, used: Partial<SpeechModelView> = {}): Promise<void> => {
      shown = { options: withTurbo(change), freeBytes: 1e9 };
      await app.push('models.changed', withAccurate(used));
    };
    await show({ state: { kind: 'downloading', doneBytes: 434_000_000, bytesPerSecond: 0 } });
    await turbo().getByText('434 MB downloaded').waitFor();
    await turbo().getByRole('button', { name: 'Stop' }).click();
    await expect
      .poll(() => app.main.callsOf('models.stopDownload'))
      .toEqual([{ accuracy: 'accurate', model: 'large-v3-turbo' }]);

    await show({ state: { kind: 'ready', origin: 'downloaded' }, checking: true });
    await turbo().getByText('Being checked…').waitFor();
    const check = { passed: true, said: 'a', heard: 'a', errorRate: 0, timesRealTime: 1.2, failure: null };
    await show(
      { state: { kind: 'ready', origin: 'downloaded' }, check, timesRealTime: 1.2, isMeasured: true },
      { id: 'large-v3-turbo', name: 'Whisper large-v3-turbo', translatesWith: 'Whisper small' },
    );
    await turbo().getByText('In use').waitFor();
    await turbo().getByText('Checked here: 0% of the words wrong.').waitFor();
    await dialog().getByRole('button', { name: 'Close' }).click();
    await accurate().getByText('Cannot translate; Whisper small does that.').waitFor();
  });

  test('says that a model failed its check, and offers the report', async () => {
    const check = {
      passed: false,
      said: 'ask not',
      heard: 'as',
      errorRate: 1,
      timesRealTime: null,
      failure: null,
    };
    await open({}, { modelOptions: withTurbo({ state: { kind: 'ready', origin: 'downloaded' }, check }) });
    await accurate().getByRole('button', { name: 'Change model…' }).click();
    await turbo().getByText('Not used: too many words were wrong', { exact: false }).waitFor();
    await turbo().getByRole('button', { name: 'Copy report' }).click();
    await expect
      .poll(() => app.main.callsOf('transcript.copy'))
      .toEqual([{ text: 'Whisper large-v3-turbo\nSaid: ask not\nHeard: as\nWrong words: 100%' }]);
    await turbo().getByRole('button', { name: 'Delete from this computer' }).click();
    await expect
      .poll(() => app.main.callsOf('models.delete'))
      .toEqual([{ accuracy: 'accurate', model: 'large-v3-turbo' }]);
  });
});

test('the welcome screen shows the speed of its model once that is known', async () => {
  const page = await app.open({ settings: { service: null } });
  await page.getByText('Uses Whisper base').waitFor();
  expect(await page.getByText('× real time').count()).toBe(0);
  await app.push(
    'models.changed',
    defaultModels.map((model) => ({ ...model, speed: { timesRealTime: 12.4, source: 'sample' as const } })),
  );
  await page
    .getByText('One hour of audio takes about 5 min here (12 × real time). Measured with a short sample.')
    .waitFor();
});
