import { BrowserWindow, MessageChannelMain, type MessagePortMain } from 'electron';
import { decoderChannel } from '../../contract/decoder-protocol.ts';
import type { AppPaths } from '../start/app-paths.ts';
import { openDecoderSession, pageOrigin, pagePreferences } from './pages.ts';

/**
 * The off-screen page that decodes media with the browser's own decoders, for one process: only then does that process
 * know which recordings were open in it when it crashed. Opened when first needed; after a crash on a hostile file, it is
 * reopened for the next one.
 */
export class DecoderPage {
  readonly #paths: Pick<AppPaths, 'pages' | 'decoderPreload'>;
  #window: Promise<BrowserWindow> | null = null;

  constructor(paths: Pick<AppPaths, 'pages' | 'decoderPreload'>) {
    this.#paths = paths;
  }

  /** Opens a new port to the page, for one recording. */
  async connect(): Promise<MessagePortMain> {
    this.#window ??= this.#open();
    const window = await this.#window.catch((error: unknown) => {
      this.#window = null;
      throw error;
    });
    const { port1, port2 } = new MessageChannelMain();
    window.webContents.postMessage(decoderChannel, null, [port1]);
    return port2;
  }

  /** Kills a page that does not respond; the next recording gets a new one. */
  async kill(): Promise<void> {
    const stuck = await this.#window?.catch(() => undefined);
    // A page in an endless loop reacts to nothing else.
    if (stuck?.isDestroyed() === false) stuck.webContents.forcefullyCrashRenderer();
  }

  close(): void {
    // A page that failed to open was reported to its caller.
    this.#window?.then(
      (window) => window.destroy(),
      () => undefined,
    );
    this.#window = null;
  }

  async #open(): Promise<BrowserWindow> {
    const window = new BrowserWindow({
      show: false,
      webPreferences: {
        ...pagePreferences,
        session: openDecoderSession(this.#paths.pages),
        preload: this.#paths.decoderPreload,
        // Off screen it needs no display.
        offscreen: true,
        backgroundThrottling: false,
      },
    });
    window.webContents.on('render-process-gone', () => {
      this.#window = null;
      window.destroy();
    });
    try {
      await window.loadURL(`${pageOrigin}/decoder/index.html`);
    } catch (error) {
      window.destroy();
      throw error;
    }
    return window;
  }
}
