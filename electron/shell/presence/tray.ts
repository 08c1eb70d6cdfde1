import { join } from 'node:path';
import { Menu, Tray } from 'electron';
import type { Translator } from '../../core/translator.ts';
import type { Activity } from './activity.ts';

export interface TrayActions {
  readonly show: () => void;
  readonly setPaused: (paused: boolean) => void;
  readonly quit: () => void;
}

/** The icon in the system's tray: how many recordings are unfinished, and a menu that opens the window. */
export class TrayIcon {
  readonly #tray: Tray;
  readonly #translator: Translator;
  readonly #actions: TrayActions;
  #shownState = '';

  /** @param icons the folder of the built icons. */
  constructor(icons: string, translator: Translator, actions: TrayActions) {
    const isMac = process.platform === 'darwin';
    // Windows chooses among the sizes of an icon; macOS tints template images.
    const files: Partial<Record<NodeJS.Platform, string>> = { darwin: 'trayTemplate.png', win32: 'tray.ico' };
    this.#tray = new Tray(join(icons, files[process.platform] ?? 'tray.png'));
    this.#translator = translator;
    this.#actions = actions;
    // On a Mac a click opens the menu.
    if (!isMac) this.#tray.on('click', () => actions.show());
  }

  show({ remaining, attention, isPaused }: Activity): void {
    const translator = this.#translator;
    const count =
      remaining > 0
        ? translator.translate('tray.left', { count: remaining })
        : attention > 0
          ? translator.translate('tray.attention', { count: attention })
          : translator.translate('tray.idle');
    const newState = JSON.stringify([translator.language, count, isPaused, remaining > 0]);
    if (newState === this.#shownState) return;
    this.#shownState = newState;
    this.#tray.setToolTip(`Longhand: ${count}`);
    if (process.platform === 'darwin') this.#tray.setTitle(remaining > 0 ? String(remaining) : '');
    this.#tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: count, enabled: false },
        { type: 'separator' },
        { label: translator.translate('tray.open'), click: this.#actions.show },
        ...(remaining > 0
          ? [
              {
                label: translator.translate(isPaused ? 'queue.resumeAll' : 'queue.pauseAll'),
                click: () => this.#actions.setPaused(!isPaused),
              },
            ]
          : []),
        { type: 'separator' },
        { label: translator.translate('menu.quit'), click: this.#actions.quit },
      ]),
    );
  }

  remove(): void {
    this.#tray.destroy();
  }
}
