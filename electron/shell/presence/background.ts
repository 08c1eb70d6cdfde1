import { app, powerSaveBlocker, type BrowserWindow } from 'electron';
import type { QueueSummary } from '../../contract/queue-commands.ts';
import type { ServiceCondition } from '../../contract/service.ts';
import type { Clock } from '../../core/ports.ts';
import { ActivityTracker, type Activity } from './activity.ts';
import type { Notifier } from './notifier.ts';
import type { SettingsStore } from '../settings-store.ts';
import { Throttle } from '../../core/throttle.ts';
import type { TrayIcon } from './tray.ts';

/** Milliseconds between two updates of the dock and the tray. */
const updateIntervalMs = 500;

export interface BackgroundOptions {
  readonly window: BrowserWindow;
  readonly settings: SettingsStore;
  readonly notifier: Notifier;
  readonly tray: TrayIcon;
  readonly clock: Clock;
  readonly summary: () => QueueSummary;
  readonly condition: () => ServiceCondition;
}

/** Shows the queue's state outside of the window (badge, progress, tray, notifications) and keeps the computer awake. */
export class Background {
  readonly #options: BackgroundOptions;
  readonly #tracker = new ActivityTracker();
  #activity: Activity = {
    remaining: 0,
    attention: 0,
    progress: null,
    mode: 'working',
    isPaused: false,
    isBusy: false,
  };
  /** The ID of the power save blocker while there is one. */
  #blockerId: number | null = null;
  readonly #pendingUpdate: Throttle;
  #isClosed = false;

  constructor(options: BackgroundOptions) {
    this.#options = options;
    this.#pendingUpdate = new Throttle(options.clock, updateIntervalMs, () => this.#update());
    this.#update();
  }

  /** Updates and returns what is shown; once closed, what was shown last. */
  get activity(): Activity {
    this.#update();
    return this.#activity;
  }

  /** Schedules an update; calls until then are coalesced. */
  notifyChanged(): void {
    this.#pendingUpdate.schedule();
  }

  /** Removes the tray and lets the computer sleep. The queue may still work and change until it is closed. */
  close(): void {
    this.#isClosed = true;
    this.#pendingUpdate.stop();
    this.#keepAwake(false);
    this.#options.tray.remove();
  }

  #update(): void {
    if (this.#isClosed) return;
    const { window, settings, notifier, tray, summary, condition } = this.#options;
    const { activity, notifications } = this.#tracker.update(summary(), condition());
    this.#activity = activity;
    const { notifications: isEnabled, keepAwake } = settings.get();
    const isSeen = !window.isDestroyed() && window.isFocused();
    if (isEnabled && !isSeen) for (const one of notifications) notifier.notify(one);
    this.#keepAwake(keepAwake && activity.isBusy);
    app.setBadgeCount(activity.remaining + activity.attention);
    if (!window.isDestroyed()) showProgress(window, activity);
    tray.show(activity);
  }

  #keepAwake(enable: boolean): void {
    if (enable === (this.#blockerId !== null)) return;
    if (this.#blockerId !== null) powerSaveBlocker.stop(this.#blockerId);
    this.#blockerId = enable ? powerSaveBlocker.start('prevent-app-suspension') : null;
  }
}

const progressModes = { working: 'normal', paused: 'paused', stopped: 'error' } as const;

function showProgress(window: BrowserWindow, { progress, mode }: Activity): void {
  if (progress === null) window.setProgressBar(-1);
  // Before anything is done there is no fraction to show: a value above 1 is an indeterminate bar.
  else
    window.setProgressBar(progress === 0 && mode === 'working' ? 2 : progress, { mode: progressModes[mode] });
}
