import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { addRecordings, answerQuestions, askedQuestions, giveFiles } from '../support/built-program.ts';
import { systemClock } from '../../electron/core/system.ts';
import { Translator } from '../../electron/core/translator.ts';
import { canConnectDrives, connectDrive, type Drive } from '../support/drives.ts';
import { startOnDevice } from '../support/servers/on-device.ts';
import { putSilentRecording, SteppedEngine } from '../support/speech/quick-speech.ts';
import { ScriptedService } from '../support/scripted-service/scripted-service.ts';
import { useProgram } from '../support/use-program.ts';

// The program outside its window: the dock or task bar, the tray, the menu, and system sleep.

const program = useProgram('each');

beforeEach(async () => {
  // A window that has not been shown cannot be hidden.
  await vi.waitUntil(isVisible, { timeout: 60_000 });
  await program.button('Start').click();
  await program.invoke('settings.change', { addWithoutAsking: true });
});

/** What the program has last passed to the system. */
interface SystemState {
  readonly badge: number;
  /** The arguments of the window's progress bar. */
  readonly progress: readonly unknown[];
  readonly tip: string;
  /** The entries of the tray's menu. */
  readonly entries: readonly string[];
}

interface RecordedCalls extends SystemState {
  readonly tray: Electron.Tray;
  readonly menu: Electron.Menu;
}

/** Records what the program passes to the system from now on. */
const recordSystemCalls = (): Promise<void> =>
  program.app.evaluate(({ app, BrowserWindow, Tray }) => {
    const recorded: { -readonly [K in keyof RecordedCalls]?: RecordedCalls[K] } = {};
    Object.assign(globalThis, { recorded });
    app.setBadgeCount = (count = 0) => {
      recorded.badge = count;
      return true;
    };
    const window = BrowserWindow.getAllWindows().find((one) => one.isVisible())!;
    window.setProgressBar = (...progress) => {
      recorded.progress = progress;
    };
    Tray.prototype.setToolTip = function setToolTip(this: Electron.Tray, tip: string) {
      recorded.tip = tip;
      recorded.tray = this;
    };
    Tray.prototype.setContextMenu = (menu) => {
      if (menu === null) return;
      recorded.menu = menu;
      recorded.entries = menu.items.flatMap(({ type, label }) => (type === 'separator' ? [] : [label]));
    };
  });

const systemState = (): Promise<SystemState> =>
  program.app.evaluate(() => {
    const { badge, progress, tip, entries } = (globalThis as unknown as { recorded: SystemState }).recorded;
    return { badge, progress, tip, entries };
  });

/** Chooses an entry of the tray's menu. */
const chooseInTray = (label: string): Promise<void> =>
  program.app.evaluate((_electron, wanted) => {
    const { menu } = (globalThis as unknown as { recorded: RecordedCalls }).recorded;
    menu.items.find((item) => item.label === wanted)!.click();
  }, label);

const clickTray = (): Promise<boolean> =>
  program.app.evaluate(() =>
    (globalThis as unknown as { recorded: RecordedCalls }).recorded.tray.emit('click'),
  );

const isVisible = (): Promise<boolean> =>
  program.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().some((one) => one.isVisible() && one.webContents.isOffscreen() === false),
  );

const add = async (...names: readonly string[]): Promise<void> => {
  const paths = [];
  for (const name of names) paths.push(await putSilentRecording(program.path(), name));
  await addRecordings(program.page, paths);
};

describe('the dock, the task bar and the tray', () => {
  it('show the remaining work, and the tray pauses, resumes and opens the window', async () => {
    const engine = new SteppedEngine();
    const service = await startOnDevice({ dataFolder: program.path('service'), engine });
    onTestFinished(() => service.stop());
    await program.connect(service);
    await recordSystemCalls();
    await add('7 s.wav', '9 secs.wav', '11 secs.wav');
    await expect.poll(systemState).toEqual({
      badge: 3,
      // Nothing is finished yet: the bar is indeterminate.
      progress: [2, { mode: 'normal' }],
      tip: 'Longhand: 3 recordings left',
      entries: ['3 recordings left', 'Open Longhand', 'Pause all', 'Quit Longhand'],
    });

    // Enough for any one of them, but not for two.
    engine.allow('11 secs.wav'.length);
    await expect.poll(systemState).toMatchObject({ badge: 2, progress: [1 / 3, { mode: 'normal' }] });
    await chooseInTray('Pause all');
    await expect.poll(systemState).toMatchObject({
      progress: [1 / 3, { mode: 'paused' }],
      entries: ['2 recordings left', 'Open Longhand', 'Resume all', 'Quit Longhand'],
    });
    await chooseInTray('Resume all');
    await expect.poll(systemState).toMatchObject({ progress: [1 / 3, { mode: 'normal' }] });

    await program.invoke('settings.change', { language: 'de' });
    const german = await Translator.load('de');
    await expect
      .poll(async () => (await systemState()).entries)
      .toEqual([
        german.translate('tray.left', { count: 2 }),
        german.translate('tray.open'),
        german.translate('queue.pauseAll'),
        german.translate('menu.quit'),
      ]);

    await program.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
    await expect.poll(isVisible).toBe(false);
    await clickTray();
    await expect.poll(isVisible).toBe(true);

    engine.allow(Infinity);
    await expect.poll(systemState).toEqual({
      badge: 0,
      progress: [-1],
      tip: `Longhand: ${german.translate('tray.idle')}`,
      entries: [german.translate('tray.idle'), german.translate('tray.open'), german.translate('menu.quit')],
    });
  });

  it('report recordings that need attention, and the tray quits the program', async () => {
    await recordSystemCalls();
    await program.invoke('queue.pauseAll');
    await add('one.wav', 'three.wav');
    await expect.poll(systemState).toMatchObject({ badge: 2, progress: [0, { mode: 'paused' }] });
    await program.app.evaluate(
      (_electron, paths) => {
        const { rmSync } = process.getBuiltinModule('node:fs');
        for (const path of paths) rmSync(path);
      },
      ['one.wav', 'three.wav'].map((name) => program.path(name)),
    );
    await program.invoke('queue.resumeAll');
    await expect.poll(systemState).toEqual({
      badge: 2,
      progress: [-1],
      tip: 'Longhand: 2 need attention',
      entries: ['2 need attention', 'Open Longhand', 'Quit Longhand'],
    });
    const ended = once(program.app.process(), 'exit');
    await chooseInTray('Quit Longhand').catch(() => undefined);
    expect(await ended).toEqual([0, null]);
  });
});

/** Starts the program with its data on a small drive, and with a transcript. */
async function onSmallDrive(work: (drive: Drive) => Promise<void>): Promise<void> {
  await program.close();
  await rm(program.data, { recursive: true });
  const drive = connectDrive(program.path(), 'data', 256 * 1024 ** 2);
  try {
    await program.start();
    await vi.waitUntil(isVisible, { timeout: 60_000 });
    // It would keep a program that ends from ending.
    await program.app.evaluate(({ dialog }) => void (dialog.showErrorBox = () => undefined));
    await program.button('Start').click();
    // Started on a full disk, the service is tried again only after some seconds, and the tray has nothing to resume.
    await expect
      .poll(() => program.invoke('service.status', undefined))
      .toMatchObject({ value: { condition: { kind: 'ready' } } });
    await program.invoke('settings.change', { addWithoutAsking: true });
    const subtitles = program.path('talk.srt');
    await writeFile(subtitles, '1\n00:00:00,000 --> 00:00:02,000\nGood morning.\n');
    await giveFiles(program.page, [subtitles]);
    await program.invoke('library.import', { paths: [subtitles], task: 'import' });
    await work(drive);
  } finally {
    await program.close();
    drive.remove();
  }
}

describe.runIf(canConnectDrives)('on a full disk', () => {
  it('closes the window, opens transcripts, and shows in the tray why it cannot resume', () =>
    onSmallDrive(async (drive) => {
      await recordSystemCalls();
      await program.invoke('queue.pauseAll');
      await add('one.wav');
      await expect.poll(async () => (await systemState()).entries).toContain('Resume all');

      drive.fill(0);
      // While the window closes, its state is stored.
      await closeWindow();
      await expect.poll(isVisible).toBe(false);
      await chooseInTray('Resume all');
      await expect.poll(isVisible).toBe(true);
      await program.page.getByText('The disk is full.').first().waitFor();
      expect(await program.invoke('transcript.get', { id: 1 })).toMatchObject({ ok: true, value: { id: 1 } });

      drive.empty();
      // The database's own files may have had room for the command: then the queue has resumed, and may be done.
      if ((await systemState()).entries.includes('Resume all')) await chooseInTray('Resume all');
      await expect.poll(async () => (await systemState()).entries).not.toContain('Resume all');
    }));

  it('asks before it quits with changes that cannot be saved, and saves them once there is space', () =>
    onSmallDrive(async (drive) => {
      const { page } = program;
      await page.locator('nav').getByRole('button', { name: 'Library' }).click();
      await page.getByRole('row', { name: /talk/ }).dblclick();
      await page.getByRole('textbox', { name: /^Segment/ }).focus();
      drive.fill(0);
      await page.keyboard.press('End');
      await page.keyboard.type(' Thank you.');
      await page.getByText('The last changes are not saved yet.').waitFor();
      await page.getByRole('button', { name: 'Back' }).click();
      const notice = page
        .getByRole('region', { name: 'Notifications' })
        .getByText('Changes to “talk” are not saved yet');
      await notice.waitFor();
      await answerQuestions(program.app, 'no');
      await closeWindow();
      await expect.poll(() => askedQuestions(program.app)).toHaveLength(1);
      expect(await isVisible()).toBe(true);

      drive.empty();
      await notice.waitFor({ state: 'detached' });
      const ended = once(program.app.process(), 'exit');
      await closeWindow().catch(() => undefined);
      expect(await ended).toEqual([0, null]);
      await program.start();
      expect(await program.invoke('transcript.get', { id: 1 })).toMatchObject({
        value: { segments: [{ text: 'Good morning. Thank you.' }] },
      });
    }));
});

/** Closes the window as its close button does. */
const closeWindow = (): Promise<void> =>
  program.app.evaluate(({ BrowserWindow }) => {
    for (const window of BrowserWindow.getAllWindows()) if (window.isVisible()) window.close();
  });

/** Chooses an entry of the program's menu, and returns what the program then requested from the system. */
const chooseInMenu = (label: string): Promise<readonly unknown[]> =>
  program.app.evaluate(({ app, Menu, shell }, wanted) => {
    const requested: unknown[] = [];
    shell.openPath = async (path) => {
      requested.push(path);
      return '';
    };
    app.showAboutPanel = () => void requested.push('about');
    const entries = Menu.getApplicationMenu()!.items.flatMap((menu) => menu.submenu?.items ?? []);
    entries.find((entry) => entry.label === wanted)!.click();
    return requested;
  }, label);

describe('the menu', () => {
  it('opens the data folder, and shows facts about the program', async () => {
    expect(await chooseInMenu('Show data folder')).toEqual([program.data]);
    expect(await chooseInMenu('About Longhand')).toEqual(['about']);
  });

  it('opens the screens and the help', async () => {
    const { page } = program;
    for (const screen of ['Settings', 'Library', 'Queue']) {
      await chooseInMenu(screen === 'Settings' ? 'Settings…' : screen);
      await page.getByRole('heading', { name: screen, level: 1 }).waitFor();
    }
    await chooseInMenu('Keyboard shortcuts');
    await expect.poll(() => page.getByRole('dialog', { name: 'Keyboard shortcuts' }).count()).toBe(1);
  });

  it('may be used until the program has ended, after its window is closed', async () => {
    const ended = once(program.app.process(), 'exit');
    await program.app.evaluate(({ BrowserWindow, Menu }) => {
      const entries = Menu.getApplicationMenu()!.items.flatMap((menu) => menu.submenu?.items ?? []);
      BrowserWindow.getAllWindows()
        .find((one) => one.isVisible())!
        .destroy();
      entries.find(({ label }) => label === 'Keyboard shortcuts')!.click();
    });
    expect(await ended).toEqual([0, null]);
  });
});

it('resumes immediately when the computer wakes up', async () => {
  const service = await ScriptedService.start({ clock: systemClock, partBytes: 1024 ** 2 });
  onTestFinished(() => service.stop());
  service.account.balance = 0;
  await program.connect(service);
  await add('one.wav');
  await program.page.getByText('Not enough credits').first().waitFor();
  const earlierCalls = service.callsOf('create').length;

  // The next scheduled attempt would be in a quarter of an hour.
  service.account.balance = 100;
  await program.app.evaluate(({ powerMonitor }) => powerMonitor.emit('resume'));
  await expect.poll(() => service.callsOf('create').length).toBe(earlierCalls + 1);
  await program.button('Open: one.wav').waitFor();
  expect(service.violations).toEqual([]);
});
