import { Toast } from '@base-ui/react/toast';
import type { TFunction } from 'i18next';
import type { RestoreReport } from '../electron/contract/backup.ts';
import { errorMessage } from '../electron/contract/errors.ts';
import type { ExportReport } from '../electron/contract/export.ts';
import type { ImportReport } from '../electron/contract/library-commands.ts';
import type { Rejection } from '../electron/contract/rejection.ts';
import type { AddReport } from '../electron/contract/queue-commands.ts';
import { ProblemError, type Problem } from '../electron/contract/problem.ts';
import { i18n } from './i18n.ts';
import { rememberNotice, withdrawAction } from './recent-notices.ts';
import type { WindowStore } from './window-store.ts';
import { problemText, sentencesOf } from './ui/text/problem-text.ts';

/** What a notice shows on request: a list of names with reasons. */
export interface NoticeDetails {
  readonly title: string;
  /** The outcome of everything that is not in the list, if there is anything. */
  readonly note?: string;
  readonly entries: readonly Rejection[];
  /** What can be done about the entries, besides reading them. */
  readonly action?: NoticeAction;
}

export interface NoticeData {
  readonly details?: NoticeDetails;
  /** Actions on the outcome, such as undoing it; one for each button. */
  readonly actions?: readonly NoticeAction[];
  /** Called when the user closes a notice with actions, by its button or by a key, without using one of them. */
  readonly onDismiss?: () => void;
}

export interface NoticeAction {
  readonly label: string;
  readonly run: () => void;
  /**
   * The list of recent messages offers the action until it is used, or until a later message has the same key. Absent:
   * only the notice offers it.
   */
  readonly recentKey?: string;
  /** Whether it can be used more than once: then the list offers it until {@link withdrawNotice}. */
  readonly isRepeatable?: boolean;
  /** Whether it undoes what the message reports: then the list stays open. */
  readonly isUndo?: boolean;
}

/** The toast manager of Base UI. */
const manager = Toast.createToastManager<NoticeData>();

/** Short messages in the corner of the window; screen readers announce them. Each is kept in the list of recent ones. */
export const notices: typeof manager = {
  ...manager,
  add: (options) => {
    const { title, description, type, data } = options;
    const { details = null, actions = [] } = data ?? {};
    const removeAction = rememberNotice({
      at: Date.now(),
      isFromEarlierDay: false,
      title: String(title),
      description: typeof description === 'string' ? description : '',
      isProblem: type === 'problem',
      details,
      actions: actions.filter(({ recentKey }) => recentKey !== undefined),
    });
    if (actions.length === 0) return manager.add(options);
    let wasUsed = false;
    const shownActions = actions.map((action) => ({
      ...action,
      run: () => {
        wasUsed = true;
        if (action.isRepeatable !== true) removeAction(action);
        action.run();
      },
    }));
    // The button closes the notice just before it runs the action.
    const onClose = (): void =>
      queueMicrotask(() => {
        if (!wasUsed) data?.onDismiss?.();
      });
    const id = manager.add({ ...options, onClose, data: { ...data, actions: shownActions } });
    for (const { recentKey } of actions) if (recentKey !== undefined) latestByKey.set(recentKey, id);
    return id;
  },
};

/** The latest notice for each key of an action. */
const latestByKey = new Map<string, string>();

/** Closes the notice whose action has this key, and removes the action from the list: the user did the same elsewhere. */
export function withdrawNotice(recentKey: string): void {
  const id = latestByKey.get(recentKey);
  if (id !== undefined) manager.close(id);
  latestByKey.delete(recentKey);
  withdrawAction(recentKey);
}

/** Adds a message to the list of recent ones without showing it. `at`: Unix milliseconds. */
export function addToRecentNotices(at: number, title: string, action: NoticeAction): void {
  const isFromEarlierDay = new Date(at).toDateString() !== new Date().toDateString();
  rememberNotice({
    at,
    isFromEarlierDay,
    title,
    description: '',
    isProblem: false,
    details: null,
    actions: [action],
  });
}

/** Milliseconds for which a notice stays. */
const noticeMs = 6000;
/** Milliseconds for which a notice stays that the user may want to act on. */
export const actionNoticeMs = noticeMs * 2;

/** No timeout: the notice stays until the user closes it, because what it reports needs the user. */
export const untilDismissed = 0;

/** Milliseconds after which a notice says that work is in progress. */
const busyNoticeDelayMs = 500;

/** Shows a short message. */
export function notify(title: string, description?: string): void {
  notices.add({ title, timeout: noticeMs, ...(description !== undefined && { description }) });
}

/** Replaces the notice with this id, for example while a key is pressed repeatedly. The list does not keep it. */
export function replaceNotice(id: string, title: string, description = ''): void {
  manager.add({ id, title, description, timeout: noticeMs });
}

/** Says that there is nothing to undo or redo: the key, which changes nothing, was not missed. */
export const notifyNothingToDo = (kind: 'undo' | 'redo'): void =>
  replaceNotice('undo', i18n.t(kind === 'undo' ? 'list.nothingToUndo' : 'list.nothingToRedo'));

/** Reports a result with details. */
function notifyWithDetails(
  title: string,
  description: string,
  details: NoticeDetails,
  actions: readonly NoticeAction[] = [],
): void {
  notices.add({ title, description, timeout: actionNoticeMs, data: { details, actions } });
}

/** Returns the details about files that were not added or imported. */
const rejectionDetails = (entries: readonly Rejection[], restWasAdded: boolean): NoticeDetails => ({
  title: i18n.t('add.rejectedTitle', { count: entries.length }),
  ...(restWasAdded && { note: i18n.t('add.rejectedNote') }),
  entries,
});

/**
 * Reports what was done, with a button that undoes it.
 *
 * @returns the id of the notice.
 */
export function notifyUndoable(
  title: string,
  undo: () => void,
  { description = '', recentKey }: { readonly description?: string; readonly recentKey?: string } = {},
): string {
  const action = {
    label: i18n.t('action.undo'),
    run: undo,
    isUndo: true,
    ...(recentKey !== undefined && { recentKey }),
  };
  return notices.add({ title, description, timeout: actionNoticeMs, data: { actions: [action] } });
}

/**
 * Reports a result, with a button for what the user may want to do next.
 *
 * @returns the ID of the notice.
 */
export function notifyWithAction(title: string, description: string, action: NoticeAction): string {
  return notices.add({ title, description, timeout: actionNoticeMs, data: { actions: [action] } });
}

/** Reports a problem, unless it only says that the user has just declined something. */
export function notifyProblem(problem: Problem): void {
  if (problem.code === 'not_allowed') return;
  const [title, ...rest] = sentencesOf(problemText(i18n.t, problem));
  showProblem(title, rest.join(' '));
}

function showProblem(title: string | undefined, description: string, timeout = actionNoticeMs): void {
  notices.add({ title, description, type: 'problem', priority: 'high', timeout });
}

/**
 * Reports that changes to a transcript that the user has left could not be saved yet. Returns the ID of the notice, which
 * stays.
 */
export function notifyUnsaved(name: string, problem: Problem): string {
  return notices.add({
    title: i18n.t('unsaved.left', { name }),
    description: problemText(i18n.t, problem),
    type: 'problem',
    priority: 'high',
    timeout: untilDismissed,
  });
}

/** Reports whatever was thrown. */
export function notifyError(error: unknown): void {
  notifyProblem(asProblem(error));
}

/** Starts asynchronous work; its error is shown to the user. */
export function runReportingErrors(work: () => Promise<void>): void {
  work().catch(notifyError);
}

/** Shows a notice if work takes longer than `busyNoticeDelayMs`. */
export async function notifyWhileBusy<T>(id: string, title: string, work: () => Promise<T>): Promise<T> {
  const timer = setTimeout(() => manager.add({ id, title, timeout: 0 }), busyNoticeDelayMs);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
    notices.close(id);
  }
}

/** Returns the problem in a thrown error. Any other error is a defect of the program: problem `internal`. */
export function asProblem(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  return { code: 'internal', detail: errorMessage(error) };
}

/** Reports the result of adding recordings, with a button that leads to the queue from another screen. */
export function notifyAdded(
  { added, firstAdded, rejected, excluded = 0 }: AddReport,
  store: WindowStore,
): void {
  if (added === 0 && rejected.length === 0) return;
  const { t } = i18n;
  const title = t('add.added', { count: added, name: firstAdded ?? '' });
  const { paused } = store.getState().queue.summary;
  const waits = added > 0 && paused ? t('add.queuePaused') : '';
  const action =
    added === 0 || store.getState().route.screen === 'queue'
      ? undefined
      : { label: t('add.showQueue'), run: () => store.change({ route: { screen: 'queue' } }) };
  const addAnyway = {
    label: t('add.anyway'),
    run: () => runReportingErrors(() => store.invoke('addSheet.showExcluded', undefined)),
  };
  if (rejected.length > 0)
    notifyWithDetails(
      title,
      [t('add.rejected', { count: rejected.length }), waits].filter(Boolean).join(' · '),
      { ...rejectionDetails(rejected, added > 0), ...(excluded > 0 && { action: addAnyway }) },
      [...(excluded > 0 ? [addAnyway] : []), ...(action === undefined ? [] : [action])],
    );
  else if (action === undefined) notify(title, waits);
  else notifyWithAction(title, waits, action);
}

/** Reports that folders contain transcripts instead of recordings, with a button that imports them. */
export function notifyTranscripts(count: number, run: () => void): void {
  const { t } = i18n;
  const action = { label: t('add.importTranscripts', { count }), run };
  notices.add({
    title: t('add.transcripts', { count }),
    timeout: actionNoticeMs,
    data: { actions: [action] },
  });
}

/** Returns the key of the action that retries what an export could not save. */
export const retryExportKey = (run: number): string => `export retry ${run}`;

/** Reports the result of an export whose sheet has been closed, with what can be done next. */
export function notifyExported(
  report: ExportReport,
  { showInFolder, retry }: { readonly showInFolder: () => void; readonly retry: () => void },
): void {
  const { t } = i18n;
  const { failed, skippedCount, estimated, withoutHighlights } = report;
  const title = exportNoticeText(t, report);
  const skipped = skippedCount > 0 ? [t('export.skipped', { count: skippedCount })] : [];
  const remarks = [
    ...skipped,
    ...(withoutHighlights > 0 ? [t('export.withoutHighlights', { count: withoutHighlights })] : []),
    ...(estimated > 0 ? [t('export.estimated', { count: estimated })] : []),
  ];
  if (failed.length === 0) {
    const action = {
      label: t('export.showInFolder'),
      run: showInFolder,
      recentKey: `export shown ${report.run}`,
    };
    notices.add({
      title,
      timeout: actionNoticeMs,
      ...(remarks.length > 0 && { description: remarks.join(' · ') }),
      ...(report.count > 0 && { data: { actions: [action] } }),
    });
    return;
  }
  const failure = t('export.failed', { count: failed.length });
  const restWasSaved = report.count > 0 && skippedCount === 0 && !report.cancelled;
  const details = {
    title: failure,
    ...(restWasSaved && { note: t('export.failedNote') }),
    entries: failed,
  };
  notices.add({
    title,
    description: [failure, ...remarks].join(' · '),
    timeout: untilDismissed,
    data: {
      details,
      actions: [{ label: t('export.retry'), run: retry, recentKey: retryExportKey(report.run) }],
    },
  });
}

/** Returns the result of an export in one line. */
export function exportNoticeText(t: TFunction, { count, failed, cancelled }: ExportReport): string {
  if (cancelled) return t('export.stopped', { count });
  return failed.length === 0 || count === 0
    ? t('export.saved', { count })
    : t('export.savedOf', { saved: count, count: count + failed.length });
}

/** Reports the result of restoring a backup. */
export function notifyRestored({ added, addedAsCopies, outcome }: RestoreReport): void {
  const { t } = i18n;
  const title = t(outcome === 'finished' ? 'backup.restored' : 'backup.stopped', {
    count: added + addedAsCopies,
  });
  const copiesText = addedAsCopies > 0 ? t('backup.addedAsCopies', { count: addedAsCopies }) : undefined;
  if (outcome === 'disk-full')
    showProblem(title, [copiesText, t('backup.diskFull')].filter(Boolean).join(' · '), untilDismissed);
  else notify(title, copiesText);
}

/** What the user can do about the result of an import. */
export interface ImportActions {
  /** The `recentKey` of the buttons that show and undo the import; see {@link NoticeAction}. */
  readonly recentKey: string;
  /** Shows what was imported. */
  readonly show: () => void;
  readonly undo: () => void;
  /** Restores what was found in the trash. */
  readonly restore: () => void;
}

/** Reports the result of an import, with buttons that show and undo it, or restore what is in the trash. */
export function notifyImported(
  { added, known, trashed, guessed, rejected, unread }: ImportReport,
  { recentKey, show, undo, restore }: ImportActions,
): void {
  const { t } = i18n;
  const [first] = added;
  const onAdded =
    first === undefined
      ? []
      : [
          { label: t('import.show'), run: show, recentKey, isRepeatable: true },
          { label: t('action.undo'), run: undo, recentKey, isUndo: true },
        ];
  const [firstTrashed] = trashed;
  const onTrashed =
    firstTrashed === undefined
      ? []
      : [
          {
            label: t('library.action.restore'),
            run: restore,
            recentKey: `restore imported ${firstTrashed}`,
          },
        ];
  const actions = [...onAdded, ...onTrashed];
  const name = first?.name ?? '';
  const title = t(unread === null ? 'import.added' : 'import.stopped', { count: added.length, name });
  const description = [
    rejected.length > 0 && t('add.rejected', { count: rejected.length }),
    guessed.length > 0 && t('import.guessed', { count: guessed.length }),
    known > 0 && t('import.known', { count: known }),
    trashed.length > 0 && t('import.trashed', { count: trashed.length }),
    (unread ?? 0) > 0 && t('import.unread', { count: unread ?? 0 }),
  ]
    .filter((part) => part !== false)
    .join(' · ');
  const entries = [
    ...rejected,
    ...guessed.map((file): Rejection => ({ name: file, problem: { code: 'encoding_guessed' } })),
  ];
  if (entries.length === 0) {
    if (actions.length === 0) notify(title, description === '' ? undefined : description);
    else notices.add({ title, description, timeout: actionNoticeMs, data: { actions } });
    return;
  }
  const restWasAdded = added.length > guessed.length && known + trashed.length === 0 && unread === null;
  const titles = [
    ...(rejected.length > 0 ? [t('add.rejectedTitle', { count: rejected.length })] : []),
    ...(guessed.length > 0 ? [t('import.guessed', { count: guessed.length })] : []),
  ];
  const details = {
    ...rejectionDetails(entries, restWasAdded && rejected.length > 0),
    title: titles.join(' · '),
  };
  notifyWithDetails(title, description, details, actions);
}
