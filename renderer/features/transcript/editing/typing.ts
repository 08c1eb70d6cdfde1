import type { SegmentId } from '../../../../electron/contract/model/identifiers.ts';
import type { Draft } from '../../../../electron/contract/model/transcript.ts';

/** Milliseconds after which what was typed is stored, however fast one goes on: what a crash may take. */
export const partMs = 150;

/** Milliseconds after the last letter until what was typed is one edit, and the longest that it grows. */
const restMs = 450;
const longestMs = 3000;

/** What is typed in one go. */
export interface TypingRun {
  /** `null`: the text of a transcript without times. */
  readonly segment: SegmentId | null;
  /** What stood there before. */
  readonly base: string;
  /** What stands there now. */
  readonly text: string;
  /** The transcript with what was stored of it; `null` while nothing was. */
  readonly stored: Draft | null;
  /** When the first letter came. */
  readonly since: number;
}

/** What stands in a field after a key. */
interface Typed {
  readonly segment: SegmentId | null;
  readonly text: string;
  /** A word is still being put together by an input method. */
  readonly isComposing: boolean;
}

export interface TypingListener {
  /** It is time to store what stands there. */
  save(): void;
  /** What was typed in one go is over. */
  end(): void;
}

/** What is being typed, and when it is stored and becomes an edit. */
export class Typing {
  readonly #listener: TypingListener;
  #run: TypingRun | null = null;
  #rest: ReturnType<typeof setTimeout> | undefined;
  #part: ReturnType<typeof setTimeout> | undefined;

  constructor(listener: TypingListener) {
    this.#listener = listener;
  }

  get run(): TypingRun | null {
    return this.#run;
  }

  /** Takes what stands there now; `base` tells what did before the first letter. */
  take({ segment, text, isComposing }: Typed, base: () => string): void {
    const now = performance.now();
    const begun = this.#run ?? { segment, base: base(), stored: null, since: now };
    this.#run = { ...begun, text };
    clearTimeout(this.#rest);
    const rest = Math.max(0, Math.min(restMs, begun.since + longestMs - now));
    if (isComposing) {
      clearTimeout(this.#part);
      this.#part = undefined;
      return;
    }
    this.#rest = setTimeout(() => this.#listener.end(), rest);
    this.goOn();
  }

  /** What stands there is to be stored soon. */
  goOn(): void {
    if (this.#run === null || this.#part !== undefined) return;
    this.#part = setTimeout(() => {
      this.#part = undefined;
      this.#listener.save();
    }, partMs);
  }

  /** Part of it is stored. */
  stored(stored: Draft): void {
    if (this.#run !== null) this.#run = { ...this.#run, stored };
  }

  /** Something else stands there now, in which one goes on. */
  rebase(base: string, text: string): void {
    if (this.#run !== null) this.#run = { ...this.#run, base, text, stored: null };
    this.goOn();
  }

  /** Nothing is being typed any more. Returns what was. */
  finish(): TypingRun | null {
    clearTimeout(this.#rest);
    clearTimeout(this.#part);
    this.#part = undefined;
    const run = this.#run;
    this.#run = null;
    return run;
  }
}
