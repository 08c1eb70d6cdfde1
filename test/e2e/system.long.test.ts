import { once } from 'node:events';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { QueueView } from '../../electron/contract/queue-commands.ts';
import { startOnDevice } from '../support/servers/on-device.ts';
import {
  addRecordings,
  answerSaveDialog,
  startProgram,
  startSecondInstance,
} from '../support/built-program.ts';
import { putSilentRecording, SteppedEngine } from '../support/speech/quick-speech.ts';
import { join16k, kennedy, readWav, wavFile } from '../support/speech/speech-audio.ts';
import { useProgram } from '../support/use-program.ts';

const program = useProgram('each');

// A window that has not been shown cannot be hidden.
beforeEach(() => vi.waitUntil(isVisible, { timeout: 60_000 }));

async function addRecording(name: string): Promise<void> {
  const path = await putSilentRecording(program.path(), name);
  await program.invoke('settings.change', { addWithoutAsking: true });
  await addRecordings(program.page, [path]);
}

/** Runs with a cloud account whose service makes progress only when the test allows it. */
async function withSteppedService(work: (engine: SteppedEngine) => Promise<void>): Promise<void> {
  const engine = new SteppedEngine();
  const service = await startOnDevice({ dataFolder: program.path('service'), engine });
  try {
    await program.connect(service);
    await work(engine);
  } finally {
    await service.stop();
  }
}

const queueNow = async (): Promise<QueueView> =>
  (
    (await program.invoke('queue.setViewport', { filter: 'all', offset: 0, limit: 1 })) as {
      value: QueueView;
    }
  ).value;
const doneCount = async (): Promise<number> => (await queueNow()).summary.counts.done;
const stateOfFirst = async (): Promise<string | undefined> => (await queueNow()).rows[0]?.state.kind;

const isVisible = (): Promise<boolean> =>
  program.app.evaluate(({ BrowserWindow }) => {
    const shown = BrowserWindow.getAllWindows().find((one) =>
      one.webContents.getURL().endsWith('longhand/index.html'),
    );
    return shown?.isVisible() ?? false;
  });

/** Closes the window as its close button does. */
const closeWindow = (): Promise<void> =>
  program.app.evaluate(({ BrowserWindow }) => {
    for (const one of BrowserWindow.getAllWindows()) if (one.isVisible()) one.close();
  });

/** Records the program's notifications. */
const recordNotifications = (): Promise<void> =>
  program.app.evaluate(({ Notification }) => {
    const notifications: Electron.Notification[] = [];
    Object.assign(globalThis, { notifications });
    Notification.prototype.show = function show(this: Electron.Notification) {
      notifications.push(this);
    };
    Notification.isSupported = () => true;
  });
const heardNotifications = (): Promise<readonly string[]> =>
  program.app.evaluate(() =>
    (globalThis as unknown as { notifications: Electron.Notification[] }).notifications.map(
      ({ title }) => title,
    ),
  );

/** Clicks the latest notification. */
const clickNotification = (): Promise<unknown> =>
  program.app.evaluate(() =>
    (globalThis as unknown as { notifications: Electron.Notification[] }).notifications.at(-1)?.emit('click'),
  );

describe('closing the window', () => {
  it('quits the program when there is nothing left to do', async () => {
    const ended = once(program.app.process(), 'exit');
    await closeWindow().catch(() => undefined);
    expect(await ended).toEqual([0, null]);
  });

  it('keeps the queue running, says so the first time, and a second start shows the window again', async () => {
    await withSteppedService(async (engine) => {
      await recordNotifications();
      for (const name of ['one.wav', 'three.wav']) await addRecording(name);
      await closeWindow();
      await expect.poll(heardNotifications).toEqual(['Longhand is still running in the background']);
      await expect.poll(isVisible).toBe(false);
      engine.allow('one.wav'.length + 'three.wav'.length);
      await expect.poll(doneCount, { timeout: 60_000 }).toBe(2);

      expect(await startSecondInstance(program.data)).toBe(0);
      await expect.poll(isVisible).toBe(true);
      await addRecording('seven1.wav');
      await closeWindow();
      await expect.poll(isVisible).toBe(false);
      expect((await heardNotifications()).filter((title) => title.includes('background'))).toHaveLength(1);
    });
  });

  it('and quitting with pending work asks nothing and loses nothing', async () => {
    await withSteppedService(async (engine) => {
      await addRecording('one.wav');
      await expect.poll(stateOfFirst, { timeout: 60_000 }).toBe('transcribing');
      const ended = once(program.app.process(), 'exit');
      await program.app.evaluate(({ app }) => app.quit()).catch(() => undefined);
      expect(await ended).toEqual([0, null]);

      await program.start();
      await program.page.getByRole('row', { name: 'one.wav' }).waitFor();
      engine.allow(Infinity);
      await expect.poll(doneCount, { timeout: 60_000 }).toBe(1);
    });
  });

  it('quits the program if the user prefers that', async () => {
    await addRecording('one.wav');
    await program.invoke('settings.change', { keepWorkingWhenClosed: false });
    const ended = once(program.app.process(), 'exit');
    await closeWindow().catch(() => undefined);
    expect(await ended).toEqual([0, null]);
  });
});

it('notifies once when a batch is finished, and a click opens the window', async () => {
  await recordNotifications();
  await program.invoke('queue.pauseAll');
  for (const name of ['one.wav', 'three.wav', 'seven1.wav']) await addRecording(name);
  await program.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
  await program.invoke('accounts.use', { service: 'on-device' });
  await program.invoke('queue.resumeAll');
  await expect.poll(heardNotifications, { timeout: 60_000 }).toEqual(['3 transcripts are ready']);
  await expect.poll(isVisible).toBe(false);
  await clickNotification();
  await expect.poll(isVisible).toBe(true);
});

/** Whether the program prevents the computer from sleeping. */
const isAwake = (): Promise<boolean> =>
  program.app.evaluate(({ powerSaveBlocker }) =>
    Array.from({ length: 20 }, (_, id) => powerSaveBlocker.isStarted(id)).includes(true),
  );

it('prevents sleep while it works, unless the user has disabled that', async () => {
  await withSteppedService(async (engine) => {
    expect(await isAwake()).toBe(false);
    await addRecording('one.wav');
    await expect.poll(isAwake).toBe(true);
    await program.invoke('settings.change', { keepAwake: false });
    await expect.poll(isAwake).toBe(false);
    await program.invoke('settings.change', { keepAwake: true });
    await expect.poll(isAwake).toBe(true);
    engine.allow(Infinity);
    await expect.poll(doneCount, { timeout: 60_000 }).toBe(1);
    await expect.poll(isAwake).toBe(false);
  });
});

it('finishes a recording whose service is killed while it transcribes', async () => {
  const path = program.path('speech.wav');
  // Long enough to be in progress when the test checks it.
  const speech = readWav(kennedy.wav);
  await writeFile(path, wavFile(join16k(speech, speech, speech)));
  await program.invoke('accounts.use', { service: 'on-device' });
  await program.invoke('settings.change', { addWithoutAsking: true });
  await addRecordings(program.page, [path]);
  await expect.poll(stateOfFirst, { timeout: 60_000 }).toBe('transcribing');
  const killed = await program.app.evaluate(({ app }) => {
    const services = app
      .getAppMetrics()
      .filter(({ serviceName }) => serviceName === 'node.mojom.NodeService');
    for (const { pid } of services) process.kill(pid, 'SIGKILL');
    return services.length;
  });
  expect(killed).toBe(1);
  await expect.poll(doneCount, { timeout: 120_000 }).toBe(1);
  expect((await queueNow()).rows[0]?.state).toMatchObject({ kind: 'done' });
});

it('does not transcribe a recording again that is added without asking', async () => {
  await program.invoke('accounts.use', { service: 'on-device' });
  await addRecording('silence.wav');
  await expect.poll(doneCount, { timeout: 60_000 }).toBe(1);
  const paths = [program.path('silence.wav')];
  expect(await program.invoke('queue.add', { paths, links: [] })).toMatchObject({
    value: { added: 0, rejected: [{ problem: { code: 'already_transcribed' } }] },
  });
});

it('sends a single notification for forty recordings that need attention', async () => {
  await recordNotifications();
  await program.invoke('queue.pauseAll');
  const names = Array.from({ length: 40 }, (_, index) => `${'x'.repeat(index + 1)}.wav`);
  for (const name of names) await addRecording(name);
  for (const name of names) await rm(program.path(name));
  await program.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
  await program.invoke('accounts.use', { service: 'on-device' });
  await program.invoke('queue.resumeAll');
  await expect.poll(async () => (await queueNow()).summary.counts.attention, { timeout: 60_000 }).toBe(40);
  await expect.poll(heardNotifications).not.toEqual([]);
  // The first notification may precede the last recording; there is never one per recording.
  expect((await heardNotifications()).length).toBeLessThanOrEqual(2);
  expect((await heardNotifications()).at(-1)).toMatch(/^\d+ recordings? needs? attention$/);
});

/** Returns the window's text. Playwright abandons a crashed page, so the main process is asked. */
const windowWords = (): Promise<string> =>
  program.app.evaluate(async ({ BrowserWindow }) => {
    const { webContents } = BrowserWindow.getAllWindows()[0]!;
    return String(await webContents.executeJavaScript('document.body.innerText'));
  });

/** Crashes the page's process, and waits for the page that replaces it. */
const crashWindow = (): Promise<void> =>
  program.app.evaluate(async ({ BrowserWindow }) => {
    const { webContents } = BrowserWindow.getAllWindows()[0]!;
    const opened = new Promise<void>((resolve) => webContents.once('did-finish-load', () => resolve()));
    process.kill(webContents.getOSProcessId(), 'SIGKILL');
    await opened;
  });

it('reopens a window that crashes while recordings are transcribed, and loses none of them', async () => {
  await withSteppedService(async (engine) => {
    await addRecording('one.wav');
    await expect.poll(stateOfFirst, { timeout: 60_000 }).toBe('transcribing');
    await crashWindow();
    engine.allow(Infinity);
    await expect.poll(windowWords, { timeout: 60_000 }).toContain('Done · ');
  });
});

it('reopens a crashed window, says so, and keeps the queue', async () => {
  await addRecording('one.wav');
  await program.page.getByRole('button', { name: 'Start' }).waitFor();
  await crashWindow();
  await expect.poll(windowWords, { timeout: 30_000 }).toContain('The window crashed and was reopened.');
  await expect.poll(windowWords).toContain('1 recording is waiting');
});

it('switches the language at once, in the window and in the menu', async () => {
  const { app, page } = program;
  await page.getByRole('button', { name: 'Start' }).click();
  const menu = (): Promise<readonly string[]> =>
    app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.items.map(({ label }) => label) ?? []);
  await expect.poll(menu).toContain('&File');
  await program.invoke('settings.change', { language: 'de' });
  await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe('de');
});

it('restores the size of its window', async () => {
  const bounds = { x: 140, y: 90, width: 900, height: 600 };
  await program.app.evaluate(
    ({ BrowserWindow }, wanted) => BrowserWindow.getAllWindows()[0]?.setBounds(wanted),
    bounds,
  );
  const readWindowFile = () => readFile(join(program.data, 'window.json'), 'utf8').catch(() => '');
  await expect.poll(readWindowFile).toMatch(/"width": 900,\s*"height": 600/);
  await program.close();
  await program.start();
  const now = await program.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.getBounds(),
  );
  expect(now).toMatchObject({ width: 900, height: 600 });
});

it('stores no code in the data folder, which may be somebody else’s', async () => {
  await program.close();
  const caches = program.path('caches');
  // Tests have a compile cache of their own.
  const environment = { XDG_CACHE_HOME: caches, NODE_COMPILE_CACHE: '' };
  // The first start with a library finds no code yet, and the second one uses it.
  for (let start = 0; start < 2; start += 1) {
    const { page, close } = await startProgram(program.data, { needs: 'checkout', environment });
    await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
    await close();
  }
  const stored = await readdir(program.data, { recursive: true });
  expect(stored.filter((path) => /^compiled|js.[\da-f]{16}_0$/.test(path))).toStrictEqual([]);
  if (process.platform !== 'linux') return;
  const cached = (await readdir(caches, { recursive: true })).map((path) =>
    path.replace(/[\da-f]{16}/, 'ID'),
  );
  expect(cached).toEqual(expect.arrayContaining(['longhand/ID/compiled', 'longhand/ID/page']));
});

it('saves a log without private data', async () => {
  await program.page.getByRole('button', { name: 'Start' }).click();
  const path = program.path('log.txt');
  await answerSaveDialog(program.app, path);
  await program.invoke('app.saveLog');
  const log = await readFile(path, 'utf8');
  expect(log).toMatch(/^Longhand \d/);
  expect(log).not.toContain(program.path());
});
