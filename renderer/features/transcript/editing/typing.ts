import type { SegmentId } from '../../../../electron/contract/identifiers.ts';
import type { Draft, DraftSegment } from '../../../../electron/contract/transcript.ts';
import { segmentAt } from '../../../../electron/core/transcript/edit/draft.ts';

/** Milliseconds after which what was typed is stored, however fast one goes on: what a crash may take. */
export const partMs = 150;

/** Milliseconds after the last letter until what was typed is one edit, and the longest that it grows. */
const restMs = 450;
const longestMs = 3000;

/** What is typed in one go. */
export interface TypingRun {
  /** `null`: the text of a transcript without times. */
  readonly segment: SegmentId | null;
  /** The segment as it was before; `null` in a transcript without times. */
  readonly was: DraftSegment | null;
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

  /** Takes what stands there now, in a draft that has nothing of it yet. */
  take(draft: Draft, { segment, text, isComposing }: Typed): void {
    const now = performance.now();
    const begun = this.#run ?? { ...placeIn(draft, segment), stored: null, since: now };
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
  rebase(draft: Draft, segment: SegmentId | null, text: string): void {
    if (this.#run !== null) this.#run = { ...this.#run, ...placeIn(draft, segment), text, stored: null };
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

/** Where one begins to type, and what stands there. */
function placeIn(draft: Draft, segment: SegmentId | null): Pick<TypingRun, 'segment' | 'was' | 'base'> {
  const was = segment === null ? null : (segmentAt(draft, segment)?.segment ?? null);
  return { segment, was, base: (segment === null ? draft.text : was?.text) ?? '' };
}

/** What is typed as if nothing of it were stored: what is, stood there before. */
export function asNew(run: TypingRun): TypingRun {
  const { stored, segment } = run;
  return stored === null ? run : { ...run, ...placeIn(stored, segment), stored: null };
}
