import { spokenLanguages } from '../../../contract/languages.ts';
import type { Segment } from '../../../contract/segment-schema.ts';
import type { Checkpoint } from '../speech-engine.ts';
import type {
  TranscriptionSettings,
  SpeechModel,
  WindowContext,
  WindowResult,
  WindowTranscriber,
} from '../speech-model.ts';
import { removeOverlap } from '../text/overlapping-words.ts';
import { frameSamples, frameSeconds } from '../voice/frame.ts';
import type { SpeechWindow } from '../voice/speech-windows.ts';
import type { Interrupt } from '../whisper/interrupt.ts';
import { LanguageDetection } from '../whisper/language-detection.ts';
import type { Recognizer } from './parakeet-model.ts';
import { WindowTokens } from './token-texts.ts';

/** In longer windows, Parakeet skips sentences. */
const maxWindowSeconds = 20;
/** Shift of the second pass, in frames: 0.2 s. */
const shiftFrames = Math.round(0.2 / frameSeconds);
/** How much earlier than the model's timestamp a word may start, in seconds. */
const wordOnset = 0.1;
/** A window leaves its last word to the next one only if it keeps at least this much, in seconds. */
const minProgressSeconds = 1;

/** The Whisper models that do what Parakeet cannot; each is loaded when it is first needed. */
export interface WhisperHelpers {
  /** Returns the probability of each language in a window. */
  languages(samples: Float32Array, interrupt: Interrupt): Promise<ReadonlyMap<string, number>>;
  /** Returns the model that transcribes and translates instead. */
  speech(): Promise<SpeechModel>;
}

export interface ParakeetSpeechOptions {
  readonly model: Recognizer;
  /** ISO 639 codes of the languages that it knows. */
  readonly languages: readonly string[];
  readonly whisper: WhisperHelpers;
  readonly release: () => Promise<void>;
}

/**
 * Lets a Parakeet model transcribe recordings. It knows few languages and cannot be given one, does not translate, takes
 * no known terms, and sometimes skips speech. Where it cannot serve a recording or skips speech, Whisper transcribes
 * instead.
 */
export function createParakeetSpeech(options: ParakeetSpeechOptions): SpeechModel {
  return {
    createTranscriber: (recording) => new ParakeetTranscriber(recording, options),
    release: options.release,
  };
}

/** Transcribes the windows of one recording; each on its own, since the model takes no previous text. */
class ParakeetTranscriber implements WindowTranscriber {
  readonly #recording: TranscriptionSettings;
  readonly #options: ParakeetSpeechOptions;
  readonly #requestedLanguage: string | null;
  readonly #detection: LanguageDetection;
  /** The transcriber of the Whisper model, once it was needed, and the language that it was given. */
  #whisper: { readonly language: string | null; readonly transcriber: WindowTranscriber } | null = null;

  constructor(recording: TranscriptionSettings, options: ParakeetSpeechOptions) {
    const { language, checkpoint } = recording;
    this.#recording = recording;
    this.#options = options;
    this.#requestedLanguage = spokenLanguages.includes(language) ? language : null;
    this.#detection = new LanguageDetection(checkpoint?.languages);
  }

  get maxWindowSeconds(): number {
    return maxWindowSeconds;
  }

  get language(): string | null {
    return this.#requestedLanguage ?? this.#detection.language;
  }

  get snapshot(): Pick<Checkpoint, 'languages' | 'previous'> {
    return {
      languages: this.#detection.snapshot,
      previous: this.#whisper?.transcriber.snapshot.previous ?? null,
    };
  }

  async transcribeWindow(window: SpeechWindow, context: WindowContext): Promise<WindowResult> {
    await this.#detectLanguage(window);
    if (!this.#canTranscribe) return (await this.#whisperTranscriber()).transcribeWindow(window, context);
    const tokens = await this.#recognize(window);
    if (!tokens.hasOmission) return this.#resultOf(tokens, window, context);
    const shifted = await this.#recognizeShifted(window);
    if (!shifted.hasOmission) return this.#resultOf(shifted, window, context);
    const best = shifted.omittedSeconds < tokens.omittedSeconds ? shifted : tokens;
    const whisperResult = await (await this.#whisperTranscriber()).transcribeWindow(window, context);
    if (best.isCompletedBy(whisperResult)) return whisperResult;
    // Whisper requests shorter windows, in which Parakeet may omit less, too.
    if (whisperResult.isIncomplete) return { segments: [], doneUntil: 0, isIncomplete: true };
    return this.#resultOf(best, window, context);
  }

  async joinAtSeam(
    before: Segment[],
    after: readonly Segment[],
    previousWindow: SpeechWindow,
  ): Promise<readonly Segment[]> {
    if (!this.#canTranscribe)
      return (await this.#whisperTranscriber()).joinAtSeam(before, after, previousWindow);
    return removeOverlap(
      before,
      after,
      previousWindow,
      async (window) => (await this.#recognize(window)).text,
    );
  }

  /** Whether the model knows the language and no translation is requested, which it cannot do. */
  get #canTranscribe(): boolean {
    const { language } = this;
    return (
      !this.#recording.translateToEnglish && language !== null && this.#options.languages.includes(language)
    );
  }

  async #detectLanguage(window: SpeechWindow): Promise<void> {
    if (this.#requestedLanguage !== null || this.#detection.isDecided) return;
    const { interrupt } = this.#recording;
    this.#detection.addWindow(await this.#options.whisper.languages(window.toSamples(), interrupt));
    interrupt.throwIfRequested();
  }

  async #recognize(window: SpeechWindow): Promise<WindowTokens> {
    const { model } = this.#options;
    const emitted = await model.recognize(window.toSamples(), this.#recording.interrupt);
    return new WindowTokens(emitted, model.texts, window);
  }

  /** Recognizes a window again, shifted by 0.2 s: later if it starts quiet, otherwise padded with silence. */
  async #recognizeShifted(window: SpeechWindow): Promise<WindowTokens> {
    const { model } = this.#options;
    const samples = window.toSamples();
    const shift = shiftFrames * frameSamples;
    const startsQuiet = window.frames.slice(0, shiftFrames).every(({ voiced }) => !voiced);
    const padded = new Float32Array(shift + samples.length);
    padded.set(samples, shift);
    const emitted = await model.recognize(
      startsQuiet ? samples.subarray(shift) : padded,
      this.#recording.interrupt,
    );
    return new WindowTokens(
      emitted,
      model.texts,
      window,
      (startsQuiet ? 1 : -1) * shiftFrames * frameSeconds,
    );
  }

  /**
   * Returns the text of a window. Where the window ends while somebody speaks, the last word may be cut: it is left to
   * the next window, if there is one.
   */
  #resultOf(tokens: WindowTokens, window: SpeechWindow, { isLast }: WindowContext): WindowResult {
    const isCut = !isLast && window.frames.at(-1)?.voiced === true;
    const cutWord = isCut ? tokens.lastWord : null;
    const doneUntil = cutWord === null ? window.seconds : cutWord.start - wordOnset;
    return doneUntil < minProgressSeconds
      ? { segments: tokens.segments(), doneUntil: window.seconds, isIncomplete: false }
      : { segments: tokens.segments(cutWord), doneUntil, isIncomplete: false };
  }

  /** Returns the transcriber of the Whisper model, with the language that is known by now. */
  async #whisperTranscriber(): Promise<WindowTranscriber> {
    const { language } = this;
    if (this.#whisper === null || this.#whisper.language !== language) {
      const model = await this.#options.whisper.speech();
      const recording = { ...this.#recording, language: language ?? 'auto' };
      this.#whisper = { language, transcriber: model.createTranscriber(recording) };
    }
    return this.#whisper.transcriber;
  }
}
