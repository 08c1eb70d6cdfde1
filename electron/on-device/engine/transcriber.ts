import { speechSampleRate } from '../../contract/decoder-protocol.ts';
import type { Segment } from '../../contract/segment.ts';
import { withText } from '../../core/transcript/segment.ts';
import type { SpeechResult } from './speech-engine.ts';
import { endsWithWords, overlapOf } from './text/overlapping-words.ts';
import { PreviousText } from './text/previous-text.ts';
import { endingWithVoice, firstLoss } from './text/unheard-voice.ts';
import { inOrderAfter, toSegments } from './text/window-segments.ts';
import { frameSamples, frameSeconds } from './voice/frame.ts';
import { SpeechCollector, SpeechWindow } from './voice/speech-windows.ts';
import type { VoiceDetector } from './voice/voice-detector.ts';
import {
  decode,
  decodeIfSure,
  type Decoding,
  type DecodingRequest,
  guessing,
  probabilityOf,
  seededRandom,
} from './whisper/decoding.ts';
import type { Interrupt } from './whisper/interrupt.ts';
import { LanguageDetection, languageProbabilities } from './whisper/language-detection.ts';
import { windowSeconds } from './whisper/mel-spectrogram.ts';
import { readTimestamps, type TimedText, type WindowText } from './whisper/timestamp-rules.ts';
import { special } from './whisper/tokenizer.ts';
import type { DecoderState, SpeechModel } from './whisper/whisper-model.ts';

/** OpenAI's `no_speech_threshold`: what the decoder guesses of such a window is not believed. */
const likelyNoSpeech = 0.6;
/** Less voice than this after the last words of a window is not heard again. */
const worthHearing = 0.3;
/** The least to go forward, so that speech that makes no sense is not heard for ever. */
const leastProgress = 1;
/** What the model left something out of is heard again in windows of the next length, in seconds. */
const shorterWindows = [10, 5] as const;

export interface Transcription {
  readonly model: SpeechModel;
  readonly voices: Pick<VoiceDetector, 'frames'>;
  /** Mono samples in -1..1 at 16 kHz. */
  readonly samples: AsyncIterable<Float32Array>;
  /** ISO 639 code; `auto` and what the models do not know is detected. */
  readonly language: string;
  readonly translateToEnglish: boolean;
  /** Seconds of sound that are done, at most once a second of them. */
  readonly onProgress: (secondsDone: number) => void;
  /** Ends the work, between two tokens or within the encoder. */
  readonly interrupt: Interrupt;
}

/**
 * Turns the speech of a recording of any length into text. Only what somebody says reaches the model, in windows of at
 * most 30 s that end in pauses; memory does not grow with the length.
 *
 * @throws InterruptedError when it is interrupted
 */
export async function transcribe(transcription: Transcription): Promise<SpeechResult> {
  const { interrupt, onProgress } = transcription;
  const work = new Work(transcription);
  const speech = new SpeechCollector();
  const segments: Segment[] = [];
  let reported = 0;
  let position = 0;
  let longest = windowSeconds;
  /** What was done of the last window, where the next one begins in the middle of it. */
  let heardBefore: SpeechWindow | null = null;

  const hear = async (window: SpeechWindow): Promise<void> => {
    const shorter = shorterWindows.find((seconds) => seconds < window.seconds);
    const heard = await work.transcribeWindow(window, shorter !== undefined);
    const joined =
      heardBefore === null ? heard.segments : await work.join(segments, heard.segments, heardBefore);
    segments.push(...inOrderAfter(segments.at(-1), joined));
    const done = Math.floor(heard.until / frameSeconds);
    if (heard.until >= window.seconds) heardBefore = null;
    else if (done > 0) heardBefore = new SpeechWindow(window.frames.slice(0, done));
    speech.drop(done);
    longest = (heard.leftOut ? shorter : null) ?? windowSeconds;
  };
  const report = (samplesDone: number): void => {
    const seconds = samplesDone / speechSampleRate;
    if (seconds < reported + 1) return;
    reported = seconds;
    onProgress(seconds);
  };

  for await (const frame of transcription.voices.frames(transcription.samples)) {
    interrupt.throwIfRequested();
    position = frame.start + frameSamples;
    speech.add(frame);
    while (speech.full) {
      const window = speech.window(longest);
      if (window === null) break;
      await hear(window);
    }
    report(speech.start ?? position);
  }
  for (let window = speech.window(longest); window !== null; window = speech.window(longest)) {
    await hear(window);
    report(speech.start ?? position);
  }
  return { language: work.language, segments };
}

/** What came of a window. */
interface Heard {
  readonly segments: readonly Segment[];
  /** How far into the window it is done, in seconds. */
  readonly until: number;
  /** Whether something was left out from there on, so that it should be heard again in a shorter window. */
  readonly leftOut: boolean;
}

/** A window that the model has listened to. */
interface Sound {
  readonly window: SpeechWindow;
  readonly heard: DecoderState;
  /** The decoder at the start of a transcript, with nothing said before. */
  readonly started: DecoderState;
  /** The probability of no speech. */
  readonly noSpeech: number;
}

/** What goes on from window to window of one recording. */
class Work {
  readonly #transcription: Transcription;
  readonly #detection = new LanguageDetection();
  readonly #asked: string | null;
  readonly #random = seededRandom(0);
  readonly #previous = new PreviousText();

  constructor(transcription: Transcription) {
    this.#transcription = transcription;
    const { language, model } = transcription;
    this.#asked = model.tokenizer.languages.has(language) ? language : null;
  }

  /** The language asked for or detected, `null` when there was no speech. */
  get language(): string | null {
    return this.#asked ?? this.#detection.language;
  }

  /** @param canHearAgain whether what is left out can be heard again in a shorter window; else it is left out for good */
  async transcribeWindow(window: SpeechWindow, canHearAgain: boolean): Promise<Heard> {
    const { tokenizer } = this.#transcription.model;
    const sound = await this.#listen(window);
    const decoding = (await this.#goOn(sound)) ?? (await this.#writeDown(sound));
    const isGuess = decoding.averageLogProbability < guessing;
    const isNoSpeech = sound.noSpeech > likelyNoSpeech && isGuess;
    const isReliable = !isGuess && !decoding.repetitive && decoding.temperature === 0;
    if (!isReliable) this.#previous.forget();
    if (canHearAgain && (isNoSpeech || decoding.repetitive)) return { segments: [], until: 0, leftOut: true };
    if (isNoSpeech) return { segments: [], until: window.seconds, leftOut: false };

    const { pieces, heardUntil } = textOf(decoding, window);
    const loss = canHearAgain ? firstLoss(pieces, window) : null;
    const believed = loss === null ? pieces : pieces.slice(0, loss.pieces);
    const segments = toSegments(believed, window, (tokens) => tokenizer.decode(tokens));
    if (isReliable) this.#remember(believed, segments);
    if (loss !== null) {
      return { segments, until: believed.length === 0 ? 0 : window.pauseNear(loss.from), leftOut: true };
    }
    const heardAll = window.voiceSeconds(heardUntil) < worthHearing;
    return {
      segments,
      until: heardAll ? window.seconds : Math.max(window.pauseNear(heardUntil), leastProgress),
      leftOut: false,
    };
  }

  /**
   * The segments of a window that began in the middle of what was heard before. Words that both say around the seam were
   * said twice, or once and heard by both: so the sound up to the seam is heard again by itself. If it ends with them
   * there as well they stay; else they are taken from the text that was cut off at the seam.
   *
   * @param before all segments so far; the last one is made shorter where it says what comes after the seam
   * @param heardBefore what was done of the window before
   */
  async join(
    before: Segment[],
    after: readonly Segment[],
    heardBefore: SpeechWindow,
  ): Promise<readonly Segment[]> {
    const last = before.at(-1);
    const [next, ...more] = after;
    if (last === undefined || next === undefined) return after;
    const overlap = overlapOf(last.text, next.text);
    const sound = heardBefore.from(last.start);
    if (overlap === null || sound === null) return after;
    const decoding = await this.#writeDown(await this.#listen(sound));
    const text = this.#transcription.model.tokenizer.decode(decoding.tokens);
    if (endsWithWords(text, overlap.words)) return after;
    if (overlap.before === null) return more;
    before.splice(-1, 1, withText(last, overlap.before));
    return after;
  }

  /** What was written down of a window is what the next one goes on from; after one without a text there is nothing. */
  #remember(pieces: readonly TimedText[], segments: readonly Segment[]): void {
    const last = segments.at(-1);
    if (last === undefined) this.#previous.forget();
    else this.#previous.add(pieces, last.end);
  }

  async #listen(window: SpeechWindow): Promise<Sound> {
    const { model, interrupt } = this.#transcription;
    const heard = await model.listen(window.toSamples(), interrupt);
    const { scores, state: started } = await model.step(heard, special.startOfTranscript);
    interrupt.throwIfRequested();
    if (this.#asked === null && !this.#detection.decided) {
      this.#detection.hear(languageProbabilities(scores, model.tokenizer.languages));
    }
    return { window, heard, started, noSpeech: probabilityOf(special.noSpeech, scores) };
  }

  async #writeDown({ window, started }: Sound): Promise<Decoding> {
    return decode(await this.#requestFor(started, window));
  }

  /**
   * Writes a window down as what was said before goes on. Its text may mislead the model, so what comes of it has to be
   * sure, all that is heard, and not what was said before once more; else it is `null`, and forgotten.
   */
  async #goOn({ window, heard }: Sound): Promise<Decoding | null> {
    const { model } = this.#transcription;
    const previous = this.#previous.before(window.start);
    if (previous.length === 0) return null;
    // The first token has values far beyond all others, and those of the last ones matter: rounded together with the
    // rest (see `stepGraph`) they would make it inexact.
    const { state: mark } = await model.step(heard, special.startOfPrevious);
    const { state: told } = await model.step(mark, ...previous);
    const { state: started } = await model.step(told, special.startOfTranscript);
    const decoding = await decodeIfSure(await this.#requestFor(started, window));
    if (decoding !== null && this.#isAll(decoding, window) && !this.#isRepeated(decoding, previous)) {
      return decoding;
    }
    this.#previous.forget();
    return null;
  }

  #isAll(decoding: Decoding, window: SpeechWindow): boolean {
    return firstLoss(textOf(decoding, window).pieces, window) === null;
  }

  #isRepeated(decoding: Decoding, previous: readonly number[]): boolean {
    const { tokenizer } = this.#transcription.model;
    return tokenizer.decode(previous).includes(tokenizer.decode(decoding.tokens).trim());
  }

  /** What is to be decoded: the decoder is told the language and the task. */
  async #requestFor(started: DecoderState, window: SpeechWindow): Promise<DecodingRequest> {
    const { model, interrupt, translateToEnglish } = this.#transcription;
    const language = model.tokenizer.languages.get(this.language ?? 'en');
    if (language === undefined) throw new Error(`There is no token for the language "${this.language}".`);
    const task = translateToEnglish ? special.translate : special.transcribe;
    const prompted = await model.step((await model.step(started, language)).state, task);
    return { model, prompted, voiceSeconds: window.voiceSeconds(), random: this.#random, interrupt };
  }
}

/** The text of a window, as far as it goes. */
function textOf(decoding: Decoding, window: SpeechWindow): WindowText {
  return endingWithVoice(readTimestamps(decoding.tokens, window.seconds), window);
}
