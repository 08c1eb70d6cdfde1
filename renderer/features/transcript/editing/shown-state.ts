import type { TranscriptDocument } from '../../../../electron/contract/transcript.ts';
import { isGone, shown, type SessionState } from './session-state.ts';

/** The state of a session, and who is told when it changes. */
export class ShownState {
  readonly #listeners = new Set<() => void>();
  #now: SessionState;

  constructor(document: TranscriptDocument) {
    this.#now = { ...shown(document), saving: { kind: 'saved' }, stepped: null, caughtUp: 0 };
  }

  get now(): SessionState {
    return this.#now;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  change(patch: Partial<SessionState>): void {
    this.#now = { ...this.#now, ...patch };
    for (const listener of this.#listeners) listener();
  }

  tellSaving(kind: 'saved' | 'saving'): void {
    if (this.#now.saving.kind !== kind && !isGone(this.#now.saving)) this.change({ saving: { kind } });
  }
}
