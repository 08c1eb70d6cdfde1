import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { addRecordings } from '../support/built-program.ts';
import { join16k, kennedy, readWav, silence, wavFile } from '../support/speech/speech-audio.ts';
import { useProgram } from '../support/use-program.ts';

const program = useProgram('once');
const repetitions = 24;

const list = () => program.page.getByRole('region', { name: 'Transcript so far' });

async function openRow(): Promise<void> {
  const row = program.page.getByRole('row', { name: 'speech.wav' });
  await row.getByText('country').waitFor({ timeout: 120_000 });
  await row.click();
  await list().waitFor();
}

const shownCount = async (): Promise<number> =>
  Number(await list().getByRole('listitem').first().getAttribute('aria-setsize'));

test(
  'a recording is read while it is transcribed, even after a kill, and becomes the saved transcript',
  { timeout: 300_000 },
  async () => {
    const once = join16k(readWav(kennedy.wav), silence(1));
    const path = program.path('speech.wav');
    await writeFile(path, wavFile(join16k(...Array.from({ length: repetitions }, () => once))));
    await program.invoke('accounts.use', { service: 'on-device' });
    await program.invoke('settings.change', {
      addWithoutAsking: true,
      options: { language: 'en', accuracy: 'accurate', translateToEnglish: false, terms: [] },
    });
    await addRecordings(program.page, [path]);
    await openRow();
    const before = await shownCount();
    await expect.poll(shownCount, { timeout: 120_000 }).toBeGreaterThan(before);
    const countBeforeKill = await shownCount();
    await program.kill();

    await program.start();
    await openRow();
    // What was read before is shown at once: it was not transcribed again.
    expect(await shownCount()).toBeGreaterThanOrEqual(countBeforeKill - 1);
    await program.page.getByRole('textbox').first().waitFor({ timeout: 200_000 });
    await expect
      .poll(
        async () =>
          JSON.stringify(await program.invoke('transcript.get', { id: 1 })).match(/Americans/g)?.length,
      )
      .toBe(repetitions);
  },
);
