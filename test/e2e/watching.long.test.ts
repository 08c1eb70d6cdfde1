import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { answerOpenDialog } from '../support/built-program.ts';
import { silentWav } from '../support/speech/quick-speech.ts';
import { useProgram } from '../support/use-program.ts';

// A watched folder in the real program, by keyboard only.

const program = useProgram('once');

const card = (): string => program.path('Recorder card');
const state = () => program.page.getByRole('listitem').filter({ hasText: card() }).getByRole('status');

/** The state of the folder as shown in the settings. */
const folderState = () => state().textContent();

/** Presses a button that has the focus, as a user does who has reached it with Tab. */
async function press(name: string): Promise<void> {
  await program.page.getByRole('button', { name, exact: true }).focus();
  await program.page.keyboard.press('Enter');
}

beforeAll(async () => {
  await mkdir(card());
  await writeFile(join(card(), 'there before.wav'), silentWav(1));
  const { app, page } = program;
  await press('Start');
  await page.getByRole('heading', { name: 'Queue' }).waitFor();
  await program.invoke('queue.pauseAll');
  await page.locator('nav').getByRole('button', { name: 'Settings' }).press('Enter');
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  await answerOpenDialog(app, card());
});

it('is added, and its new recordings are queued', async () => {
  await press('Watch folder…');
  await expect.poll(folderState).toContain('Watching · none added yet');
  await writeFile(join(card(), 'new.wav'), silentWav(2));
  await expect.poll(folderState).toContain('Watching · 1 added');
});

it('is paused, and finds later what was added meanwhile', async () => {
  await press('Pause: Recorder card');
  await expect.poll(folderState).toContain('Paused');
  await writeFile(join(card(), 'while paused.wav'), silentWav(3));
  await press('Resume: Recorder card');
  await expect.poll(folderState).toContain('Watching · 2 added');
});

it('opens in the file manager, which only points at what somebody has put in its place', async () => {
  const { app } = program;
  await app.evaluate(({ shell }) => {
    const requested: unknown[] = [];
    Object.assign(globalThis, { requested });
    shell.openPath = async (path) => {
      requested.push({ opened: path });
      return '';
    };
    shell.showItemInFolder = (path) => void requested.push({ shown: path });
  });
  const requested = () => app.evaluate(() => Reflect.get(globalThis, 'requested') as unknown);
  await press('Show: Recorder card');
  await expect.poll(requested).toEqual([{ opened: card() }]);
  const elsewhere = program.path('moved');
  await rename(card(), elsewhere);
  await writeFile(card(), '#!/bin/sh\n', { mode: 0o755 });
  await press('Show: Recorder card');
  await expect.poll(requested).toEqual([{ opened: card() }, { shown: card() }]);
  await rm(card());
  await rename(elsewhere, card());
  await expect.poll(folderState).toContain('Watching · 2 added');
});

it('that vanishes is reported, and resumes automatically when it is back', async () => {
  const elsewhere = program.path('elsewhere');
  await rename(card(), elsewhere);
  await expect.poll(folderState).toContain('Not available at the moment.');
  await writeFile(join(elsewhere, 'while away.wav'), silentWav(4));
  await rename(elsewhere, card());
  await expect.poll(folderState).toContain('Watching · 3 added');
});

it('stays unchanged once it is no longer watched', async () => {
  const before = await readdir(card());
  await press('Remove: Recorder card');
  await program.page.getByText('“Recorder card” is no longer watched').first().waitFor();
  await state().waitFor({ state: 'detached' });
  expect(await readdir(card())).toEqual(before);
  await program.page.locator('nav').getByRole('button', { name: 'Queue' }).click();
  await program.page.getByRole('button', { name: 'All 3' }).waitFor();
});
