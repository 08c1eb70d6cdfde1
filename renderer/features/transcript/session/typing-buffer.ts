import type { SegmentId } from '../../../../electron/contract/identifiers.ts';
import type { Draft, DraftSegment } from '../../../../electron/contract/transcript.ts';
import { normalizeText } from '../../../../electron/contract/unicode.ts';
import { findSegment } from '../../../../electron/core/transcript/edit/draft.ts';
import type { WordRange } from '../../../../electron/core/transcript/words-in-text.ts';

/** Milliseconds after which typed text is saved while typing continues: what a crash may lose. */
export const saveIntervalMs = 150;

/** Milliseconds without a key that end a run of typing, and the maximum that it lasts. */
const idleMs = 450;
const maxRunMs = 3000;

/** What is typed without a pause. It becomes one edit. */
export interface TypingRun {
  /** `null`: the text of a transcript without times. */
  readonly segment: SegmentId | null;
  /** The segment before the run; `null` in a transcript without times. */
  readonly segmentBefore: DraftSegment | null;
  readonly textBefore: string;
  readonly text: string;
  /** The selection in the text before the run, which the typing replaces; `null` if nothing was selected. */
  readonly replaced: WordRange | null;
  /** The draft with the saved part of the run; `null` before any is saved. */
  readonly savedDraft: Draft | null;
  /** When the first key was pressed, by `performance.now()`. */
  readonly startedAtMs: number;
}

/** How a text was typed. */
export interface TypingOptions {
  /** Whether an input method is still composing a word: only a complete word becomes an edit. */
  readonly isComposing?: boolean;
  /** The selection before this input; `null` if nothing was selected. */
  readonly replaced?: WordRange | null;
}

/** The content of a field after a key. */
interface FieldInput extends TypingOptions {
  readonly segment: SegmentId | null;
  readonly text: string;
  /** The text before this input, if an earlier run in this segment is still deferred; `null`: as in the draft. */
  readonly deferredText: string | null;
}

export interface TypingObserver {
  /** The unsaved part of the run must be saved. */
  onSaveDue(): void;
  /** The run is over, and must become an edit. */
  onRunEnd(): void;
}

/** Text that was typed and is not an edit yet, and when it becomes one. */
export class TypingBuffer {
  readonly #observer: TypingObserver;
  #run: TypingRun | null = null;
  #endTimer: ReturnType<typeof setTimeout> | undefined;
  #saveTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(observer: TypingObserver) {
    this.#observer = observer;
  }

  get run(): TypingRun | null {
    return this.#run;
  }

  /** Updates the run with the content of a field, or begins one. `draft` is the draft without this run. */
  update(
    draft: Draft,
    { segment, text, deferredText, isComposing = false, replaced = null }: FieldInput,
  ): void {
    const now = performance.now();
    const run = this.#run ?? {
      ...textBeforeIn(draft, segment),
      ...(deferredText !== null && { textBefore: deferredText }),
      replaced,
      savedDraft: null,
      startedAtMs: now,
    };
    this.#run = { ...run, text };
    clearTimeout(this.#endTimer);
    if (isComposing) {
      clearTimeout(this.#saveTimer);
      this.#saveTimer = undefined;
      return;
    }
    this.#scheduleEnd(Math.max(0, Math.min(idleMs, run.startedAtMs + maxRunMs - now)));
    this.scheduleSave();
  }

  /** Continues a run that is over but cannot become an edit yet. */
  postponeEnd(): void {
    this.#scheduleEnd(idleMs);
  }

  #scheduleEnd(inMs: number): void {
    clearTimeout(this.#endTimer);
    this.#endTimer = setTimeout(() => this.#observer.onRunEnd(), inMs);
  }

  scheduleSave(): void {
    if (this.#run === null || this.#saveTimer !== undefined) return;
    this.#saveTimer = setTimeout(() => {
      this.#saveTimer = undefined;
      this.#observer.onSaveDue();
    }, saveIntervalMs);
  }

  markSaved(savedDraft: Draft): void {
    if (this.#run !== null) this.#run = { ...this.#run, savedDraft };
  }

  /** Continues with the part of the run that is not saved: its saved part is in the draft. */
  keepUnsaved(): void {
    if (this.#run !== null) this.#run = unsavedPart(this.#run);
  }

  /** Continues the run in another draft, where its text is `text`. */
  rebase(draft: Draft, segment: SegmentId | null, text: string): void {
    if (this.#run !== null)
      this.#run = { ...this.#run, ...textBeforeIn(draft, segment), text, replaced: null, savedDraft: null };
    this.scheduleSave();
  }

  /** Ends the run and returns it; `null` when nothing was typed. */
  finish(): TypingRun | null {
    clearTimeout(this.#endTimer);
    clearTimeout(this.#saveTimer);
    this.#saveTimer = undefined;
    const run = this.#run;
    this.#run = null;
    return run;
  }
}

function textBeforeIn(
  draft: Draft,
  segment: SegmentId | null,
): Pick<TypingRun, 'segment' | 'segmentBefore' | 'textBefore'> {
  const segmentBefore = segment === null ? null : (findSegment(draft, segment)?.segment ?? null);
  const textBefore = (segment === null ? draft.text : segmentBefore?.text) ?? '';
  return { segment, segmentBefore, textBefore };
}

/** Returns the part of a run that is not saved, as a separate run. */
export function unsavedPart(run: TypingRun): TypingRun {
  const { savedDraft, segment } = run;
  if (savedDraft === null) return run;
  const saved = textBeforeIn(savedDraft, segment);
  const replaced = typedRange({ ...run, text: saved.textBefore }) ?? null;
  return { ...run, ...saved, replaced, savedDraft: null };
}

/** Returns the range of a run's text that was typed in place of a selection; `undefined` if there is none. */
export function typedRange({ textBefore, text, replaced }: TypingRun): WordRange | undefined {
  if (replaced === null) return undefined;
  const after = textBefore.slice(replaced.to);
  const to = text.length - after.length;
  // Since then, more was typed elsewhere in the text.
  if (!text.startsWith(textBefore.slice(0, replaced.from)) || !text.endsWith(after)) return undefined;
  return to > replaced.from ? { from: replaced.from, to } : undefined;
}

/** Whether an input method has composed a word, which becomes a separate edit. A dead-key accent does not. */
export const isComposedWord = (composed: string): boolean =>
  composed !== '' && !/^\p{Script=Latin}$/u.test(normalizeText(composed, 'NFC'));
