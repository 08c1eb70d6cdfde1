import { app, type BrowserWindow } from 'electron';
import type { Activity } from '../presence/activity.ts';
import type { Notifier } from '../presence/notifier.ts';
import type { WindowStateStore } from './window-state.ts';

export interface ClosingOptions {
  readonly window: BrowserWindow;
  readonly state: WindowStateStore;
  readonly notifier: Notifier;
  readonly activity: () => Activity;
  /** Whether the user wants the work to go on. */
  readonly keepsWorking: () => boolean;
  /** Whether folders are watched, whose recordings may come at any time. */
  readonly isWatching: () => boolean;
}

/**
 * With work left, closing the window puts it away and the work goes on, which is said the first time; else the program
 * ends. On a Mac programs outlive their windows in any case.
 */
export function keepWorkingWhenClosed(options: ClosingOptions): void {
  const { window, state, notifier, activity, keepsWorking, isWatching } = options;
  let isQuitting = false;
  app.on('before-quit', () => {
    isQuitting = true;
  });
  window.on('close', (event) => {
    // The queue is closed by then, and cannot be asked any more.
    if (isQuitting) return;
    const hasWork = activity().left > 0 || isWatching();
    const goesOn = keepsWorking() && (hasWork || process.platform === 'darwin');
    if (!goesOn) return;
    event.preventDefault();
    putAway(window);
    if (!hasWork || state.get().toldOfClosing) return;
    state.change({ toldOfClosing: true });
    notifier.tellClosed();
  });
  // The off-screen decoder is a window too: only this one's end is the program's.
  window.once('closed', () => app.quit());
}

function putAway(window: BrowserWindow): void {
  if (!window.isFullScreen()) {
    window.hide();
    return;
  }
  // A Mac leaves an empty screen behind otherwise.
  window.once('leave-full-screen', () => window.hide());
  window.setFullScreen(false);
}
