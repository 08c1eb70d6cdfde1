import { describe, expect, test } from 'vitest';
import type { SpeechModel } from '../../../electron/contract/speech-models.ts';
import type { Scene } from '../../support/window/fake-main.ts';
import { defaultModels } from '../../support/window/default-state.ts';
import { goTo } from '../../support/window/view.ts';
import { useWindow } from '../../support/window/use-window.ts';

const window = useWindow();

const accurate = () => window.page.getByRole('listitem', { name: 'Accurate' });

/** The default models, with a change to the accurate one. */
const withAccurate = (change: Partial<SpeechModel>): readonly SpeechModel[] =>
  defaultModels.map((model) => (model.accuracy === 'accurate' ? { ...model, ...change } : model));

async function open(change: Partial<SpeechModel> = {}, scene: Scene = {}): Promise<void> {
  const page = await window.open({ ...scene, models: withAccurate(change) });
  await goTo('Settings')(page);
  await accurate().scrollIntoViewIfNeeded();
}

/** Opens the menu of the accurate model by keyboard, and chooses an entry. */
async function choose(item: string): Promise<void> {
  await accurate().getByRole('button', { name: 'More actions for Accurate' }).press('Enter');
  await window.page.getByRole('menuitem', { name: item }).press('Enter');
}

describe('a model in the settings', () => {
  test('is downloaded, and shows its state from missing to ready', async () => {
    await open({ state: { kind: 'absent', keptBytes: 0 } });
    await accurate().getByText('Whisper small · 252 MB').waitFor();
    await accurate().getByRole('button', { name: 'Download 252 MB: Whisper small' }).press('Enter');
    await expect.poll(() => window.main.callsOf('models.download')).toEqual([{ accuracy: 'accurate' }]);

    const state = { kind: 'downloading', doneBytes: 126_000_000, bytesPerSecond: 4_200_000 } as const;
    await window.push('models.changed', withAccurate({ state }));
    await accurate().getByText('126 MB downloaded · 4.2 MB/s').waitFor();
    await expect.poll(() => accurate().getByRole('progressbar').getAttribute('aria-valuenow')).toBe('50');
    await accurate().getByRole('button', { name: 'Stop: Whisper small' }).click();
    await expect.poll(() => window.main.callsOf('models.stopDownload')).toHaveLength(1);

    await window.push('models.changed', withAccurate({ state: { kind: 'absent', keptBytes: 126_000_000 } }));
    await accurate().getByText('126 MB already downloaded').waitFor();
    await accurate().getByRole('button', { name: 'Resume download' }).click();
    await expect.poll(() => window.main.callsOf('models.download')).toHaveLength(2);

    await window.push('models.changed', withAccurate({ state: { kind: 'ready', origin: 'downloaded' } }));
    await accurate().getByText('Ready, downloaded').waitFor();
    await expect.poll(() => accurate().getByRole('status').textContent()).toBe('Whisper small is ready');
  });

  test('whose download failed says why, and can be retried', async () => {
    await open({ state: { kind: 'failed', problem: { code: 'disk_full' }, keptBytes: 0 } });
    await accurate().getByText('The disk is full.', { exact: false }).waitFor();
    await accurate().getByRole('button', { name: 'Try again: Whisper small' }).click();
    await expect.poll(() => window.main.callsOf('models.download')).toEqual([{ accuracy: 'accurate' }]);
  });

  test('shows its speed once that is measured, and is measured again on request', async () => {
    await open();
    await accurate().getByText('Speed not measured yet').waitFor();
    await choose('Measure speed');
    await expect.poll(() => window.main.callsOf('models.measure')).toEqual([{ accuracy: 'accurate' }]);
    await window.push('models.changed', withAccurate({ measuring: true }));
    await accurate().getByText('Measuring speed…').first().waitFor();
    await window.push('models.changed', withAccurate({ timesRealTime: 6.04 }));
    await accurate().getByText('One hour of audio takes about 10 min here (6 × real time)').waitFor();
  });

  test('can be in a folder of the user’s, and be reset to the default one', async () => {
    await open();
    await choose('Use a folder of your own…');
    await window.page.getByText('“Accurate” now uses your own model').waitFor();
    const own = {
      name: 'Whisper medium',
      ownFolder: 'medium',
      state: { kind: 'ready', origin: 'own' },
    } as const;
    await window.push('models.changed', withAccurate(own));
    await accurate().getByText('In your folder “medium”').waitFor();
    await choose('Use the default model again');
    await expect.poll(() => window.main.callsOf('models.forgetFolder')).toHaveLength(1);
  });

  test('in an unsuitable folder is reported, and nothing changes', async () => {
    await open({}, { refused: { 'models.chooseFolder': 'model_folder_incomplete' } });
    await choose('Use a folder of your own…');
    await window.page.getByRole('alert').getByText('is not complete', { exact: false }).waitFor();
    await expect
      .poll(() => accurate().getByText('Whisper small', { exact: false }).first().isVisible())
      .toBe(true);
  });

  test('can be deleted only when it was downloaded', async () => {
    await open({ state: { kind: 'ready', origin: 'downloaded' } });
    await choose('Delete from this computer');
    await expect.poll(() => window.main.callsOf('models.delete')).toEqual([{ accuracy: 'accurate' }]);
    await window.push('models.changed', defaultModels);
    await accurate().getByRole('button', { name: 'More actions for Accurate' }).click();
    await window.page.getByRole('menuitem', { name: 'Measure speed' }).waitFor();
    expect(await window.page.getByRole('menuitem', { name: 'Delete from this computer' }).count()).toBe(0);
  });
});

test('the welcome screen shows the speed of its model once that is known', async () => {
  const page = await window.open({ settings: { service: null } });
  await page.getByText('Uses Whisper base').waitFor();
  expect(await page.getByText('× real time').count()).toBe(0);
  await window.push(
    'models.changed',
    defaultModels.map((model) => ({ ...model, timesRealTime: 12.4 })),
  );
  await page.getByText('One hour of audio takes about 5 min here (12 × real time)').waitFor();
});
