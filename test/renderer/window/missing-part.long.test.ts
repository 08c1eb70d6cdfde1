import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { setUpTestWindow } from '../../support/window/test-window.ts';

const app = setUpTestWindow('expected', 'split');

test('a part whose files are missing is reported, with a button to reload', async () => {
  const assets = join(app.pages, 'assets');
  const parts = (await readdir(assets)).filter((name) => /^settings-screen.*\.js$/.test(name));
  expect(parts).not.toHaveLength(0);
  const move = (from: string, to: string) =>
    Promise.all(parts.map((name) => rename(join(from, name), join(to, name))));

  await move(assets, app.pages);
  const page = await app.open();
  const settings = page.getByRole('button', { name: 'Settings', exact: true });
  await settings.click();
  await page.getByRole('heading', { name: 'A part of Longhand is missing' }).waitFor();

  await move(app.pages, assets);
  await page.getByRole('button', { name: 'Reopen' }).click();
  await page.getByRole('heading', { name: 'Queue' }).waitFor();
  await settings.click();
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
});
