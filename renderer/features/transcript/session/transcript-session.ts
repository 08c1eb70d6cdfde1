import type { SegmentId, TranscriptId } from '../../../../electron/contract/identifiers.ts';
import type {
  Change,
  Draft,
  EditOperation,
  EditState,
  UndoResult,
  TranscriptDocument,
} from '../../../../electron/contract/transcript.ts';
import { applyChange, changedPosition } from '../../../../electron/core/transcript/edit/change.ts';
import { textIn } from '../../../../electron/core/transcript/edit/draft.ts';
import { changeOf, noOriginal } from '../../../../electron/core/transcript/edit/edit.ts';
import type { Invoke } from '../../../invoke.ts';
import { asProblem, notifyError, notifyProblem } from '../../../notices.ts';
import { EditQueue } from './edit-queue.ts';
import { deferredText, shownDraft, textsToSend, type Deferred } from './deferred.ts';
import { fetchDocument } from './fetch-document.ts';
import {
  editFromTyping,
  foreignRebase,
  Rebaser,
  recordEdit,
  recordTyping,
  type AppliedEdit,
  type PendingRebase,
  type RebaseOutcome,
  type RecordedEdit,
} from './rebase.ts';
import { initialState, isDeleted, stateOf, type SessionState } from './session-state.ts';
import { TypingBuffer, type TypingOptions, type TypingRun } from './typing-buffer.ts';
import { UndoStack, type NonEditChange, type UndoCommand, type UndoEntry } from './undo-stack.ts';

export interface SessionObserver {
  /** Edits or typing that were not stored were rebased onto changes made elsewhere. */
  onRebased(outcome: RebaseOutcome): void;
  /** An edit from before the transcript was opened was undone. */
  onEarlierEditUndone(): void;
  /** There was nothing to undo or redo. */
  onNothingToDo(kind: UndoCommand): void;
}

/**
 * An open transcript: its state, its undo stack, and rebasing. Edits are on screen at once; the {@link EditQueue} sends
 * them to the main process, which computes the same change and is authoritative. What is typed waits in the
 * {@link TypingBuffer} until it becomes an edit.
 */
export class TranscriptSession {
  readonly id: TranscriptId;
  readonly durationSeconds: number | null;
  /** Where the recording ends, in seconds, which no time may exceed; `null` if unknown. */
  readonly recordingSeconds: number | null;
  /** The known terms that the recording was transcribed with. */
  readonly terms: readonly string[];
  readonly #invoke: Invoke;
  #observer: SessionObserver;
  readonly #queue: EditQueue;
  readonly #typing: TypingBuffer;
  readonly #undoStack: UndoStack;
  readonly #listeners = new Set<() => void>();
  #state: SessionState;
  #isPulling = false;
  /** What the user did during a fetch, oldest first. */
  readonly #deferred: Deferred[] = [];
  #pendingRebase: PendingRebase | null = null;

  constructor(invoke: Invoke, document: TranscriptDocument, observer: SessionObserver) {
    this.#invoke = invoke;
    this.#observer = observer;
    this.id = document.id;
    this.durationSeconds = document.durationSeconds;
    this.recordingSeconds = document.recordingSeconds;
    this.terms = document.terms;
    this.#state = initialState(document);
    this.#undoStack = new UndoStack(document);
    this.#queue = new EditQueue(invoke, document, {
      onAcknowledged: (state) => this.#onAcknowledged(state),
      onConflict: () => this.pullChanges(),
      onFetched: () => this.#runDeferred(),
      onFailed: (problem) => this.#update({ saving: { kind: 'unsaved', problem } }),
    });
    this.#typing = new TypingBuffer({
      onSaveDue: () => this.#storeTyping(),
      // During a fetch the run does not end: further typing in the same text extends it.
      onRunEnd: () => (this.#isDeferring ? this.#typing.postponeEnd() : this.flush()),
    });
  }

  /** Replaces the observer, because the transcript is shown again. */
  observe(observer: SessionObserver): void {
    this.#observer = observer;
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
    const isComplete = this.#typing.run === null && this.#deferred.length === 0;
    this.#setSaving(isComplete ? 'saved' : 'saving');
  }

  /** Updates the undo stack with an edit state from the main process. Returns the resulting patch of the session state. */
  #applyEditState(state: EditState): Partial<SessionState> {
    this.#undoStack.setLog(state);
    return { wordCount: state.wordCount, ...this.#undoStack.state };
  }

  // Typing

  /** Whether there is typed text that is not an edit yet. Subscribers are notified when typing begins. */
  get isTyping(): boolean {
    return this.#typing.run !== null || this.#deferred.some(({ kind }) => kind === 'typing');
  }

  /** Returns the text of a segment with what is being typed; `stored` is its text without that. */
  textOf(segment: SegmentId | null, stored: string): string {
    const { run } = this.#typing;
    return run?.segment === segment ? run.text : (deferredText(this.#deferred, segment) ?? stored);
  }

  /**
   * Updates the typing run with the content of a segment, or of the whole text of a transcript without times, or begins a
   * run.
   */
  updateTyping(segment: SegmentId | null, text: string, options: TypingOptions = {}): void {
    if (this.#typing.run !== null && this.#typing.run.segment !== segment) this.flush();
    const isFirst = this.#typing.run === null;
    const input = { segment, text, deferredText: deferredText(this.#deferred, segment), ...options };
    this.#typing.update(this.#state.draft, input);
    if (this.#state.saving.kind === 'saved') this.#setSaving('saving');
    else if (isFirst) this.#update({});
  }

  /** Stores what is being typed; it becomes one edit with the rest of the run. */
  #storeTyping(): void {
    const { run } = this.#typing;
    if (run === null || this.#isDeferring || !this.#queue.isEmpty) return;
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
    if (this.#isDeferring) this.#deferTyping(run);
    else this.#commitTyping(run);
    this.#settleSaving();
  }

  /** Shows that everything is saved, once it is. */
  #settleSaving(): void {
    const isSaved = this.#queue.isEmpty && !this.#isDeferring && this.#typing.run === null;
    if (isSaved && this.#state.saving.kind === 'saving') this.#setSaving('saved');
  }

  /** Defers an ended run until after the fetch. */
  #deferTyping(run: TypingRun): void {
    const { segment, text, savedDraft } = run;
    if (savedDraft !== null) this.#showSaved(run, savedDraft);
    const edit = recordTyping(run);
    if (edit !== null) this.#defer({ kind: 'typing', segment, text, edit });
  }

  /** Shows the saved part of a run as an edit of its own, which can be undone. */
  #showSaved(run: TypingRun, savedDraft: Draft): void {
    const text = textIn(savedDraft, run.segment) ?? run.textBefore;
    const operation = editFromTyping(this.#state.draft, { ...run, text });
    if (operation !== null) this.#applyChange(this.#changeOf(this.#state.draft, operation));
  }

  #commitTyping(run: TypingRun): void {
    const { draft } = this.#state;
    const operation = editFromTyping(draft, run);
    if (operation === null) return;
    if (run.savedDraft === null) {
      this.#makeEdit(operation);
      if (operation.kind === 'put-back') this.#observer.onRebased('reinserted');
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

  // What waits for a fetch

  /** Whether what the user does has to wait for a fetch, or for what waits for one. */
  get #isDeferring(): boolean {
    return this.#queue.isFetching || this.#deferred.length > 0;
  }

  #defer(deferred: Deferred): void {
    this.#deferred.push(deferred);
    if (this.#state.saving.kind === 'saved') this.#setSaving('saving');
  }

  /** Does what was deferred until after a fetch. */
  #runDeferred(): void {
    const rebaser = this.#pendingRebase?.rebaser ?? this.#newRebaser();
    while (!this.#queue.isFetching) {
      const next = this.#deferred.shift();
      if (next === undefined) break;
      // A run in progress began before this change of the draft, so it has to be rebased.
      if (next.kind !== 'typing') this.#pendingRebase ??= { rebaser, isForeign: false, reports: [] };
      try {
        if (next.kind === 'work') next.run();
        else this.#commitRebased(rebaser, next.edit);
      } catch (error) {
        // The rest must not wait forever.
        notifyError(error);
      }
    }
    const pending = this.#pendingRebase;
    if (this.#isDeferring) {
      if (pending?.isForeign === true) this.#typing.keepUnsaved();
      return;
    }
    this.#pendingRebase = null;
    const { run } = this.#typing;
    if (pending !== null && run !== null) this.#rebaseTyping(rebaser, run);
    if (pending?.isForeign === true) this.#update({ rebaseCount: this.#state.rebaseCount + 1 });
    this.#settleSaving();
    // If nothing was changed elsewhere, an edit without effect was already undone or made by the user: no message.
    if (rebaser.isReported(pending)) this.#observer.onRebased(rebaser.outcome);
  }

  #newRebaser(): Rebaser {
    return new Rebaser(
      () => this.#state.draft,
      (draft, operation) => this.#changeOf(draft, operation),
    );
  }

  #commitRebased(rebaser: Rebaser, recorded: RecordedEdit): void {
    const edit = rebaser.applyEdit(recorded);
    if (edit !== null) this.#commit(edit);
  }

  /** Like {@link flush}, but while the page unloads, when it cannot wait for a fetch. */
  flushBeforeUnload(): void {
    if (!this.#queue.isFetching) {
      this.flush();
      return;
    }
    this.#queue.sendDuringFetch(textsToSend(this.#deferred.splice(0), this.#typing.finish()));
  }

  // Edits

  /**
   * Makes an edit. Returns its change; empty when it does nothing, or has to wait for a fetch.
   *
   * @param original only `restore` needs it
   */
  edit(operation: EditOperation, original = noOriginal): Change {
    this.flush();
    return this.#makeEditInOrder(operation, original);
  }

  /** Makes an edit that is merged into {@link lastDone}, or cancels it out. Both must edit the same text. */
  continueEdit(operation: EditOperation): void {
    const edit = this.#planEdit(this.#state.draft, operation);
    if (edit === null) return;
    this.#send(edit, true);
    this.#applyChange(edit.change, true);
  }

  /** Restores the original from the service; an edit like any other. */
  async restore(): Promise<void> {
    const original = await this.#invoke('transcript.original', { id: this.id });
    this.edit({ kind: 'restore' }, () => original);
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
    this.#update({ accepted: accepted ? [...others, findingKey] : others, ...this.#undoStack.state });
    this.#setSaving('saving');
    this.#queue.sendAccepted(findingKey, accepted);
  }

  /** Renames the transcript once the name is stored. @param isStored whether it is stored already */
  async rename(name: string, isStored = false): Promise<void> {
    if (!isStored) await this.#invoke('library.rename', { id: this.id, name });
    this.#update({ name });
  }

  /** Sets the language once it is stored; `null`: unknown. This is not an edit, because it changes no text. */
  async setLanguage(language: string | null): Promise<void> {
    await this.#invoke('transcript.setLanguage', { id: this.id, language });
    this.#update({ language });
  }

  /** Makes an edit of what is on screen, after any fetch. */
  #makeEditInOrder(operation: EditOperation, original: typeof noOriginal): Change {
    if (!this.#isDeferring) return this.#makeEdit(operation, original);
    const { draft } = this.#state;
    const before = this.isTyping ? shownDraft(draft, this.#deferred) : draft;
    this.#defer(
      operation.kind === 'restore'
        ? { kind: 'work', run: () => void this.#makeEdit(operation, original) }
        : // Without its change, because the segments that it inserts are not on screen yet.
          { kind: 'edit', edit: recordEdit({ before, operation, change: [] }) },
    );
    return [];
  }

  #makeEdit(operation: EditOperation, original = noOriginal): Change {
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

  /** @param continues whether to merge it into the previous stored edit: of the same typing run, or the same note */
  #send(edit: AppliedEdit, continues: boolean): void {
    this.#setSaving('saving');
    this.#queue.sendEdit(recordEdit(edit), continues);
  }

  /** Shows a change, and makes it undoable: on its own, or with the change before it. */
  #applyChange(change: Change, continues = false): void {
    if (change.length === 0) return;
    this.#undoStack.pushEdit(change, continues ? this.#state.draft : null);
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
    return changeOf(draft, operation, { recordingSeconds: this.recordingSeconds, original });
  }

  // Undo and redo

  /** What {@link undo} takes back; `null` if that is not certain: text is being typed, or edits wait for a fetch. */
  get lastDone(): UndoEntry | null {
    return this.#isDeferring || this.#typing.run !== null ? null : this.#undoStack.last;
  }

  undo(): void {
    this.#runCommand('undo');
  }

  redo(): void {
    this.#runCommand('redo');
  }

  #runCommand(kind: UndoCommand): void {
    this.flush();
    if (this.#isDeferring) this.#defer({ kind: 'work', run: () => this.#runCommandNow(kind) });
    else this.#runCommandNow(kind);
  }

  #runCommandNow(kind: UndoCommand): void {
    if (!this.#state[kind === 'undo' ? 'canUndo' : 'canRedo']) return this.#observer.onNothingToDo(kind);
    const effect = this.#undoStack.pop(kind);
    if (effect === null) return this.#fetchCommand(kind);
    if (effect.kind === 'non-edit') {
      this.#update(this.#undoStack.state);
      return effect.run() ? undefined : this.#runCommandNow(kind);
    }
    if (effect.kind === 'accept') return this.#setAccepted(effect.findingKey, effect.accepted);
    this.#update({ ...this.#stateAfter(effect.change), ...this.#undoStack.state });
    this.#setSaving('saving');
    this.#queue.sendCommand(kind);
  }

  #fetchCommand(kind: UndoCommand): void {
    this.#queue.fetchCommand(kind, {
      onResult: ({ change, ...state }: UndoResult) => {
        const hasChanged = change.length > 0;
        if (hasChanged) this.#undoStack.pushReverse(kind, change);
        this.#update({ ...this.#applyEditState(state), ...this.#stateAfter(change) });
        if (hasChanged)
          this.#pendingRebase ??= { rebaser: this.#newRebaser(), isForeign: false, reports: [] };
        this.#typing.scheduleSave();
        if (hasChanged && kind === 'undo') this.#observer.onEarlierEditUndone();
      },
      onError: (error) => {
        const problem = asProblem(error);
        // Nothing waits to be saved, so the command is not retried.
        notifyProblem(problem);
        if (problem.code === 'transcript_changed') this.pullChanges();
      },
    });
  }

  #stateAfter(change: Change): Pick<SessionState, 'draft' | 'locateLastChange'> {
    const draft = applyChange(this.#state.draft, change);
    return { draft, locateLastChange: (near) => changedPosition(draft, change, near) };
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
        this.#queue.retryLater(() => this.pullChanges());
        this.#isPulling = false;
      },
    });
  }

  #onPulled(document: TranscriptDocument | null): void {
    if (document === null)
      this.#update({ saving: { kind: 'unsaved', problem: { code: 'transcript_gone' } } });
    else if (this.#queue.differsFrom(document.revision)) this.#rebase(document);
    else {
      this.#update({ trashed: document.trashed, language: document.language, name: document.name });
      if (!this.isTyping) this.#setSaving('saved');
    }
  }

  #rebase(document: TranscriptDocument): void {
    const { isTyping } = this;
    const { requests, refused } = this.#queue.reset(document.revision);
    this.#undoStack.clear();
    this.#undoStack.setLog(document);
    const hasAccepted = requests.some(({ kind }) => kind === 'accept');
    this.#update({
      ...stateOf(document),
      ...(hasAccepted && { accepted: this.#state.accepted }),
      saving: { kind: isTyping ? 'saving' : 'saved' },
    });
    const rebaser = this.#pendingRebase?.rebaser ?? this.#newRebaser();
    for (const edit of refused) rebaser.dropEdit(edit);
    for (const request of requests) {
      if (request.kind === 'edit') this.#commitRebased(rebaser, request.edit);
      else if (request.kind === 'accept') {
        this.#setSaving('saving');
        this.#queue.enqueue(request);
      } else rebaser.markPartial();
    }
    this.#update({ rebasedIds: [...this.#state.rebasedIds, rebaser.takeInsertedIds()] });
    // A refusal was reported already, and nothing was changed elsewhere.
    this.#pendingRebase = foreignRebase(rebaser, requests.length > 0 || isTyping, refused.length > 0);
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
    if (caret !== null) this.#update({ locateLastChange: () => caret });
  }
}
