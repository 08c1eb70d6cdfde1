import { i18n } from '../../../i18n.ts';
import {
  runReportingErrors,
  notices,
  notify,
  notifyWithAction,
  replaceNotice,
  type NoticeAction,
} from '../../../notices.ts';
import type { TranscriptSession } from '../session/transcript-session.ts';

/** The notices with an action on a transcript that is on screen, by its session. */
const shownNotices = new Map<TranscriptSession, Set<string>>();

/**
 * Lets notices offer actions on a transcript while it is on screen. Returns the function that ends this and closes them:
 * on another screen, their action would change what the user does not see.
 */
export function offerNoticeActions(session: TranscriptSession): () => void {
  const ids = new Set<string>();
  shownNotices.set(session, ids);
  return () => {
    shownNotices.delete(session);
    for (const id of ids) notices.close(id);
  };
}

/**
 * Reports a result, with a button for an action on a transcript; without the button once the user has left it.
 *
 * @returns the ID of the notice; `null` for one without a button
 */
export function notifyWithSessionAction(
  session: TranscriptSession,
  title: string,
  description: string,
  action: NoticeAction,
): string | null {
  const ids = shownNotices.get(session);
  if (ids === undefined) {
    notify(title, description);
    return null;
  }
  const run = (): void => {
    if (shownNotices.get(session) === ids) action.run();
  };
  const id = notifyWithAction(title, description, { ...action, run });
  ids.add(id);
  return id;
}

/**
 * Reports an edit that was just made, or a finding that was just accepted, with a button that undoes it; without the
 * button while something else waits to be done first.
 */
export function notifyEdit(session: TranscriptSession, title: string, description = ''): void {
  if (session.lastDone === null) notify(title, description);
  else
    notifyUntilChanged(session, (ifUnchanged) =>
      notifyWithSessionAction(session, title, description, {
        label: i18n.t('action.undo'),
        run: () => ifUnchanged(() => session.undo()),
      }),
    );
}

/** Ends waiting for the undo that closes a notice, by the notice's ID. */
const undoSubscriptions = new Map<string, () => void>();

/** Replaces the notice with this ID by one about an edit that was just made, and closes it when the user undoes that. */
export function replaceEditNotice(session: TranscriptSession, id: string, title: string, note = ''): void {
  undoSubscriptions.get(id)?.();
  replaceNotice(id, title, note);
  let couldRedo = session.getState().canRedo;
  const unsubscribe = session.subscribe(() => {
    const { canRedo } = session.getState();
    // An edit leaves nothing to redo, so there is something again only after an undo.
    if (canRedo && !couldRedo) {
      unsubscribe();
      notices.close(id);
    }
    couldRedo = canRedo;
  });
  undoSubscriptions.set(id, unsubscribe);
}

/**
 * Reports that what was entered in a dialog was not saved, because the dialog was cancelled, with a button that saves it.
 *
 * @param save `null` if it cannot be saved
 */
export function notifyNotSaved(session: TranscriptSession, title: string, save: (() => void) | null): void {
  if (save === null) notify(title);
  else
    notifyUntilChanged(session, (ifUnchanged) =>
      notifyWithSessionAction(session, title, '', {
        label: i18n.t('transcript.note.save'),
        run: () => ifUnchanged(save),
      }),
    );
}

/** Undoes and redoes a change of a property. Both return what to report; `null` if nothing changed. */
export interface PropertyChange {
  readonly undo: () => Promise<string | null>;
  readonly redo: () => Promise<string | null>;
}

/**
 * Reports a change of a property, such as the language. Its button and the transcript's undo both revert it, and say so.
 */
export function notifyPropertyChange(
  session: TranscriptSession,
  title: string,
  change: PropertyChange,
  description = '',
): void {
  let isUndone = false;
  /** A redo continues from the result of the undo, so each waits for the previous one. */
  let lastCommand = Promise.resolve();
  const runCommand = (kind: keyof PropertyChange): boolean => {
    if (isUndone === (kind === 'undo')) return false;
    isUndone = !isUndone;
    if (notice !== null) notices.close(notice);
    runReportingErrors(async () => {
      const result = lastCommand.then(change[kind]);
      lastCommand = result.then(
        () => undefined,
        () => undefined,
      );
      const report = await result;
      if (report !== null) notify(report);
    });
    return true;
  };
  const notice = notifyWithSessionAction(session, title, description, {
    label: i18n.t('action.undo'),
    run: () => runCommand('undo'),
  });
  session.addNonEditChange({ undo: () => runCommand('undo'), redo: () => runCommand('redo') });
}

/** Reports that an edit from before the transcript was opened was just undone, with a button that redoes it. */
export function notifyEarlierEditUndone(session: TranscriptSession): void {
  notifyUntilChanged(session, (ifUnchanged) =>
    notifyWithSessionAction(session, i18n.t('transcript.earlierUndone'), '', {
      label: i18n.t('transcript.redo'),
      run: () => ifUnchanged(() => session.redo()),
    }),
  );
}

/**
 * Shows a notice about the latest change, and closes it at the next change, even at the first typed letter, because its
 * action would then apply to something else.
 *
 * @param show returns the notice's id, or `null` if it has no action; its action runs only while nothing has changed,
 *   since a notice takes a moment to disappear
 */
function notifyUntilChanged(
  session: TranscriptSession,
  show: (ifUnchanged: (run: () => void) => void) => string | null,
): void {
  const { lastDone } = session;
  const { draft } = session.getState();
  // An accepted finding or another name changes only what was done last, and another program's edit only the draft.
  const isUnchanged = (): boolean =>
    session.lastDone === lastDone && session.getState().draft === draft && !session.isTyping;
  const notice = show((run) => {
    if (isUnchanged()) run();
  });
  if (notice === null) return;
  const unsubscribe = session.subscribe(() => {
    if (isUnchanged()) return;
    unsubscribe();
    notices.close(notice);
  });
}
