import { createServer } from 'node:http';
import { once } from 'node:events';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startOnDevice } from '../support/servers/on-device.ts';
import {
  addRecordings,
  answerOpenDialog,
  answerQuestions,
  answerSaveDialog,
  askedQuestions,
  openSettings,
} from '../support/built-program.ts';
import { quickEngine, putSilentRecording } from '../support/speech/quick-speech.ts';
import { useProgram } from '../support/use-program.ts';

const program = useProgram('each', 'Users', 'ann-okafor', 'data');

const putRecording = (name: string): Promise<string> =>
  putSilentRecording(program.path('Users', 'ann-okafor'), name);

/** The current content of the log. */
const readLog = (): Promise<string> => readFile(join(program.data, 'logs', 'longhand.log'), 'utf8');

/** The content of all files in the data folder, recursively. */
async function readAllFiles(): Promise<string> {
  const entries = await readdir(program.data, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1'));
  return (await Promise.all(texts)).join('\n');
}

describe('a cloud account', () => {
  const key = 'sk-4711-very-secret';

  it('is added, is kept without its key anywhere in the data folder, and is removed after a warning about its queue', async () => {
    const { page } = program;
    const service = await startOnDevice({
      dataFolder: program.path('service'),
      engine: quickEngine(),
      key,
    });
    onTestFinished(() => service.stop());
    await openSettings(program.page);
    await answerQuestions(program.app, 'yes');
    await program.button('Add account…').click();
    for (const [address, message] of [
      ['http://api.example.com', 'The address must start with https://'],
      ['api.example.com', 'The address must start with https://'],
      ['https://longhand.invalid', 'The service cannot be reached.'],
    ] as const) {
      await page.getByLabel('Address').fill(address);
      await page.getByLabel('API key').fill('wrong-key-0815');
      await program.button('Check and connect').click();
      await page.getByRole('alert').getByText(message).waitFor({ timeout: 60_000 });
    }
    await page.getByLabel('Address').fill(` ${service.baseUrl}/ `);
    await program.button('Check and connect').click();
    await page.getByRole('alert').getByText('The service does not accept the key.').waitFor();
    // As copied from a web page: with a leading space and a line break.
    await page.getByLabel('API key').evaluate((field: HTMLInputElement, text) => {
      field.value = text;
    }, `  ${key}\n`);
    await page.getByRole('checkbox', { name: 'Use it for new recordings' }).check();
    await program.button('Check and connect').click();
    await page.getByText('Connected.').first().waitFor({ timeout: 60_000 });
    expect(await page.content()).not.toContain(key);

    // A page that runs foreign code must not send recordings to another person's account.
    await answerQuestions(program.app, 'no');
    const replaceKey = (other: string) =>
      program.invoke('service.connect', { baseUrl: service.baseUrl, key: other, use: false });
    expect(await replaceKey('another-key-4712')).toMatchObject({
      ok: false,
      problem: { code: 'not_allowed' },
    });
    expect(await askedQuestions(program.app)).toEqual([service.baseUrl]);
    expect(await replaceKey(key)).toMatchObject({ ok: true });
    // Nor may it forget the key first.
    await program.invoke('accounts.forgetKey', { service: service.baseUrl });
    expect(await replaceKey('another-key-4712')).toMatchObject({
      ok: false,
      problem: { code: 'not_allowed' },
    });
    await answerQuestions(program.app, 'yes');
    expect(await replaceKey(key)).toMatchObject({ ok: true });
    await program.invoke('queue.pauseAll');
    await program.invoke('settings.change', { addWithoutAsking: true });
    await addRecordings(program.page, [await putRecording('waits.wav')]);

    const folder = program.path('Recorder card');
    await mkdir(folder);
    await answerOpenDialog(program.app, folder);
    expect(await program.invoke('watch.pick', { addExisting: false })).toMatchObject({
      value: [{ service: service.baseUrl }],
    });

    const host = new URL(service.baseUrl).host;
    await program.button(`Remove: ${host}`).click();
    await page.getByText('1 recording in the queue still waits for it').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('None yet.').waitFor();
    await page.getByText('1 watched folder is now transcribed on this computer.').first().waitFor();
    expect(await program.invoke('watch.list')).toMatchObject({ value: [{ service: 'on-device' }] });
    // A page that runs foreign code must not send the folder elsewhere, nor what is on the sheet.
    const move = { id: 1, service: service.baseUrl };
    const unknown = { problem: { code: 'key_missing' } };
    expect(await program.invoke('watch.change', move)).toMatchObject(unknown);
    expect(await program.invoke('addSheet.useService', { service: service.baseUrl })).toMatchObject(unknown);
    await page.locator('nav').getByRole('button', { name: 'Queue' }).click();
    await page.getByRole('row', { name: 'waits.wav' }).waitFor();
    // Files appear and vanish while the program runs.
    await program.close();
    const contents = await readAllFiles();
    expect(contents).not.toContain(key);
    expect(contents).not.toContain('wrong-key-0815');
  });

  it('and all other private data stay out of the logs, whatever goes wrong', async () => {
    const token = 'token-0815-private';
    // A service that repeats in its messages everything that it is sent.
    const echo = createServer((request, response) => {
      const received = JSON.stringify({ headers: request.headers, url: request.url });
      const error = {
        code: 'request_failed',
        message: `no: ${received} ${request.headers.authorization} ${token}`,
      };
      const isList = request.method === 'GET' && request.url === '/api/v1/transcriptions';
      response.writeHead(isList ? 200 : 500, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isList ? { data: [] } : { error }));
    });
    await once(echo.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => {
      echo.closeAllConnections();
      echo.close();
    });
    const baseUrl = `http://127.0.0.1:${(echo.address() as AddressInfo).port}`;
    await program.button('Start').click();
    expect(await program.connect({ baseUrl, key })).toMatchObject({ ok: true });
    await program.invoke('settings.change', { addWithoutAsking: true });
    const link = `https://media.example.org/okafor/talk.mp3?token=${token}`;
    await addRecordings(program.page, [await putRecording('Interview Mbeki.wav')], [link]);
    await addRecordings(program.page, ['/home/ann-okafor/nowhere/Mbeki.mp3']);
    await program.invoke('settings.change', { [key]: token, theme: `${token}` });
    await program.invoke('no.such.command', { key });
    await program.invoke('transcript.edit', {
      id: 99,
      revision: 0,
      operation: { kind: 'text', text: token },
    });
    await program.app.evaluate(
      (_electron, secret) => {
        void Promise.reject(new Error(`GET ${secret.link} failed, authorization: Bearer ${secret.key}`));
      },
      { link, key },
    );
    await expect.poll(readLog, { timeout: 60_000 }).toContain('a request failed');
    await expect.poll(readLog).toContain('unhandled rejection');

    const path = program.path('log.txt');
    await answerSaveDialog(program.app, path);
    await program.invoke('app.saveLog');
    const log = await readFile(path, 'utf8');
    expect(log).toContain('a request failed');
    for (const secret of [key, token, 'Mbeki', 'okafor', program.path()]) expect(log).not.toContain(secret);
  });
});
