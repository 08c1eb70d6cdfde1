import type { SegmentId, TranscriptId } from '../../../../electron/contract/identifiers.ts';
import type {
  Change,
  Draft,
  EditOperation,
  EditState,
  OriginalTranscript,
  UndoResult,
  TranscriptDocument,
} from '../../../../electron/contract/transcript.ts';
import { applyChange, changedPosition } from '../../../../electron/core/transcript/edit/change.ts';
import { changeOf } from '../../../../electron/core/transcript/edit/edit.ts';
import type { Invoke } from '../../../invoke.ts';
import { asProblem, notifyProblem } from '../../../notices.ts';
import { EditQueue } from './edit-queue.ts';
import { fetchDocument } from './fetch-document.ts';
import { editFromTyping, Rebaser, recordEdit, type AppliedEdit, type RebaseOutcome } from './rebase.ts';
import { initialState, isDeleted, stateOf, type SessionState } from './session-state.ts';
import { TypingBuffer, unsavedPart, type TypingRun } from './typing-buffer.ts';
import { UndoStack, type NonEditChange, type UndoCommand } from './undo-stack.ts';

export interface SessionObserver {
  /** Edits or typing that were not stored were rebased onto changes made elsewhere. */
  onRebased(outcome: RebaseOutcome): void;
  /** An edit from before the transcript was opened was undone. */
  onEarlierUndone(): void;
}

/**
 * An open transcript: its state, its undo stack, and rebasing. Edits are on screen at once; the {@link EditQueue} sends
 * them to the main process, which computes the same change and is authoritative. What is typed waits in the
 * {@link TypingBuffer} until it becomes an edit.
 */
export class TranscriptSession {
  readonly id: TranscriptId;
  readonly durationSeconds: number | null;
  readonly #invoke: Invoke;
  readonly #observer: SessionObserver;
  readonly #queue: EditQueue;
  readonly #typing: TypingBuffer;
  readonly #undoStack: UndoStack;
  readonly #listeners = new Set<() => void>();
  #state: SessionState;
  #isPulling = false;

  constructor(invoke: Invoke, document: TranscriptDocument, observer: SessionObserver) {
    this.#invoke = invoke;
    this.#observer = observer;
    this.id = document.id;
    this.durationSeconds = document.durationSeconds;
    this.#state = initialState(document);
    this.#undoStack = new UndoStack(document);
    this.#queue = new EditQueue(invoke, document, {
      onAcknowledged: (state) => this.#onAcknowledged(state),
      onConflict: () => this.pullChanges(),
      onFailed: (problem) => this.#update({ saving: { kind: 'unsaved', problem } }),
    });
    this.#typing = new TypingBuffer({
      onSaveDue: () => this.#storeTyping(),
      onRunEnd: () => this.flush(),
    });
  }

  readonly getState = (): SessionState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #update(patch: Partial<SessionState>): void {
    this.#state = { ...this.#state, ...patch };
    for (const listener of this.#listeners) listener();
  }

  #setSaving(kind: 'saved' | 'saving'): void {
    const { saving } = this.#state;
    if (saving.kind !== kind && !isDeleted(saving)) this.#update({ saving: { kind } });
  }

  #onAcknowledged(state: EditState | null): void {
    if (state !== null) this.#update(this.#applyEditState(state));
    this.#typing.scheduleSave();
    this.#setSaving(this.#typing.run === null ? 'saved' : 'saving');
  }

  /** Updates the undo stack with an edit state from the main process. Returns the resulting patch of the session state. */
  #applyEditState(state: EditState): Partial<SessionState> {
    this.#undoStack.setLog(state);
    return { wordCount: state.wordCount, ...this.#undoStack.state };
  }

  // Typing

  /** Whether typed text is not an edit yet. Subscribers are notified when it begins. */
  get isTyping(): boolean {
    return this.#typing.run !== null;
  }

  /** Returns the text of a segment with what is being typed; `stored` is its text without that. */
  textOf(segment: SegmentId | null, stored: string): string {
    const { run } = this.#typing;
    return run?.segment === segment ? run.text : stored;
  }

  /**
   * Takes the content of a segment, or of the whole text of a transcript without times, while the user types in it.
   *
   * @param isComposing whether an input method is still composing a word: only a complete word becomes an edit
   */
  updateTyping(segment: SegmentId | null, text: string, isComposing = false): void {
    if (this.#typing.run !== null && this.#typing.run.segment !== segment) this.flush();
    const isFirst = this.#typing.run === null;
    this.#typing.update(this.#state.draft, { segment, text, isComposing });
    if (this.#state.saving.kind === 'saved') this.#setSaving('saving');
    else if (isFirst) this.#update({});
  }

  /** Stores what is being typed; it becomes one edit with the rest of the run. */
  #storeTyping(): void {
    const { run } = this.#typing;
    if (run === null || this.#queue.isFetching || !this.#queue.isEmpty) return;
    const before = run.savedDraft ?? this.#state.draft;
    const part = this.#planEdit(before, editFromTyping(before, run));
    if (part === null) return;
    this.#send(part, run.savedDraft !== null);
    this.#typing.markSaved(applyChange(before, part.change));
  }

  /** Turns what is being typed, if anything, into an edit. */
  flush(): void {
    const run = this.#typing.finish();
    if (run === null) return;
    if (this.#queue.isFetching) void this.#queue.runAfterFetch(() => this.#commitTyping(unsavedPart(run)));
    else this.#commitTyping(run);
    if (this.#queue.isEmpty && !this.#queue.isFetching && this.#state.saving.kind === 'saving')
      this.#setSaving('saved');
  }

  #commitTyping(run: TypingRun): void {
    const { draft } = this.#state;
    const operation = editFromTyping(draft, run);
    if (operation === null) return;
    if (run.savedDraft === null) {
      this.#makeEdit(operation);
      if (operation.kind === 'put-back') this.#observer.onRebased('restored');
      return;
    }
    const unstored = this.#planEdit(run.savedDraft, editFromTyping(run.savedDraft, run));
    if (unstored !== null) this.#send(unstored, true);
    this.#applyChange(this.#changeOf(draft, operation));
  }

  /** Turns what is being typed into an edit, and resolves once every edit has been sent. */
  async waitUntilSent(): Promise<void> {
    this.flush();
    await this.#queue.waitForFetches();
  }

  /** Like {@link flush}, but while the page unloads, when it cannot wait for a fetch. */
  flushBeforeUnload(): void {
    if (!this.#queue.isFetching) {
      this.flush();
      return;
    }
    const run = this.#typing.finish();
    if (run === null) return;
    const { segment, text } = run;
    this.#queue.sendAfterFetchedStep(
      segment === null
        ? { kind: 'edit-text', at: 0, removed: Number.MAX_SAFE_INTEGER, inserted: text }
        : { kind: 'set-text', segment, text },
    );
  }

  // Edits

  /**
   * Makes an edit. Returns its change; empty when it does nothing, or has to wait for a fetch.
   *
   * @param original only `restore` needs it
   */
  edit(operation: EditOperation, original = noOriginal): Change {
    this.flush();
    return this.#makeEdit(operation, original);
  }

  /** Restores the original from the service; an edit like any other. */
  async restore(): Promise<void> {
    const original = await this.#invoke('transcript.original', { id: this.id });
    this.flush();
    this.#makeEdit({ kind: 'restore' }, () => original);
  }

  /** Hides a finding of the review, until an undo. */
  accept(findingKey: string): void {
    this.flush();
    this.#undoStack.pushAccept(findingKey);
    this.#setAccepted(findingKey, true);
  }

  /** Lets undo and redo include a change that is not an edit, in the order in which everything was done. */
  addNonEditChange(change: NonEditChange): void {
    this.flush();
    this.#undoStack.pushNonEditChange(change);
    this.#update(this.#undoStack.state);
  }

  #setAccepted(findingKey: string, accepted: boolean): void {
    const others = this.#state.accepted.filter((key) => key !== findingKey);
    this.#update({
      accepted: accepted ? [...others, findingKey] : others,
      ...this.#undoStack.state,
    });
    this.#setSaving('saving');
    this.#queue.sendAccepted(findingKey, accepted);
  }

  /** Renames the transcript once the name is stored. */
  async rename(name: string): Promise<void> {
    await this.#invoke('library.rename', { id: this.id, name });
    this.#update({ name });
  }

  /** Sets the language once it is stored; `null`: unknown. This is not an edit, because it changes no text. */
  async setLanguage(language: string | null): Promise<void> {
    await this.#invoke('transcript.setLanguage', { id: this.id, language });
    this.#update({ language });
  }

  /** Makes an edit of the draft, after any fetch. */
  #makeEdit(operation: EditOperation, original = noOriginal): Change {
    if (this.#queue.isFetching) {
      void this.#queue.runAfterFetch(() => void this.#makeEdit(operation, original));
      return [];
    }
    const edit = this.#planEdit(this.#state.draft, operation, original);
    if (edit === null) return [];
    this.#commit(edit);
    return edit.change;
  }

  /** Sends an edit and shows it. */
  #commit(edit: AppliedEdit): void {
    this.#send(edit, false);
    this.#applyChange(edit.change);
  }

  /** @param continuesTyping whether it extends the stored edit of the same typing run. */
  #send(edit: AppliedEdit, continuesTyping: boolean): void {
    this.#setSaving('saving');
    this.#queue.sendEdit(recordEdit(edit), continuesTyping);
  }

  /** Shows a change, and makes it undoable. */
  #applyChange(change: Change): void {
    if (change.length === 0) return;
    this.#undoStack.pushEdit(change);
    const draft = applyChange(this.#state.draft, change);
    this.#update({ draft, edited: true, ...this.#undoStack.state });
  }

  /** Returns an operation with its change to a draft; `null` when it changes nothing. */
  #planEdit(before: Draft, operation: EditOperation | null, original = noOriginal): AppliedEdit | null {
    if (operation === null) return null;
    const change = this.#changeOf(before, operation, original);
    return change.length === 0 ? null : { before, operation, change };
  }

  #changeOf(draft: Draft, operation: EditOperation, original = noOriginal): Change {
    return changeOf(draft, operation, { durationSeconds: this.durationSeconds, original });
  }

  // Undo and redo

  undo(): void {
    this.#step('undo');
  }

  redo(): void {
    this.#step('redo');
  }

  #step(kind: UndoCommand): void {
    this.flush();
    if (this.#queue.isFetching) {
      void this.#queue.runAfterFetch(() => this.#step(kind));
      return;
    }
    const { canUndo, canRedo } = this.#state;
    if (!(kind === 'undo' ? canUndo : canRedo)) return;
    const effect = this.#undoStack.pop(kind);
    if (effect === null) {
      this.#fetchStep(kind);
      return;
    }
    if (effect.kind === 'non-edit') {
      this.#update(this.#undoStack.state);
      if (!effect.run()) this.#step(kind);
      return;
    }
    if (effect.kind === 'accept') {
      this.#setAccepted(effect.findingKey, effect.accepted);
      return;
    }
    this.#update({ ...this.#stateAfterStep(effect.change), ...this.#undoStack.state });
    this.#setSaving('saving');
    this.#queue.sendStep(kind);
  }

  #fetchStep(kind: UndoCommand): void {
    this.#queue.fetchStep(kind, {
      onResult: ({ change, ...state }: UndoResult) => {
        const hasChanged = change.length > 0;
        if (hasChanged) this.#undoStack.pushReverse(kind, change);
        this.#update({ ...this.#applyEditState(state), ...this.#stateAfterStep(change) });
        this.#typing.scheduleSave();
        if (hasChanged && kind === 'undo') this.#observer.onEarlierUndone();
      },
      onError: (error) => {
        const problem = asProblem(error);
        // Nothing waits to be saved, so the step is not retried.
        notifyProblem(problem);
        if (problem.code === 'transcript_changed') this.pullChanges();
      },
    });
  }

  #stateAfterStep(change: Change): Pick<SessionState, 'draft' | 'locateLastStep'> {
    const draft = applyChange(this.#state.draft, change);
    return { draft, locateLastStep: (near) => changedPosition(draft, change, near) };
  }

  // Changes made elsewhere

  /** Sends again what could not be saved. */
  retry(): void {
    this.#setSaving('saving');
    if (this.#queue.isEmpty) this.pullChanges();
    else this.#queue.retry();
  }

  /** Fetches changes made elsewhere, and rebases what is not stored yet. */
  pullChanges(): void {
    if (this.#isPulling) return;
    this.#isPulling = true;
    this.#queue.fetch(() => fetchDocument(this.#invoke, this.id), {
      onResult: (document) => {
        this.#onPulled(document);
        this.#isPulling = false;
      },
      onError: (error) => {
        this.#update({ saving: { kind: 'unsaved', problem: asProblem(error) } });
        this.#isPulling = false;
      },
    });
  }

  #onPulled(document: TranscriptDocument | null): void {
    if (document === null)
      this.#update({ saving: { kind: 'unsaved', problem: { code: 'transcript_gone' } } });
    else if (document.revision !== this.#queue.revision || !this.#queue.isEmpty) this.#rebase(document);
    else {
      this.#update({ trashed: document.trashed, language: document.language, name: document.name });
      if (this.#typing.run === null) this.#setSaving('saved');
    }
  }

  #rebase(document: TranscriptDocument): void {
    const { run } = this.#typing;
    const requests = this.#queue.reset(document.revision);
    this.#undoStack.clear();
    this.#undoStack.setLog(document);
    const hasAccepted = requests.some(({ kind }) => kind === 'accept');
    this.#update({
      ...stateOf(document),
      ...(hasAccepted && { accepted: this.#state.accepted }),
      saving: { kind: run === null ? 'saved' : 'saving' },
    });
    const rebaser = new Rebaser(this.#state.draft, (draft, operation) => this.#changeOf(draft, operation));
    for (const request of requests) {
      if (request.kind === 'edit') {
        const edit = rebaser.applyEdit(request.edit);
        if (edit !== null) this.#commit(edit);
      } else if (request.kind === 'accept') {
        this.#setSaving('saving');
        this.#queue.enqueue(request);
      } else rebaser.markPartial();
    }
    if (run !== null) this.#rebaseTyping(rebaser, run);
    this.#update({ rebaseCount: this.#state.rebaseCount + 1 });
    if (requests.length > 0 || run !== null) this.#observer.onRebased(rebaser.outcome);
  }

  #rebaseTyping(rebaser: Rebaser, run: TypingRun): void {
    const typing = rebaser.rebaseTyping(run);
    if (typing === null) {
      this.#typing.finish();
      return;
    }
    if (typing.edit !== null) this.#commit(typing.edit);
    this.#typing.rebase(this.#state.draft, typing.segment, typing.text);
    const { caret } = typing;
    if (caret !== null) this.#update({ locateLastStep: () => caret });
  }
}

/** Only `restore` needs the original, and passes it. */
const noOriginal = (): OriginalTranscript => ({ segments: [], text: null });
