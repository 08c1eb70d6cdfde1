import { speechSampleRate } from '../../../contract/decoder-protocol.ts';
import { windowSeconds } from '../whisper/mel-spectrogram.ts';
import { frameSamples, frameSeconds, type Frame } from './frame.ts';

/** Frames that fit into what Whisper hears at once. */
const windowFrames = Math.floor(windowSeconds / frameSeconds);

const inFrames = (seconds: number): number => Math.round(seconds / frameSeconds);
/** Sound without a voice that is kept before and after speech, since voices begin and end softly. */
const margin = inFrames(0.3);
/** A longer pause is cut down to a margin after and a margin before speech. */
const longestPause = inFrames(1);
/** A shorter sound is a click or a knock, no word. */
const shortestVoice = inFrames(0.1);
/** A shorter pause may be a stop within a word. */
const shortestPause = inFrames(0.25);
/** Who is silent for so long, in seconds, goes on with something else: what is said after it is heard by itself. */
export const separatingSilence = 5;
/** Less speech than this before a long silence is not heard by itself: the model's time is the same for any length. */
const worthAWindow = inFrames(5);
/** How far from a time that the model gives, which is good to about a second, a pause is looked for. */
const inaccuracy = inFrames(0.7);
/** The least of a pause that a window is heard on from. */
const shortestStop = inFrames(0.13);
/** Windows are cut in their last part: earlier would waste the model's time, which is the same for any length. */
const earliestCut = 0.6;

/** Speech of at most 30 s with its long pauses left out, and where in the recording it comes from. */
export class SpeechWindow {
  readonly frames: readonly Frame[];

  constructor(frames: readonly Frame[]) {
    this.frames = frames;
  }

  get seconds(): number {
    return this.frames.length * frameSeconds;
  }

  /** When it begins, in seconds of the recording. */
  get start(): number {
    return (this.frames[0]?.start ?? 0) / speechSampleRate;
  }

  /** Its part from a time of the recording on, in seconds; `null` when it ends before. */
  from(recordedSeconds: number): SpeechWindow | null {
    const first = this.frames.findIndex(
      ({ start }) => start + frameSamples > recordedSeconds * speechSampleRate,
    );
    return first === -1 ? null : new SpeechWindow(this.frames.slice(Math.max(first - margin, 0)));
  }

  toSamples(): Float32Array {
    const samples = new Float32Array(this.frames.length * frameSamples);
    this.frames.forEach((frame, i) => samples.set(frame.samples, i * frameSamples));
    return samples;
  }

  /** How many seconds of voice there are between two times of the window. */
  voiceSeconds(from = 0, to = this.seconds): number {
    const frames = this.frames.slice(Math.floor(from / frameSeconds), Math.ceil(to / frameSeconds));
    return frames.filter((frame) => frame.voiced).length * frameSeconds;
  }

  /** The voices between pauses, from and to times of the window. */
  get voices(): readonly { readonly start: number; readonly end: number }[] {
    const voices: { start: number; end: number }[] = [];
    this.frames.forEach(({ voiced }, i) => {
      if (!voiced) return;
      const start = i * frameSeconds;
      const last = voices.at(-1);
      if (last !== undefined && start - last.end < shortestPause * frameSeconds)
        last.end = start + frameSeconds;
      else voices.push({ start, end: start + frameSeconds });
    });
    return voices;
  }

  /** The middle of the pause that is nearest to a time of the window; the time itself where there is none near. */
  pauseNear(seconds: number): number {
    const wanted = inFrames(seconds);
    const first = Math.max(wanted - inaccuracy, 0);
    const last = Math.min(wanted + inaccuracy, this.frames.length - 1);
    let best: number | undefined;
    let length = 0;
    for (let i = first; i <= last + 1; i++) {
      if (i <= last && this.frames[i]?.voiced === false) {
        length++;
        continue;
      }
      const middle = i - length / 2;
      const isNearer = best === undefined || Math.abs(middle - wanted) < Math.abs(best - wanted);
      if (length >= shortestStop && isNearer) best = middle;
      length = 0;
    }
    return best === undefined ? seconds : best * frameSeconds;
  }
}

/**
 * Collects the speech of a recording into windows. A window ends in a pause, so that no word is cut and each is heard
 * on its own, and in a long silence as soon as there is some speech before it; only speech of half a minute without a pause is cut anywhere. Holds no more than a window at a time.
 */
export class SpeechCollector {
  /** What belongs to speech, in order. */
  #kept: Frame[] = [];
  /** Frames without a voice since then. */
  #quiet: Frame[] = [];
  /** Whether the pause is so long that the margin after the last speech is already kept. */
  #settled = true;
  /** Voiced frames, too few to be speech yet. */
  #onset: Frame[] = [];

  add(frame: Frame): void {
    if (frame.voiced) this.#addVoiced(frame);
    else this.#addQuiet(frame);
  }

  /** Whether there is speech enough for a window. */
  get full(): boolean {
    return this.#kept.length >= windowFrames;
  }

  /** Where the speech that waits for its window begins, in samples; `undefined` when there is none. */
  get start(): number | undefined {
    return this.#kept[0]?.start;
  }

  /**
   * The next window, `null` when there is no speech. It stays here until {@link drop} says how much of it is done.
   *
   * @param longest seconds that the window may have at most
   */
  window(longest = windowSeconds): SpeechWindow | null {
    if (this.#kept.length === 0) return null;
    const most = Math.floor(longest / frameSeconds);
    const parted = partingPoint(this.#kept, most);
    if (parted !== null) return new SpeechWindow(this.#kept.slice(0, parted));
    if (this.#kept.length >= most) return new SpeechWindow(this.#kept.slice(0, cutPoint(this.#kept, most)));
    const after = this.#settled ? [] : this.#quiet.slice(0, margin);
    return new SpeechWindow([...this.#kept, ...after].slice(0, most));
  }

  /** Lets go of the first frames, and of what then stands before the next speech, but for a margin. */
  drop(frames: number): void {
    this.#kept.splice(0, frames);
    const voice = this.#kept.findIndex((frame) => frame.voiced);
    if (voice > margin) this.#kept.splice(0, voice - margin);
    if (voice !== -1) return;
    this.#kept = [];
    this.#settled = true;
    this.#quiet = this.#quiet.slice(-margin);
  }

  #addVoiced(frame: Frame): void {
    this.#onset.push(frame);
    const goesOn = this.#quiet.length === 0 && this.#kept.length > 0;
    if (!goesOn && this.#onset.length < shortestVoice) return;
    this.#kept.push(...this.#quiet, ...this.#onset);
    this.#quiet = [];
    this.#onset = [];
    this.#settled = false;
  }

  #addQuiet(frame: Frame): void {
    const click = this.#onset.map((onset) => ({ ...onset, voiced: false }));
    this.#onset = [];
    this.#quiet.push(...click, frame);
    if (!this.#settled && this.#quiet.length > longestPause) {
      this.#kept.push(...this.#quiet.splice(0, margin));
      this.#settled = true;
    }
    if (this.#settled) this.#quiet = this.#quiet.slice(-margin);
  }
}

/** Where a long silence was left out of the first frames, after enough of them for a window; `null` where none was. */
function partingPoint(frames: readonly Frame[], most: number): number | null {
  for (let i = worthAWindow; i < Math.min(frames.length, most); i++) {
    const silence = (frames[i]?.start ?? 0) - (frames[i - 1]?.start ?? 0);
    if (silence >= inFrames(separatingSilence) * frameSamples) return i;
  }
  return null;
}

/** Where to end a window of so many frames: in the middle of the longest pause of its last part, else at its end. */
function cutPoint(frames: readonly Frame[], most: number): number {
  let best = { length: shortestPause - 1, middle: most };
  let length = 0;
  for (let i = Math.floor(most * earliestCut); i < most; i++) {
    length = frames[i]?.voiced === false ? length + 1 : 0;
    if (length > best.length) best = { length, middle: i + 1 - Math.floor(length / 2) };
  }
  return best.middle;
}
