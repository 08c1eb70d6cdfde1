import type { Segment } from '../../contract/model/library.ts';
import { decode, guessing, probabilityOf, type Decoding } from './decoding.ts';
import type { SpeechResult } from './engine.ts';
import { LanguageDetection, languageProbabilities } from './language.ts';
import type { Interrupt } from './interrupt.ts';
import { endsWithWords, overlapOf } from './overlap.ts';
import { seededRandom } from './seeded-random.ts';
import { inOrderAfter, toSegments } from './segments.ts';
import { windowSeconds } from './mel-spectrogram.ts';
import { sampleRate } from './sound.ts';
import { SpeechCollector, SpeechWindow } from './speech-windows.ts';
import { readTimestamps } from './timestamp-rules.ts';
import { endingWithVoice, firstLoss } from './unheard-voice.ts';
import { special } from './tokenizer.ts';
import { frameSamples, frameSeconds } from './frame.ts';
import type { VoiceDetector } from './voice-activity.ts';
import type { SpeechModel } from './whisper-model.ts';

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
    const seconds = samplesDone / sampleRate;
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

/** What goes on from window to window of one recording. */
class Work {
  readonly #transcription: Transcription;
  readonly #detection = new LanguageDetection();
  readonly #asked: string | null;
  readonly #random = seededRandom(0);

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
    const { decoding, noSpeech } = await this.#writeDown(window);
    const isNoSpeech = noSpeech > likelyNoSpeech && decoding.averageLogProbability < guessing;
    if (canHearAgain && (isNoSpeech || decoding.repetitive)) return { segments: [], until: 0, leftOut: true };
    if (isNoSpeech) return { segments: [], until: window.seconds, leftOut: false };

    const { pieces, heardUntil } = endingWithVoice(readTimestamps(decoding.tokens, window.seconds), window);
    const loss = canHearAgain ? firstLoss(pieces, window) : null;
    const believed = loss === null ? pieces : pieces.slice(0, loss.pieces);
    const segments = toSegments(believed, window, (tokens) => tokenizer.decode(tokens));
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
    const { decoding } = await this.#writeDown(sound);
    const text = this.#transcription.model.tokenizer.decode(decoding.tokens);
    if (endsWithWords(text, overlap.words)) return after;
    if (overlap.before === null) return more;
    before.splice(-1, 1, { ...last, text: overlap.before });
    return after;
  }

  async #writeDown(
    window: SpeechWindow,
  ): Promise<{ readonly decoding: Decoding; readonly noSpeech: number }> {
    const { model, interrupt, translateToEnglish } = this.#transcription;
    const { tokenizer } = model;
    const heard = await model.listen(window.toSamples(), interrupt);
    const started = await model.step(heard, special.startOfTranscript);
    interrupt.throwIfRequested();
    const noSpeech = probabilityOf(special.noSpeech, started.scores);
    if (this.#asked === null && !this.#detection.decided) {
      this.#detection.hear(languageProbabilities(started.scores, tokenizer.languages));
    }
    const language = tokenizer.languages.get(this.language ?? 'en');
    if (language === undefined) throw new Error(`There is no token for the language "${this.language}".`);
    const task = translateToEnglish ? special.translate : special.transcribe;
    const prompted = await model.step((await model.step(started.state, language)).state, task);

    const voiceSeconds = window.voiceSeconds();
    const decoding = await decode({ model, prompted, voiceSeconds, random: this.#random, interrupt });
    return { decoding, noSpeech };
  }
}
