import { CrashCounter } from './crash-counter.ts';
import { app, type BrowserWindow, dialog, nativeTheme, screen } from 'electron';
import type { Settings } from '../../contract/settings.ts';
import type { Logger } from '../../core/ports.ts';
import type { Translator } from '../../core/translator.ts';
import { sendEvent } from '../commands/ipc.ts';
import { paperColour, windowUrl, type OpenedWindow } from './window.ts';
import type { WindowStateStore } from './window-state.ts';
import { fitBounds } from './window-bounds.ts';
import type { Activity } from '../presence/activity.ts';
import type { Notifier } from '../presence/notifier.ts';

export interface WindowLifecycleOptions {
  readonly theme: Settings['theme'];
  readonly state: WindowStateStore;
  readonly translator: Translator;
  readonly logger: Logger;
  /** Called when the page has crashed and is reloaded. */
  readonly onCrash: () => void;
}

/** Restores the window's bounds, shows it once it has a frame, and recovers it from crashes. */
export function manageWindow(
  { window, firstFrame }: OpenedWindow,
  { theme, state, translator, logger, onCrash }: WindowLifecycleOptions,
): void {
  nativeTheme.themeSource = theme;
  window.setBackgroundColor(paperColour());
  const { bounds, maximised, fullScreen } = state.get();
  const displays = screen.getAllDisplays().map(({ workArea }) => workArea);
  const { x, y, width, height } = fitBounds(bounds, displays);
  if (x === undefined || y === undefined) window.setSize(width, height);
  else window.setBounds({ x, y, width, height });
  const show = async (): Promise<void> => {
    await firstFrame;
    if (window.isDestroyed()) return;
    if (maximised) window.maximize();
    if (fullScreen) window.setFullScreen(true);
    window.show();
  };
  void show();
  rememberState(window, state);
  recoverFromCrashes(window, translator, logger, onCrash);
}

/**
 * Saves the window's state after each move or resize, when it is closed, and when the program quits, which destroys the
 * window without a `close` event.
 */
function rememberState(window: BrowserWindow, state: WindowStateStore): void {
  const save = (): void => {
    if (window.isDestroyed() || window.isMinimized()) return;
    state.change({
      bounds: window.getNormalBounds(),
      maximised: window.isMaximized(),
      fullScreen: window.isFullScreen(),
    });
  };
  let timer: NodeJS.Timeout | undefined;
  const scheduleSave = (): void => {
    clearTimeout(timer);
    timer = setTimeout(save, 500);
  };
  window.on('resize', scheduleSave);
  window.on('move', scheduleSave);
  window.on('close', save);
  app.on('before-quit', save);
  window.once('closed', () => clearTimeout(timer));
}

/** Reloads a page that crashed or hangs: its state is in the main process, so nothing is lost. */
function recoverFromCrashes(
  window: BrowserWindow,
  translator: Translator,
  logger: Logger,
  onCrash: () => void,
): void {
  const { webContents } = window;
  const crashes = new CrashCounter();
  const reopen = (): void => {
    onCrash();
    // Chromium is still cleaning up the old page; a reload now would crash the program.
    setImmediate(() => {
      if (!window.isDestroyed()) void window.loadURL(windowUrl);
    });
  };
  const ask = async (
    question: 'crashing' | 'hanging',
    onYes: () => void,
    onNo: () => void,
  ): Promise<void> => {
    const { response } = await dialog.showMessageBox({
      type: 'warning',
      message: translator.translate(`crash.${question}`),
      detail: translator.translate('crash.nothingLost'),
      buttons: [translator.translate('crash.reopen'), translator.translate(`crash.${question}Other`)],
      defaultId: 0,
      cancelId: 1,
    });
    (response === 0 ? onYes : onNo)();
  };
  webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    logger.error('the window has stopped', { reason, exitCode });
    if (crashes.recordCrash(Date.now())) void ask('crashing', reopen, () => app.quit());
    else reopen();
  });
  let isAsking = false;
  window.on('unresponsive', () => {
    if (isAsking) return;
    isAsking = true;
    logger.error('the window does not respond');
    void ask(
      'hanging',
      () => {
        // The user may have closed the window meanwhile.
        if (!webContents.isDestroyed()) webContents.forcefullyCrashRenderer();
      },
      () => undefined,
    ).finally(() => (isAsking = false));
  });
}

export interface ClosingOptions {
  readonly window: BrowserWindow;
  readonly state: WindowStateStore;
  readonly notifier: Notifier;
  readonly activity: () => Activity;
  /** Whether the user wants work to continue. */
  readonly keepsWorking: () => boolean;
  /** Whether folders are watched, which may add recordings at any time. */
  readonly isWatching: () => boolean;
  readonly isQuitting: () => boolean;
}

/**
 * If the user wants work to continue, closing the window only hides it while there is work, and on a Mac always, where
 * programs outlive their windows. Otherwise the program quits, and closes the window last: the user may still decide to
 * stay. The first time that work continues, the user is notified.
 */
export function keepWorkingAfterClose(options: ClosingOptions): void {
  const { window, state, notifier, activity, keepsWorking, isWatching, isQuitting } = options;
  window.on('close', (event) => {
    event.preventDefault();
    if (isQuitting()) return;
    const hasWork = activity().remaining > 0 || isWatching();
    const staysRunning = keepsWorking() && (hasWork || process.platform === 'darwin');
    if (!staysRunning) {
      app.quit();
      return;
    }
    hideWindow(window);
    sendEvent(window.webContents, 'window.closed', null);
    if (!hasWork || state.get().closeNoticeShown) return;
    state.change({ closeNoticeShown: true });
    notifier.notifyClosed();
  });
  // The off-screen decoder is a window too: only closing this one quits the program.
  window.once('closed', () => app.quit());
}

function hideWindow(window: BrowserWindow): void {
  if (!window.isFullScreen()) {
    window.hide();
    return;
  }
  // Otherwise a Mac leaves an empty screen behind.
  window.once('leave-full-screen', () => window.hide());
  window.setFullScreen(false);
}
