import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import type { Bridge } from '../../../electron/contract/bridge.ts';
import type { EventName, Events } from '../../../electron/contract/events.ts';
import { buildWindow } from './build-window.ts';
import { allLoadedMark } from '../../../renderer/loaded-mark.ts';
import { FakeMain, type Scene } from './fake-main.ts';

/** How the window is shown. */
export interface Look {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: 'light' | 'dark';
}

/** Milliseconds that building the page and starting Electron may take on a busy machine. */
export const startTimeout = 60_000;

declare global {
  interface Window {
    /** Gives a command to the fake main process in the test. */
    fakeInvoke(name: string, input: unknown): ReturnType<Bridge['invoke']>;
    /** Takes an event that the test pushes. */
    fakeEvent(name: string, payload: unknown): void;
    /** The number of what takes a while, and was asked for last. */
    fakeTask: string;
  }
}

/** The real window in a real Electron, before a main process that a test scripts. */
export class WindowFixture {
  readonly page: Page;
  /** The folder of the built pages. */
  readonly pages: string;
  readonly #app: ElectronApplication;
  /** What the page complained about: errors, and breaches of its content security policy. */
  readonly complaints: string[] = [];
  main = new FakeMain({});
  /** The main process that the page listens to; none while the page is being left. */
  #listensTo: FakeMain | null = null;

  private constructor(app: ElectronApplication, page: Page, pages: string) {
    this.#app = app;
    this.page = page;
    this.pages = pages;
  }

  /** Builds the page and starts Electron; one fixture serves many scenes. */
  static async start(): Promise<WindowFixture> {
    const pages = await buildWindow();
    const env = { ...process.env };
    delete env['ELECTRON_RUN_AS_NODE'];
    const app = await _electron.launch({
      // Tests run in Electron's own Node, so this is Electron.
      executablePath: process.execPath,
      args: [...platformArguments(), '--lang=en-GB', resolve(import.meta.dirname, 'window-host.ts'), pages],
      env: env as Record<string, string>,
    });
    const page = await app.firstWindow();
    page.setDefaultTimeout(15_000);
    const fixture = new WindowFixture(app, page, pages);
    await fixture.#connect();
    return fixture;
  }

  async #connect(): Promise<void> {
    const { page } = this;
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') this.complaints.push(message.text());
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
            const those = listeners.get(name) ?? new Set();
            listeners.set(name, those.add(listener));
            return () => those.delete(listener);
          },
          pathForFile: (file: File) => `/recordings/${file.name}`,
        } as Bridge,
      });
    });
  }

  /** Opens the window anew before a main process in the given state. */
  async open(scene: Scene = {}, look: Look = {}): Promise<Page> {
    const { page } = this;
    this.#listensTo = null;
    // What the page says last is for the main process that it was opened before.
    await page.goto('about:blank');
    this.complaints.length = 0;
    this.#listenTo(new FakeMain(scene));
    await page.setViewportSize({ width: look.width ?? 1280, height: look.height ?? 820 });
    await page.emulateMedia({ colorScheme: look.colorScheme ?? 'light', reducedMotion: 'reduce' });
    await page.goto('app://longhand/index.html');
    await page.locator('h1, h2').first().waitFor();
    // From now on every screen and dialog is drawn at once.
    await page.waitForFunction((mark) => performance.getEntriesByName(mark).length > 0, allLoadedMark);
    await page.locator('[data-awaited]').first().waitFor({ state: 'detached' });
    return page;
  }

  /** From now on the page is told what this main process has to tell, until it is left. */
  #listenTo(main: FakeMain): void {
    this.main = main;
    this.#listensTo = main;
    main.onEvent = (name, payload) => {
      if (this.#listensTo !== main) return;
      this.push(name, payload).catch((error: unknown) => {
        // A page that is left meanwhile takes nothing more.
        if (this.#listensTo === main) this.complaints.push(String(error));
      });
    };
  }

  /** Tells the window something unasked. */
  async push<N extends EventName>(name: N, payload: Events[N]): Promise<void> {
    await this.page.evaluate(([event, data]) => window.fakeEvent(event, data), [name, payload] as const);
  }

  /** @throws Error when the page has complained since it was opened. */
  checkComplaints(): void {
    if (this.complaints.length > 0) throw new Error(this.complaints.join('\n'));
  }

  async close(): Promise<void> {
    this.#listensTo = null;
    await this.#app.close();
    await rm(this.pages, { recursive: true });
  }
}

/** What Chromium needs here: as root no sandbox, on Linux without a display no display. */
function platformArguments(): readonly string[] {
  return [
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ...(process.platform === 'linux' ? ['--disable-gpu', '--ozone-platform=headless'] : []),
  ];
}
