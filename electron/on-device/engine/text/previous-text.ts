import type { Checkpoint } from '../speech-engine.ts';
import { separatingSilence } from '../voice/speech-windows.ts';
import { maxTokensPerWindow } from '../whisper/decoding.ts';
import type { TimedText } from '../whisper/timestamp-rules.ts';
import type { SpecialTokens } from '../whisper/special-tokens.ts';

/** The decoder's context in tokens (`n_text_ctx`). */
const contextTokens = 448;
/** The token before the previous text; start, language and task after it. */
const reservedTokens = 4;
/** The tokens that may precede the transcript of a window. */
export const maxPromptTokens = contextTokens - maxTokensPerWindow - reservedTokens;
/** A longer piece, in seconds, has too few timestamps to be an example: later ones would have even fewer. */
const maxPieceSeconds = 10;

/**
 * The text before a window as context for the model, so that it spells names as before and continues sentences in the
 * same style (OpenAI's `condition_on_previous_text`). Timestamps are part of that style: after a text without them the
 * model returns the whole window as one segment and omits sentences.
 */
export class PreviousText {
  readonly #special: SpecialTokens;
  #tokens: readonly number[];
  #end: number;

  /** @param saved the text that {@link snapshot} returned before an interruption */
  constructor(special: SpecialTokens, saved: Checkpoint['previous'] = null) {
    this.#special = special;
    // The recording may be resumed with another model, whose tokens have other meanings.
    const usable = saved?.tokenCount === special.vocabularySize ? saved : null;
    this.#tokens = usable?.tokens ?? [];
    this.#end = usable?.endSeconds ?? -Infinity;
  }

  get isEmpty(): boolean {
    return this.#tokens.length === 0;
  }

  get snapshot(): Checkpoint['previous'] {
    return this.#tokens.length === 0
      ? null
      : { tokens: [...this.#tokens], endSeconds: this.#end, tokenCount: this.#special.vocabularySize };
  }

  /**
   * Returns the last text and timestamp tokens before a window; none after a long silence.
   *
   * @param start when the window begins, in seconds of the recording
   * @param maxTokens less than {@link maxPromptTokens} where something else precedes them
   */
  tokensBefore(start: number, maxTokens = maxPromptTokens): readonly number[] {
    if (start - this.#end > separatingSilence) this.clear();
    return this.#tokens.slice(-maxTokens);
  }

  /**
   * Adds the text of a window; if it is not a good example, clears all previous text as well.
   *
   * @param pieces of the window, in order
   * @param end end of the last piece, in seconds of the recording
   */
  add(pieces: readonly TimedText[], end: number): void {
    if (pieces.some((piece) => piece.end - piece.start > maxPieceSeconds)) {
      this.clear();
      return;
    }
    const added = pieces.flatMap((piece) => [
      this.#special.timestampAt(piece.start),
      ...piece.tokens,
      this.#special.timestampAt(piece.end),
    ]);
    this.#tokens = [...this.#tokens, ...added].slice(-maxPromptTokens);
    this.#end = end;
  }

  clear(): void {
    this.#tokens = [];
    this.#end = -Infinity;
  }
}
