import { app, dialog, powerMonitor, shell, type BrowserWindow, type WebContents } from 'electron';
import type { EventName, Events } from '../../contract/events.ts';
import type { AddReport } from '../../contract/queue-commands.ts';
import type { ServiceAddress } from '../../contract/service.ts';
import type { Problem } from '../../contract/problem.ts';
import type { RecordingInputs } from '../../core/media/links.ts';
import type { Logger, SecretStore } from '../../core/ports.ts';
import { storageProblem } from '../../core/storage-problem.ts';
import type { ModelManager } from '../../on-device/models/model-manager.ts';
import { UserConsent } from '../user-consent.ts';
import { RecordingAdder } from '../recording-adder.ts';
import { WatchedFolders } from '../../core/watch/watched-folders.ts';
import type { Translator } from '../../core/translator.ts';
import { commandHandlers } from '../commands/all-handlers.ts';
import { openCore, openModels, type RunningCore } from '../open-core.ts';
import { closeOrKill } from './shutdown.ts';
import { EventSender } from './event-sender.ts';
import { HandOverInbox, type HandOverInboxOptions } from '../start/hand-over.ts';
import type { AnswerCommand } from '../commands/command-channel.ts';
import { answerCommands, sendEvent } from '../commands/ipc.ts';
import { LibraryTasks } from '../commands/library-tasks.ts';
import type { RecordingPath } from '../pages/pages.ts';
import { recordingPath } from '../pages/recording-paths.ts';
import { measureModel, measureAfterStart } from '../on-device/measure-models.ts';
import type { AppPaths } from '../start/app-paths.ts';
import { Presence } from '../presence/presence.ts';
import type { SettingsStore } from '../settings-store.ts';
import { systemClock } from '../../core/system.ts';
import { endsWithin } from '../../core/delay.ts';
import type { Updates } from '../updates/updates.ts';
import { createUpdates } from '../updates/create-updates.ts';
import type { OpenedWindow } from './window.ts';
import { RecentTranscripts } from './recent-transcripts.ts';
import { manageWindow } from './window-lifecycle.ts';
import { WindowStateStore } from './window-state.ts';

/** Milliseconds that the page gets for its first rows: the on-device service would slow it. */
const firstRowsMs = 300;
/** Milliseconds that the on-device service waits for a page that does not load. */
const maxPageLoadMs = 5000;
/** Milliseconds that the shutdown waits for a window that does not respond. */
const maxFlushMs = 1000;
/** Milliseconds that it waits for one that has reported unsaved changes; then the user is asked. */
const maxUnsavedFlushMs = 5000;
/** Milliseconds after which a slow shutdown hides the window. */
const hideAfterMs = 1500;
/** Milliseconds between two checks for missing files of the queue. */
const fileCheckIntervalMs = 60_000;

/** Events that the user causes outside of the page, for example in the menu; they bring the window to the front. */
const externalRequests = new Set<EventName>(['navigate', 'libraryCommand', 'showShortcuts', 'saveLog']);

export interface WindowProgramOptions {
  /** The window, whose page is loading. */
  readonly opened: OpenedWindow;
  /** Installs the function that answers the page. */
  readonly setCommandHandler: (answer: AnswerCommand) => void;
  /** Installs the function that looks up recordings. */
  readonly setRecordingLookup: (pathOf: RecordingPath) => void;
  readonly appPaths: AppPaths;
  readonly settings: SettingsStore;
  readonly secrets: SecretStore;
  readonly logger: Logger;
  readonly translator: Translator;
  /** Called when another program has taken the data folder; all work here has ended. */
  readonly onLeaseLost: (problem: Problem) => void;
}

/** Longhand with its window. */
export class WindowProgram {
  readonly #options: WindowProgramOptions;
  readonly #core: RunningCore;
  readonly #models: ModelManager;
  readonly #stopMeasuring: () => void;
  #stopFileChecks: () => void = () => undefined;
  readonly #window: BrowserWindow;
  /** The contents of the window, which cannot be read from a window that is closed. */
  readonly #webContents: WebContents;
  readonly #inbox: HandOverInbox;
  readonly #adder: RecordingAdder;
  readonly #recent: RecentTranscripts;
  readonly #presence: Presence;
  readonly #folders: WatchedFolders;
  readonly #events: EventSender;
  readonly #updates: Updates;
  /** Problems that the window shows when it opens. */
  readonly #problems: Problem[] = [];
  #isQuitting = false;
  /** Called when the page has stored everything, or could not. */
  #onFlushed: () => void = () => undefined;
  /** The number of transcripts with unsaved changes, as the page has last reported. */
  #unsavedCount = 0;

  /** @throws ProblemError when the data folder cannot be used. */
  constructor(options: WindowProgramOptions) {
    const { opened, appPaths, settings, secrets, logger, translator } = options;
    this.#options = options;
    this.#window = opened.window;
    const { webContents } = opened.window;
    this.#webContents = webContents;
    const state = new WindowStateStore(appPaths.dataFolder, logger);
    manageWindow(opened, {
      theme: settings.get().theme,
      state,
      translator,
      logger,
      onCrash: () => this.#problems.push({ code: 'window_crashed' }),
    });
    this.#forgetUnsavedWithPage();
    this.#models = openModels(appPaths, logger, 'write');
    this.#core = this.#openCore();
    const { longhand } = this.#core;
    options.setRecordingLookup((owner) => recordingPath(longhand, owner));
    this.#problems.push(...(settings.problem === null ? [] : [settings.problem]), ...longhand.startProblems);
    // Set by the start script of packages for Linux, `resources/linux/longhand`.
    if (process.env['LONGHAND_NO_SANDBOX'] !== undefined) this.#problems.push({ code: 'no_sandbox' });
    const queueSubscription = longhand.queue.subscribe((view) =>
      sendEvent(webContents, 'queue.changed', view),
    );
    const shared = { window: this.#window, longhand, settings };
    const consent = new UserConsent(this.#window, translator);
    this.#recent = new RecentTranscripts({
      state,
      listNames: (ids) => longhand.library.listNames(ids),
      onChange: () => this.#presence.refreshMenu(),
    });
    longhand.listen({ libraryChanged: () => this.#recent.refresh() });
    this.#adder = new RecordingAdder({
      ...shared,
      translator,
      consent,
      onSheetChange: (view) => sendEvent(webContents, 'addSheet.changed', view),
      onSheetReused: () => sendEvent(webContents, 'navigate', { to: 'queue' }),
    });
    this.#folders = this.#openWatchFolders();
    this.#updates = createUpdates({
      appPaths,
      settings,
      logger,
      isBusy: () => this.#presence.isBusy || longhand.speakers.view().current !== null,
      onChange: (update) => sendEvent(webContents, 'updates.changed', update),
    });
    longhand.listen({ queueChanged: () => this.#updates.activityChanged() });
    options.setCommandHandler(
      answerCommands(
        webContents,
        commandHandlers({
          ...shared,
          exports: this.#core.exports,
          exportJournals: this.#core.exportJournals,
          queueSubscription,
          adder: this.#adder,
          consent,
          secrets,
          clock: systemClock,
          translator,
          tasks: new LibraryTasks(
            (progress) => sendEvent(webContents, 'library.progress', progress),
            systemClock,
          ),
          watchedFolders: this.#folders,
          dataFolder: appPaths.dataFolder,
          workersFolder: appPaths.workersFolder,
          onTranscriptOpened: (transcript) => this.#recent.add(transcript),
          onModal: (isModal) => this.#presence.setModal(isModal),
          onReadyToQuit: () => this.#onFlushed(),
          onUnsaved: (count) => (this.#unsavedCount = count),
          models: this.#models,
          speakerModels: this.#core.speakerModels,
          measureModel: (accuracy) => measureModel(this.#models, this.#core, accuracy),
          checkModel: this.#core.checkModel,
          updates: this.#updates,
          startProblems: this.#problems,
        }),
        logger,
      ),
    );
    this.#events = new EventSender({
      webContents,
      longhand,
      models: this.#models,
      clock: systemClock,
      service: () => this.#service,
    });
    this.#followSettings();
    this.#presence = new Presence({
      ...shared,
      icons: appPaths.pages,
      state,
      translator,
      menu: {
        addFiles: () => void this.#reportAdded(() => this.#adder.pick('files')),
        addFolder: () => void this.#reportAdded(() => this.#adder.pick('folder')),
        library: (command) => this.#send('libraryCommand', command),
        edit: (command) => this.#send('editCommand', command),
        clearRecent: () => this.#recent.clear(),
        goTo: (to) => this.#send('navigate', { to }),
        showShortcuts: () => this.#send('showShortcuts', null),
        showDataFolder: () => void shell.openPath(appPaths.dataFolder),
        saveLog: () => this.#send('saveLog', null),
        showLicences: () => void shell.openPath(appPaths.licences),
      },
      recent: () => this.#recent.entries,
      show: () => this.show(),
      condition: () => this.#events.status.condition,
      isWatchingFolders: () => this.#folders.isWatching,
      isQuitting: () => this.#isQuitting,
    });
    powerMonitor.on('resume', () => longhand.wake());
    app.on('browser-window-focus', () => {
      longhand.probeCredits(this.#shownServices);
      this.#retryReturnedFiles();
    });
    this.#scheduleFileCheck();
    this.#inbox = new HandOverInbox({
      dataFolder: appPaths.dataFolder,
      logger,
      leaseOwner: longhand.leaseOwner,
      add: this.#addHandedOver,
    });
    this.#startOnDeviceAfter(opened.firstFrame);
    this.#stopMeasuring = measureAfterStart({
      models: this.#models,
      core: this.#core,
      accuracy: () => settings.get().options.accuracy,
      clock: systemClock,
      logger,
    });
    longhand.start();
    const sheetProblem = this.#adder.restoreLastSheet();
    if (sheetProblem !== null) this.#problems.push(sheetProblem);
    this.#folders.start();
    this.#updates.start();
    longhand.jobs.start(this.#service);
  }

  #openCore(): RunningCore {
    const { settings, logger } = this.#options;
    return openCore({
      ...this.#options,
      onSpeed: (speed) => {
        this.#models
          .recordSpeed(speed, 'recordings')
          .catch((error: unknown) => logger.warn('a speed could not be kept', { error: String(error) }));
      },
      program: 'window',
      // Items that are added before the user has chosen a service wait for that choice.
      canStartNew: () => settings.get().service !== null,
      onLeaseLost: () => this.#onLeaseLost(),
    });
  }

  #retryReturnedFiles(): void {
    const { logger } = this.#options;
    this.#core.longhand.queue
      .retryReturnedFiles()
      .catch((error: unknown) => logger.warn('missing files could not be checked', { error: String(error) }));
  }

  #scheduleFileCheck(): void {
    this.#stopFileChecks = systemClock.schedule(fileCheckIntervalMs, () => {
      this.#retryReturnedFiles();
      this.#scheduleFileCheck();
    });
  }

  #openWatchFolders(): WatchedFolders {
    const { settings, logger } = this.#options;
    const { longhand } = this.#core;
    return new WatchedFolders({
      store: longhand.watch,
      clock: systemClock,
      logger,
      defaultService: () => this.#service,
      add: (watched, service, signal) =>
        longhand.queue.add({
          paths: [...watched.fingerprints.keys()],
          watched,
          links: [],
          service,
          options: settings.get().options,
          autoExports: null,
          signal,
        }),
      item: (id) => longhand.queue.get(id),
      retry: (id) => longhand.queue.retry([id]),
      probeDuration: longhand.probeDuration,
      onChange: (folders) => this.#send('watch.changed', folders),
      // No notification for a full disk, which affects everything; the row of the folder shows it.
      onUnavailable: (name, { code }) => {
        if (code !== 'disk_full') this.#presence.notifier.notifyFolder('folderUnavailable', name);
      },
      onLimitReached: (name) => this.#presence.notifier.notifyFolder('folderLimit', name),
    });
  }

  /** Applies changed settings, and sends them to the page. */
  #followSettings(): void {
    const { settings } = this.#options;
    const { longhand } = this.#core;
    let previous = settings.get().service;
    settings.onChange((changed) => {
      if (previous === null && changed.service !== null)
        void longhand.queue.moveWaiting('on-device', changed.service);
      if (changed.service !== null && changed.service !== previous) longhand.jobs.of(changed.service).start();
      previous = changed.service;
      this.#send('settings.changed', changed);
      this.#updates.settingsChanged();
      this.#events.sendStatus();
    });
  }

  /** The services whose balance the window shows: in the sidebar, and on the sheet. */
  get #shownServices(): readonly ServiceAddress[] {
    return this.#adder.sheet === null ? [this.#service] : [this.#service, this.#adder.service];
  }

  /** Starts the on-device service once the page shows its first rows, or does not load. */
  #startOnDeviceAfter(firstFrame: Promise<void>): void {
    const start = (): void => this.#core.startOnDevice();
    void firstFrame.then(() => systemClock.schedule(firstRowsMs, start));
    systemClock.schedule(maxPageLoadMs, start);
  }

  /** Adds recordings from the command line or from another launch. Never rejects: the window shows problems. */
  async add(recordings: RecordingInputs): Promise<void> {
    if (recordings.paths.length + recordings.links.length === 0) return;
    await this.#reportAdded(() => this.#adder.add(recordings));
  }

  /** Adds recordings from another launch. Those from a command skip the add sheet, and the command waits for the result. */
  readonly #addHandedOver: HandOverInboxOptions['add'] = async (recordings, choices) => {
    if (choices === null) {
      await this.add(recordings);
      return null;
    }
    const report = await this.#reportAdded(() => this.#adder.addForCommand(recordings, choices));
    return report === null || 'ids' in report
      ? report
      : { ids: [], rejected: report.rejected, settledExports: [] };
  };

  /** Brings the window to the front: the program was started again. */
  show(): void {
    this.#inbox.check();
    if (this.#window.isDestroyed()) return;
    if (this.#window.isMinimized()) this.#window.restore();
    this.#window.show();
    this.#window.focus();
  }

  /**
   * Stores what was just typed. Returns whether to quit: not if changes cannot be stored and the user wants to keep
   * them.
   */
  async prepareToQuit(): Promise<boolean> {
    this.#isQuitting = true;
    await this.#flushBeforeQuit();
    if (this.#unsavedCount === 0 || (await this.#mayLoseChanges(this.#unsavedCount))) return true;
    this.#isQuitting = false;
    this.#updates.keepOpen();
    return false;
  }

  /** Closes everything, or kills the process if something hangs. */
  async close(): Promise<void> {
    const { logger } = this.#options;
    await closeOrKill(() => this.#close(), { clock: systemClock, logger });
    // An ordinary close would wait for the page, which may be stuck.
    if (!this.#window.isDestroyed()) this.#window.destroy();
    await this.#updates.installIfRequested();
  }

  /** Asks whether to quit although changes to transcripts are not stored. */
  async #mayLoseChanges(unsavedCount: number): Promise<boolean> {
    const { translator } = this.#options;
    this.show();
    const { response } = await dialog.showMessageBox(this.#window, {
      type: 'warning',
      message: translator.translate('unsaved.title', { count: unsavedCount }),
      detail: translator.translate('unsaved.note'),
      buttons: [translator.translate('unsaved.stay'), translator.translate('unsaved.quit')],
      defaultId: 0,
      cancelId: 0,
    });
    return response === 1;
  }

  async #close(): Promise<void> {
    systemClock.schedule(hideAfterMs, () => {
      if (!this.#window.isDestroyed()) this.#window.hide();
    });
    this.#stopMeasuring();
    this.#stopFileChecks();
    this.#updates.close();
    this.#events.close();
    this.#adder.suspend();
    this.#presence.close();
    await this.#folders.close();
    await this.#inbox.close();
    await this.#models.close();
    await this.#core.close();
  }

  /** Lets the page send what was just typed, but waits only so long: the page may be stuck. */
  async #flushBeforeQuit(): Promise<void> {
    if (this.#window.isDestroyed()) return;
    const flushed = new Promise<void>((resolve) => (this.#onFlushed = resolve));
    sendEvent(this.#webContents, 'app.quitting', null);
    await endsWithin(flushed, this.#unsavedCount === 0 ? maxFlushMs : maxUnsavedFlushMs, systemClock);
  }

  /** Forgets what a page had not saved when that page is gone. */
  #forgetUnsavedWithPage(): void {
    const forget = (): void => {
      this.#unsavedCount = 0;
    };
    this.#webContents.on('render-process-gone', forget);
    this.#webContents.on('did-navigate', forget);
    this.#webContents.once('destroyed', forget);
  }

  /** The default service. */
  get #service(): ServiceAddress {
    return this.#options.settings.get().service ?? 'on-device';
  }

  /** Sends the window an event, and brings it to the front for external requests. */
  #send<N extends EventName>(name: N, payload: Events[N]): void {
    if (externalRequests.has(name)) this.show();
    sendEvent(this.#webContents, name, payload);
  }

  async #reportAdded<R extends AddReport>(add: () => Promise<R | null>): Promise<R | AddReport | null> {
    const report = await add().catch((error: unknown): AddReport => {
      const problem = storageProblem(error);
      this.#options.logger.error('recordings could not be added', {
        code: problem.code,
        error: String(error),
      });
      return { added: 0, firstAdded: null, rejected: [{ name: 'Longhand', problem }] };
    });
    if (report !== null && report.added + report.rejected.length > 0) {
      const { added, firstAdded, rejected, excluded = 0 } = report;
      this.#send('queue.addedExternally', { added, firstAdded, rejected, excluded });
    }
    return report;
  }

  #onLeaseLost(): void {
    this.#options.logger.error('another program has taken the data folder');
    this.#core.longhand.abandon();
    this.#options.onLeaseLost({
      code: 'data_folder_in_use',
      params: { program: 'window', pid: process.pid },
    });
  }
}
