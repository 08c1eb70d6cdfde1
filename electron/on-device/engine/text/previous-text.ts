import { separatingSilence } from '../voice/speech-windows.ts';
import { mostTokensOfWindow } from '../whisper/decoding.ts';
import type { TimedText } from '../whisper/timestamp-rules.ts';
import { timestampAt } from '../whisper/tokenizer.ts';

/** What the decoder can remember, in tokens (`n_text_ctx`). */
const memoryTokens = 448;
/** The mark before the previous text; start, language and task after it. */
const marks = 4;
const mostTokens = memoryTokens - mostTokensOfWindow - marks;
/** A longer piece, in seconds, has too few timestamps to be an example: those after it would have still fewer. */
const longestPiece = 10;

/**
 * What was said before a window, for the model to go on from: so it spells a name as it did before, and goes on with a
 * sentence in its manner (OpenAI's `condition_on_previous_text`). Its timestamps are part of that manner: after a text
 * without them the model makes one segment of all it hears, and leaves out sentences.
 */
export class PreviousText {
  #tokens: readonly number[] = [];
  #end = -Infinity;

  /**
   * The last text and timestamp tokens before a window, none after a long silence.
   *
   * @param start when the window begins, in seconds of the recording
   */
  before(start: number): readonly number[] {
    if (start - this.#end > separatingSilence) this.forget();
    return this.#tokens;
  }

  /**
   * Takes in what was said in a window; where that is no example, what was said before is forgotten as well.
   *
   * @param pieces of the window, in order
   * @param end when the last of it was said, in seconds of the recording
   */
  add(pieces: readonly TimedText[], end: number): void {
    if (pieces.some((piece) => piece.end - piece.start > longestPiece)) {
      this.forget();
      return;
    }
    const added = pieces.flatMap((piece) => [
      timestampAt(piece.start),
      ...piece.tokens,
      timestampAt(piece.end),
    ]);
    this.#tokens = [...this.#tokens, ...added].slice(-mostTokens);
    this.#end = end;
  }

  /** What is not to be relied on is not to be gone on from either. */
  forget(): void {
    this.#tokens = [];
    this.#end = -Infinity;
  }
}
