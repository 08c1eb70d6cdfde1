import { app, type BrowserWindow, Menu, nativeTheme } from 'electron';
import { ProblemError } from '../../contract/problem.ts';
import type { ServiceCondition } from '../../contract/service.ts';
import { windowLanguage } from '../../contract/languages.ts';
import type { Longhand } from '../../core/longhand.ts';
import { systemClock } from '../../core/system.ts';
import type { Translator } from '../../core/translator.ts';
import { Background } from './background.ts';
import { keepWorkingAfterClose } from '../window/window-lifecycle.ts';
import { type MenuActions, type MenuState, menuTemplate } from '../window/menu-template.ts';
import { Notifier } from './notifier.ts';
import type { SettingsStore } from '../settings-store.ts';
import { TrayIcon } from './tray.ts';
import type { WindowStateStore } from '../window/window-state.ts';

export interface PresenceOptions {
  readonly window: BrowserWindow;
  /** The folder of the built icons. */
  readonly icons: string;
  readonly longhand: Longhand;
  readonly settings: SettingsStore;
  readonly state: WindowStateStore;
  readonly translator: Translator;
  readonly menu: MenuActions;
  readonly recent: () => MenuState['recent'];
  readonly show: () => void;
  readonly condition: () => ServiceCondition;
  readonly isWatchingFolders: () => boolean;
  readonly isQuitting: () => boolean;
}

/** Updates everything outside the window: menu, tray, dock, notifications. */
export class Presence {
  readonly notifier: Notifier;
  readonly #options: PresenceOptions;
  readonly #background: Background;
  /** Whether the user had chosen a service when the current menu was built. */
  #wasSetUp = false;
  #isModal = false;

  constructor(options: PresenceOptions) {
    const { window, icons, longhand, settings, state, translator, show, condition } = options;
    this.#options = options;
    this.notifier = new Notifier(translator, show);
    this.#background = new Background({
      window,
      settings,
      notifier: this.notifier,
      tray: new TrayIcon(icons, translator, {
        show,
        setPaused: (paused) => this.#setPaused(paused),
        quit: () => app.quit(),
      }),
      clock: systemClock,
      summary: () => longhand.queue.view({ filter: 'all', offset: 0, limit: 0 }).summary,
      condition,
    });
    keepWorkingAfterClose({
      window,
      state,
      notifier: this.notifier,
      activity: () => this.#background.activity,
      keepsWorking: () => settings.get().keepWorkingWhenClosed,
      isWatching: options.isWatchingFolders,
      isQuitting: options.isQuitting,
    });
    longhand.listen({ queueChanged: () => this.#background.notifyChanged() });
    settings.onChange(() => this.#applySettings());
    this.refreshMenu();
  }

  /** Whether work is in progress. */
  get isBusy(): boolean {
    return this.#background.activity.isBusy;
  }

  close(): void {
    this.#background.close();
  }

  /** Sets whether the window shows a modal dialog. */
  setModal(isModal: boolean): void {
    if (isModal === this.#isModal) return;
    this.#isModal = isModal;
    this.refreshMenu();
  }

  /** Pauses or resumes the queue. No command is waiting for the problem if that cannot be stored: the window shows it. */
  #setPaused(paused: boolean): void {
    const { longhand, show } = this.#options;
    try {
      longhand.queue.setPaused(paused);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      show();
    }
  }

  #applySettings(): void {
    const { settings, translator } = this.#options;
    const { theme, language: chosen } = settings.get();
    nativeTheme.themeSource = theme;
    const language = windowLanguage(chosen, app.getPreferredSystemLanguages());
    if (language !== translator.language)
      void translator.setLanguage(language).then(() => this.refreshMenu());
    else if (this.#isSetUp !== this.#wasSetUp) this.refreshMenu();
    this.#background.notifyChanged();
  }

  get #isSetUp(): boolean {
    return this.#options.settings.get().service !== null;
  }

  /** Shows the native menu in the current language, with the recently opened transcripts. */
  refreshMenu(): void {
    const { translator, menu, recent } = this.#options;
    this.#wasSetUp = this.#isSetUp;
    const state = { recent: recent(), isSetUp: this.#wasSetUp, isModal: this.#isModal };
    Menu.setApplicationMenu(
      Menu.buildFromTemplate([...menuTemplate(translator, menu, process.platform, state)]),
    );
    app.setAboutPanelOptions({
      applicationName: 'Longhand',
      applicationVersion: app.getVersion(),
      copyright: translator.translate('about.copyright'),
      website: '',
    });
    this.#background.notifyChanged();
  }
}
