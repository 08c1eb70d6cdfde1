import type { Segment } from '../../../contract/segment-schema.ts';
import type { Checkpoint } from '../speech-engine.ts';
import type {
  TranscriptionSettings,
  SpeechModel,
  WindowContext,
  WindowResult,
  WindowTranscriber,
} from '../speech-model.ts';
import { free } from '../onnx/sessions.ts';
import { KnownTerms, isSimilarText } from '../text/known-terms.ts';
import { endBeforeUntranscribedVoice, findOmission, nextWindowStart } from '../text/omissions.ts';
import { removeOverlap } from '../text/overlapping-words.ts';
import { maxPromptTokens, PreviousText } from '../text/previous-text.ts';
import { toSegments } from '../text/window-segments.ts';
import type { SpeechWindow } from '../voice/speech-windows.ts';
import { type AlignedText, alignText, areMisplaced } from '../words/window-words.ts';
import {
  decode,
  decodeIfConfident,
  type Decoding,
  type DecodingRequest,
  minLogProbability,
  probabilityOf,
} from './decoding.ts';
import { seededRandom } from '../seeded-random.ts';
import { LanguageDetection, languageProbabilities } from './language-detection.ts';
import { windowSeconds } from './mel-spectrogram.ts';
import { readTimestamps, type TimedText, type WindowText } from './timestamp-rules.ts';
import type { SpecialTokens } from './special-tokens.ts';
import type { EncodedAudio } from './whisper-encoder.ts';
import { type DecoderState, freeAudio, type WhisperRunner } from './whisper-model.ts';

/** OpenAI's `no_speech_threshold`: above it, an uncertain text of a window is discarded. */
const noSpeechThreshold = 0.6;

/** A recording and the Whisper model for it. */
interface WhisperTask extends TranscriptionSettings {
  readonly model: WhisperRunner;
}

/** Lets a Whisper model transcribe recordings. */
export function createWhisperSpeech(model: WhisperRunner, release: () => Promise<void>): SpeechModel {
  return { createTranscriber: (recording) => new WhisperTranscriber({ ...recording, model }), release };
}

interface PreparedWindow {
  readonly window: SpeechWindow;
  readonly audio: Promise<EncodedAudio>;
}

interface EncodedWindow {
  readonly window: SpeechWindow;
  /** The encoded audio: the decoder's state before any token. */
  readonly audio: DecoderState;
  /** The decoder state after the start-of-transcript token, without previous text. */
  readonly startState: DecoderState;
  /** The probability of no speech. */
  readonly noSpeechProbability: number;
  /** The text without any context, once it is needed. */
  fresh?: Promise<Decoding>;
}

/** Transcribes the windows of one recording, and carries the language and the previous text from one to the next. */
class WhisperTranscriber implements WindowTranscriber {
  readonly maxWindowSeconds = windowSeconds;
  readonly #task: WhisperTask;
  readonly #language: LanguageDetection;
  readonly #special: SpecialTokens;
  readonly #requestedLanguage: string | null;
  readonly #previous: PreviousText;
  readonly #terms: KnownTerms;
  /** Windows whose encoding has started. */
  #prepared: readonly PreparedWindow[] = [];
  readonly prepare?: (windows: readonly SpeechWindow[]) => void;

  constructor(task: WhisperTask) {
    this.#task = task;
    const { language, model, checkpoint } = task;
    this.#special = model.tokenizer.special;
    this.#language = new LanguageDetection(checkpoint?.languages, model.tokenizer.languages);
    this.#previous = new PreviousText(this.#special, checkpoint?.previous);
    this.#terms = new KnownTerms(task.terms, model.tokenizer);
    this.#requestedLanguage = model.tokenizer.languages.has(language) ? language : null;
    if (model.encodesConcurrently) this.prepare = (windows) => this.#prepare(windows);
  }

  get language(): string | null {
    return this.#requestedLanguage ?? this.#language.language;
  }

  get snapshot(): Pick<Checkpoint, 'languages' | 'previous'> {
    return { languages: this.#language.snapshot, previous: this.#previous.snapshot };
  }

  #prepare(windows: readonly SpeechWindow[]): void {
    const old = this.#prepared;
    this.#prepared = windows.map((window) => {
      const prepared = old.find((candidate) => candidate.window.hasSameAudio(window));
      if (prepared !== undefined) return prepared;
      const audio = this.#startEncoding(window);
      // If the transcription ends before this window, its failure does not matter.
      audio.catch(() => undefined);
      return { window, audio };
    });
    for (const prepared of old) if (!this.#prepared.includes(prepared)) discard(prepared);
  }

  #startEncoding(window: SpeechWindow): Promise<EncodedAudio> {
    return this.#task.model.encode(window.toSamples(), this.#task.interrupt);
  }

  /** Returns the audio of a window, which then is no longer among the prepared ones. */
  #takeAudio(window: SpeechWindow): Promise<EncodedAudio> {
    const prepared = this.#prepared.find((candidate) => candidate.window.hasSameAudio(window));
    if (prepared === undefined) return this.#startEncoding(window);
    this.#prepared = this.#prepared.filter((other) => other !== prepared);
    return prepared.audio;
  }

  async transcribeWindow(window: SpeechWindow, { canRetry }: WindowContext): Promise<WindowResult> {
    const encoded = await this.#encode(window);
    try {
      return await this.#transcribeEncoded(encoded, canRetry);
    } finally {
      freeAudio(encoded.audio);
    }
  }

  async #transcribeEncoded(encoded: EncodedWindow, canRetry: boolean): Promise<WindowResult> {
    const { tokenizer } = this.#task.model;
    const { window } = encoded;
    const decoding = (await this.#decodeWithContext(encoded)) ?? (await this.#decodeFresh(encoded));
    const isUncertain = decoding.averageLogProbability < minLogProbability;
    const isNoSpeech = encoded.noSpeechProbability > noSpeechThreshold && isUncertain;
    const isReliable = !isUncertain && !decoding.isRepetitive && decoding.temperature === 0;
    if (!isReliable) this.#previous.clear();
    if (canRetry && (isNoSpeech || decoding.isRepetitive))
      return { segments: [], doneUntil: 0, isIncomplete: true };
    if (isNoSpeech) return { segments: [], doneUntil: window.seconds, isIncomplete: false };

    const { pieces, coveredUntil } = coveredText(decoding, window, this.#special);
    const omission = canRetry ? findOmission(pieces, window) : null;
    const acceptedPieces = omission === null ? pieces : pieces.slice(0, omission.pieceCount);
    const { doneUntil, isIncomplete } =
      omission === null
        ? { doneUntil: nextWindowStart(window, coveredUntil), isIncomplete: false }
        : {
            doneUntil: acceptedPieces.length === 0 ? 0 : window.nearestPause(omission.from),
            isIncomplete: true,
          };
    const aligned = await this.#align(acceptedPieces, decoding, encoded);
    const located = toSegments(acceptedPieces, window, (tokens) => tokenizer.decode(tokens), {
      until: doneUntil,
      ...(aligned === null ? {} : { wordAfter: aligned.wordAfter }),
    });
    const segments = aligned?.addWords(located) ?? located.map(({ segment }) => segment);
    if (!this.#previous.isEmpty && areMisplaced(segments)) {
      // A repeated sentence makes the model continue after its earlier occurrence in the previous text.
      this.#previous.clear();
      return this.#transcribeEncoded(encoded, canRetry);
    }
    if (isReliable) this.#remember(acceptedPieces, segments);
    return { segments, doneUntil, isIncomplete };
  }

  joinAtSeam(
    before: Segment[],
    after: readonly Segment[],
    previousWindow: SpeechWindow,
  ): Promise<readonly Segment[]> {
    return removeOverlap(before, after, previousWindow, async (window) => {
      const encoded = await this.#encode(window);
      try {
        // With the terms, as both texts were decoded: they decide how words are spelled.
        const decoding = (await this.#decodeWithTerms(encoded)) ?? (await this.#decodeFresh(encoded));
        return this.#task.model.tokenizer.decode(decoding.tokens);
      } finally {
        freeAudio(encoded.audio);
      }
    });
  }

  /** Finds the times of a window's words; `null` for a translation, whose words were not said. */
  #align(
    pieces: readonly TimedText[],
    decoding: Decoding,
    { window, startState }: EncodedWindow,
  ): Promise<AlignedText | null> {
    const { model, translateToEnglish, interrupt } = this.#task;
    if (translateToEnglish) return Promise.resolve(null);
    return alignText(
      model,
      { window, startState, language: this.#languageToken, decoding, pieces },
      interrupt,
    );
  }

  /** Keeps the text of a window as context for the next one; a window without text leaves none. */
  #remember(pieces: readonly TimedText[], segments: readonly Segment[]): void {
    const last = segments.at(-1);
    if (last === undefined) this.#previous.clear();
    else this.#previous.add(pieces, last.end);
  }

  async #encode(window: SpeechWindow): Promise<EncodedWindow> {
    const { model, interrupt } = this.#task;
    const audio = await model.firstState(await this.#takeAudio(window));
    const { scores, state: startState } = await model.decode(audio, this.#special.startOfTranscript);
    interrupt.throwIfRequested();
    if (this.#requestedLanguage === null && !this.#language.isDecided) {
      this.#language.addWindow(languageProbabilities(scores, model.tokenizer.languages));
    }
    return {
      window,
      audio,
      startState,
      noSpeechProbability: probabilityOf(this.#special.noSpeech, scores),
    };
  }

  /** Decodes a window without any context, once. */
  #decodeFresh(encoded: EncodedWindow): Promise<Decoding> {
    encoded.fresh ??= this.#requestFor(encoded.startState, encoded.window).then(decode);
    return encoded.fresh;
  }

  /**
   * Decodes a window with the known terms and the previous text as context. The context may mislead the model: where its
   * result is not {@link #decodeIfGood good}, the previous text is cleared and the window is decoded with the terms alone.
   * `null` without context, or if that result is not good either.
   */
  async #decodeWithContext(encoded: EncodedWindow): Promise<Decoding | null> {
    const terms = this.#termsFor(encoded);
    const previous = this.#previous.tokensBefore(encoded.window.start, maxPromptTokens - terms.length);
    if (previous.length === 0) return this.#decodeWithTerms(encoded);
    const decoding = await this.#decodeIfGood(encoded, [...terms, ...previous]);
    if (decoding !== null && !this.#repeatsPrevious(decoding, previous)) return decoding;
    this.#previous.clear();
    return this.#decodeWithTerms(encoded);
  }

  /** Decodes a window with the known terms as context; `null` without terms, or if the result is not good. */
  async #decodeWithTerms(encoded: EncodedWindow): Promise<Decoding | null> {
    const terms = this.#termsFor(encoded);
    return terms.length === 0 ? null : this.#decodeIfGood(encoded, terms);
  }

  /** Returns the tokens of the known terms; none where there may be no speech, since the model would repeat them with confidence. */
  #termsFor({ noSpeechProbability }: EncodedWindow): readonly number[] {
    return noSpeechProbability > noSpeechThreshold ? [] : this.#terms.tokens;
  }

  /**
   * Decodes a window with a context; `null` unless the result is certain and complete and is not an echo of the known terms.
   *
   * @param context text and timestamp tokens
   */
  async #decodeIfGood(encoded: EncodedWindow, context: readonly number[]): Promise<Decoding | null> {
    const { window, audio } = encoded;
    const { model } = this.#task;
    // The first token has by far the largest activations, and those of the last one must be exact. Tokens of one run are
    // quantized together (see `decoderGraph`), which would round off the smaller values, so these two run separately.
    const { state: afterMark } = await model.decode(audio, this.#special.startOfPrevious);
    const { state: afterContext } = await model.decode(afterMark, ...context);
    const { state: startState } = await model.decode(afterContext, this.#special.startOfTranscript);
    const decoding = await decodeIfConfident(await this.#requestFor(startState, window));
    if (decoding === null || !this.#isComplete(decoding, window)) return null;
    if (await this.#isEcho(decoding, encoded)) return null;
    return this.#terms.hasDoubtfulTerm(decoding, model.tokenizer)
      ? this.#terms.replaceUnheard(decoding, await this.#decodeFresh(encoded), model.tokenizer)
      : decoding;
  }

  /** Whether a text is the list of known terms instead of what was said: then the window has another text without them. */
  async #isEcho({ tokens }: Decoding, encoded: EncodedWindow): Promise<boolean> {
    const { tokenizer } = this.#task.model;
    const text = tokenizer.decode(tokens);
    if (!this.#terms.mayBeEcho(text)) return false;
    const fresh = await this.#decodeFresh(encoded);
    return !isSimilarText(text, tokenizer.decode(fresh.tokens));
  }

  #isComplete(decoding: Decoding, window: SpeechWindow): boolean {
    return findOmission(coveredText(decoding, window, this.#special).pieces, window) === null;
  }

  #repeatsPrevious(decoding: Decoding, previous: readonly number[]): boolean {
    const { tokenizer } = this.#task.model;
    return tokenizer.decode(previous).includes(tokenizer.decode(decoding.tokens).trim());
  }

  get #languageToken(): number {
    const token = this.#task.model.tokenizer.languages.get(this.language ?? 'en');
    if (token === undefined) throw new Error(`There is no token for the language "${this.language}".`);
    return token;
  }

  /** Prompts the decoder with the language and the task. */
  async #requestFor(startState: DecoderState, window: SpeechWindow): Promise<DecodingRequest> {
    const { model, interrupt, translateToEnglish } = this.#task;
    const task = translateToEnglish ? this.#special.translate : this.#special.transcribe;
    const promptState = await model.decode((await model.decode(startState, this.#languageToken)).state, task);
    // Seeded by the window, so that the result does not depend on what was transcribed before it in the same run.
    const random = seededRandom(window.frames[0]?.start ?? 0);
    return { model, promptState, voiceSeconds: window.voiceSeconds(), random, interrupt };
  }
}

/** Frees the audio of a window that is not transcribed, once it is encoded. */
function discard({ audio }: PreparedWindow): void {
  audio.then(
    ({ values }) => free(values),
    () => undefined,
  );
}

/** Returns the text of a window up to where voice without text follows. */
function coveredText(decoding: Decoding, window: SpeechWindow, special: SpecialTokens): WindowText {
  return endBeforeUntranscribedVoice(readTimestamps(decoding.tokens, window.seconds, special), window);
}
