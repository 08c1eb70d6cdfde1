import type { Segment } from '../../../contract/segment-schema.ts';
import { withWords } from '../../../core/transcript/segment.ts';
import { wordsOf } from '../../../core/transcript/word-times.ts';
import type { WordAfterPause } from '../text/fit-to-pauses.ts';
import type { WindowSegment } from '../text/window-segments.ts';
import { frameSeconds } from '../voice/frame.ts';
import type { SpeechWindow } from '../voice/speech-windows.ts';
import type { Decoding } from '../whisper/decoding.ts';
import type { Interrupt } from '../whisper/interrupt.ts';
import type { TimedText } from '../whisper/timestamp-rules.ts';
import { free } from '../onnx/sessions.ts';
import { type DecoderState, freeCache, type WhisperRunner } from '../whisper/whisper-model.ts';
import { findFirstFrames, type TokenAttention } from './attention-alignment.ts';
import { nearestWordStart, type TimedTokens, wordsOfSegments } from './segment-words.ts';
import { attentionFrameSeconds, VoicedAudio } from './voiced-audio.ts';

/**
 * Tokens per run of the decoder. Most windows need a single run; longer ones would take more memory, as each token has
 * 1500 weights in each head.
 */
const maxTokensPerRun = 96;
/** Voice this long after the model's end of a text may belong to it, in seconds. */
const endTolerance = 1;
/** A word that begins farther than this from the end of a pause is not the first one after it, in seconds. */
const maxWordDistance = 0.3;

/** A transcribed window. */
export interface TranscribedWindow {
  readonly window: SpeechWindow;
  /** The decoder state after the start-of-transcript token. */
  readonly startState: DecoderState;
  /** The token of the language. */
  readonly language: number;
  readonly decoding: Decoding;
  /** The beginning of the decoding, or all of it. */
  readonly pieces: readonly TimedText[];
}

/** If more than this share of a window's words have no time of their own, the words are not where the model says. */
const maxUntimedShare = 1 / 3;
/** The duration of a word that was squeezed into its segment, in seconds, with a tolerance for rounding. */
const minWordSeconds = attentionFrameSeconds + 0.001;

/**
 * Whether more than a third of the words of a window were squeezed into the segments that the model assigned them to,
 * since they are heard elsewhere: then its text is not of this audio. In windows that are transcribed correctly, at
 * most a tenth of the words are squeezed.
 */
export function areMisplaced(segments: readonly Segment[]): boolean {
  const words = segments.flatMap((segment) => wordsOf(segment) ?? []);
  const untimed = words.filter(({ start, end }) => end - start < minWordSeconds);
  return words.length >= minWords && untimed.length > maxUntimedShare * words.length;
}

/** With fewer words, their times say little about the whole. */
const minWords = 10;

/** The text of a window with the times of its tokens. */
export class AlignedText {
  readonly #tokens: TimedTokens;
  readonly #audio: VoicedAudio;

  constructor(tokens: TimedTokens, audio: VoicedAudio) {
    this.#tokens = tokens;
    this.#audio = audio;
  }

  /** Finds the first word after a pause in the text of all pieces, joined. */
  readonly wordAfter: WordAfterPause = (pauseFrame) => {
    const word = nearestWordStart(this.#tokens, this.#audio.positionOf(pauseFrame * frameSeconds));
    return word === null || word.distance * attentionFrameSeconds > maxWordDistance ? null : word.offset;
  };

  /** Adds the words of the segments. */
  addWords(segments: readonly WindowSegment[]): readonly Segment[] {
    const words = wordsOfSegments(segments, this.#tokens, this.#audio);
    return segments.map(({ segment }, i) => withWords(segment, words[i] ?? []));
  }
}

/**
 * Finds the times of a window's tokens; `null` without alignment heads, or without voice. Feeds the decoder the text once
 * more, without the prompt that it was decoded with.
 *
 * @throws InterruptedError when it is interrupted
 */
export async function alignText(
  model: WhisperRunner,
  { window, startState, language, decoding, pieces }: TranscribedWindow,
  interrupt: Interrupt,
): Promise<AlignedText | null> {
  const audio = new VoicedAudio(window, (pieces.at(-1)?.end ?? 0) + endTolerance);
  const tokens = pieces.flatMap((piece) => piece.tokens);
  if (tokens.length === 0 || audio.frames.length === 0 || model.tokenizer.alignmentHeads.length === 0)
    return null;
  const { special } = model.tokenizer;
  const prompt = [language, special.transcribe, special.noTimestamps];
  const positions = findFirstFrames(
    await attentionTo(audio.frames, prompt, tokens, { model, state: startState, interrupt }),
  );
  let previousTokens = 0;
  const texts = pieces.flatMap((piece) => {
    const from = previousTokens;
    previousTokens += piece.tokens.length;
    return model.tokenizer
      .decodeByToken(piece.tokens)
      .map(({ text, first, last }) => ({ text, first: from + first, last: from + last }));
  });
  const probabilities = decoding.probabilities.filter(
    (_, i) => !special.isTimestamp(decoding.tokens[i] ?? 0),
  );
  return new AlignedText({ texts, positions, probabilities }, audio);
}

/**
 * Returns how much the last token of a prompt and the tokens after it attend to some frames. Each attends to the audio of
 * the token after it.
 */
async function attentionTo(
  frames: Int32Array,
  prompt: readonly number[],
  tokens: readonly number[],
  { model, state, interrupt }: { model: WhisperRunner; state: DecoderState; interrupt: Interrupt },
): Promise<TokenAttention> {
  const input = [...prompt, ...tokens];
  const rows = tokens.length + 1;
  const heads = model.tokenizer.alignmentHeads.length;
  const weights = new Float32Array(heads * rows * frames.length);
  let current = state;
  for (let from = 0; from < input.length; from += maxTokensPerRun) {
    interrupt.throwIfRequested();
    const run = input.slice(from, from + maxTokensPerRun);
    const attention = await model.attend(current, run);
    if (current !== state) freeCache(current);
    current = attention.state;
    for (let head = 0; head < heads; head++) {
      for (let i = Math.max(prompt.length - 1 - from, 0); i < run.length; i++) {
        const source = (head * run.length + i) * attention.frames;
        const target = (head * rows + from + i - prompt.length + 1) * frames.length;
        for (let frame = 0; frame < frames.length; frame++) {
          weights[target + frame] = attention.weights[source + (frames[frame] ?? 0)] ?? 0;
        }
      }
    }
    free(attention.weights);
  }
  freeCache(current);
  return { weights, heads, tokens: rows, frames: frames.length };
}
