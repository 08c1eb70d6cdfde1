/** Turns the tokens of a window into segments and words. */
import { speechSampleRate } from '../../../contract/decoder-protocol.ts';
import type { Segment } from '../../../contract/segment-schema.ts';
import { withWords } from '../../../core/transcript/segment.ts';
import { endsSentence } from '../../../core/transcript/sentences.ts';
import { wordsOf } from '../../../core/transcript/word-times.ts';
import type { WindowResult } from '../speech-model.ts';
import { type TimeSpan, findUntranscribedVoice } from '../text/omissions.ts';
import { toSegments } from '../text/window-segments.ts';
import { frameSamples, frameSeconds } from '../voice/frame.ts';
import type { SpeechWindow } from '../voice/speech-windows.ts';
import type { TimedText } from '../whisper/timestamp-rules.ts';
import { wordsOfSegments } from '../words/segment-words.ts';
import { VoicedAudio } from '../words/voiced-audio.ts';
import type { EmittedToken } from './tdt-decoding.ts';

/** Seconds of audio per frame of the encoder's output. */
const encoderFrameSeconds = 0.08;
/** After this much silence, a new segment begins even within a sentence. */
const separatingPauseSeconds = 1;
/** A longer sentence continues in a new segment after the next comma. */
const longSentenceSeconds = 10;

/** A token with its text and its time in the window, in seconds. */
interface TimedToken {
  readonly text: string;
  readonly probability: number;
  readonly start: number;
  readonly end: number;
}

/** The last word of a window: when it begins, in seconds of the window, and its first token. */
export interface LastWord {
  readonly start: number;
  readonly index: number;
}

/** The tokens of a window, in order. */
export class WindowTokens {
  readonly #tokens: readonly TimedToken[];
  readonly #window: SpeechWindow;

  /**
   * @param emitted in order
   * @param texts of all tokens of the vocabulary
   * @param offset where the audio that they come from begins in the window, in seconds; negative before the window
   */
  constructor(emitted: readonly EmittedToken[], texts: readonly string[], window: SpeechWindow, offset = 0) {
    this.#window = window;
    this.#tokens = timeTokens(emitted, texts, (frame) =>
      Math.min(Math.max(offset + frame * encoderFrameSeconds, 0), window.seconds),
    );
  }

  get text(): string {
    return this.#tokens
      .map(({ text }) => text)
      .join('')
      .trim();
  }

  /**
   * Whether there is voice in the window without words. Looks at times rather than at tokens per second, since a spoken
   * number has many tokens.
   */
  get hasOmission(): boolean {
    return this.#omissions().length > 0;
  }

  /** How much voice has no words, in seconds. */
  get omittedSeconds(): number {
    return voiceIn(this.#omissions(), this.#window);
  }

  /**
   * Whether the text of another model has something where these words omit voice, and omits less itself, as far as it
   * reaches.
   */
  isCompletedBy({ segments, doneUntil }: WindowResult): boolean {
    const spans = segments
      .flatMap((segment): readonly TimeSpan[] => wordsOf(segment) ?? [segment])
      .map(({ start, end }) => ({ start: this.#window.timeOf(start), end: this.#window.timeOf(end) }));
    const omissions = this.#omissions(doneUntil);
    const isFilled = omissions.some((omission) =>
      // A segment without word times has one span for all its words, which may be longer than the omission.
      spans.some((span) => isCentredIn(span, omission) || isCentredIn(omission, span)),
    );
    const stillOmitted = findUntranscribedVoice(spans, this.#window, doneUntil);
    return isFilled && voiceIn(stillOmitted, this.#window) < voiceIn(omissions, this.#window);
  }

  #omissions(until = this.#window.seconds): readonly TimeSpan[] {
    const tokens = this.#tokens.filter(({ start }) => start < until);
    return findUntranscribedVoice(tokens, this.#window, until);
  }

  /** The last word; `null` if there are fewer than two. */
  get lastWord(): LastWord | null {
    const words = this.#groupTokens(() => true).filter(({ tokens }) =>
      tokens.some((index) => hasLetterOrDigit(this.#tokens[index]?.text ?? '')),
    );
    const last = words.at(-1);
    return last === undefined || words.length < 2 ? null : { start: last.start, index: last.tokens[0] ?? 0 };
  }

  /**
   * Returns the segments with their words.
   *
   * @param cut the last word of the window, if it and what follows it are to be left out
   */
  segments(cut: LastWord | null = null): readonly Segment[] {
    // Punctuation and words may begin at the same time as the last word.
    const tokens = this.#tokens.slice(0, cut?.index);
    const pieces = this.#groupTokens((before, next) => this.#endsSegment(before, next), tokens);
    const located = toSegments(pieces, this.#window, (indices) =>
      indices.map((index) => tokens[index]?.text ?? '').join(''),
    );
    const audio = new VoicedAudio(this.#window, this.#window.seconds);
    const words = wordsOfSegments(
      located,
      {
        // After each token there may be a gap, which gets an odd number and no text.
        texts: tokens.map(({ text }, i) => ({ text, first: 2 * i, last: 2 * i })),
        positions: tokens.flatMap(({ start, end }) => [audio.positionOf(start), audio.positionOf(end)]),
        probabilities: tokens.flatMap(({ probability }) => [probability, 1]),
      },
      audio,
    );
    return located.map(({ segment }, i) => withWords(segment, words[i] ?? []));
  }

  /**
   * Groups tokens into pieces. A new piece begins at each word for which `isBoundary` returns true, given the piece so
   * far. The pieces contain indices in `tokens`.
   */
  #groupTokens(
    isBoundary: (before: readonly TimedToken[], next: TimedToken) => boolean,
    tokens = this.#tokens,
  ): readonly TimedText[] {
    const pieces: number[][] = [];
    const tokensOf = (piece: readonly number[]): readonly TimedToken[] =>
      piece.flatMap((index) => tokens[index] ?? []);
    for (const [index, token] of tokens.entries()) {
      const last = pieces.at(-1);
      const startsPiece =
        last === undefined || (token.text.startsWith(' ') && isBoundary(tokensOf(last), token));
      if (startsPiece) pieces.push([index]);
      else last.push(index);
    }
    return pieces.map((piece) => {
      const pieceTokens = tokensOf(piece);
      return { start: pieceTokens[0]?.start ?? 0, end: pieceTokens.at(-1)?.end ?? 0, tokens: piece };
    });
  }

  #endsSegment(before: readonly TimedToken[], next: TimedToken): boolean {
    const text = before.map((token) => token.text).join('');
    const [first, last] = [before[0], before.at(-1)];
    if (first === undefined || last === undefined || text.trim() === '') return false;
    if (endsSentence(text)) return true;
    if (/[,;:]$/u.test(text) && last.end - first.start >= longSentenceSeconds) return true;
    const gap = this.#toRecordingSeconds(next.start) - this.#toRecordingSeconds(last.end);
    return gap - this.#window.voiceSeconds(last.end, next.start) >= separatingPauseSeconds - 2 * frameSeconds;
  }

  /** Converts seconds of the window, which lacks the long pauses, to seconds of the recording. */
  #toRecordingSeconds(seconds: number): number {
    const frame = Math.min(Math.max(Math.floor(seconds / frameSeconds), 0), this.#window.frames.length - 1);
    return (
      (this.#window.frames[frame]?.start ?? frame * frameSamples) / speechSampleRate +
      seconds -
      frame * frameSeconds
    );
  }
}

/** Punctuation that follows a word without a space, even where the tokens have one. */
const closingPunctuation = /^ ?[.,;:!?…)\]}»”%]+$/u;

/** Whether the middle of a span lies in another one. */
function isCentredIn(span: TimeSpan, other: TimeSpan): boolean {
  const middle = (span.start + span.end) / 2;
  return other.start < middle && middle < other.end;
}

/** Returns how much voice there is in spans of a window, in seconds. */
const voiceIn = (spans: readonly TimeSpan[], window: SpeechWindow): number =>
  spans.reduce((sum, { start, end }) => sum + window.voiceSeconds(start, end), 0);

/** Whether a text is more than punctuation and spaces. */
const hasLetterOrDigit = (text: string): boolean => /[\p{L}\p{M}\p{N}]/u.test(text);

/**
 * Adds text and times. A token lasts as long as the model advances after it, at least a frame, but not beyond the next
 * one. Punctuation has no duration: it belongs to the end of the word before it or to the beginning of the one after
 * it, since the model often writes it only after a pause.
 */
function timeTokens(
  emitted: readonly EmittedToken[],
  texts: readonly string[],
  secondsOf: (frame: number) => number,
): readonly TimedToken[] {
  const textOf = ({ token }: EmittedToken): string => texts[token] ?? '';
  const isPunctuation = (token: EmittedToken): boolean => !hasLetterOrDigit(textOf(token));
  const textTokens = emitted
    .filter((token) => textOf(token) !== '')
    .filter(
      (token, i, all) => !(textOf(token) === ' ' && closingPunctuation.test(textOf(all[i + 1] ?? token))),
    );
  let previousEnd: number | null = null;
  return textTokens.map((token, i): TimedToken => {
    const { frame, duration, probability } = token;
    const text = closingPunctuation.test(textOf(token)) ? textOf(token).trim() : textOf(token);
    let [start, end] = [frame, Math.min(frame + Math.max(duration, 1), textTokens[i + 1]?.frame ?? Infinity)];
    if (isPunctuation(token)) {
      const isOpening = previousEnd === null || text.startsWith(' ');
      const following = textTokens.slice(i + 1).find((other) => !isPunctuation(other));
      start = (isOpening ? following?.frame : previousEnd) ?? previousEnd ?? frame;
      end = start;
    } else previousEnd = end;
    return { text, probability, start: secondsOf(start), end: secondsOf(end) };
  });
}
