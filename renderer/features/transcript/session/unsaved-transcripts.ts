import type { TranscriptId } from '../../../../electron/contract/identifiers.ts';
import { notices, notifyUnsaved } from '../../../notices.ts';
import type { OpenTranscript } from './open-session.ts';
import { isDeleted } from './session-state.ts';
import type { TranscriptSession } from './transcript-session.ts';

/** Resolves when the state of a session changes next. */
export function nextChange(session: TranscriptSession): Promise<void> {
  return new Promise((resolve) => {
    const unsubscribe = session.subscribe(() => {
      unsubscribe();
      resolve();
    });
  });
}

/** Sends everything, resends once what had failed, and waits for the responses. */
export async function waitUntilStored(session: TranscriptSession): Promise<void> {
  await session.waitUntilSent();
  const { saving } = session.getState();
  if (saving.kind === 'unsaved' && !isDeleted(saving)) session.retry();
  while (session.getState().saving.kind === 'saving') await nextChange(session);
}

/** Whether everything is stored, or the transcript is gone. */
export function isSettled(session: TranscriptSession): boolean {
  const { saving } = session.getState();
  return saving.kind === 'saved' || isDeleted(saving);
}

/** A transcript that the user has left, with changes that are not stored. */
interface UnsavedTranscript {
  readonly opened: OpenTranscript;
  readonly release: () => void;
}

const unsaved = new Map<TranscriptId, UnsavedTranscript>();

/**
 * Keeps a transcript that the user has left. It is released once everything is stored, or when it is shown again; its
 * session retries automatically. Until then a message says that it is not saved.
 *
 * @param onRelease called when it is released
 */
export function holdUntilStored(opened: OpenTranscript, onRelease: () => void): void {
  const { session } = opened;
  let notice: string | null = null;
  const release = (): void => {
    unsubscribe();
    if (unsaved.get(session.id)?.opened === opened) unsaved.delete(session.id);
    if (notice !== null) notices.close(notice);
    onRelease();
  };
  const check = (): void => {
    const { name, saving } = session.getState();
    if (isSettled(session)) release();
    else if (saving.kind === 'unsaved') notice ??= notifyUnsaved(name, saving.problem);
  };
  const unsubscribe = session.subscribe(check);
  unsaved.set(session.id, { opened, release });
  session.flush();
  check();
}

/** Releases a transcript that is shown again. */
export function releaseUnsaved(opened: OpenTranscript): void {
  const found = unsaved.get(opened.session.id);
  if (found?.opened === opened) found.release();
}

/**
 * Returns a transcript that has unsaved changes, to show it again, or `null`. Two sessions must not change one transcript
 * at the same time: each would mistake the other's revisions for its own.
 */
export async function findUnsaved(id: TranscriptId): Promise<OpenTranscript | null> {
  const opened = unsaved.get(id)?.opened ?? null;
  if (opened === null || opened.isComplete) return opened;
  // The user left a long transcript while the rest was fetched: this session has only its beginning.
  while (!isSettled(opened.session)) await nextChange(opened.session);
  return null;
}
