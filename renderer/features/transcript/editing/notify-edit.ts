import { notices, notifyUndoable } from '../../../notices.ts';
import type { TranscriptSession } from '../session/transcript-session.ts';

/**
 * Reports an edit that was just made, or a finding that was just accepted, with a button that undoes it. The
 * next change closes the notice.
 */
export function notifyEdit(session: TranscriptSession, title: string): void {
  const { draft, accepted } = session.getState();
  const isLatest = (): boolean => {
    const now = session.getState();
    return now.draft === draft && now.accepted === accepted;
  };
  const notice = notifyUndoable(title, () => {
    // Pending typing counts as a newer edit: flush it before comparing.
    session.flush();
    if (isLatest()) session.undo();
  });
  const unsubscribe = session.subscribe(() => {
    if (isLatest()) return;
    unsubscribe();
    notices.close(notice);
  });
}
