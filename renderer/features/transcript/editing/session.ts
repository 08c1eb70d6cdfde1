import type { SegmentId, TranscriptId } from '../../../../electron/contract/model/identifiers.ts';
import type {
  Change,
  Draft,
  EditOperation,
  EditState,
  OriginalTranscript,
  StepResult,
  TranscriptDocument,
} from '../../../../electron/contract/model/transcript.ts';
import type { Problem } from '../../../../electron/contract/problem.ts';
import { applyChange, invertChange } from '../../../../electron/core/library/edit/change.ts';
import { changeOf } from '../../../../electron/core/library/edit/edit.ts';
import { touchedPlace, type TouchedPlace } from '../../../../electron/core/library/edit/touched-place.ts';
import { differenceOf } from '../../../../electron/core/library/edit/whole-text.ts';
import type { Ask } from '../../../bridge.ts';
import { asProblem, notifyProblem } from '../../../notices.ts';

/** Milliseconds after the last letter until what was typed becomes an edit, and the longest that it waits. */
const restMs = 450;
const longestMs = 3000;

/** A transcript as the window shows it. */
export interface SessionState {
  readonly draft: Draft;
  readonly wordCount: number;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Whether there is an original that differs, or may differ, from this. */
  readonly edited: boolean;
  readonly accepted: readonly string[];
  readonly saving: Saving;
  /** What was taken back or made again last; `null` before that. Another object each time. */
  readonly stepped: TouchedPlace | null;
}

export type Saving =
  | { readonly kind: 'saved' }
  | { readonly kind: 'saving' }
  /** Nothing is lost while the window is open; {@link TranscriptSession.retry} sends it again. */
  | { readonly kind: 'unsaved'; readonly problem: Problem };

/** What stands in a field while it is typed in. */
interface Typed {
  /** `null`: the text of a transcript without times. */
  readonly segment: SegmentId | null;
  readonly text: string;
  /** When the first letter came. */
  readonly since: number;
}

interface Sending {
  /** How the transcript stands then; `null` when that is as before. */
  readonly send: () => Promise<EditState | null>;
}

/**
 * One transcript while it is open. Edits are on screen at once and sent in their order, each with the revision that it
 * was made on; the main process makes the same of them and has the last word.
 */
export class TranscriptSession {
  readonly id: TranscriptId;
  readonly durationSeconds: number | null;
  readonly #ask: Ask;
  readonly #onReload: (problem: Problem) => void;
  readonly #listeners = new Set<() => void>();
  #state: SessionState;
  #revision: number;
  /** What was done and taken back since the transcript was opened; what is older is asked for. */
  #done: Change[] = [];
  #undone: Change[] = [];
  #typed: Typed | null = null;
  #rest: ReturnType<typeof setTimeout> | undefined;
  readonly #unanswered: Sending[] = [];
  /** Set while an older edit is fetched: whatever is done meanwhile comes after it. */
  #fetching: Promise<void> | null = null;

  /** @param onReload told when the transcript was changed elsewhere and has to be opened anew. */
  constructor(ask: Ask, document: TranscriptDocument, onReload: (problem: Problem) => void) {
    this.#ask = ask;
    this.#onReload = onReload;
    this.id = document.id;
    this.durationSeconds = document.durationSeconds;
    this.#revision = document.revision;
    const { segments, text, speakers, notes, nextId, wordCount, canUndo, canRedo, edited, accepted } =
      document;
    this.#state = {
      draft: { segments, text, speakers, notes, nextId },
      wordCount,
      canUndo,
      canRedo,
      edited,
      accepted,
      saving: { kind: 'saved' },
      stepped: null,
    };
  }

  readonly getState = (): SessionState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The text of a segment as it is on screen, the last letters included. */
  textOf(segment: SegmentId | null, stored: string): string {
    return this.#typed?.segment === segment ? this.#typed.text : stored;
  }

  /**
   * Takes what stands in a segment, or in the one text of a transcript without times, while it is typed in.
   *
   * @param isComposing a word is still being put together by an input method: it becomes no edit before it is whole.
   */
  type(segment: SegmentId | null, text: string, isComposing = false): void {
    if (this.#typed !== null && this.#typed.segment !== segment) this.flush();
    const now = performance.now();
    const since = this.#typed?.since ?? now;
    this.#typed = { segment, text, since };
    clearTimeout(this.#rest);
    const rest = Math.max(0, Math.min(restMs, since + longestMs - now));
    if (!isComposing) this.#rest = setTimeout(() => this.flush(), rest);
    if (this.#state.saving.kind === 'saved') this.#change({ saving: { kind: 'saving' } });
  }

  /** Makes an edit of what was typed, if anything was. */
  flush(): void {
    clearTimeout(this.#rest);
    const typed = this.#typed;
    if (typed === null) return;
    this.#typed = null;
    this.#makeTyped(typed);
    if (this.#unanswered.length === 0 && this.#state.saving.kind === 'saving') {
      this.#change({ saving: { kind: 'saved' } });
    }
  }

  /** Makes an edit of what was typed. The promise is kept once everything that was done is on its way. */
  async settle(): Promise<void> {
    this.flush();
    // Each step back is asked for when the one before it is known.
    while (this.#fetching !== null) await this.#fetching;
  }

  /** {@link flush} for a page that goes at once, and cannot wait for an older edit that is being taken back. */
  flushAtOnce(): void {
    const typed = this.#typed;
    if (this.#fetching === null || typed === null) {
      this.flush();
      return;
    }
    clearTimeout(this.#rest);
    this.#typed = null;
    const { segment, text } = typed;
    const operation: EditOperation =
      segment === null
        ? { kind: 'edit-text', at: 0, removed: Number.MAX_SAFE_INTEGER, inserted: text }
        : { kind: 'set-text', segment, text };
    // It arrives behind the step that was asked for, which makes the revision one more. Nobody is left to be told.
    this.#ask('transcript.edit', { id: this.id, revision: this.#revision + 1, operation }).catch(
      () => undefined,
    );
  }

  #makeTyped({ segment, text }: Typed): void {
    if (segment !== null) {
      this.#make({ kind: 'set-text', segment, text });
      return;
    }
    const difference = differenceOf(this.#state.draft.text ?? '', text);
    if (difference !== null) this.#make({ kind: 'edit-text', ...difference });
  }

  /** Makes an edit. Returns what it does; empty when that is nothing, or when it has to wait for an older one. */
  edit(operation: EditOperation): Change {
    this.flush();
    return this.#make(operation);
  }

  undo(): void {
    this.flush();
    this.#step('undo', this.#done, this.#undone, invertChange);
  }

  redo(): void {
    this.flush();
    this.#step('redo', this.#undone, this.#done, (change) => change);
  }

  /** Brings back what came from the service; taken back like any edit. */
  async restore(): Promise<void> {
    const original = await this.#ask('transcript.original', { id: this.id });
    this.flush();
    this.#make({ kind: 'restore' }, () => original);
  }

  /** Keeps a finding of the review from being shown again, or lets it. */
  accept(finding: string, accepted: boolean): void {
    const others = this.#state.accepted.filter((one) => one !== finding);
    this.#change({ accepted: accepted ? [...others, finding] : others });
    this.#send(async () => {
      await this.#ask('transcript.accept', { id: this.id, finding, accepted });
      return null;
    });
  }

  /** Sends again what could not be saved. */
  retry(): void {
    this.#change({ saving: { kind: 'saving' } });
    const unanswered = this.#unanswered.slice();
    for (const sending of unanswered) void this.#dispatch(sending);
  }

  #make(operation: EditOperation, original: () => OriginalTranscript = noOriginal): Change {
    if (this.#fetching !== null) {
      void this.#afterwards(() => this.#make(operation, original));
      return [];
    }
    const context = { durationSeconds: this.durationSeconds, original };
    const change = changeOf(this.#state.draft, operation, context);
    if (change.length === 0) return change;
    const revision = this.#revision;
    this.#revision += 1;
    this.#done.push(change);
    this.#undone = [];
    this.#change({
      draft: applyChange(this.#state.draft, change),
      edited: true,
      canUndo: true,
      canRedo: false,
    });
    this.#send(() => this.#ask('transcript.edit', { id: this.id, revision, operation }));
    return change;
  }

  /** Does something once the older edit is there. */
  async #afterwards(work: () => unknown): Promise<void> {
    await this.#fetching;
    work();
  }

  #step(kind: 'undo' | 'redo', from: Change[], to: Change[], effect: (change: Change) => Change): void {
    if (this.#fetching !== null) {
      void this.#afterwards(() => this[kind]());
      return;
    }
    if (!(kind === 'undo' ? this.#state.canUndo : this.#state.canRedo)) return;
    const revision = this.#revision;
    const ask = () => this.#ask(`transcript.${kind}`, { id: this.id, revision });
    const known = from.pop();
    if (known !== undefined) {
      to.push(known);
      this.#revision += 1;
      this.#change({ ...this.#stepped(effect(known)), canUndo: true, canRedo: true });
      this.#send(ask);
      return;
    }
    this.#fetching = this.#fetch(ask, to, effect);
  }

  /** Takes back or makes again what was done before the transcript was opened. */
  async #fetch(
    ask: () => Promise<StepResult>,
    to: Change[],
    effect: (change: Change) => Change,
  ): Promise<void> {
    try {
      const { change, ...state } = await ask();
      this.#revision = state.revision;
      // Kept the way it was done, as the next step the other way makes it.
      if (change.length > 0) to.push(effect(change));
      this.#change({ ...standing(state), ...this.#stepped(change) });
    } catch (error) {
      const problem = asProblem(error);
      // Nothing waits to be saved: it can be asked for once more.
      if (problem.code === 'transcript_changed') this.#onReload(problem);
      else notifyProblem(problem);
    } finally {
      this.#fetching = null;
    }
  }

  #stepped(change: Change): Pick<SessionState, 'draft' | 'stepped'> {
    const draft = applyChange(this.#state.draft, change);
    return { draft, stepped: touchedPlace(draft, change) ?? this.#state.stepped };
  }

  #send(send: Sending['send']): void {
    const sending = { send };
    this.#unanswered.push(sending);
    // After a failure everything waits for its turn.
    if (this.#state.saving.kind === 'unsaved') {
      this.retry();
      return;
    }
    this.#change({ saving: { kind: 'saving' } });
    void this.#dispatch(sending);
  }

  async #dispatch(sending: Sending): Promise<void> {
    try {
      const state = await sending.send();
      const at = this.#unanswered.indexOf(sending);
      if (at >= 0) this.#unanswered.splice(at, 1);
      // An answer to what is not the last edit is older than what is on screen.
      if (this.#unanswered.length > 0) return;
      const saving = { kind: this.#typed === null ? 'saved' : 'saving' } as const;
      this.#change({ ...(state !== null && standing(state)), saving });
    } catch (error) {
      // What follows a failed edit fails with it, and tells nothing new.
      if (this.#unanswered[0] !== sending) return;
      const problem = asProblem(error);
      if (problem.code === 'transcript_changed') this.#onReload(problem);
      else this.#change({ saving: { kind: 'unsaved', problem } });
    }
  }

  #change(patch: Partial<SessionState>): void {
    this.#state = { ...this.#state, ...patch };
    for (const listener of this.#listeners) listener();
  }
}

const standing = ({ wordCount, canUndo, canRedo }: EditState) => ({ wordCount, canUndo, canRedo });

/** Only restoring needs the original, and brings it. */
const noOriginal = (): OriginalTranscript => ({ segments: [], text: null });
