import { writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { dropFiles } from '../support/built-program.ts';
import { silentWav } from '../support/speech/quick-speech.ts';
import { useProgram } from '../support/use-program.ts';

const program = useProgram('once');

const sheet = () => program.page.getByRole('dialog', { name: /recordings? to add/ });
const choice = (name: string) => program.page.getByRole('checkbox', { name: `Add ${name}` });

it('an add sheet that was open when the program was killed is restored unchanged', async () => {
  await program.page.getByRole('button', { name: 'Start' }).click();
  const recordings = ['one.wav', 'two.wav', 'three.wav'].map((name) => program.path(name));
  for (const [index, file] of recordings.entries()) await writeFile(file, silentWav(index + 1));
  await dropFiles(program.page, recordings);
  await sheet().getByText('Accurate', { exact: true }).click();
  await choice('two.wav').uncheck();
  await program.page.getByRole('button', { name: 'Start 2 recordings' }).waitFor();
  await program.kill();

  await program.start();
  await sheet().getByText('Restored from your last session. Nothing was sent or charged.').waitFor();
  await program.page.getByRole('button', { name: 'Start 2 recordings' }).waitFor();
  expect(await choice('one.wav').isChecked()).toBe(true);
  expect(await choice('two.wav').isChecked()).toBe(false);
  expect(await sheet().getByRole('radio', { name: 'Accurate' }).isChecked()).toBe(true);
});

it('a drop on another screen leads back to the open sheet', async () => {
  await program.page.getByRole('button', { name: 'Settings' }).click();
  await sheet().waitFor({ state: 'hidden' });
  const file = program.path('four.wav');
  await writeFile(file, silentWav(4));
  await dropFiles(program.page, [file]);
  await sheet().waitFor();
  await expect.poll(() => choice('four.wav').isChecked()).toBe(true);
});

it.each(['close', 'kill'] as const)('a closed add sheet does not return after %s', async (end) => {
  await sheet().getByRole('button', { name: 'Close' }).click();
  await sheet().waitFor({ state: 'detached' });
  await program[end]();
  await program.start();
  await program.page.getByRole('heading', { name: 'Drop recordings here' }).waitFor();
  // A restored sheet would list the others too: a drop adds to the sheet that is open.
  await dropFiles(program.page, [program.path('three.wav')]);
  await choice('three.wav').waitFor();
  expect(await program.page.getByRole('checkbox', { name: /^Add .*\.wav$/ }).count()).toBe(1);
});
