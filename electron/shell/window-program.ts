import { app, dialog, nativeTheme, shell, type BrowserWindow } from 'electron';
import type { AddReport, Settings } from '../contract/model.ts';
import { ProblemError, type Problem } from '../contract/problem.ts';
import type { NamedRecordings } from '../core/media/links.ts';
import type { Logger, SecretStore } from '../core/ports.ts';
import { addToQueue, commandHandlers, pickAndAdd } from './commands.ts';
import { openCore, type RunningCore } from './core.ts';
import { sendEvent, serveCommands } from './ipc.ts';
import { setMenu } from './menu.ts';
import type { Places } from './places.ts';
import type { SettingsStore } from './settings.ts';
import { speechModels } from './speech-models.ts';
import { systemClock } from '../core/system.ts';
import { openWindow } from './window.ts';

export interface WindowProgramOptions {
  readonly places: Places;
  readonly settings: SettingsStore;
  readonly secrets: SecretStore;
  readonly logger: Logger;
}

/** Longhand with its window. */
export class WindowProgram {
  readonly #options: WindowProgramOptions;
  readonly #core: RunningCore;
  readonly #window: BrowserWindow;
  #toldStatus = '';

  /** @throws ProblemError when the data folder cannot be used. */
  constructor(options: WindowProgramOptions) {
    const { places, settings, secrets, logger } = options;
    this.#options = options;
    this.#core = openCore({
      ...options,
      program: 'window',
      // What is added before the first choice waits for it.
      mayBegin: () => settings.get().service !== null,
      wantedOfAll: () => settings.get().saveBeside.map((format) => ({ format, folder: null })),
      onLost: () => this.#leave({ code: 'data_folder_in_use' }),
    });
    const { longhand } = this.#core;
    this.#window = openWindow(places.windowPreload, settings.get().theme);
    const { webContents } = this.#window;
    const watch = longhand.queue.watch((view) => sendEvent(webContents, 'queue.changed', view));
    const shared = { window: this.#window, longhand, settings };
    serveCommands(
      commandHandlers({
        ...shared,
        watch,
        secrets,
        clock: systemClock,
        dataFolder: places.dataFolder,
        models: speechModels(places.modelsFolder),
        startProblems: settings.problem === null ? [] : [settings.problem],
      }),
      logger,
    );
    longhand.listen({
      changed: (id) => {
        if (id === null) this.#tellService();
      },
      saved: () => sendEvent(webContents, 'library.changed', { total: longhand.transcripts.count() }),
    });
    let chosen = settings.get().service;
    settings.onChange((changed) => {
      if (chosen === null && changed.service !== null)
        longhand.queue.moveWaiting('on-device', changed.service);
      chosen = changed.service;
      this.#applySettings(changed);
    });
    setMenu({
      addFiles: () => void pickAndAdd(shared, 'files').then((report) => this.#tellAdded(report)),
      addFolder: () => void pickAndAdd(shared, 'folder').then((report) => this.#tellAdded(report)),
      goTo: (to) => sendEvent(webContents, 'navigate', { to }),
      showDataFolder: () => void shell.openPath(places.dataFolder),
    });
    this.#core.startOnDevice();
    longhand.start();
  }

  /** Adds recordings from the command line or from a second start, and comes to the front. */
  async add({ paths, links }: NamedRecordings): Promise<void> {
    if (this.#window.isMinimized()) this.#window.restore();
    this.#window.focus();
    if (paths.length + links.length === 0) return;
    const { settings } = this.#options;
    this.#tellAdded(await addToQueue({ longhand: this.#core.longhand, settings }, paths, links));
  }

  async close(): Promise<void> {
    await this.#core.close();
  }

  #applySettings(settings: Settings): void {
    nativeTheme.themeSource = settings.theme;
    sendEvent(this.#window.webContents, 'settings.changed', settings);
    this.#tellService();
  }

  /** Tells the window how the service does, when that is news. */
  #tellService(): void {
    const status = this.#core.longhand.serviceStatus(this.#options.settings.get().service ?? 'on-device');
    const words = JSON.stringify(status);
    if (words === this.#toldStatus) return;
    this.#toldStatus = words;
    sendEvent(this.#window.webContents, 'service.changed', status);
  }

  #tellAdded(report: AddReport): void {
    if (report.added + report.leftOut.length > 0) {
      sendEvent(this.#window.webContents, 'queue.addedFromOutside', report);
    }
  }

  #leave(problem: Problem): void {
    this.#options.logger.error('the data folder is in use elsewhere', {});
    dialog.showErrorBox('Longhand', new ProblemError(problem).message);
    app.exit(1);
  }
}
