/** Waits until what the user did in a transcript is stored. */
import { notices, notifyUnsaved } from '../../../notices.ts';
import { isDeleted } from './session-state.ts';
import type { TranscriptSession } from './transcript-session.ts';

/** Resolves with the next change of a session's state. */
export function nextChange(session: TranscriptSession): Promise<void> {
  return new Promise((resolve) => {
    const unsubscribe = session.subscribe(() => {
      unsubscribe();
      resolve();
    });
  });
}

/** Sends everything and waits for the answers. Returns whether it is stored, or the transcript is gone. */
export async function waitUntilStored(session: TranscriptSession): Promise<boolean> {
  await session.waitUntilSent();
  while (session.getState().saving.kind === 'saving') await nextChange(session);
  const { saving } = session.getState();
  return saving.kind === 'saved' || isDeleted(saving);
}

/**
 * Keeps a session that the user has left until everything is stored: it tries again itself. Until then a message says that
 * it is not saved.
 */
export async function keepUntilStored(session: TranscriptSession, onStored: () => void): Promise<void> {
  let notice: string | null = null;
  while (!(await waitUntilStored(session))) {
    const { name, saving } = session.getState();
    if (saving.kind === 'unsaved') notice ??= notifyUnsaved(name, saving.problem);
    await nextChange(session);
  }
  if (notice !== null) notices.close(notice);
  onStored();
}
