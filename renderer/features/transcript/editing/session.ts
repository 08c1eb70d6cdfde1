import type { SegmentId, TranscriptId } from '../../../../electron/contract/model/identifiers.ts';
import type {
  Change,
  Draft,
  EditOperation,
  OriginalTranscript,
  StepResult,
  TranscriptDocument,
} from '../../../../electron/contract/model/transcript.ts';
import { applyChange, invertChange } from '../../../../electron/core/library/edit/change.ts';
import { changeOf } from '../../../../electron/core/library/edit/edit.ts';
import { mergeTexts } from '../../../../electron/core/library/edit/merge-texts.ts';
import { touchedPlace } from '../../../../electron/core/library/edit/touched-place.ts';
import type { Ask } from '../../../bridge.ts';
import { asProblem, notifyProblem } from '../../../notices.ts';
import { openDocument } from '../open-document.ts';
import { onTop, textIn, textOf, typed } from './on-top.ts';
import { Outbox, type Outgoing } from './outbox.ts';
import { shown, standing, type SessionState } from './session-state.ts';
import { Typing, type TypingRun } from './typing.ts';

/** What the session tells beside its state. */
export interface SessionHooks {
  /** The transcript was changed elsewhere. What was done here is made again on top of that, or some of it cannot be. */
  changedElsewhere(isKept: boolean): void;
}

/**
 * One transcript while it is open. Edits are on screen at once and sent in their order, each with the revision that it
 * was made on; the main process makes the same of them and has the last word.
 */
export class TranscriptSession {
  readonly id: TranscriptId;
  readonly durationSeconds: number | null;
  readonly #ask: Ask;
  readonly #hooks: SessionHooks;
  readonly #listeners = new Set<() => void>();
  #state: SessionState;
  #revision: number;
  /** What was done and taken back since the transcript was opened; what is older is asked for. */
  #done: Change[] = [];
  #undone: Change[] = [];
  readonly #typing = new Typing({ save: () => this.#savePart(), end: () => this.flush() });
  readonly #outbox: Outbox;
  /** Set while an older edit is fetched, or what was changed elsewhere: whatever is done meanwhile comes after it. */
  #fetching: Promise<void> | null = null;
  #isCatchingUp = false;

  constructor(ask: Ask, document: TranscriptDocument, hooks: SessionHooks) {
    this.#ask = ask;
    this.#hooks = hooks;
    this.id = document.id;
    this.durationSeconds = document.durationSeconds;
    this.#revision = document.revision;
    this.#state = { ...shown(document), saving: { kind: 'saved' }, stepped: null, caughtUp: 0 };
    this.#outbox = new Outbox({
      answered: (state) => {
        if (state !== null) this.#change(standing(state));
        this.#typing.goOn();
        this.#tellSaving(this.#typing.run === null ? 'saved' : 'saving');
      },
      failed: (problem) => {
        if (problem.code === 'transcript_changed') this.catchUp();
        else this.#change({ saving: { kind: 'unsaved', problem } });
      },
    });
  }

  readonly getState = (): SessionState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The text of a segment as it is on screen, the last letters included. */
  textOf(segment: SegmentId | null, stored: string): string {
    const { run } = this.#typing;
    return run?.segment === segment ? run.text : stored;
  }

  /**
   * Takes what stands in a segment, or in the one text of a transcript without times, while it is typed in.
   *
   * @param isComposing a word is still being put together by an input method: it becomes no edit before it is whole.
   */
  type(segment: SegmentId | null, text: string, isComposing = false): void {
    if (this.#typing.run !== null && this.#typing.run.segment !== segment) this.flush();
    this.#typing.take({ segment, text, isComposing }, () => textIn(this.#state.draft, segment) ?? '');
    if (this.#state.saving.kind === 'saved') this.#tellSaving('saving');
  }

  /** Stores what stands there while it is typed in; the rest of it will be one edit with this. */
  #savePart(): void {
    const { run } = this.#typing;
    if (run === null || this.#fetching !== null || !this.#outbox.isEmpty) return;
    const stored = run.stored ?? this.#state.draft;
    const operation = typed(stored, run);
    const change = operation === null ? [] : changeOf(stored, operation, this.#context());
    if (operation === null || change.length === 0) return;
    this.#sendEdit(stored, operation, run.stored !== null);
    this.#typing.stored(applyChange(stored, change));
  }

  /** Makes an edit of what was typed, if anything was. */
  flush(): void {
    const run = this.#typing.finish();
    if (run === null) return;
    if (this.#fetching === null) this.#makeTyped(run);
    else void this.#afterwards(() => this.#makeTyped(this.#asNew(run)));
    if (this.#outbox.isEmpty && this.#fetching === null && this.#state.saving.kind === 'saving') {
      this.#tellSaving('saved');
    }
  }

  /** What is typed as if nothing of it were stored: what is, stood there before. */
  #asNew(run: TypingRun): TypingRun {
    return run.stored === null ? run : { ...run, base: textIn(run.stored, run.segment) ?? '', stored: null };
  }

  #makeTyped(run: TypingRun): void {
    const { draft } = this.#state;
    const whole = typed(draft, run);
    if (whole === null) return;
    if (run.stored === null) {
      this.#make(whole);
      return;
    }
    const rest = typed(run.stored, run);
    if (rest !== null && changeOf(run.stored, rest, this.#context()).length > 0) {
      this.#sendEdit(run.stored, rest, true);
    }
    this.#apply(changeOf(draft, whole, this.#context()));
  }

  /** Makes an edit of what was typed. The promise is kept once everything that was done is on its way. */
  async settle(): Promise<void> {
    this.flush();
    // Each step back is asked for when the one before it is known.
    while (this.#fetching !== null) await this.#fetching;
  }

  /** {@link flush} for a page that goes at once, and cannot wait for an older edit that is being taken back. */
  flushAtOnce(): void {
    if (this.#fetching === null) {
      this.flush();
      return;
    }
    const run = this.#typing.finish();
    if (run === null) return;
    const { segment, text } = run;
    const operation: EditOperation =
      segment === null
        ? { kind: 'edit-text', at: 0, removed: Number.MAX_SAFE_INTEGER, inserted: text }
        : { kind: 'set-text', segment, text };
    // It arrives behind the step that was asked for, which makes the revision one more. Nobody is left to be told.
    this.#ask('transcript.edit', { id: this.id, revision: this.#revision + 1, operation }).catch(
      () => undefined,
    );
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
    this.#put({
      kind: 'accept',
      send: async () => {
        await this.#ask('transcript.accept', { id: this.id, finding, accepted });
        return null;
      },
    });
  }

  /** Sends again what could not be saved. */
  retry(): void {
    this.#tellSaving('saving');
    if (this.#outbox.isEmpty) this.catchUp();
    else this.#outbox.retry();
  }

  /** Takes over what was changed elsewhere. What is not stored yet, and what is being typed, is made again on top. */
  catchUp(): void {
    if (this.#isCatchingUp) return;
    this.#isCatchingUp = true;
    const earlier = this.#fetching;
    this.#fetching = (async () => {
      await earlier;
      try {
        const document = await openDocument(this.#ask, this.id);
        this.#fetching = null;
        if (document === null)
          this.#change({ saving: { kind: 'unsaved', problem: { code: 'transcript_gone' } } });
        else if (document.revision !== this.#revision || !this.#outbox.isEmpty) this.#rebase(document);
        else if (this.#typing.run === null) this.#tellSaving('saved');
      } catch (error) {
        this.#fetching = null;
        this.#change({ saving: { kind: 'unsaved', problem: asProblem(error) } });
      } finally {
        this.#isCatchingUp = false;
      }
    })();
  }

  #rebase(document: TranscriptDocument): void {
    const unstored = this.#outbox.take();
    const accepted = unstored.some(({ kind }) => kind === 'accept')
      ? this.#state.accepted
      : document.accepted;
    const saving = { kind: this.#typing.run === null ? 'saved' : 'saving' } as const;
    this.#revision = document.revision;
    this.#done = [];
    this.#undone = [];
    this.#change({ ...shown(document), accepted, saving });
    // Taking back what is no longer the last edit would take back what was done elsewhere.
    let isKept = unstored.every(({ kind }) => kind !== 'step');
    for (const outgoing of unstored) {
      if (outgoing.kind === 'accept') this.#put(outgoing);
      if (outgoing.edit === undefined) continue;
      const operation = onTop(this.#state.draft, outgoing.edit);
      const change = operation === null ? [] : this.#make(operation);
      // What was typed may be there already.
      if (change.length === 0) isKept &&= operation !== null && outgoing.edit.before !== null;
    }
    const { run } = this.#typing;
    if (run !== null) {
      const { base, text } = this.#asNew(run);
      const present = textIn(this.#state.draft, run.segment);
      if (present === null) isKept = false;
      else this.#typing.rebase(present, mergeTexts(base, text, present));
    }
    this.#change({ caughtUp: this.#state.caughtUp + 1 });
    if (unstored.length > 0 || run !== null) this.#hooks.changedElsewhere(isKept);
  }

  #make(operation: EditOperation, original: () => OriginalTranscript = noOriginal): Change {
    if (this.#fetching !== null) {
      void this.#afterwards(() => this.#make(operation, original));
      return [];
    }
    const { draft } = this.#state;
    const change = changeOf(draft, operation, this.#context(original));
    if (change.length === 0) return change;
    this.#sendEdit(draft, operation, false);
    this.#apply(change);
    return change;
  }

  #apply(change: Change): void {
    if (change.length === 0) return;
    this.#done.push(change);
    this.#undone = [];
    this.#change({
      draft: applyChange(this.#state.draft, change),
      edited: true,
      canUndo: true,
      canRedo: false,
    });
  }

  /** Sends an edit of a draft; with `continues` it is one with the typing before it. */
  #sendEdit(draft: Draft, operation: EditOperation, continues: boolean): void {
    const revision = this.#revision;
    this.#revision += 1;
    const input = { id: this.id, revision, operation, ...(continues && { continues }) };
    const edit = { operation, before: textOf(draft, operation) };
    this.#put({ kind: 'edit', edit, send: () => this.#ask('transcript.edit', input) });
  }

  #context(original: () => OriginalTranscript = noOriginal) {
    return { durationSeconds: this.durationSeconds, original };
  }

  /** Does something once what is fetched is there. */
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
      this.#put({ kind: 'step', send: ask });
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
      this.#fetching = null;
      this.#revision = state.revision;
      // Kept the way it was done, as the next step the other way makes it.
      if (change.length > 0) to.push(effect(change));
      this.#change({ ...standing(state), ...this.#stepped(change) });
      this.#typing.goOn();
    } catch (error) {
      this.#fetching = null;
      const problem = asProblem(error);
      // Nothing waits to be saved: it can be asked for once more.
      notifyProblem(problem);
      if (problem.code === 'transcript_changed') this.catchUp();
    }
  }

  #stepped(change: Change): Pick<SessionState, 'draft' | 'stepped'> {
    const draft = applyChange(this.#state.draft, change);
    return { draft, stepped: touchedPlace(draft, change) ?? this.#state.stepped };
  }

  #put(outgoing: Outgoing): void {
    this.#tellSaving('saving');
    this.#outbox.put(outgoing);
  }

  #tellSaving(kind: 'saved' | 'saving'): void {
    if (this.#state.saving.kind !== kind) this.#change({ saving: { kind } });
  }

  #change(patch: Partial<SessionState>): void {
    this.#state = { ...this.#state, ...patch };
    for (const listener of this.#listeners) listener();
  }
}

/** Only restoring needs the original, and brings it. */
const noOriginal = (): OriginalTranscript => ({ segments: [], text: null });
