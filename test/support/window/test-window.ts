import { resolve } from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Bridge } from '../../../electron/contract/bridge.ts';
import type { EventName, Events } from '../../../electron/contract/events.ts';
import { buildWindow, type Chunks } from './build-window.ts';
import { allLoadedMark } from '../../../renderer/loaded-mark.ts';
import { FakeMain, type Scene } from './fake-main.ts';

/** How the window is displayed. */
export interface Look {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: 'light' | 'dark';
}

declare global {
  interface Window {
    /** Sends a command to the fake main process in the test. */
    fakeInvoke(name: string, input: unknown): ReturnType<Bridge['invoke']>;
    /** Receives an event that the test pushes. */
    fakeEvent(name: string, payload: unknown): void;
    /** The id of the latest long task. */
    fakeTask: string;
  }
}

/** The real window in a real Electron, in front of a main process that a test scripts; see {@link setUpTestWindow}. */
export class TestWindow {
  /** The errors of the page, and violations of its content security policy. */
  readonly #complaints: string[] = [];
  main = new FakeMain({});
  /** Events that the main process is sending to the window. */
  readonly #pendingEvents = new Set<Promise<void>>();
  #pages: string | null = null;
  #app: ElectronApplication | null = null;
  #page: Page | null = null;

  get page(): Page {
    if (this.#page === null) throw new Error('The window is not open yet.');
    return this.#page;
  }

  /** The folder of the built pages. */
  get pages(): string {
    if (this.#pages === null) throw new Error('The pages are not built yet.');
    return this.#pages;
  }

  /** Builds the page and starts Electron; see {@link buildWindow}. */
  async setUp(chunks: Chunks): Promise<void> {
    this.#pages = await buildWindow(chunks);
    const env = { ...process.env };
    delete env['ELECTRON_RUN_AS_NODE'];
    this.#app = await _electron.launch({
      // Tests run in Electron's own Node, so this is Electron.
      executablePath: process.execPath,
      args: [
        ...platformArguments(),
        '--lang=en-GB',
        resolve(import.meta.dirname, 'window-host.ts'),
        this.#pages,
      ],
      env: env as Record<string, string>,
    });
    this.#page = await this.#app.firstWindow();
    this.#page.setDefaultTimeout(15_000);
    await this.#connect(this.#page);
  }

  async #connect(page: Page): Promise<void> {
    page.on('pageerror', (error) => this.#complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') this.#complaints.push(message.text());
    });
    await page.exposeFunction('fakeInvoke', (name: string, input: unknown) => this.main.invoke(name, input));
    await page.addInitScript(() => {
      const listeners = new Map<string, Set<(payload: never) => void>>();
      window.fakeEvent = (name, payload) =>
        listeners.get(name)?.forEach((listener) => listener(payload as never));
      Object.assign(window, {
        longhand: {
          invoke: (name: string, input: unknown) => {
            if (name !== 'library.cancel' && typeof input === 'object' && input !== null && 'task' in input)
              window.fakeTask = String(input.task);
            return window.fakeInvoke(name, input);
          },
          on: (name: string, listener: (payload: never) => void) => {
            const registered = listeners.get(name) ?? new Set();
            listeners.set(name, registered.add(listener));
            return () => registered.delete(listener);
          },
          pathForFile: (file: File) => `/recordings/${file.name}`,
        } as Bridge,
      });
    });
  }

  /** Reopens the window with a main process in the given state. */
  async open(scene: Scene = {}, look: Look = {}): Promise<Page> {
    const { page } = this;
    await this.#stopEvents();
    // The last commands of the page belong to the previous main process.
    await page.goto('about:blank');
    await this.#app?.evaluate(({ session }) =>
      session.defaultSession.clearStorageData({ storages: ['localstorage'] }),
    );
    this.#complaints.length = 0;
    this.main = new FakeMain(scene);
    this.main.onEvent = (name, payload) => this.#send(name, payload);
    await page.setViewportSize({ width: look.width ?? 1280, height: look.height ?? 820 });
    await page.emulateMedia({ colorScheme: look.colorScheme ?? 'light', reducedMotion: 'reduce' });
    await page.goto('app://longhand/index.html');
    await page.locator('h1, h2').first().waitFor();
    // From now on every screen and dialog renders at once.
    await page.waitForFunction((mark) => performance.getEntriesByName(mark).length > 0, allLoadedMark);
    await page.locator('[data-awaited]').first().waitFor({ state: 'detached' });
    return page;
  }

  /** Sends the window an event that it has not requested. */
  async push<N extends EventName>(name: N, payload: Events[N]): Promise<void> {
    await this.page.evaluate(([event, data]) => window.fakeEvent(event, data), [name, payload] as const);
  }

  /** Sends the window an event of its main process; errors count as complaints. */
  #send<N extends EventName>(name: N, payload: Events[N]): void {
    const sent = this.push(name, payload)
      .catch((error: unknown) => {
        this.#complaints.push(`${name}: ${String(error)}`);
      })
      .finally(() => this.#pendingEvents.delete(sent));
    this.#pendingEvents.add(sent);
  }

  /** Stops the events of the main process, since the page is left; resolves once those in flight have arrived. */
  async #stopEvents(): Promise<void> {
    this.main.onEvent = () => {};
    await Promise.all(this.#pendingEvents);
  }

  /** @throws Error when the page has complained since it was opened. */
  checkComplaints(): void {
    if (this.#complaints.length > 0) throw new Error(this.#complaints.join('\n'));
  }

  async tearDown(): Promise<void> {
    await this.#stopEvents();
    await this.#app?.close();
  }
}

/**
 * Opens the window before the first test of the file, fails each test in which the page complained, and closes it after
 * the last. Must be called outside of tests, before hooks that use it.
 *
 * @param complaints `expected`: the file itself checks what the page complains about.
 * @param chunks see {@link buildWindow}
 */
export function setUpTestWindow(
  complaints: 'refused' | 'expected' = 'refused',
  chunks: Chunks = 'joined',
): TestWindow {
  const app = new TestWindow();
  beforeAll(() => app.setUp(chunks));
  afterAll(() => app.tearDown());
  if (complaints === 'refused') afterEach(() => app.checkComplaints());
  return app;
}

/** Returns the switches that Chromium needs here: no sandbox as root, and no display on Linux without one. */
function platformArguments(): readonly string[] {
  return [
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ...(process.platform === 'linux' ? ['--disable-gpu', '--ozone-platform=headless'] : []),
  ];
}
