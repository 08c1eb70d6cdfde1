import { notices, notifyUndoable } from '../../../notices.ts';
import type { TranscriptSession } from '../session/transcript-session.ts';

/** Reports an edit that was just made, with a button that undoes it. The next edit closes the notice. */
export function notifyEdit(session: TranscriptSession, title: string): void {
  const { draft } = session.getState();
  const notice = notifyUndoable(title, () => {
    // Pending typing counts as a newer edit: flush it before comparing.
    session.flush();
    if (session.getState().draft === draft) session.undo();
  });
  const unsubscribe = session.subscribe(() => {
    if (session.getState().draft === draft) return;
    unsubscribe();
    notices.close(notice);
  });
}
