import type { Segment } from '../../contract/segment-schema.ts';
import type { Checkpoint } from './speech-engine.ts';
import type { SpeechWindow } from './voice/speech-windows.ts';
import type { Interrupt } from './whisper/interrupt.ts';

/** What a model must know about a recording before its first window. */
export interface TranscriptionSettings {
  /** ISO 639 code; for `auto` and codes that the models do not know, the language is detected. */
  readonly language: string;
  readonly translateToEnglish: boolean;
  /** Names and terms that occur in the recording, the most important ones first. */
  readonly terms: readonly string[];
  /** Where to continue; `null`: at the start of the recording. */
  readonly checkpoint: Checkpoint | null;
  /** Stops the work, between two tokens or within the encoder. */
  readonly interrupt: Interrupt;
}

/** The text of a window. */
export interface WindowResult {
  /** In order, with times in seconds of the recording. */
  readonly segments: readonly Segment[];
  /** How far into the window the segments reach, in seconds. */
  readonly doneUntil: number;
  /** Whether something is missing from there on, so that it should be transcribed again in a shorter window. */
  readonly isIncomplete: boolean;
}

/** What the result of a window depends on besides its audio. */
export interface WindowContext {
  /** Whether an omission can be transcribed again in a shorter window; otherwise the text is accepted with it. */
  readonly canRetry: boolean;
  /** Whether nobody speaks after it, so that its last word is complete. */
  readonly isLast: boolean;
}

/** Transcribes the windows of one recording in order, and carries what the next ones need from one to the next. */
export interface WindowTranscriber {
  /** The longest window that it takes, in seconds. */
  readonly maxWindowSeconds: number;
  /** The requested or detected language as an ISO 639 code; `null` when there was no speech so far. */
  readonly language: string | null;
  /** The state that a checkpoint stores, so that a resumed recording gets the same transcript. */
  readonly snapshot: Pick<Checkpoint, 'languages' | 'previous'>;

  /**
   * Starts to work on the windows that will probably be transcribed next, the first of them first, and discards what it has
   * prepared for others. Absent where nothing can be prepared while another window is transcribed.
   */
  readonly prepare?: (windows: readonly SpeechWindow[]) => void;

  /** @throws InterruptedError when it is interrupted */
  transcribeWindow(window: SpeechWindow, context: WindowContext): Promise<WindowResult>;

  /**
   * Returns the segments of a window that began in the middle of the previous one, without words that both contain but
   * that were said once. Only for models whose `doneUntil` may lie within a window.
   *
   * @param before all segments so far; the last one is shortened where it contains words from after the seam
   * @param previousWindow the part of the previous window that is done
   * @throws InterruptedError when it is interrupted
   */
  joinAtSeam(
    before: Segment[],
    after: readonly Segment[],
    previousWindow: SpeechWindow,
  ): Promise<readonly Segment[]>;
}

/** A model in memory, of any family. Each run blocks the calling thread; one recording at a time. */
export interface SpeechModel {
  /** Returns a transcriber for the windows of one recording. */
  createTranscriber(recording: TranscriptionSettings): WindowTranscriber;
  release(): Promise<void>;
}
