import type { TranscriptId } from '../../../../electron/contract/identifiers.ts';
import type { TranscriptDocument } from '../../../../electron/contract/transcript.ts';
import type { Invoke } from '../../../invoke.ts';
import { fetchDocument } from './fetch-document.ts';
import { findUnsaved, nextChange } from './unsaved-transcripts.ts';
import { TranscriptSession, type SessionObserver } from './transcript-session.ts';

/** An open transcript, or its beginning. */
export interface OpenTranscript {
  readonly document: TranscriptDocument;
  readonly session: TranscriptSession;
  readonly isComplete: boolean;
}

export interface OpenSessionOptions {
  readonly id: TranscriptId;
  readonly observer: SessionObserver;
  /** Aborted when the user closes the transcript. */
  readonly signal: AbortSignal;
  /** Shows the beginning of a long transcript, to read and edit while the rest is fetched. */
  readonly onBeginning: (beginning: OpenTranscript) => Promise<void>;
}

/**
 * Opens a transcript; `null` when there is none, or when `signal` was aborted.
 *
 * @throws ProblemError when it cannot be read completely.
 */
export async function openSession(
  invoke: Invoke,
  { id, observer, signal, onBeginning }: OpenSessionOptions,
): Promise<OpenTranscript | null> {
  const kept = await findUnsaved(id);
  kept?.session.observe(observer);
  if (kept !== null) return kept;
  let partial = null as PartialSession | null;
  const fetch = (): Promise<TranscriptDocument | null> =>
    fetchDocument(invoke, id, signal, async (document) => {
      if (partial !== null) return;
      partial = new PartialSession(invoke, document, observer);
      await onBeginning({ document, session: partial.session, isComplete: false });
    });
  let document = await fetch();
  // Edits of the beginning have made the document out of date.
  while (document !== null && (await partial?.settleEdits())) document = await fetch();
  if (document === null) return null;
  return { document, session: new TranscriptSession(invoke, document, observer), isComplete: true };
}

/** The session of a transcript's beginning. All its edits are stored before the complete transcript replaces it. */
class PartialSession {
  readonly session: TranscriptSession;
  readonly #pendingInvocations = new Set<Promise<unknown>>();
  #hasInvoked = false;

  constructor(invoke: Invoke, document: TranscriptDocument, observer: SessionObserver) {
    const trackedInvoke: Invoke = (name, input) => {
      this.#hasInvoked = true;
      const response = invoke(name, input);
      this.#pendingInvocations.add(response);
      const onSettled = (): boolean => this.#pendingInvocations.delete(response);
      response.then(onSettled, onSettled);
      return response;
    };
    this.session = new TranscriptSession(trackedInvoke, document, observer);
  }

  /** Waits until every edit is stored. Returns whether there were any since the last call. */
  async settleEdits(): Promise<boolean> {
    if (!this.#hasInvoked && this.#isSaved()) return false;
    while (this.#pendingInvocations.size > 0 || !this.#isSaved()) {
      if (this.#pendingInvocations.size > 0) await Promise.allSettled(this.#pendingInvocations);
      else await nextChange(this.session);
    }
    this.#hasInvoked = false;
    return true;
  }

  #isSaved(): boolean {
    return this.session.getState().saving.kind === 'saved';
  }
}
