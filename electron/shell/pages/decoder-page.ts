import { BrowserWindow, MessageChannelMain, type MessagePortMain } from 'electron';
import { decoderChannel } from '../../contract/decoder-protocol.ts';
import { pageOrigin } from './pages.ts';

/**
 * The off-screen page that decodes media with the browser's own decoders. Opened when it is first needed; a page that
 * crashed on a hostile file is opened anew for the next one.
 */
export class DecoderPage {
  readonly #preload: string;
  #window: Promise<BrowserWindow> | null = null;

  /** @param preload path of the built `decoder-preload`. */
  constructor(preload: string) {
    this.#preload = preload;
  }

  /** A new port to the page, for one recording. */
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

  /** Ends a page that answers no more; the next recording gets another one. */
  async kill(): Promise<void> {
    const stuck = await this.#window?.catch(() => undefined);
    // A page in an endless loop hears of nothing else.
    if (stuck?.isDestroyed() === false) stuck.webContents.forcefullyCrashRenderer();
  }

  close(): void {
    // One that could not be opened was told to whoever wanted it.
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
        preload: this.#preload,
        // Off screen it needs no display either.
        offscreen: true,
        sandbox: true,
        contextIsolation: true,
        backgroundThrottling: false,
      },
    });
    window.webContents.on('render-process-gone', () => {
      this.#window = null;
      window.destroy();
    });
    await window.loadURL(`${pageOrigin}/decoder/index.html`);
    return window;
  }
}
