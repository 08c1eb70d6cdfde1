import type { TranscriptId } from '../../../electron/contract/identifiers.ts';
import type { TranscriptDocument } from '../../../electron/contract/transcript.ts';
import type { Ask } from '../../bridge.ts';
import { TranscriptSession, type SessionHooks } from './editing/session.ts';
import { openDocument } from './open-document.ts';

/** A transcript that is open, or the beginning of it. */
export interface Opened {
  readonly document: TranscriptDocument;
  readonly session: TranscriptSession;
}

export interface Opening {
  readonly id: TranscriptId;
  readonly hooks: SessionHooks;
  /** Whether it has not been closed meanwhile. */
  readonly isWanted: () => boolean;
  /** Shows what a long transcript begins with, which can be read and worked on while the rest of it comes. */
  readonly onBeginning: (opened: Opened) => Promise<void>;
}

/**
 * Opens a transcript; `null` when there is none, or when it is no longer wanted.
 *
 * @throws ProblemError what stands in the way of reading all of it.
 */
export async function openSession(
  ask: Ask,
  { id, hooks, isWanted, onBeginning }: Opening,
): Promise<Opened | null> {
  const early: { session?: EarlySession } = {};
  const read = (): Promise<TranscriptDocument | null> =>
    openDocument(ask, id, isWanted, async (document) => {
      if (early.session !== undefined) return;
      early.session = new EarlySession(ask, document, hooks);
      await onBeginning({ document, session: early.session.session });
    });
  let document = await read();
  // What was done on the beginning belongs to the whole.
  while (document !== null && (await early.session?.isBehind())) document = await read();
  return document === null ? null : { document, session: new TranscriptSession(ask, document, hooks) };
}

/** The session of a beginning: everything that is done in it reaches the main process, which knows the whole. */
class EarlySession {
  readonly session: TranscriptSession;
  readonly #unanswered = new Set<Promise<unknown>>();
  #isUsed = false;

  constructor(ask: Ask, document: TranscriptDocument, hooks: SessionHooks) {
    const noted: Ask = (name, input) => {
      this.#isUsed = true;
      const answer = ask(name, input);
      this.#unanswered.add(answer);
      const isAnswered = (): boolean => this.#unanswered.delete(answer);
      answer.then(isAnswered, isAnswered);
      return answer;
    };
    this.session = new TranscriptSession(noted, document, hooks);
  }

  /** Waits until all that was done in it is stored, and answers whether that was anything since it was last asked. */
  async isBehind(): Promise<boolean> {
    if (!this.#isUsed && this.#isSaved()) return false;
    while (this.#unanswered.size > 0 || !this.#isSaved()) {
      if (this.#unanswered.size > 0) await Promise.allSettled(this.#unanswered);
      else await this.#changed();
    }
    this.#isUsed = false;
    return true;
  }

  #isSaved(): boolean {
    return this.session.getState().saving.kind === 'saved';
  }

  #changed(): Promise<void> {
    return new Promise((done) => {
      const end = this.session.subscribe(() => {
        end();
        done();
      });
    });
  }
}
