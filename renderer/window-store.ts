import type { Bridge } from '../electron/contract/bridge.ts';
import type { JobsView } from '../electron/contract/service-job-commands.ts';
import type { AppInfo } from '../electron/contract/app-commands.ts';
import type { SpeechModelView } from '../electron/contract/speech-models.ts';
import type { AddSheetView } from '../electron/contract/add-sheet-commands.ts';
import type { AddReport, QueueView } from '../electron/contract/queue-commands.ts';
import type { FailedAutoExports } from '../electron/contract/auto-exports.ts';
import type { ServiceStatus } from '../electron/contract/service.ts';
import type { SpeakerQueueView } from '../electron/contract/speakers.ts';
import type { Settings } from '../electron/contract/settings.ts';
import type { UpdateState } from '../electron/contract/updates.ts';
import { createInvoke, type Invoke } from './invoke.ts';
import {
  type AddSheetRange,
  createAddSheetSubscription,
  createQueueSubscription,
  type QueueRange,
} from './view-subscriptions.ts';
import { flushBeforeQuit, watchUnsaved } from './flush-before-quit.ts';
import { resumedRoute, routeOfEntry, type Route, type Screen } from './route.ts';
import { openModals } from './ui/dialog/open-modals.ts';

/** What the window shows: the latest data from the main process, and the route. */
export interface WindowState {
  readonly app: AppInfo;
  readonly settings: Settings;
  /** The default service. */
  readonly service: ServiceStatus;
  /** The statuses requested so far. */
  readonly services: readonly ServiceStatus[];
  /** The speech models of this computer. */
  readonly models: readonly SpeechModelView[];
  readonly queue: QueueView;
  /** The add sheet; `null` while none is open. */
  readonly addSheet: AddSheetView | null;
  readonly library: LibraryState;
  /** The jobs of each service queried in this session, at the time of the last request. */
  readonly jobs: readonly JobsView[];
  /** Files that could not be saved after their transcripts; `null` for none. */
  readonly failedAutoExports: FailedAutoExports | null;
  /** Which speakers are being identified. */
  readonly speakers: SpeakerQueueView;
  /** What is known about a newer version of the program. */
  readonly update: UpdateState;
  readonly route: Route;
  /** Long tasks whose dialogs are closed, oldest first. */
  readonly backgroundTasks: readonly BackgroundTask[];
  /** Links that were typed and neither added nor discarded. */
  readonly typedLinks: string;
}

/** A long task that continues while its dialog is closed. */
export interface BackgroundTask {
  readonly id: string;
  readonly title: string;
  /** 0 to 1. */
  readonly progress: number;
  /** Opens its dialog, which can stop it. */
  readonly onShow: () => void;
}

export interface LibraryState {
  /** Number of saved transcripts outside the trash. */
  readonly total: number;
  /** Number of transcripts in the trash. */
  readonly trashed: number;
  /** Incremented with each change of the library; lists from an earlier revision are stale. */
  readonly revision: number;
}

/** The window's only store. All of its state comes from the main process, except the route, background tasks and typed links. */
export interface WindowStore {
  readonly invoke: Invoke;
  readonly bridge: Bridge;
  getState(): WindowState;
  /** Calls `listener` after each change of the state. Returns a function that unsubscribes it. */
  subscribe(listener: () => void): () => void;
  change(patch: Partial<WindowState>): void;
  /** Opens the list of a navigation entry. */
  openScreen(screen: Screen): void;
  /** Requests the part of the queue that is on screen. */
  watchQueue(range: QueueRange): void;
  /** Requests the part of the add sheet that is on screen. */
  watchAddSheet(range: AddSheetRange): void;
}

/** Called for events that do not change the state. */
export interface StoreHooks {
  addedExternally(report: AddReport): void;
  failed(error: unknown): void;
}

/** The part of the queue to request first: enough to fill a window. */
const initialQueueRange: QueueRange = { filter: 'all', search: '', offset: 0, limit: 60 };

const initialAddSheetRange: AddSheetRange = { group: 'ready', offset: 0, limit: 60 };

/**
 * Opens the store with the current state of the main process.
 *
 * @throws ProblemError when the main process cannot send it.
 */
export async function openStore(bridge: Bridge, hooks: StoreHooks): Promise<WindowStore> {
  const invoke = createInvoke(bridge);
  const listeners = new Set<() => void>();

  // Collects answers and events until the store opens. Both arrive in the order in which the main process sent them: the
  // last of them is the newest.
  let received: Partial<WindowState> = {};
  let change = (patch: Partial<WindowState>): void => {
    received = { ...received, ...patch };
  };
  /** What to do once the store is open. */
  const whenOpen: (() => void)[] = [];
  let isOpen = false;
  const onceOpen = (action: () => void): void => {
    if (isOpen) action();
    else whenOpen.push(action);
  };

  /** Where the user was when the add sheet opened, unless they have left the sheet for another screen since. */
  let beforeSheet: Route | null = null;
  /** Where to go once no dialog is open. */
  let nextRoute: Route | null = null;
  const goTo = (route: Route): void => {
    if (openModals.isOpen) nextRoute = route;
    else change({ route });
  };

  // Registered before anything is requested: the bridge drops events without listeners.
  bridge.on('service.changed', (service) => change({ service }));
  bridge.on('services.changed', (services) => change({ services }));
  bridge.on('settings.changed', (settings) => change({ settings }));
  bridge.on('models.changed', (models) => change({ models }));
  bridge.on('jobs.changed', (jobs) => change({ jobs }));
  bridge.on('speakers.changed', (speakers) => change({ speakers }));
  bridge.on('updates.changed', (update) => change({ update }));
  bridge.on('autoExports.changed', (failedAutoExports) => change({ failedAutoExports }));
  bridge.on('queue.changed', (view) => onceOpen(() => shownQueue.accept(view)));
  bridge.on('addSheet.changed', (view) => {
    if (isOpen) shownAddSheet.accept(view);
    else change({ addSheet: view });
  });
  bridge.on('library.changed', (counts) => {
    change({ library: { ...counts, revision: isOpen ? state.library.revision + 1 : 0 } });
  });
  bridge.on('navigate', ({ to }) => {
    if (typeof to !== 'string') goTo({ screen: 'transcript', id: to.transcript, from: 'library' });
    else goTo(isOpen ? routeOfEntry(to, state.route) : { screen: to });
  });
  bridge.on('app.quitting', () => {
    flushBeforeQuit()
      .then(() => invoke('app.readyToQuit', undefined))
      .catch(hooks.failed);
  });
  watchUnsaved((count) => void invoke('app.unsaved', { count }).catch(hooks.failed));
  bridge.on('queue.addedExternally', (report) => onceOpen(() => hooks.addedExternally(report)));

  const requestInitial = async <K extends keyof WindowState>(
    key: K,
    request: Promise<WindowState[K]>,
  ): Promise<WindowState[K]> => {
    const answer = await request;
    change({ [key]: answer });
    return answer;
  };
  // Not awaited: a model folder that the user chose may be on a drive that does not respond.
  requestInitial('models', invoke('models.list', undefined)).catch((error: unknown) =>
    onceOpen(() => hooks.failed(error)),
  );
  const [app, settings, service, queue, addSheet, library, jobs, failedAutoExports, speakers, update] =
    await Promise.all([
      invoke('app.info', undefined),
      requestInitial('settings', invoke('settings.get', undefined)),
      requestInitial('service', invoke('service.status', undefined)),
      invoke('queue.setViewport', initialQueueRange),
      requestInitial('addSheet', invoke('addSheet.setViewport', initialAddSheetRange)),
      requestInitial(
        'library',
        invoke('library.counts', undefined).then((counts) => ({ ...counts, revision: 0 })),
      ),
      requestInitial('jobs', invoke('jobs.view', undefined)),
      requestInitial('failedAutoExports', invoke('autoExports.failed', undefined)),
      requestInitial('speakers', invoke('speakers.queue', undefined)),
      requestInitial('update', invoke('updates.state', undefined)),
    ]);

  let state: WindowState = {
    app,
    settings,
    service,
    services: [],
    models: [],
    queue,
    library,
    addSheet,
    jobs,
    failedAutoExports,
    speakers,
    update,
    route: { screen: 'queue' },
    backgroundTasks: [],
    typedLinks: '',
    ...received,
  };
  change = (patch) => {
    if (patch.route !== undefined && patch.route.screen !== 'queue') beforeSheet = null;
    state = { ...state, ...patch };
    for (const listener of listeners) listener();
  };

  openModals.watch((isModal) => {
    invoke('app.setModal', { isModal }).catch(hooks.failed);
    if (isModal || nextRoute === null) return;
    change({ route: nextRoute });
    nextRoute = null;
  });

  const shownQueue = createQueueSubscription(
    invoke,
    { view: queue, range: initialQueueRange },
    (view) => change({ queue: view }),
    hooks.failed,
  );
  const shownAddSheet = createAddSheetSubscription(
    invoke,
    state.addSheet === null ? null : { view: state.addSheet, range: initialAddSheetRange },
    (view) => {
      // The add sheet opens on the screen of the queue.
      const wasOpen = state.addSheet !== null;
      change({ addSheet: view });
      if (!wasOpen && view !== null) {
        beforeSheet = resumedRoute(state.route);
        goTo({ screen: 'queue' });
      } else if (wasOpen && view === null && beforeSheet !== null) goTo(beforeSheet);
    },
    hooks.failed,
  );
  isOpen = true;
  for (const action of whenOpen) action();

  return {
    invoke,
    bridge,
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    change: (patch) => change(patch),
    openScreen: (screen) => change({ route: routeOfEntry(screen, state.route) }),
    watchQueue: shownQueue.watch,
    watchAddSheet: shownAddSheet.watch,
  };
}
