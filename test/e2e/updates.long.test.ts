import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startProgram } from '../support/built-program.ts';
import { FileServer } from '../support/servers/file-server.ts';
import { testFolder } from '../support/test-folder.ts';

// The window replaces an AppImage by the one of a feed on this computer.
it.skipIf(process.platform !== 'linux')('updates from the notice, and starts the new version', async () => {
  const folder = await testFolder();
  const started = join(folder, 'started');
  const installed = join(folder, 'Longhand.AppImage');
  const config = join(folder, 'app-update.yml');
  const content = Buffer.from(`#!/bin/sh\necho "$LONGHAND_DATA" > '${started}'\n`);
  const sha512 = createHash('sha512').update(content).digest('base64');
  const feed = `version: 9.9.9\nfiles:\n  - url: new.AppImage\n    sha512: ${sha512}\n    size: ${content.length}\n`;
  const server = await FileServer.start({}, (path) => ({
    content: path.endsWith('.AppImage') ? content : Buffer.from(feed),
    ranges: false,
  }));
  onTestFinished(() => server.stop());
  await writeFile(installed, 'the old version');
  await writeFile(config, `provider: generic\nurl: ${server.origin}\nupdaterCacheDirName: updates\n`);

  const data = join(folder, 'data');
  const program = await startProgram(data, {
    needs: 'checkout',
    // The program of the checkout, as if it were in that AppImage.
    environment: {
      APPIMAGE: installed,
      APPDIR: dirname(process.execPath),
      LONGHAND_UPDATE_CONFIG: config,
    },
  });
  onTestFinished(() => program.close());
  const { page } = program;
  const ended = new Promise<void>((done) => {
    program.app.process().once('exit', () => done());
  });
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByText('Longhand 9.9.9 is available.').waitFor();
  await page.getByRole('button', { name: 'Download', exact: true }).click();
  await page.getByRole('button', { name: 'Restart and update' }).waitFor();
  expect(await readFile(installed, 'utf8')).toBe('the old version');

  await page.getByRole('button', { name: 'Restart and update' }).click();
  await ended;
  expect(await readFile(installed)).toStrictEqual(content);
  await vi.waitFor(() => expect(existsSync(started)).toBe(true), { timeout: 10_000 });
  expect((await readFile(started, 'utf8')).trim()).toBe(data);
});
