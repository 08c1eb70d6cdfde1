import type { SegmentId, TranscriptId } from '../../../../electron/contract/identifiers.ts';
import type {
  Change,
  EditOperation,
  OriginalTranscript,
  TranscriptDocument,
} from '../../../../electron/contract/transcript.ts';
import { applyChange } from '../../../../electron/core/transcript/edit/change.ts';
import { changeOf } from '../../../../electron/core/transcript/edit/edit.ts';
import type { Ask } from '../../../bridge.ts';
import { CatchingUp, type BroughtTogether } from './catching-up.ts';
import { Fetching } from './fetching.ts';
import { typed } from './on-top.ts';
import { Sending } from './sending.ts';
import type { SessionState } from './session-state.ts';
import { ShownState } from './shown-state.ts';
import { Stepping } from './stepping.ts';
import { asNew, Typing, type TypingRun } from './typing.ts';

/** What the session tells beside its state. */
export interface SessionHooks {
  /** The transcript was changed elsewhere, while something here was not stored yet. */
  changedElsewhere(outcome: BroughtTogether): void;
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
  readonly #shown: ShownState;
  readonly #typing = new Typing({ save: () => this.#savePart(), end: () => this.flush() });
  readonly #fetching = new Fetching();
  readonly #sending: Sending;
  readonly #stepping: Stepping;
  readonly #catchingUp: CatchingUp;

  constructor(ask: Ask, document: TranscriptDocument, hooks: SessionHooks) {
    this.#ask = ask;
    this.#hooks = hooks;
    this.id = document.id;
    this.durationSeconds = document.durationSeconds;
    const shown = new ShownState(document);
    const fetching = this.#fetching;
    const typing = this.#typing;
    const sending = new Sending(ask, document, shown, {
      answered: () => {
        typing.goOn();
        shown.tellSaving(typing.run === null ? 'saved' : 'saving');
      },
      refused: () => this.catchUp(),
    });
    const stepping = new Stepping(shown, sending, fetching, {
      fetched: () => typing.goOn(),
      refused: () => this.catchUp(),
    });
    this.#shown = shown;
    this.#sending = sending;
    this.#stepping = stepping;
    this.#catchingUp = new CatchingUp({
      ask,
      id: document.id,
      shown,
      typing,
      sending,
      stepping,
      fetching,
      make: (operation) => this.#make(operation),
      onDone: (outcome) => hooks.changedElsewhere(outcome),
    });
  }

  readonly getState = (): SessionState => this.#shown.now;

  readonly subscribe = (listener: () => void): (() => void) => this.#shown.subscribe(listener);

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
    this.#typing.take(this.#shown.now.draft, { segment, text, isComposing });
    if (this.#shown.now.saving.kind === 'saved') this.#shown.tellSaving('saving');
  }

  /** Stores what stands there while it is typed in; the rest of it will be one edit with this. */
  #savePart(): void {
    const { run } = this.#typing;
    if (run === null || this.#fetching.isRunning || !this.#sending.isEmpty) return;
    const stored = run.stored ?? this.#shown.now.draft;
    const operation = typed(stored, run);
    const change = operation === null ? [] : changeOf(stored, operation, this.#context());
    if (operation === null || change.length === 0) return;
    this.#sending.edit(stored, operation, change, run.stored !== null);
    this.#typing.stored(applyChange(stored, change));
  }

  /** Makes an edit of what was typed, if anything was. */
  flush(): void {
    const run = this.#typing.finish();
    if (run === null) return;
    if (this.#fetching.isRunning) void this.#fetching.afterwards(() => this.#makeTyped(asNew(run)));
    else this.#makeTyped(run);
    if (this.#sending.isEmpty && !this.#fetching.isRunning && this.#shown.now.saving.kind === 'saving') {
      this.#shown.tellSaving('saved');
    }
  }

  #makeTyped(run: TypingRun): void {
    const { draft } = this.#shown.now;
    const whole = typed(draft, run);
    if (whole === null) return;
    if (run.stored === null) {
      this.#make(whole);
      if (whole.kind === 'put-back') this.#hooks.changedElsewhere('returned');
      return;
    }
    const rest = typed(run.stored, run);
    const change = rest === null ? [] : changeOf(run.stored, rest, this.#context());
    if (rest !== null && change.length > 0) this.#sending.edit(run.stored, rest, change, true);
    this.#apply(changeOf(draft, whole, this.#context()));
  }

  /** Makes an edit of what was typed. The promise is kept once everything that was done is on its way. */
  async settle(): Promise<void> {
    this.flush();
    await this.#fetching.settle();
  }

  /** {@link flush} for a page that goes at once, and cannot wait for an older edit that is being taken back. */
  flushAtOnce(): void {
    if (!this.#fetching.isRunning) {
      this.flush();
      return;
    }
    const run = this.#typing.finish();
    if (run === null) return;
    const { segment, text } = run;
    this.#sending.editAtOnce(
      segment === null
        ? { kind: 'edit-text', at: 0, removed: Number.MAX_SAFE_INTEGER, inserted: text }
        : { kind: 'set-text', segment, text },
    );
  }

  /** Makes an edit. Returns what it does; empty when that is nothing, or when it has to wait for an older one. */
  edit(operation: EditOperation): Change {
    this.flush();
    return this.#make(operation);
  }

  undo(): void {
    this.#step('undo');
  }

  redo(): void {
    this.#step('redo');
  }

  #step(kind: 'undo' | 'redo'): void {
    this.flush();
    if (this.#fetching.isRunning) void this.#fetching.afterwards(() => this.#step(kind));
    else this.#stepping.step(kind);
  }

  /** Brings back what came from the service; taken back like any edit. */
  async restore(): Promise<void> {
    const original = await this.#ask('transcript.original', { id: this.id });
    this.flush();
    this.#make({ kind: 'restore' }, () => original);
  }

  /** Keeps a finding of the review from being shown again, or lets it. */
  accept(finding: string, accepted: boolean): void {
    const others = this.#shown.now.accepted.filter((one) => one !== finding);
    this.#shown.change({ accepted: accepted ? [...others, finding] : others });
    this.#sending.accept(finding, accepted);
  }

  /** Sends again what could not be saved. */
  retry(): void {
    this.#shown.tellSaving('saving');
    if (this.#sending.isEmpty) this.catchUp();
    else this.#sending.retry();
  }

  /** Takes over what was changed elsewhere. What is not stored yet, and what is being typed, is made again on top. */
  catchUp(): void {
    this.#catchingUp.run();
  }

  #make(operation: EditOperation, original: () => OriginalTranscript = noOriginal): Change {
    if (this.#fetching.isRunning) {
      void this.#fetching.afterwards(() => this.#make(operation, original));
      return [];
    }
    const { draft } = this.#shown.now;
    const change = changeOf(draft, operation, this.#context(original));
    if (change.length === 0) return change;
    this.#sending.edit(draft, operation, change, false);
    this.#apply(change);
    return change;
  }

  #apply(change: Change): void {
    if (change.length === 0) return;
    this.#stepping.did(change);
    this.#shown.change({
      draft: applyChange(this.#shown.now.draft, change),
      edited: true,
      canUndo: true,
      canRedo: false,
    });
  }

  #context(original: () => OriginalTranscript = noOriginal) {
    return { durationSeconds: this.durationSeconds, original };
  }
}

/** Only restoring needs the original, and brings it. */
const noOriginal = (): OriginalTranscript => ({ segments: [], text: null });
