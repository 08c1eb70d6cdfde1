import { describe, expect, test } from 'vitest';
import { defaultJobOptions } from '../../../electron/contract/options.ts';
import { sampleAddSheetRow, seasonAddSheet } from '../../support/window/sample-add-sheet.ts';
import { goTo, typeInFocus } from '../../support/window/view.ts';
import { pressAtOnce } from '../../support/window/press-at-once.ts';
import { setUpTestWindow } from '../../support/window/test-window.ts';

const app = setUpTestWindow();

const cloud = 'https://api.example.com';
const row = (name: string) => app.page.getByRole('row', { name });
const termsField = () => app.page.getByRole('textbox', { name: 'Names and terms' });
const button = (name: string) => app.page.getByRole('button', { name, exact: true });

describe('options', () => {
  test('a language is found by keys that follow each other at once', async () => {
    const page = await app.open({ addSheet: { rows: seasonAddSheet } });
    const language = page.getByRole('combobox', { name: 'Spoken language' });
    await language.focus();
    await pressAtOnce(page, ['Enter', ...'spani', 'Enter', 'Enter', ...'germ', 'Enter']);
    await expect
      .poll(() => app.main.callsOf('addSheet.setDefaultOptions'))
      .toStrictEqual([{ options: { language: 'es' } }, { options: { language: 'de' } }]);
  });

  test('the languages of the latest transcripts and of the system are above all others', async () => {
    const page = await app.open({
      addSheet: { rows: seasonAddSheet },
      answers: { 'library.languages': () => ['pt-BR', 'yo', 'tlh'] },
    });
    await page.getByRole('combobox', { name: 'Spoken language' }).click();
    const names = async () =>
      (await page.getByRole('listbox').getByRole('option').allTextContents()).slice(0, 6);
    await expect
      .poll(names)
      .toEqual(['Detect the language', 'Portuguese', 'Yoruba', 'English', 'Afrikaans', 'Albanian']);
  });

  test('of all recordings: a language is found by typing', async () => {
    const page = await app.open({ addSheet: { rows: seasonAddSheet } });
    await page.getByRole('combobox', { name: 'Spoken language' }).click();
    await typeInFocus(page, 'spani');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => app.main.callsOf('addSheet.setDefaultOptions'))
      .toStrictEqual([{ options: { language: 'es' } }]);
    await page.getByText('Accurate', { exact: true }).click();
    await page.getByRole('checkbox', { name: 'Translate into English' }).check();
    await expect
      .poll(() => app.main.callsOf('addSheet.setDefaultOptions').slice(1))
      .toStrictEqual([{ options: { accuracy: 'accurate' } }, { options: { translateToEnglish: true } }]);
  });

  test('identifying speakers offers the download of the models that it needs', async () => {
    const page = await app.open({ addSheet: { rows: seasonAddSheet } });
    await page.getByRole('combobox', { name: 'Speakers' }).selectOption('Identify speakers');
    const note = page.getByText('The transcripts will have no speakers');
    await note.getByRole('button', { name: /^Download \d+ MB$/ }).click();
    await note.waitFor({ state: 'detached' });
    expect(app.main.callsOf('speakers.download')).toHaveLength(1);
  });

  test('the switch between all and the selected is apart from the fields below it', async () => {
    const page = await app.open({ addSheet: { rows: seasonAddSheet } });
    await row('Episode 101.wav').click();
    for (const width of [1280, 800]) {
      await page.setViewportSize({ width, height: 700 });
      const scope = await page.getByRole('radiogroup', { name: 'Options apply to' }).boundingBox();
      const label = await page.getByText('Spoken language').boundingBox();
      if (scope === null || label === null) throw new Error('one of them is not visible');
      expect(label.y - scope.y - scope.height).toBeGreaterThanOrEqual(6);
    }
  });

  test('of single rows, by keyboard only, and back to those of all', async () => {
    const page = await app.open({ addSheet: { rows: seasonAddSheet } });
    await page.getByRole('grid').waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.role)).toBe('grid');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByText('Options for the 2 selected recordings').waitFor();
    await page.getByText('Fast', { exact: true }).first().click();
    await expect
      .poll(() => app.main.callsOf('addSheet.setOptions'))
      .toStrictEqual([{ ids: [1, 2], options: { accuracy: 'fast' } }]);
    await row('Episode 101.wav').getByText('Fast').waitFor();
    await button('Same as all').click();
    await expect.poll(() => app.main.callsOf('addSheet.clearOptions')).toStrictEqual([{ ids: [1, 2] }]);
  });

  test('that differ among the selected rows are shown as mixed', async () => {
    const page = await app.open({ addSheet: { rows: seasonAddSheet } });
    await row('Episode 103.wav').click();
    await row('Episode 104.wav').click({ modifiers: ['Shift'] });
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Spoken language' }).textContent())
      .toContain('Mixed');
    const accuracy = page.getByRole('radiogroup', { name: 'Accuracy' });
    await expect.poll(() => accuracy.getByRole('radio', { checked: true }).count()).toBe(0);
  });

  test('apply only to several rows once they are selected, until the switch says otherwise', async () => {
    const page = await app.open({ addSheet: { rows: seasonAddSheet } });
    const scope = (name: string) =>
      page.getByRole('radiogroup', { name: 'Options apply to' }).getByRole('radio', { name, exact: true });
    await row('Episode 101.wav').click();
    await row('Episode 102.wav').click({ modifiers: ['ControlOrMeta'] });
    await expect.poll(() => scope('Only for the 2 selected').isChecked()).toBe(true);
    await page.getByText('Accurate', { exact: true }).first().click();
    await expect
      .poll(() => app.main.callsOf('addSheet.setOptions'))
      .toStrictEqual([{ ids: [1, 2], options: { accuracy: 'accurate' } }]);
    // A click on another row does not silently apply the options to all again.
    await row('Episode 103.wav').click();
    await expect.poll(() => scope('Only for the selected one').isChecked()).toBe(true);
    await page.getByText('Options for all', { exact: true }).first().click();
    await row('Episode 104.wav').click({ modifiers: ['Shift'] });
    await expect.poll(() => scope('Options for all').isChecked()).toBe(true);
    expect(app.main.callsOf('addSheet.setDefaultOptions')).toStrictEqual([]);
  });

  test('apply to all while a single row is selected, until the switch says otherwise', async () => {
    const page = await app.open({ addSheet: { rows: seasonAddSheet } });
    await row('Episode 101.wav').click();
    await page.getByText('Fast', { exact: true }).first().click();
    await expect
      .poll(() => app.main.callsOf('addSheet.setDefaultOptions'))
      .toStrictEqual([{ options: { accuracy: 'fast' } }]);
    await page.getByText('Only for the selected one').click();
    await page.getByText('Accurate', { exact: true }).first().click();
    await expect
      .poll(() => app.main.callsOf('addSheet.setOptions'))
      .toStrictEqual([{ ids: [1], options: { accuracy: 'accurate' } }]);
    await row('Episode 102.wav').getByText('Fast').waitFor();
  });

  test('the selection is summed up, even beyond the loaded rows', async () => {
    const rows = Array.from({ length: 3000 }, (_, index) => sampleAddSheetRow({ id: index + 1 }));
    const page = await app.open({
      addSheet: { rows },
      settings: { service: cloud },
      accounts: [{ address: cloud, keyStatus: 'keychain', unfinishedItemCount: 0, folderCount: 0 }],
    });
    await page.getByRole('grid').press('ControlOrMeta+a');
    await row('Episode 102.wav').click({ modifiers: ['ControlOrMeta'] });
    await page.getByText(/^[\d,]+ h · 176,941 credits$/).waitFor();
    expect(app.main.callsOf('addSheet.ids')).toStrictEqual([]);
  });

  test('Space excludes the selection', async () => {
    const page = await app.open({ addSheet: { rows: seasonAddSheet } });
    await row('Episode 101.wav').click();
    await row('Episode 103.wav').click({ modifiers: ['Shift'] });
    await page.keyboard.press('Space');
    await expect
      .poll(() => app.main.callsOf('addSheet.include'))
      .toStrictEqual([{ ids: [1, 2, 3], included: false }]);
  });

  test('a complete selection is named by its group', async () => {
    const rows = Array.from({ length: 3000 }, (_, index) => sampleAddSheetRow({ id: index + 1 }));
    const page = await app.open({ addSheet: { rows } });
    await page.getByRole('grid').press('ControlOrMeta+a');
    await row('Episode 102.wav').click({ modifiers: ['ControlOrMeta'] });
    await page.getByText('Only for the 2,999 selected').click();
    await page.getByText('Options for the 2,999 selected recordings').waitFor();
    await page.getByText('Fast', { exact: true }).first().click();
    await page.getByRole('grid').press('ArrowDown');
    await page.getByRole('grid').press('ControlOrMeta+a');
    await page.getByRole('grid').press('Space');
    await button('Start').waitFor();
    await expect
      .poll(() => app.main.callsOf('addSheet.setOptions'))
      .toStrictEqual([{ all: 'ready', except: [2], options: { accuracy: 'fast' } }]);
    await expect
      .poll(() => app.main.callsOf('addSheet.include'))
      .toStrictEqual([{ all: 'ready', except: [], included: false }]);
    expect(app.main.callsOf('addSheet.ids')).toStrictEqual([]);
  });
});

describe('names and terms', () => {
  test('of all recordings are typed or pasted, and those of selected rows are their own', async () => {
    const page = await app.open({ addSheet: { rows: seasonAddSheet } });
    await button('Names and terms…').click();
    await termsField().fill('Aisling Wetherby\nOkonkwo, Mbeki\n');
    await page.getByText('3 names and terms', { exact: true }).waitFor();
    await button('Apply').click();
    await expect
      .poll(() => app.main.callsOf('addSheet.setDefaultOptions'))
      .toStrictEqual([{ options: { terms: ['Aisling Wetherby', 'Okonkwo', 'Mbeki'] } }]);
    await button('3 names and terms…').waitFor();
    await row('Episode 101.wav').click();
    await page.getByText('Only for the selected one').click();
    await button('3 names and terms…').click();
    await expect.poll(() => termsField().inputValue()).toBe('Aisling Wetherby\nOkonkwo\nMbeki');
    await termsField().fill('Quigley');
    await button('Apply').click();
    await expect
      .poll(() => app.main.callsOf('addSheet.setOptions'))
      .toStrictEqual([{ ids: [1], options: { terms: ['Quigley'] } }]);
    await row('Episode 102.wav').click({ modifiers: ['ControlOrMeta'] });
    await button('Names and terms…').click();
    await expect.poll(() => termsField().getAttribute('placeholder')).toBe('Mixed');
  });

  test('are added from a text file that the user picks', async () => {
    const pickedTerms = { terms: ['Okonkwo', 'Gdansk'], isShortened: false };
    await app.open({ addSheet: { rows: seasonAddSheet }, pickedTerms });
    await button('Names and terms…').click();
    await termsField().fill('Okonkwo');
    await button('Import from a file…').click();
    await expect.poll(() => termsField().inputValue()).toBe('Okonkwo\nGdansk');
  });

  test('beyond the limit are not kept, and the field says so', async () => {
    const page = await app.open({ addSheet: { rows: seasonAddSheet } });
    await button('Names and terms…').click();
    await termsField().fill(Array.from({ length: 201 }, (_, i) => `Name ${i}`).join('\n'));
    await page.getByText('The first 200 are kept.').waitFor();
    await button('Apply').click();
    await expect
      .poll(() => app.main.callsOf('addSheet.setDefaultOptions').map(({ options }) => options.terms?.length))
      .toStrictEqual([200]);
  });

  test('that the service cannot use are not sent, and the sheet says so', async () => {
    const accounts = [
      { address: cloud, keyStatus: 'keychain', unfinishedItemCount: 0, folderCount: 0 } as const,
    ];
    const options = { ...defaultJobOptions, terms: ['Okonkwo'] };
    const page = await app.open({ addSheet: { rows: seasonAddSheet, summary: { options } }, accounts });
    const note = page.getByText('Names and terms are not sent to api.example.com: it cannot use them.');
    await button('1 name or term…').waitFor();
    expect(await note.count()).toBe(0);
    await page.getByRole('combobox', { name: 'Transcribe with' }).selectOption({ label: 'api.example.com' });
    await note.waitFor();
  });

  test('are recognized less reliably with “Fast”, as the sheet, the dialog and the settings say', async () => {
    const options = { ...defaultJobOptions, terms: ['Okonkwo'], accuracy: 'fast' } as const;
    let page = await app.open({ addSheet: { rows: seasonAddSheet, summary: { options } } });
    const hint = 'With “Fast”, names and terms are recognized less reliably. “Accurate” is best for names.';
    await page.getByText(hint).waitFor();
    await button('1 name or term…').click();
    await page.getByRole('dialog').getByText(hint).waitFor();
    page = await app.open({ settings: { options } });
    await goTo('Settings')(page);
    await page.getByText(hint).waitFor();
    await page.getByRole('radio', { name: 'Balanced' }).check();
    await expect.poll(() => page.getByText(hint).count()).toBe(0);
  });
});
